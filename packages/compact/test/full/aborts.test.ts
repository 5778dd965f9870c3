import { describe, expect, test } from 'vitest';
import type { FullOptions } from '../../src/full/settings.ts';
import {
  type CompactionWork,
  compact,
  createCollapse,
  createCompaction,
  createProviderCompaction,
  restore,
} from '../../src/index.ts';
import { createCompactionPipeline } from '../../src/pipeline.ts';
import { contextFor, HEAD, watchedLog } from '../plan/working-log.ts';
import { deepFreeze, turns } from './histories.ts';
import { fakeModel, GOOD, NAMED, overloaded, reply } from './models.ts';

/** Does what it is given as one more thing that is waited for. */
type Step = <Value>(work: () => Value | Promise<Value>) => Promise<Value>;

/** How the abort comes: the work goes on all the same, never ends, or has just ended. */
const WHENS = ['while it goes on', 'while it hangs', 'as it ends'] as const;

interface Run {
  readonly step: Step;
  readonly signal: AbortSignal;
}

const REASON = new Error('enough');

/** A run whose signal is aborted at its `at`-th step. */
function runAt(at: number, when: (typeof WHENS)[number]) {
  const controller = new AbortController();
  let steps = 0;
  const step: Step = async (work) => {
    if (++steps !== at) return work();
    if (when === 'while it hangs') {
      queueMicrotask(() => controller.abort(REASON));
      return new Promise<never>(() => {});
    }
    if (when === 'while it goes on') controller.abort(REASON);
    try {
      return await work();
    } finally {
      controller.abort(REASON);
    }
  };
  return { run: { step, signal: controller.signal }, reached: () => steps >= at };
}

/** A model that is overloaded, then cut, then done: every kind of pause between two calls. */
function slowly({ step }: Run): Pick<FullOptions, 'summarize' | 'wait'> {
  const model = fakeModel(overloaded(), reply('<summary>It', 'max_tokens'), reply(GOOD));
  return {
    summarize: (request, options) => step(() => model.summarize(request, options)),
    wait: () => step(() => undefined),
  };
}

const HISTORY = deepFreeze(turns(6));

function threadWith(options: FullOptions) {
  const planner = createCompaction(options);
  const log = watchedLog(planner);
  log.append(HEAD);
  for (const { role, content } of HISTORY) {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    log.say({ role, content: blocks });
  }
  const plan = planner.planNow(contextFor(log.view, { windowTokens: 200_000 }), {
    trigger: 'manual',
  });
  if (plan.kind !== 'work') throw new Error(plan.reason);
  return { log, planner, work: plan.work };
}

const attachTo =
  ({ step }: Run) =>
  () =>
    step(() => []);

/** Runs on a log, which nothing may have touched, whatever becomes of the run. */
async function onLog(
  run: Run,
  work: (given: ReturnType<typeof threadWith>) => Promise<unknown>,
): Promise<unknown> {
  const given = threadWith(slowly(run));
  const { view } = given.log;
  const entries = given.log.entries.length;
  try {
    return await work(given);
  } finally {
    expect(given.log.view).toBe(view);
    expect(given.log.entries.length).toBe(entries);
  }
}

const BLOCK = { type: 'compaction', content: 'What was done.', signature: 's' };

/** Every way in which something is waited for, and how many steps it has. */
const PATHS: Readonly<Record<string, readonly [number, (run: Run) => Promise<unknown>]>> = {
  compact: [
    5,
    (run) =>
      compact(HISTORY, { head: NAMED, ...slowly(run), attach: attachTo(run), signal: run.signal }),
  ],
  'compact around a pivot': [
    5,
    (run) => {
      const options = { ...slowly(run), attach: attachTo(run), signal: run.signal };
      return compact(HISTORY, { head: NAMED, ...options, direction: 'up-to', pivot: 12 });
    },
  ],
  'run of a compactor': [
    5,
    (run) =>
      onLog(run, ({ planner, work }) =>
        planner.run(work, { attach: attachTo(run), signal: run.signal }),
      ),
  ],
  'run of a compactor around a pivot': [
    5,
    (run) =>
      onLog(run, ({ planner, work }) => {
        const pivot = work.messages[12]?.id as string;
        const around = { direction: 'from', pivot } as const;
        return planner.run({ ...work, around }, { attach: attachTo(run), signal: run.signal });
      }),
  ],
  'the engine of a provider': [
    2,
    (run) =>
      onLog(run, ({ work }) => {
        const call = () =>
          run.step(() => ({ content: [BLOCK], stopReason: 'compaction' as const }));
        const engine = createProviderCompaction({ provider: 'anthropic', call });
        return engine(work, { attach: attachTo(run), signal: run.signal });
      }),
  ],
  'run of a collapse': [3, collapseRun],
  restore: [
    3,
    ({ step, signal }) => {
      const sources = { instructions: ['rules.md'], reads: ['a.ts', 'b.ts'] };
      const readFile = (path: string) => step(() => `text of ${path}`);
      const sizeOf = (text: string) => text.length;
      return restore(sources, { readFile, kept: [], messageId: 'r', sizeOf, signal });
    },
  ],
};

async function collapseRun(run: Run): Promise<unknown> {
  const collapse = createCollapse({
    summarize: () =>
      run.step(() => reply('<summary>Lines of output were read, and folded.</summary>')),
    sizeOfText: (text) => Math.ceil(text.length / 4),
    ...{ stageAt: 0, targetAt: 0, keepTokens: 500, spanTokens: 1_000, minSpanTokens: 300 },
  });
  const { log } = threadWith({ summarize: async () => reply(GOOD) });
  for (const entry of log.entries) collapse.observe(entry, log.view);
  const plan = collapse.plan(contextFor(log.view, { windowTokens: 200_000 }));
  if (plan.kind !== 'work') throw new Error(plan.kind);
  const work = { ...plan.work, spans: plan.work.spans.slice(0, 3) };
  return collapse.run(work, { signal: run.signal });
}

describe('an abort at every step that is waited for (C14)', () => {
  const cases = Object.entries(PATHS).flatMap(([name, [steps, path]]) =>
    WHENS.map((when) => ({ name, when, steps, path })),
  );
  test.each(cases)(
    '$name throws the reason of the signal and changes nothing, $when',
    async ({ when, steps, path }) => {
      let count = 0;
      for (let at = 1; ; at++) {
        const { run, reached } = runAt(at, when);
        const outcome = await path(run).catch((error: unknown) => error);
        if (!reached()) {
          expect(outcome).not.toBeInstanceOf(Error);
          break;
        }
        expect(outcome).toBe(REASON);
        count++;
      }
      expect(count).toBe(steps);
    },
  );

  test.each(WHENS)('a pipeline commits nothing, %s', async (when) => {
    let count = 0;
    for (let at = 1; ; at++) {
      const { run, reached } = runAt(at, when);
      const { committed, outcome } = await pipelineRun(run);
      if (!reached()) {
        expect(committed).toBe(1);
        break;
      }
      expect(committed).toBe(0);
      expect(outcome).toBe(REASON);
      count++;
    }
    expect(count).toBe(9); // two before-hooks, five of the compaction, two session-start hooks
  });
});

/** A whole compaction with hooks, whose commit is counted. */
async function pipelineRun(run: Run) {
  const hook = (name: string) => ({ name, run: () => run.step(() => undefined) });
  const pipeline = createCompactionPipeline({
    hooks: { before: [hook('b1'), hook('b2')], sessionStart: [hook('s1'), hook('s2')] },
    hookTimeoutMs: 60_000,
  });
  const { planner, work } = threadWith(slowly(run));
  let committed = 0;
  const steps = {
    async compact({ signal }: { readonly signal?: AbortSignal | undefined }) {
      const result = await planner.run(work, { attach: attachTo(run), signal });
      if (result.kind === 'failed') return result;
      return { kind: 'compacted', receipt: result.receipt } as const;
    },
    commit() {
      committed++;
      return undefined;
    },
  };
  const outcome = await pipeline
    .run(startOf(work), steps, { signal: run.signal })
    .catch((error: unknown) => error);
  return { committed, outcome };
}

const startOf = ({ trigger, reason, situation }: CompactionWork) => ({
  ...{ trigger, reason, path: 'full', threadId: 'main' },
  tokensBefore: situation.tokensBefore,
});
