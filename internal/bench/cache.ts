import type { Block, Head, Message, Request } from '@varve/messages';
import {
  type CachePolicy,
  cachePolicy,
  createCacheSimulator,
  OPENAI_IMPLICIT,
  type PromptSizes,
  placeMarkers,
} from '@varve/prompt-cache';
import type { BenchRow } from './bench-row.ts';
import { createCorpus } from './corpus.ts';

const TURNS = 979;
/** About a million tokens. */
const CHARACTERS = 3_900_000;
const ROUNDS = 15;
const GOAL = 5;

const POLICIES: readonly CachePolicy[] = [cachePolicy('claude-opus-5-5'), OPENAI_IMPLICIT];

/**
 * G11: replays a session of 979 turns and a million tokens through the simulator, every turn a request with the whole
 * history. The peer is S, `JSON.stringify` of each message once.
 */
export async function run(): Promise<BenchRow[]> {
  const texts = toolOutputs();
  return POLICIES.map((policy) => {
    const ours: number[] = [];
    const peer: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const stringified = createSession(texts);
      const stringifyMs = milliseconds(() => {
        for (const message of stringified) JSON.stringify(message);
      });
      const requests = createRequests(createSession(texts));
      const replayMs = milliseconds(() => replay(requests, policy));
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

function createRequests(messages: readonly Message[]): Request[] {
  return Array.from({ length: TURNS }, (_, turn) => ({
    head: HEAD,
    messages: messages.slice(0, 1 + 2 * turn),
    markers: [],
    maxOutputTokens: 1_000,
  }));
}

const HEAD: Head = {
  id: 'head',
  model: 'claude-opus-5-5',
  system: [{ type: 'text', text: 'You are a careful engineer. '.repeat(500) }],
  tools: [{ name: 'shell', description: 'Runs a command. '.repeat(50) }],
  params: {},
};

/** Tokens are looked up, not counted: counting is another benchmark. */
const SIZES: PromptSizes = {
  block: () => 500,
  message: ({ content }) => 500 * content.length,
  head: () => 4_000,
};

function toolOutputs(): string[] {
  const { code, grep, json, log, test } = createCorpus({ half: 'fit', units: 200_000 });
  return [code, grep, json, log, test];
}

function createSession(texts: readonly string[]): Message[] {
  const share = Math.floor(CHARACTERS / TURNS) - 400;
  const messages: Message[] = [toMessage(0, 'user', [{ type: 'text', text: 'Fix the test.' }])];
  for (let turn = 0; turn < TURNS; turn++) {
    const id = `toolu_${turn}`;
    const text = texts[turn % texts.length] as string;
    const from = (turn * 97) % Math.max(1, text.length - share);
    const input = { command: `sed -n ${turn},${turn + 40}p src/file-${turn}.ts` };
    messages.push(
      toMessage(messages.length, 'assistant', [
        { type: 'text', text: `Step ${turn}: looking at the next file. `.repeat(4) },
        { type: 'tool_use', id, name: 'shell', input },
      ]),
      toMessage(messages.length + 1, 'user', [
        { type: 'tool_result', tool_use_id: id, content: text.slice(from, from + share) },
      ]),
    );
  }
  return messages;
}

const toMessage = (index: number, role: Message['role'], content: readonly Block[]): Message => ({
  id: `m${index}`,
  role,
  content,
});

function milliseconds(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
