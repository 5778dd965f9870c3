import type { Entry } from '@varve/messages';
import { ModelError } from '@varve/models';
import { describe, expect, test } from 'vitest';
import { oneIn } from '../../../internal/src/share.ts';
import type { Context } from '../src/index.ts';
import { compactingScene, fillUp, summary } from './compacting-support.ts';
import { BOUND, call, earlyStorage, output, says, text, violationsOf } from './support.ts';

const tooLong = new ModelError('prompt-too-long', 'The prompt does not fit.');

const acts: Record<string, (context: Context, signal: AbortSignal) => Promise<unknown>> = {
  user: (context, signal) => context.user(output('said', 9_000), { signal }),
  request: (context, signal) => context.request({ signal }),
  send: (context, signal) => context.send({ signal }),
  compact: (context, signal) => context.compact({ signal }),
  recover: (context, signal) => context.recover(tooLong, { signal }),
  async results(context, signal) {
    await context.request();
    await context.reply(says(call('last')));
    return context.results([{ toolUseId: 'last', content: output('last', 9_000) }], { signal });
  },
};

/** Everything that is waited for, and a conversation that is full. */
async function full(written: Entry[]): Promise<Context> {
  const name = 'hook';
  const { context } = compactingScene(
    {
      async summarize(_, { signal }) {
        await Promise.resolve();
        signal?.throwIfAborted();
        return summary();
      },
      hooks: {
        before: [{ name, run: async () => ({ instructions: 'Be short.' }) }],
        sessionStart: [{ name, run: async () => ({ context: 'On branch main.' }) }],
        after: [{ name, run: async () => undefined }],
      },
      restore: async () => ({ messages: [], restored: [] }),
    },
    {
      model: BOUND,
      storage: earlyStorage(),
      call: async () => says(text('Done.')),
      log: { append: async (...entries) => void written.push(...entries) },
    },
  );
  await context.user('Go.');
  await fillUp(context);
  return context;
}

/** Compactions that began, and those that ended one way or the other. */
function attemptsOf(entries: readonly Entry[]): [number, number] {
  const kinds = entries.flatMap((entry) => {
    if (entry.type === 'edit') return entry.receipt?.attempt ? ['compaction-ended'] : [];
    return entry.type === 'note' ? [(entry.data as { kind?: string }).kind] : [];
  });
  const count = (kind: string) => kinds.filter((each) => each === kind).length;
  return [count('compaction-started'), count('compaction-ended')];
}

describe('an abort at any microtask', () => {
  test.each(Object.keys(acts))(
    'of `%s`: the conversation goes on, and the log has it all',
    async (name) => {
      let aborted = 0;
      for (const at of oneIn(
        4,
        Array.from({ length: 60 }, (_, tick) => tick),
      )) {
        const written: Entry[] = [];
        const context = await full(written);
        const abort = new AbortController();
        const ended = acts[name]?.(context, abort.signal).catch((error: unknown) => error);
        for (let tick = 0; tick < at; tick++) await Promise.resolve();
        abort.abort();
        const outcome = await ended;
        if (outcome instanceof Error) {
          aborted++;
          expect(outcome.name).toBe('AbortError');
        }
        const [began, over] = attemptsOf(context.entries());
        expect(over).toBe(began);
        await context.closeRound('aborted');
        if (context.view().messages.at(-1)?.role !== 'user') await context.user('Go on.');
        expect(violationsOf(await context.request())).toEqual([]);
        expect(written).toEqual(context.entries());
      }
      expect(aborted).toBeGreaterThan(0);
    },
  );
});
