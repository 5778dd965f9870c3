import { type Context, type ContextCompaction, createContext, type Layer } from '@varve/context';
import type { Message } from '@varve/messages';
import { createMicrocompact } from '@varve/microcompact';
import { type ModelInfo, resolveModel } from '@varve/tokens';
import { createToolStorage, memoryStore } from '@varve/tool-storage';
import type { BenchRow } from './bench-row.ts';
import {
  BENCH_MODEL,
  BENCH_SIZES,
  type BenchSession,
  createBenchSession,
  LOGGED_AT,
  UNITS_PER_RESULT,
} from './bench-session.ts';
import { medianOf, millisecondsOf } from './timing.ts';

const LAST_TURNS = 50;
const ROUNDS = 7;

/** G1 for both layers together: a request, the reply to it and its results, around a model that answers at once. */
export async function run(): Promise<BenchRow[]> {
  const writing: number[] = [];
  const large = await turnCost(BENCH_SIZES['1M'], { writing });
  const small = await turnCost(BENCH_SIZES['10K']); // the engine is warm by then, as it was for the large one
  const clearing = await turnCost(BENCH_SIZES['1M'], { clears: true, writing });
  const yardstick = medianOf(writing);
  const stuck = await turnCost(BENCH_SIZES['1M'], { isStuck: true });
  const below = await turnCost(BENCH_SIZES['10K'], { isStuck: true });
  const held = await heldBy(BENCH_SIZES['1M']);
  const turn = `a turn of a whole context with storage and microcompact, ${sizeIn(large)}`;
  const share = `${turn}, against JSON.stringify of each message (S)`;
  const rent = `the same with its own layers, old results cleared by rent: ${sizeIn(clearing)}`;
  return [
    toRow('G1 context', share, { ours: large.ms, peer: yardstick, goal: 0.02 }),
    toRow('G1 context rent', rent, { ours: clearing.ms, peer: yardstick, goal: 0.02 }),
    toRow('G1 context flat', `${turn}, against ${sizeIn(small)}`, {
      ours: large.ms,
      peer: small.ms,
      goal: 1.5,
    }),
    toRow(
      'G1 context over',
      `the same over the threshold of a compaction that gains nothing, against ${sizeIn(below)}`,
      { ours: stuck.ms, peer: below.ms, goal: 1.5 },
    ),
    {
      id: 'G13 context heap',
      what: 'heap that 1,000 turns leave behind, against their log as JSON',
      ours: held.heap,
      peer: held.log,
      unit: 'MB',
      ratio: held.heap / held.log,
      goal: 'for the record',
      met: true,
    },
  ];
}

const sessionOf = (turns: number): BenchSession =>
  createBenchSession({ turns, unitsPerResult: UNITS_PER_RESULT });

interface TurnCost {
  /** Of the middle one of the last turns of a session, over several rounds. */
  readonly ms: number;
  /** Of the last request, as its model counts them: about two of the 10K and 1M that the sizes are named after. */
  readonly tokens: number;
}

const sizeIn = ({ tokens }: TurnCost): string =>
  `${Math.round(tokens / 1_000).toLocaleString('en')}K tokens of its model`;

async function turnCost(
  turns: number,
  { writing, ...layers }: LayerOptions & { readonly writing?: number[] } = {},
): Promise<TurnCost> {
  const turnsMs: number[] = [];
  let tokens = 0;
  for (let round = 0; round < ROUNDS; round++) {
    // between the rounds: alone, and first of all, it takes from 7.6 to 11.2 ms
    writing?.push(writingOf(turns));
    const context = await drive(turns + LAST_TURNS, layers, (turn, ms) => {
      if (turn >= turns) turnsMs.push(ms);
    });
    tokens = context.size().tokens;
  }
  return { ms: medianOf(turnsMs), tokens };
}

/** Milliseconds to write each message of a session as JSON. */
function writingOf(turns: number): number {
  const { messages } = sessionOf(turns);
  return millisecondsOf(() => messages.map((message) => JSON.stringify(message)));
}

/** Megabytes that 1,000 turns leave in the heap, and of their log as JSON. */
async function heldBy(turns: number): Promise<{ readonly heap: number; readonly log: number }> {
  const before = heapBytes();
  const context = await drive(turns, {});
  const heap = heapBytes() - before;
  const log = context.entries().reduce((sum, entry) => sum + JSON.stringify(entry).length, 0);
  return { heap: heap / turns / 1_000, log: log / turns / 1_000 };
}

function heapBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

interface LayerOptions {
  /** With the layers of a context that names none. */
  readonly clears?: boolean;
  /** With a compaction that is due and gains nothing. */
  readonly isStuck?: boolean;
}

/** Takes a session from its first message on, as an agent does. */
async function drive(
  turns: number,
  { clears = false, isStuck = false }: LayerOptions,
  onTurn: (turn: number, ms: number) => void = () => undefined,
): Promise<Context> {
  const { head, messages } = sessionOf(turns);
  const context = createContext({
    ...head,
    models: [LARGE_WINDOW],
    now: createClock(),
    storage: createToolStorage({ store: memoryStore(), sessionId: 'session' }),
    ...(clears ? {} : { layers: [watching()] }),
    ...(isStuck ? { compaction: GAINS_NOTHING } : {}),
  });
  const [asked, ...rest] = messages as [Message, ...Message[]];
  await context.user(asked.content);
  for (let turn = 0; turn < turns; turn++) {
    const start = performance.now();
    await context.request();
    await context.reply({ content: (rest[2 * turn] as Message).content });
    await context.results([outputOf(rest[2 * turn + 1] as Message)]);
    onTurn(turn, performance.now() - start);
  }
  return context;
}

/** Due from 30 % of the window on, and refused each time, so that it is soon not tried any more. */
const GAINS_NOTHING: ContextCompaction = {
  percent: 30,
  minSavings: 0.995,
  summarize: async () => ({ content: [], stopReason: 'refusal' }),
};

/** Every look at it is a second later, so that nothing counts as idle. */
function createClock(): () => number {
  let ms = Date.parse(LOGGED_AT);
  return () => (ms += 1_000);
}

/** The session is larger than the window of its model: requests that no provider takes would be refused. */
const LARGE_WINDOW: ModelInfo = {
  ...resolveModel(BENCH_MODEL).model,
  windowTokens: 4_000_000,
};

/** Looks at everything before each request and never finds it worth a break. */
const watching = (): Layer => ({
  name: 'microcompact',
  planner: createMicrocompact({ preset: 'classic', minSavingsTokens: 100_000_000 }),
});

function outputOf({ content }: Message) {
  const [result] = content as readonly { tool_use_id: string; content: string }[];
  return { toolUseId: result?.tool_use_id ?? '', content: result?.content ?? '' };
}

interface Measured {
  readonly ours: number;
  readonly peer: number;
  readonly goal: number;
}

function toRow(id: string, what: string, { ours, peer, goal }: Measured): BenchRow {
  const ratio = ours / peer;
  return { id, what, ours, peer, unit: 'ms', ratio, goal: `≤ ${goal} ×`, met: ratio <= goal };
}
