import type { createMicrocompact } from '@varve/microcompact';
import type { BenchOptions, BenchRow } from './bench-row.ts';
import { BENCH_SIZES } from './bench-session.ts';
import { geminiCost } from './gemini-masking.ts';
import { langchainCost, type PeerCost, pruneCost } from './microcompact-peers.ts';
import {
  LAST_TURNS,
  medianClearing,
  ofOneFile,
  ROUNDS,
  sessionOf,
  turnCost,
} from './microcompact-runs.ts';
import { medianOf, millisecondsOf } from './timing.ts';

/** Results that go at once: what a floor of 100,000 tokens comes to. */
const BATCH = 100;

const MODES = {
  // a floor that nothing reaches: every turn looks and does nothing
  idle: { preset: 'classic', minSavingsTokens: 2_000_000 },
  classic: { preset: 'classic' },
  rent: { preset: 'rent' },
} as const satisfies Record<string, NonNullable<Parameters<typeof createMicrocompact>[0]>>;

/** G1 and G3 of clearing, and the same against what other libraries do; with `--peers` against those that are large, too. */
export async function run({ peers: withLarge }: BenchOptions): Promise<BenchRow[]> {
  const yardstick = medianOf(Array.from({ length: ROUNDS }, stringifyAll));
  const modes = Object.keys(MODES) as (keyof typeof MODES)[];
  const turns = modes.map((mode) => {
    const costs = Object.values(BENCH_SIZES).map((size) => turnCost(size, MODES[mode]));
    return { mode, small: costs[0] ?? 0, middle: costs[1] ?? 0, large: costs[2] ?? 0 };
  });
  const session = sessionOf(BENCH_SIZES['1M'] + LAST_TURNS);
  const peers = [await langchainCost(session, LAST_TURNS), pruneCost(session, LAST_TURNS)];
  if (withLarge) peers.push(await geminiCost(session, LAST_TURNS));
  const dearest = Math.max(
    ...modes.map((mode) => turnCost(BENCH_SIZES['1M'], { ...MODES[mode], sized: true })),
  );
  const clearing = medianClearing(BATCH);
  const [few, many] = [BENCH_SIZES['10K'], BENCH_SIZES['1M']].map((size) =>
    turnCost(size, { rent: { by: 'need' } }, ofOneFile),
  ) as [number, number];
  return [
    ...turns.flatMap(({ mode, small, middle, large }) => [
      toRow(`G1 ${mode}`, {
        what: 'observe and plan a turn at 1M tokens, against S',
        ours: large,
        peer: yardstick,
        limit: 0.02,
        times: 'S',
      }),
      toRow(`G1 ${mode} 100K`, {
        what: 'the same turn at 100K tokens against 10K',
        ours: middle,
        peer: small,
        limit: 1.5,
      }),
      toRow(`G1 ${mode} 1M`, {
        what: 'the same turn at 1M tokens against 10K',
        ours: large,
        peer: small,
        limit: 1.5,
      }),
    ]),
    toRow('G1 need, one file', {
      what: 'a turn by need at 1M tokens against 10K, where every turn reads the same file',
      ours: many,
      peer: few,
      limit: 1.5,
    }),
    toRow('G3 clear', {
      what: `a turn that clears ${clearing.cleared} results at 1M tokens, against S`,
      ours: clearing.ms,
      peer: yardstick,
      limit: 0.25,
      times: 'S',
    }),
    {
      ...toRow('G3 memory', {
        what: 'what that turn allocates beside its output, against 1 MB',
        ours: clearing.megabytes,
        peer: 1,
        limit: 1,
      }),
      unit: 'MB',
    },
    ...peers.map((peer) => peerRow(peer, dearest)),
  ];
}

function stringifyAll(): number {
  const { messages } = sessionOf(BENCH_SIZES['1M']);
  return millisecondsOf(() => messages.map((message) => JSON.stringify(message)));
}

function peerRow({ name, perTurn }: PeerCost, turn: number): BenchRow {
  const what = `our dearest turn at 1M tokens, sized by another layer, against ${name}`;
  return toRow(`G1 ${name}`, { what, ours: turn, peer: perTurn, limit: 0.1 });
}

interface Measured {
  readonly what: string;
  readonly ours: number;
  readonly peer: number;
  readonly limit: number;
  readonly times?: string;
}

function toRow(id: string, { what, ours, peer, limit, times }: Measured): BenchRow {
  const ratio = ours / peer;
  const goal =
    limit === Number.POSITIVE_INFINITY
      ? 'for the record'
      : `≤ ${limit} ×${times ? ` ${times}` : ''}`;
  return { id, what, ours, peer, unit: 'ms', ratio, goal, met: ratio <= limit };
}
