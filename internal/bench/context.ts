import { createContext, type Layer } from '@varve/context';
import type { Message } from '@varve/messages';
import { createMicrocompact } from '@varve/microcompact';
import { createToolStorage, memoryStore } from '@varve/tool-storage';
import type { BenchRow } from './bench-row.ts';
import {
  BENCH_SIZES,
  type BenchSession,
  createBenchSession,
  toEntries,
  UNITS_PER_RESULT,
} from './bench-session.ts';
import { medianOf, millisecondsOf } from './timing.ts';

const LAST_TURNS = 50;
const ROUNDS = 7;

/** G1 for both layers together: a request, the reply to it and its results, around a model that answers at once. */
export async function run(): Promise<BenchRow[]> {
  const yardstick = medianOf(
    Array.from({ length: ROUNDS }, () => {
      const { messages } = sessionOf(BENCH_SIZES['1M']);
      return millisecondsOf(() => messages.map((message) => JSON.stringify(message)));
    }),
  );
  const [small, large] = [await turnCost(BENCH_SIZES['10K']), await turnCost(BENCH_SIZES['1M'])];
  const clearing = await turnCost(BENCH_SIZES['1M'], { clears: true });
  const turn = 'a turn of a whole context with storage and microcompact at 1M tokens';
  const share = `${turn}, against JSON.stringify of each message (S)`;
  return [
    toRow('G1 context', share, { ours: large, peer: yardstick, goal: 0.02 }),
    toRow('G1 context rent', `the same with its own layers, old results cleared by rent`, {
      ours: clearing,
      peer: yardstick,
      goal: 0.02,
    }),
    toRow('G1 context flat', `${turn}, against 10K`, { ours: large, peer: small, goal: 1.5 }),
  ];
}

const sessionOf = (turns: number): BenchSession =>
  createBenchSession({ turns, unitsPerResult: UNITS_PER_RESULT });

/** Milliseconds of the middle one of the last turns of a session, over several rounds. */
async function turnCost(turns: number, { clears = false } = {}): Promise<number> {
  const turnsMs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const session = sessionOf(turns + LAST_TURNS);
    const cut = session.messages.length - 2 * LAST_TURNS;
    const { head, messages } = session;
    const context = createContext({
      ...head,
      storage: createToolStorage({ store: memoryStore(), sessionId: 'session' }),
      entries: toEntries({ head, messages: messages.slice(0, cut) }),
      ...(clears ? {} : { layers: [watching()] }),
    });
    await context.request(); // whatever is to be cleared of a log that no layer has seen
    for (let at = cut; at < messages.length; at += 2) {
      const start = performance.now();
      await context.request();
      await context.reply({ content: (messages[at] as Message).content });
      await context.results([outputOf(messages[at + 1] as Message)]);
      turnsMs.push(performance.now() - start);
    }
  }
  return medianOf(turnsMs);
}

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
