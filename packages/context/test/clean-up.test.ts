import { describe, expect, test } from 'vitest';
import type { CleanUpOccasion } from '../src/clean-up.ts';
import { compactingScene, fillUp, noWait, summarizer } from './compacting-support.ts';
import { earlyClearing, rejection, says, scene, text } from './support.ts';

/** A timer that is over as soon as a test says so, and that tells how long it was to wait. */
function fakeTimer() {
  const waits: { readonly ms: number; readonly done: () => void }[] = [];
  return {
    waits,
    startTimer(ms: number, done: () => void) {
      waits.push({ ms, done });
      return () => undefined;
    },
  };
}

describe('cleanUp (C20)', () => {
  test('runs once after each way of compacting, before the call is done', async () => {
    const seen: CleanUpOccasion[] = [];
    const cleanUp = [(occasion: CleanUpOccasion) => void seen.push(occasion)];
    const { context } = compactingScene({}, { cleanUp });
    await context.user('Fix the parser.');
    let count = await fillUp(context);
    await context.request(); // at the threshold
    expect(seen.map(({ by, reason }) => [by, reason])).toEqual([['compact', 'over-threshold']]);
    await context.reply(says(text('Done.')));
    await context.user('More.');
    count = await fillUp(context, 3_000, count);
    await context.compact();
    count = await fillUp(context, 3_000, count);
    await context.recover(Object.assign(new Error('prompt is too long'), { status: 400 }));
    expect(seen.map(({ reason }) => reason)).toEqual([
      ...['over-threshold', 'manual', 'refused-as-too-long'],
    ]);
    await fillUp(context, 2_000, count);
    const [call, results] = context.view().messages.slice(-2);
    const [fromId, toId] = [call?.sources[0] ?? '', results?.sources.at(-1) ?? ''];
    await context.edit([{ kind: 'replace-span', fromId, toId, with: [], then: [] }], {
      ...{ by: 'person', reason: 'snip' },
    });
    expect(seen.at(-1)).toMatchObject({ by: 'person', reason: 'snip', thread: 'main' });
    expect(seen).toHaveLength(4);
    for (const { tokensAfter } of seen) expect(tokensAfter).toBeGreaterThan(0);
  });

  test('runs after a layer that replaces a stretch, not after one that clears', async () => {
    const seen: string[] = [];
    const cleanUp = [({ by }: CleanUpOccasion) => void seen.push(by)];
    const planner = {
      observe: () => undefined,
      plan: () => ({ kind: 'none', reason: 'off' }) as const,
    };
    let edits = 0;
    const snip = {
      name: 'snip',
      planner: {
        ...planner,
        plan() {
          const { messages } = context.view();
          if (messages.length < 3 || edits++ > 0) return planner.plan();
          const [from, to] = [messages[0]?.id ?? '', messages[1]?.id ?? ''];
          const edit = {
            kind: 'replace-span',
            fromId: from,
            toId: to,
            with: [],
            then: [],
          } as const;
          return { kind: 'edit', edits: [edit], reason: 'old' } as const;
        },
      },
    };
    const { context } = scene({ cleanUp, layers: [snip, earlyClearing(1)] });
    for (const said of ['One.', 'Two.', 'Three.']) {
      await context.user(said);
      await context.request();
      await context.reply(says(text('Done.')));
    }
    expect(seen).toEqual(['snip']);
  });

  test('one that throws, one that rejects and one that hangs keep nothing from going on, and each is an event', async () => {
    const { waits, startTimer } = fakeTimer();
    const seen: string[] = [];
    const cleanUp = [
      () => {
        throw new Error('at once');
      },
      async () => {
        throw new Error('later');
      },
      function hangs() {
        return new Promise(() => undefined);
      },
      async () => void seen.push('last'),
    ];
    const { context, events } = compactingScene({ startTimer, wait: noWait }, { cleanUp });
    await context.user('Fix the parser.');
    await fillUp(context, 3_000);
    const compacting = context.compact();
    while (!waits.some(({ ms }) => ms === 5_000))
      await new Promise((resolve) => setTimeout(resolve));
    await new Promise((resolve) => setTimeout(resolve));
    for (const { ms, done } of waits) if (ms === 5_000) done();
    expect((await compacting).kind).toBe('compacted');
    expect(seen).toEqual(['last']);
    const failed = events.flatMap((event) =>
      event.kind === 'failed' && event.layer === 'context'
        ? [[event.reason, (event.cause as Error).message]]
        : [],
    );
    expect(failed).toEqual([
      ['clean-up-threw', 'at once'],
      ['clean-up-threw', 'later'],
      ['clean-up-hung', 'The clean-up hangs is not done yet.'],
    ]);
    await context.user('More.');
    await context.request();
  });

  test('an abort while it is waited for: the conversation is compacted, and the call ends', async () => {
    const controller = new AbortController();
    const { startTimer } = fakeTimer();
    const { requests, summarize } = summarizer();
    const cleanUp = [
      () => {
        controller.abort();
        return new Promise(() => undefined);
      },
    ];
    const { context } = compactingScene({ summarize, startTimer, wait: noWait }, { cleanUp });
    await context.user('Fix the parser.');
    await fillUp(context, 3_000);
    await context.compact({ signal: controller.signal }).catch(() => undefined);
    expect(requests).toHaveLength(1);
    expect(context.view().messages[0]?.origin?.kind).toBe('summary');
    await context.user('More.');
    await context.request();
  });

  test('what is no list of functions is refused', async () => {
    for (const cleanUp of [5, [5], {}]) {
      expect(() => scene({ cleanUp } as never)).toThrow('Expected `cleanUp` to be');
    }
    expect(await rejection(scene().context.undo('x'))).toMatchObject({ code: 'edit-refused' });
  });
});
