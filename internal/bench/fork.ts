import { createFork } from '@varve/fork-agent';
import type { Request } from '@varve/messages';
import type { ModelClient } from '@varve/models';
import { createTokenMeter } from '@varve/tokens';
import type { BenchRow } from './bench-row.ts';
import { BENCH_SIZES, createBenchSession, UNITS_PER_RESULT } from './bench-session.ts';
import { medianOf, millisecondsOf } from './timing.ts';

const ROUNDS = 15;

/** G1 for a fork: from the parent's request to the first request of a child, against a walk over the parent's bytes. */
export async function run(): Promise<BenchRow[]> {
  const large = parentOf(BENCH_SIZES['1M']);
  const yardstick = medianOf(
    rounds(() => millisecondsOf(() => large.messages.map((message) => JSON.stringify(message)))),
  );
  const parentTokens = sizeOf(large);
  const ours = medianOf(rounds(() => millisecondsOf(() => firstRequest(large, parentTokens))));
  const what =
    'the first request of a fork of 1M tokens whose parent knows its size, against JSON.stringify of each message';
  const ratio = ours / yardstick;
  const goal = 0.02;
  return [
    {
      id: 'G1 fork',
      what,
      ours,
      peer: yardstick,
      unit: 'ms',
      ratio,
      goal: `≤ ${goal}×`,
      met: ratio <= goal,
    },
  ];
}

const rounds = (measure: () => number): number[] => Array.from({ length: ROUNDS }, measure);

const client: ModelClient = {
  provider: 'none',
  stream() {
    throw new Error('nothing is sent');
  },
};

function firstRequest(parent: Request, parentTokens: number): Request {
  return createFork({ client, parent, parentTokens }).request({ directive: 'Look.' });
}

/** What the meter of a context says, which took in each message as it came. */
function sizeOf({ head, messages }: Request): number {
  const meter = createTokenMeter({ model: head.model });
  for (const message of messages) meter.add(message);
  return meter.size().tokens;
}

function parentOf(turns: number): Request {
  const { head, messages } = createBenchSession({ turns, unitsPerResult: UNITS_PER_RESULT });
  return { head, messages, markers: [], maxOutputTokens: 1_000 };
}
