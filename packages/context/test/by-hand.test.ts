import { createSnip } from '@varve/compact';
import type { Entry } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { compactingScene, fill } from './compacting-support.ts';
import { rejection, says, text, violationsOf } from './support.ts';

const LARGE = { models: [] }; // the window of the model: nothing is due by itself

describe('apply runs a layer by hand', () => {
  test('C11: a snip drops the oldest rounds, whatever the size, and undo shows them again', async () => {
    const { context } = compactingScene({}, LARGE);
    await context.user('Fix the parser.');
    for (const name of ['k0', 'k1', 'k2', 'k3']) await fill(context, name);
    const before = context.view().messages.length;
    const planner = createSnip({ budgetTokens: 3_000 });
    const applied = await context.apply({ name: 'snip', planner });
    expect(applied).toEqual({ kind: 'edited', reason: 'over-budget' });
    expect(context.view().messages.length).toBeLessThan(before);
    expect(violationsOf(await context.request())).toEqual([]);
    const last = context.entries().findLast(({ type }) => type === 'edit');
    await context.undo(last?.id as string);
    expect(context.view().messages).toHaveLength(before);
  });

  test('C12: work of a layer is done first, its notes are in the log, and it is asked again; aborted, nothing is', async () => {
    const { context } = compactingScene({}, LARGE);
    await context.user('Fix the parser.');
    let isNoted = false;
    const planner = {
      observe: (entry: Entry) => {
        isNoted ||= entry.type === 'note' && entry.by === 'own';
      },
      plan: () =>
        isNoted
          ? ({ kind: 'none', reason: 'done' } as const)
          : ({ kind: 'work', work: {}, reason: 'to-do' } as const),
      run: async () => ({ notes: [{ kind: 'staged' }] }),
    };
    const before = context.entries().length;
    const signal = AbortSignal.abort();
    expect(await rejection(context.apply({ name: 'own', planner }, { signal }))).toBe(
      signal.reason,
    );
    expect(context.entries()).toHaveLength(before);
    expect(await context.apply({ name: 'own', planner })).toEqual({ kind: 'none', reason: 'done' });
    expect(context.entries().at(-1)).toMatchObject({ by: 'own', data: { kind: 'staged' } });
  });

  test('says why nothing came of it', async () => {
    const { context } = compactingScene({}, LARGE);
    await context.user('Fix the parser.');
    const planner = createSnip({ budgetTokens: 100_000 });
    const applied = await context.apply({ name: 'snip', planner });
    expect(applied).toEqual({ kind: 'none', reason: 'below-budget' });
  });
});

describe("P5: the provider's own diagnosis of the cache", () => {
  const bill = (read: number, written: number) => ({
    ...{ input_tokens: 10, output_tokens: 5 },
    ...{ cache_read_input_tokens: read, cache_creation_input_tokens: written },
  });
  const asked = async (read: number, word: string) => {
    const { context, events } = compactingScene({}, LARGE);
    await context.user('Hello.');
    await context.request();
    await context.reply({ ...says(text('One.')), usage: bill(0, 8_000) });
    await context.user('Again.');
    await context.request();
    const cacheMiss = { word, missedTokens: 8_000 };
    await context.reply({ ...says(text('Two.')), usage: bill(read, 100), cacheMiss });
    return { context, events };
  };

  test.each([
    { read: 0, word: 'messages_changed', kind: 'differs' },
    { read: 8_000, word: 'tools_changed', kind: 'only-diagnosed' },
  ])('is kept beside what the bill shows: $word is $kind', async ({ read, word, kind }) => {
    const { context, events } = await asked(read, word);
    expect(context.usage().diagnoses).toMatchObject({
      counts: { [kind]: 1 },
      newest: [{ kind, word, missedTokens: 8_000 }],
    });
    const told = events.filter((event) => event.kind === 'diagnosed');
    expect(told).toMatchObject([{ layer: 'prompt-cache', diagnosis: { kind, word } }]);
    const { context: resumed } = compactingScene({}, { ...LARGE, entries: context.entries() });
    expect(resumed.usage().diagnoses).toEqual(context.usage().diagnoses);
  });

  test.each(['pending', 'unavailable', 'previous_message_not_found'])(
    '%s says nothing',
    async (word) => {
      const { context } = await asked(8_000, word);
      expect(context.usage().diagnoses).toEqual({ counts: {}, newest: [] });
    },
  );
});

test('T6: a request at the blocking limit is not sent, and is after a compaction', async () => {
  const { context } = compactingScene({}, { ...LARGE, blockingLimitTokens: 3_000 });
  await context.user('Fix the parser.');
  let error: unknown;
  for (let count = 0; count < 12 && error === undefined; count++)
    error = await fill(context, `k${count}`).then(
      () => undefined,
      (reason: unknown) => reason,
    );
  expect(error).toMatchObject({ code: 'message-too-large' });
  expect((await context.compact()).kind).toBe('compacted');
  expect(violationsOf(await context.request())).toEqual([]);
});
