import type { Request } from '@varve/messages';
import {
  CACHE_POLICIES,
  type CachePolicy,
  cachePolicy,
  createCacheSimulator,
  placeMarkers,
} from '@varve/prompt-cache';
import type { BenchRow } from './bench-row.ts';
import {
  BENCH_SIZES,
  type BenchSession,
  createBenchSession,
  UNITS_PER_RESULT,
} from './bench-session.ts';
import { millisecondsOf } from './timing.ts';

type PromptSizes = NonNullable<NonNullable<Parameters<typeof createCacheSimulator>[1]>['sizeOf']>;

const TURNS = BENCH_SIZES['1M'];
const ROUNDS = 15;
const GOAL = 5;

const POLICIES: readonly CachePolicy[] = [
  cachePolicy('claude-opus-5-5'),
  CACHE_POLICIES.openaiImplicit,
];

/**
 * G11: replays a session of 979 turns and a million tokens through the simulator, every turn a request with the whole
 * history. The peer is S, `JSON.stringify` of each message once.
 */
export async function run(): Promise<BenchRow[]> {
  const create = () => createBenchSession({ turns: TURNS, unitsPerResult: UNITS_PER_RESULT });
  return POLICIES.map((policy) => {
    const ours: number[] = [];
    const peer: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const { messages } = create();
      const stringifyMs = millisecondsOf(() => {
        for (const message of messages) JSON.stringify(message);
      });
      const requests = createRequests(create());
      const replayMs = millisecondsOf(() => replay(requests, policy));
      // The first round warms both sides up.
      if (round === 0) continue;
      peer.push(stringifyMs);
      ours.push(replayMs);
    }
    return toRow(policy, Math.min(...ours), Math.min(...peer));
  });
}

function toRow(policy: CachePolicy, ours: number, peer: number): BenchRow {
  const ratio = ours / peer;
  return {
    id: `G11 ${policy.name}`,
    what: `replay of ${TURNS} turns, 1M tokens, against JSON.stringify of each message`,
    ours,
    peer,
    unit: 'ms',
    ratio,
    goal: `≤ ${GOAL} × S`,
    met: ratio <= GOAL,
  };
}

function replay(requests: readonly Request[], policy: CachePolicy): number {
  const cache = createCacheSimulator(policy, { sizeOf: SIZES });
  return requests.reduce((read, request, turn) => {
    const { tokens } = cache.send(placeMarkers(request, { policy }), { startMs: turn * 1_000 });
    return read + tokens.read;
  }, 0);
}

function createRequests({ head, messages }: BenchSession): Request[] {
  return Array.from({ length: TURNS }, (_, turn) => ({
    head,
    messages: messages.slice(0, 1 + 2 * turn),
    markers: [],
    maxOutputTokens: 1_000,
  }));
}

/** Tokens are looked up, not counted: counting is another benchmark. */
const SIZES: PromptSizes = {
  block: () => 500,
  message: ({ content }) => 500 * content.length,
  head: () => 4_000,
};
