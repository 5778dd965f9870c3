import {
  type Compaction,
  type CompactionFailed,
  type CompactionWork,
  type Compactor,
  createCompaction,
  type SummaryReply,
} from '@varve/compact';
import { createProjection, type Entry, type PlanContext, type View } from '@varve/messages';
import { createEstimator } from '@varve/tokens';
import { type BenchRow, toRow } from './bench-row.ts';
import { BENCH_SIZES, createBenchSession, toEntries, UNITS_PER_RESULT } from './bench-session.ts';
import { medianOf, millisecondsOf } from './timing.ts';

const LAST_TURNS = 50;
const ROUNDS = 11;

/** G1 and G3 of compaction: watching a thread and planning for it, and what a compaction then costs beside its model. */
export async function run(): Promise<BenchRow[]> {
  const yardstick = fastest(() => {
    const { messages } = sessionOf(BENCH_SIZES['1M']);
    return millisecondsOf(() => messages.map((message) => JSON.stringify(message)));
  });
  const [small, large] = [turnCost(BENCH_SIZES['10K']), turnCost(BENCH_SIZES['1M'])];
  const plan = fastest(planCost);
  const ledger = Math.min(...(await repeated(() => runCost(FAILS))));
  const summary = Math.min(...(await repeated(() => runCost(ANSWERS))));
  const turn = 'a turn watched and planned for at 1M tokens, ledger and sizes included';
  const beside = 'beside the model, at 1M tokens, against S';
  return [
    toRow('G3 compact plan', {
      what: 'the plan that finds 1M tokens over the threshold, against S',
      ...{ ours: plan, peer: yardstick, limit: 0.05, times: 'S' },
    }),
    toRow('G1 compact', {
      what: `${turn}, against S`,
      ...{ ours: large, peer: yardstick, limit: 0.05, times: 'S' },
    }),
    toRow('G1 compact flat', {
      what: `${turn}, against 10K`,
      ...{ ours: large, peer: small, limit: 1.5 },
    }),
    toRow('G3 compact ledger', {
      what: `a compaction from the ledger, the failed call included, ${beside}`,
      ...{ ours: ledger, peer: yardstick, limit: Number.POSITIVE_INFINITY, times: 'S' },
    }),
    toRow('G3 compact run', {
      what: `a compaction with a summary, checked and repaired, ${beside}`,
      ...{ ours: summary, peer: yardstick, limit: Number.POSITIVE_INFINITY, times: 'S' },
    }),
  ];
}

/** The least of the rounds, on both sides of a ratio: a plan is shorter than what other processes take at a time. */
const fastest = (measure: () => number): number =>
  Math.min(...Array.from({ length: ROUNDS }, measure));

async function repeated(measure: () => Promise<number>): Promise<readonly number[]> {
  const costs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) costs.push(await measure());
  return costs;
}

const sessionOf = (turns: number) =>
  createBenchSession({ turns, unitsPerResult: UNITS_PER_RESULT });

const FAILS: SummaryReply = { content: [], stopReason: 'refusal' };
const ANSWERS: SummaryReply = {
  content: [{ type: 'text', text: `<summary>\n${'- Looked at a file.\n'.repeat(500)}</summary>` }],
  stopReason: 'end_turn',
};

interface Running {
  readonly planner: Compactor;
  /** Appends an entry and shows it to the planner; milliseconds of the latter. */
  readonly append: (entry: Entry) => number;
}

/** Every message has been sized by the layer that knows the size of the context. */
function start(reply: SummaryReply): Running {
  const projection = createProjection();
  const planner = createCompaction({ summarize: async () => reply });
  let view: View = { messages: [], changedFrom: 0 };
  return {
    planner,
    append(entry) {
      view = projection.append(entry);
      if (entry.type === 'message') SIZE_OF(entry.message);
      return millisecondsOf(() => planner.observe(entry, view));
    },
  };
}

/** Milliseconds of one of the last turns of a session that is below the threshold. */
function turnCost(turns: number): number {
  return fastest(() => {
    const { planner, append } = start(FAILS);
    const entries = toEntries(sessionOf(turns + LAST_TURNS));
    const costs: number[] = [];
    let ms = 0;
    for (const [at, entry] of entries.entries()) {
      ms += append(entry);
      if (entry.type !== 'message' || entry.message.role !== 'user') continue;
      ms += millisecondsOf(() => planner.plan(contextOf(1_000_000)));
      if (at > entries.length - 2 * LAST_TURNS) costs.push(ms);
      ms = 0;
    }
    return medianOf(costs);
  });
}

/** A thread of 1M tokens for which a plan was made before each of its requests but the last. */
function fullThread(reply: SummaryReply): Compactor {
  const { planner, append } = start(reply);
  for (const entry of toEntries(sessionOf(BENCH_SIZES['1M']))) {
    planner.plan(contextOf(1_000_000));
    append(entry);
  }
  return planner;
}

function planCost(): number {
  const planner = fullThread(FAILS);
  let kind = '';
  const ms = millisecondsOf(() => {
    kind = planner.plan(contextOf(OVER_TOKENS)).kind;
  });
  if (kind !== 'work') throw new Error('Nothing was planned.');
  return ms;
}

async function runCost(reply: SummaryReply): Promise<number> {
  const planner = fullThread(reply);
  const from = performance.now();
  const result: Compaction | CompactionFailed = await planner.run(workOf(planner));
  const ms = performance.now() - from;
  if (result.kind === 'failed') throw new Error(result.reason);
  return ms;
}

function workOf(planner: Compactor): CompactionWork {
  const plan = planner.plan(contextOf(OVER_TOKENS));
  if (plan.kind !== 'work') throw new Error(plan.reason);
  return plan.work;
}

const SIZE_OF = createEstimator({ family: 'claude-new' }).message;
/** What the session of a million tokens of o200k is to its model; in a window that it outgrows it would be summarised in parts. */
const OVER_TOKENS = 2_095_000;
const WINDOW_TOKENS = 2_150_000;

const contextOf = (contextTokens: number): PlanContext => ({
  nowMs: Date.UTC(2026, 0, 2, 3, 4, 6),
  atUserTurn: false,
  contextTokens,
  limits: {
    windowTokens: WINDOW_TOKENS,
    effectiveTokens: WINDOW_TOKENS - 20_000,
    autocompactTokens: WINDOW_TOKENS - 60_000,
  },
  sizeOf: SIZE_OF,
  cache: { warm: true, markers: [] },
  prices: { read: 0.1, write: 1.25, output: 5 },
  thinking: 'free',
});
