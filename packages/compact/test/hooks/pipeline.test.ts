import { describe, expect, test } from 'vitest';
import type { CompactionHooks, CompactionStart, Hook } from '../../src/hooks/hook.ts';
import type { PipelineOptions } from '../../src/hooks/pipeline.ts';
import type { CompactionFailed } from '../../src/index.ts';
import { type CompactionEvent, createCompactionPipeline } from '../../src/pipeline.ts';

const START: CompactionStart = {
  trigger: 'auto',
  path: 'full',
  reason: 'over-threshold',
  threadId: 'main',
  tokensBefore: 90_000,
};
const DONE = { kind: 'compacted', receipt: { tokensAfter: 9_000 } } as const;
const FAILED: CompactionFailed = { kind: 'failed', reason: 'no-summary' };

const compacts = { compact: async () => DONE, commit: () => undefined };

function recorded(options: PipelineOptions = {}) {
  const events: CompactionEvent[] = [];
  const pipeline = createCompactionPipeline({
    hookTimeoutMs: 20,
    ...options,
    onEvent: (event) => events.push(event),
  });
  const warnings = () =>
    events.flatMap((event) => (event.type === 'hook-warning' ? event.warning : []));
  return { pipeline, events, warnings, types: () => events.map(({ type }) => type) };
}

describe('createCompactionPipeline (C14)', () => {
  test.each(['full', 'session-memory', 'partial', 'reactive', 'provider'])(
    'case 150: %s runs each hook once and tells it reason and sizes',
    async (path) => {
      const seen: unknown[] = [];
      const note = (name: string): Hook<unknown, never> => ({
        name,
        run: (input) => void seen.push([name, input]),
      });
      const hooks: CompactionHooks = {
        before: [note('b')],
        sessionStart: [note('s')],
        after: [note('a')],
      };
      const start = { ...START, path, reason: `because-${path}` };
      await recorded({ hooks }).pipeline.run(start, compacts);
      expect(seen).toEqual([
        ['b', start],
        ['s', { ...start, source: 'compact' }],
        ['a', { ...start, outcome: 'compacted', tokensAfter: 9_000 }],
      ]);
    },
  );

  const bad: readonly [string, string, Hook<unknown, never>['run']][] = [
    ['never resolves', 'timed-out', () => new Promise<never>(() => {})],
    [
      'throws at once',
      'threw',
      () => {
        throw new Error('broken');
      },
    ],
    ['rejects', 'threw', () => Promise.reject(new Error('broken'))],
    [
      'rejects late',
      'timed-out',
      () => new Promise<never>((_, no) => setTimeout(() => no(new Error('late')), 60)),
    ],
    ['answers with text', 'bad-answer', () => 'yes' as never],
    ['answers with a list', 'bad-answer', () => ['yes'] as never],
    ['answers with a number for text', 'bad-answer', () => ({ instructions: 7 }) as never],
    [
      'looks at its signal only',
      'timed-out',
      (_, { signal }) =>
        new Promise<never>((_, no) => signal.addEventListener('abort', () => no(signal.reason))),
    ],
  ];
  test.each(bad)(
    'case 152: a hook that %s is one warning, and the compaction ends',
    async (_, reason, run) => {
      for (const phase of ['before', 'sessionStart', 'after'] as const) {
        const { pipeline, warnings } = recorded({ hooks: { [phase]: [{ name: 'bad', run }] } });
        expect(await pipeline.run(START, compacts)).toBe(DONE);
        expect(warnings()).toMatchObject([{ hook: 'bad', reason }]);
      }
    },
  );

  test('a hook that failed keeps no later one from running, and its cause is kept', async () => {
    const cause = new Error('broken');
    const before = [
      { name: 'bad', run: () => Promise.reject(cause) },
      { name: 'good', run: () => ({ instructions: 'Keep names.' }) },
    ];
    const given: (string | undefined)[] = [];
    const { pipeline, warnings } = recorded({ hooks: { before } });
    await pipeline.run(START, {
      ...compacts,
      compact: async ({ instructions }) => {
        given.push(instructions);
        return DONE;
      },
    });
    expect(given).toEqual(['Keep names.']);
    expect(warnings()).toEqual([{ phase: 'before', hook: 'bad', reason: 'threw', cause }]);
  });

  test('what hooks say reaches engine, commit and person', async () => {
    const hooks: CompactionHooks = {
      before: [{ name: 'b', run: () => ({ instructions: 'Hook.', notice: 'compacting' }) }],
      sessionStart: [
        { name: 's', run: async () => ({ context: 'branch: main' }) },
        { name: 'silent', run: () => ({ context: '  ' }) },
      ],
    };
    const { pipeline, events } = recorded({ hooks });
    const got: unknown[] = [];
    await pipeline.run(
      { ...START, instructions: 'Person.' },
      {
        compact: async ({ instructions }) => {
          got.push(instructions);
          return DONE;
        },
        commit: (done, context) => void got.push(done, context),
      },
    );
    expect(got).toEqual(['Person.\n\nHook.', DONE, { sessionContext: ['branch: main'] }]);
    expect(events).toContainEqual({ type: 'notice', text: 'compacting' });
  });

  test.each([
    {
      name: 'a failed engine',
      compact: async () => FAILED,
      commit: () => undefined,
      reason: 'no-summary',
    },
    {
      name: 'an engine that throws',
      compact: () => Promise.reject(new Error('x')),
      commit: () => undefined,
      reason: 'error',
    },
    {
      name: 'a refused commit',
      compact: async () => DONE,
      commit: () => FAILED,
      reason: 'no-summary',
    },
    {
      name: 'a commit that throws',
      compact: async () => DONE,
      commit: () => Promise.reject(new Error('disk')),
      reason: 'error',
    },
  ])('$name is a failure that after-hooks hear of once', async ({ compact, commit, reason }) => {
    const ends: unknown[] = [];
    const { pipeline, events } = recorded({
      hooks: { after: [{ name: 'a', run: (end) => void ends.push(end) }] },
    });
    expect(await pipeline.run(START, { compact, commit })).toMatchObject({
      kind: 'failed',
      reason,
    });
    expect(ends).toEqual([{ ...START, outcome: 'failed', failure: reason }]);
    expect(events.at(-1)).toMatchObject({
      type: 'compaction-ended',
      outcome: 'failed',
      failure: reason,
    });
  });

  test('tells its progress in order', async () => {
    const hook = { name: 'h', run: () => undefined };
    const { pipeline, types } = recorded({
      hooks: { before: [hook], sessionStart: [hook], after: [hook] },
    });
    await pipeline.run(START, compacts);
    expect(types()).toEqual([
      'hook-started',
      'compaction-started',
      'hook-started',
      'hook-started',
      'compaction-ended',
    ]);
  });
});

describe('an abort (C14)', () => {
  const places = ['before', 'compact', 'sessionStart'] as const;
  test.each(places)('while %s runs commits nothing and is no failure', async (place) => {
    const abort = new AbortController();
    const hang = () => {
      queueMicrotask(() => abort.abort('user'));
      return new Promise<never>(() => {});
    };
    let committed = 0;
    let afters = 0;
    const hooks: CompactionHooks = {
      ...(place !== 'compact' && { [place]: [{ name: 'hang', run: hang }] }),
      after: [{ name: 'a', run: () => void afters++ }],
    };
    const { pipeline, events } = recorded({ hooks, hookTimeoutMs: 5_000 });
    const compact = async () => {
      if (place !== 'compact') return DONE;
      abort.abort('user');
      return DONE;
    };
    const run = pipeline.run(
      START,
      { compact, commit: () => void committed++ },
      { signal: abort.signal },
    );
    await expect(run).rejects.toBe('user');
    expect([committed, afters]).toEqual([0, 0]);
    expect(events.at(-1)).toMatchObject({ outcome: 'aborted' });
  });

  test('while a before-hook runs asks no engine', async () => {
    const abort = new AbortController();
    const before = [{ name: 'aborts', run: () => abort.abort() as undefined }];
    let asked = 0;
    const compact = async () => {
      asked++;
      return DONE;
    };
    const { pipeline } = recorded({
      hooks: { before: [...before, { name: 'hang', run: () => new Promise<never>(() => {}) }] },
    });
    const run = pipeline.run(START, { ...compacts, compact }, { signal: abort.signal });
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
    const hung = new AbortController();
    const later = recorded({
      hookTimeoutMs: 5_000,
      hooks: {
        before: [
          {
            name: 'hang',
            run: () => {
              queueMicrotask(() => hung.abort());
              return new Promise<never>(() => {});
            },
          },
        ],
      },
    });
    const second = later.pipeline.run(START, { ...compacts, compact }, { signal: hung.signal });
    await expect(second).rejects.toMatchObject({ name: 'AbortError' });
    expect(asked).toBe(0);
  });

  test('that an engine reports by itself is no failure', async () => {
    const { pipeline, events } = recorded();
    const compact = () => Promise.reject(new DOMException('stopped', 'AbortError'));
    const run = pipeline.run(START, { ...compacts, compact });
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
    expect(events.at(-1)).toMatchObject({ outcome: 'aborted' });
  });

  test('that ends a commit is no failure, whatever its reason', async () => {
    const abort = new AbortController();
    const commit = () => {
      abort.abort('user');
      return Promise.reject(abort.signal.reason);
    };
    const { pipeline, events } = recorded();
    const run = pipeline.run(START, { ...compacts, commit }, { signal: abort.signal });
    await expect(run).rejects.toBe('user');
    expect(events.at(-1)).toMatchObject({ outcome: 'aborted' });
  });

  test('after the commit takes nothing back', async () => {
    const abort = new AbortController();
    const hang = {
      name: 'hang',
      run: () => {
        abort.abort();
        return new Promise<never>(() => {});
      },
    };
    const { pipeline, events } = recorded({ hooks: { after: [hang] }, hookTimeoutMs: 5_000 });
    expect(await pipeline.run(START, compacts, { signal: abort.signal })).toBe(DONE);
    expect(events.at(-1)).toMatchObject({ outcome: 'compacted', tokensAfter: 9_000 });
  });
});
