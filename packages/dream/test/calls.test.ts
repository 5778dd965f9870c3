import { describe, expect, test } from 'vitest';
import { agentFork } from '../src/agent.ts';
import { createDream, reportText } from '../src/index.ts';
import { consolidateLock, gitLookup, sessionFolder } from '../src/node/index.ts';
import { child, fileText, NOW, testDream } from './support.ts';

const PUMP = fileText('Pump', 'The pump of Ostrava runs at 9 bar.');
const STEP = {
  ...{ id: '1', kind: 'retype', reason: 'r', quotes: [] },
  files: [{ path: 'a.md', basis: 'x', before: 'x', after: 'y' }],
};
const patch = (...steps: readonly unknown[]) => ({ at: '2026-11-30T12:00:00.000Z', steps });
const A_PATCH = 'Expected `patch` to be a patch of a dream, `{ at, steps }`, as a result or';

describe('what a call of a dream is given', () => {
  test.each([
    ['apply', [undefined], A_PATCH],
    ['apply', [{}], A_PATCH],
    ['apply', ['1'], A_PATCH],
    ['apply', [patch({})], A_PATCH],
    ['apply', [patch({ ...STEP, kind: 'delete' })], A_PATCH],
    ['apply', [patch({ ...STEP, files: [{ path: 5 }] })], A_PATCH],
    ['apply', [patch({ ...STEP, files: [{ path: 'a.md', before: 'x', after: 'y' }] })], A_PATCH],
    ['apply', [patch({ ...STEP, quotes: 'x' })], A_PATCH],
    ['apply', [patch(), '1'], 'Expected `options` to be an object'],
    ['apply', [patch(STEP), { only: '1' }], 'Expected `only` to be a list of texts'],
    ['apply', [patch(STEP), { signal: 5 }], 'Expected `signal` to be an AbortSignal'],
    [
      'apply',
      [patch(STEP), { only: ['99'] }],
      "Expected `only` to be ids of steps of the patch ('1'), got `99`",
    ],
    ['apply', [patch(), { only: ['99'] }], 'ids of steps of the patch (none, for the patch has'],
    ['dreamNow', [5], 'Expected `options` to be an object'],
    ['dreamNow', [{ sessionId: 5 }], 'Expected `sessionId` to be a text'],
    ['dreamNow', [{ signal: new AbortController() }], 'Expected `signal` to be an AbortSignal'],
    ['dreamNow', [{ isForced: 'yes' }], 'Expected `isForced` to be true or false'],
    ['waiting', ['x'], 'Expected `options` to be an object'],
    ['waiting', [{ signal: 5 }], 'Expected `signal` to be an AbortSignal'],
    ['undo', ['2026-11-30/0001'], 'Expected `options` to be an object'],
    ['undo', [{ id: 5 }], 'Expected `id` to be a text'],
  ] as const)(
    '%s %j rejects with a TypeError that says what to do',
    async (name, given, message) => {
      const { dream, visible, events } = testDream({ 'a.md': PUMP });
      const before = await visible();
      const called = (dream[name] as (...all: readonly unknown[]) => Promise<unknown>)(...given);
      await expect(called).rejects.toThrow(TypeError);
      await expect(called).rejects.toThrow(message);
      expect([await visible(), events]).toEqual([before, []]);
    },
  );

  test.each([null, 5, 'x', { sessionId: 5 }])('afterLoop never rejects: %j', async (given) => {
    const { dream } = testDream({ 'a.md': PUMP });
    expect(await dream.afterLoop(given as never)).toMatchObject({ kind: 'none' });
  });

  test('an id of no change is answered', async () => {
    const { dream } = testDream({ 'a.md': PUMP });
    expect(await dream.undo({ id: '2026-11-30/0001' })).toEqual({
      ...{ kind: 'none', reason: 'no-such-change' },
    });
  });

  test('what a patch is made of is stored and applies', async () => {
    const call = {
      name: 'retype_memory',
      input: {
        ...{ path: 'a.md', type: 'reference', reason: 'r' },
        quotes: [{ source: 'a.md', quote: 'runs at 9 bar' }],
      },
    };
    const { runFork } = child([call]);
    const { dream } = testDream({ 'a.md': PUMP }, { runFork, isReviewed: true });
    const result = await dream.dreamNow();
    if (result.kind !== 'completed') throw new Error(result.kind);
    const stored = JSON.parse(JSON.stringify(result.patch));
    expect(await dream.apply(stored, { only: ['1'] })).toMatchObject({ steps: ['1'] });
  });
});

const { memory } = testDream({});
const options = { memory, now: () => NOW };
test.each<[string, () => unknown, string]>([
  [
    'a memory',
    () => createDream({ ...options, memory: {} as never }),
    '`memory` to be a memory of',
  ],
  ['sessions', () => createDream({ ...options, sessions: {} as never }), '`sessions` to be'],
  ['a lock', () => createDream({ ...options, lock: {} as never }), '`lock` to be a lock'],
  ['no options', () => createDream(undefined as never), '`options` to be an object'],
  ['a report', () => reportText({} as never), '`report.steps` to be an object'],
  ['no report', () => reportText(undefined as never), '`report` to be an object'],
  ['a fork', () => agentFork({} as never), '`client` to be'],
  ['no fork', () => agentFork(undefined as never), '`options` to be an object'],
  ['a lock path', () => consolidateLock(undefined as never), '`memoryPath` to be'],
  ['a blank lock path', () => consolidateLock(' '), '`memoryPath` to be'],
  ['a path of sessions', () => sessionFolder(5 as never), '`path` to be'],
  ['a root', () => gitLookup({} as never), '`root` to be'],
])('%s that is none is refused at once', (_, make, message) => {
  expect(make).toThrow(TypeError);
  expect(make).toThrow(message);
});
