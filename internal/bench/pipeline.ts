import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  ToolMessage,
  trimMessages,
} from '@langchain/core/messages';
import { createProjection, isText, type Message, toolResults, toolUses } from '@varve/messages';
import { toAISDK } from '@varve/messages/convert';
import { cachePolicy, createCacheSimulator, placeMarkers } from '@varve/prompt-cache';
import { contextLimits, createEstimator, createTokenMeter, warningState } from '@varve/tokens';
import { pruneMessages } from 'ai';
import type { BenchRow } from './bench-row.ts';
import {
  BENCH_SIZES,
  type BenchSession,
  createBenchSession,
  UNITS_PER_RESULT,
} from './bench-session.ts';
import { medianOf, millisecondsOf } from './timing.ts';

const LAST_TURNS = 50;
const ROUNDS = 15;

const sessionOf = (turns: number): BenchSession =>
  createBenchSession({ turns, unitsPerResult: UNITS_PER_RESULT });

/** G1, G2, and what an append costs: per-turn work must not grow with the history. */
export async function run(): Promise<BenchRow[]> {
  const largest = sessionOf(BENCH_SIZES['1M']);
  const yardstick = medianOf(
    Array.from({ length: ROUNDS }, () => {
      const { messages } = sessionOf(BENCH_SIZES['1M']);
      return millisecondsOf(() => messages.map((message) => JSON.stringify(message)));
    }),
  );
  const perTurn = Object.fromEntries(
    Object.entries(BENCH_SIZES).map(([name, turns]) => [name, turnCost(turns, pipeline)]),
  ) as Record<keyof typeof BENCH_SIZES, number>;
  return [
    ...appendRows(),
    pipelineRow(perTurn['1M'], yardstick),
    growthRow('G1 growth', { small: perTurn['10K'], large: perTurn['1M'], goal: 1.5 }),
    ...(await peerRows(largest, perTurn['1M'])),
    accountingRow(),
    doublingRow(),
  ];
}

/** Everything a turn does when there is nothing to change: project, account, compare with thresholds, simulate the cache. */
function pipeline({ head }: BenchSession): (message: Message) => void {
  const policy = cachePolicy(head.model);
  const projection = createProjection();
  const estimator = createEstimator({ family: 'claude-new' }); // one for both: what is known of a message is shared
  const meter = createTokenMeter({ model: head.model, estimator });
  const cache = createCacheSimulator(policy, { sizeOf: estimator });
  const limits = contextLimits({ windowTokens: 1_000_000, maxOutputTokens: 128_000 });
  const at = '2026-01-02T03:04:05.000Z';
  projection.append({ id: 'head', at, type: 'head', head });
  let nowMs = 0;
  return (message) => {
    const entry = { id: `e-${message.id}`, at, type: 'message', message } as const;
    const view = projection.append(entry);
    meter.observe(entry, view);
    if (view.open) return;
    warningState(meter.size().tokens, limits);
    const request = { head, messages: view.messages, markers: [], maxOutputTokens: 8_000 };
    nowMs += 1_000;
    cache.send(placeMarkers(request, { policy }), { startMs: nowMs });
  };
}

/** Milliseconds of one of the last turns of a session, in the middle of several rounds. */
function turnCost(
  turns: number,
  start: (session: BenchSession) => (message: Message) => void,
): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const session = sessionOf(turns + LAST_TURNS);
    const take = start(session);
    const cut = session.messages.length - 2 * LAST_TURNS;
    for (const message of session.messages.slice(0, cut)) take(message);
    return millisecondsOf(() => session.messages.slice(cut).forEach(take)) / LAST_TURNS;
  });
  return medianOf(rounds);
}

function pipelineRow(ours: number, peer: number): BenchRow {
  const ratio = ours / peer;
  const what =
    'a turn at 1M tokens with nothing to change, against JSON.stringify of each message (S)';
  return {
    id: 'G1 turn at 1M',
    what,
    ours,
    peer,
    unit: 'ms',
    ratio,
    goal: '≤ 0.02 × S',
    met: ratio <= 0.02,
  };
}

function growthRow(
  id: string,
  { small, large, goal }: { small: number; large: number; goal: number },
): BenchRow {
  const ratio = large / small;
  const what = 'the same turn at 1M tokens against 10K';
  return {
    id,
    what,
    ours: large,
    peer: small,
    unit: 'ms',
    ratio,
    goal: `≤ ${goal} ×`,
    met: ratio <= goal,
  };
}

/** Appending a round and projecting, and nothing else. */
function appendRows(): BenchRow[] {
  const projecting = ({ head }: BenchSession) => {
    const projection = createProjection();
    const at = '2026-01-02T03:04:05.000Z';
    projection.append({ id: 'head', at, type: 'head', head });
    return (message: Message) => {
      projection.append({ id: `e-${message.id}`, at, type: 'message', message });
    };
  };
  const costs = Object.entries(BENCH_SIZES).map(([name, turns]) => ({
    name,
    cost: turnCost(turns, projecting),
  }));
  const small = costs[0]?.cost ?? Number.NaN;
  return costs.map(({ name, cost }) => ({
    id: `append ${name}`,
    what: `append two messages and project at ${name} tokens, against 10K`,
    ours: cost * 1000,
    peer: small * 1000,
    unit: 'µs',
    ratio: cost / small,
    goal: '≤ 2 × or ≤ 20 µs',
    met: cost / small <= 2 || cost * 1000 <= 20,
  }));
}

/** All turns' accounting against one count of the final history with the same estimator. */
function accountingRow(): BenchRow {
  const pairs = Array.from(
    { length: ROUNDS },
    () => [accounting(BENCH_SIZES['1M']), counting()] as const,
  );
  const ours = medianOf(pairs.map(([each]) => each));
  const peer = medianOf(pairs.map(([, each]) => each));
  const ratio = ours / peer;
  const what = 'size after each of 979 turns, against counting the final history once';
  return {
    id: 'G2 accounting',
    what,
    ours,
    peer,
    unit: 'ms',
    ratio,
    goal: '≤ 2 ×',
    met: ratio <= 2,
  };
}

function accounting(turns: number): number {
  const { head, messages } = sessionOf(turns);
  const meter = createTokenMeter({ model: head.model, head });
  return millisecondsOf(() => {
    for (const message of messages) {
      meter.add(message);
      meter.size();
    }
  });
}

function counting(): number {
  const { messages } = sessionOf(BENCH_SIZES['1M']);
  const estimator = createEstimator({ family: 'claude-new' });
  return millisecondsOf(() =>
    messages.reduce((sum, message) => sum + estimator.message(message), 0),
  );
}

function doublingRow(): BenchRow {
  const cost = (turns: number) => medianOf(Array.from({ length: ROUNDS }, () => accounting(turns)));
  const [half, whole] = [cost(490), cost(979)];
  const exponent = Math.log2(whole / half);
  const what = 'exponent of growth when the turns double';
  return {
    id: 'G2 exponent',
    what,
    ours: whole,
    peer: half,
    unit: 'ms',
    ratio: exponent,
    goal: '≤ 1.15',
    met: exponent <= 1.15,
  };
}

/** What other libraries do before each request on the same history. */
async function peerRows(session: BenchSession, ours: number): Promise<BenchRow[]> {
  const sdk = toAISDK(session.messages).messages as Parameters<typeof pruneMessages>[0]['messages'];
  const chain = session.messages.flatMap(toLangChain);
  const tokenCounter = (messages: BaseMessage[]) =>
    messages.reduce((sum, { content }) => sum + Math.ceil(String(content).length / 4), 0);
  const options = { maxTokens: 10_000_000, tokenCounter, strategy: 'last' } as const;
  const pruned = rounds(() =>
    pruneMessages({ messages: sdk, toolCalls: 'before-last-6-messages' }),
  );
  const trimmed: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await trimMessages(chain, options);
    trimmed.push(performance.now() - start);
  }
  const row = (name: string, peer: number): BenchRow => ({
    id: `G1 ${name}`,
    what: `our whole turn at 1M tokens, against a call of ${name} on the same history`,
    ours,
    peer,
    unit: 'ms',
    ratio: ours / peer,
    goal: '< 1 ×',
    met: ours < peer,
  });
  return [
    row('ai pruneMessages', medianOf(pruned)),
    row('langchain trimMessages', medianOf(trimmed)),
  ];
}

const rounds = (work: () => unknown): number[] =>
  Array.from({ length: ROUNDS }, () => millisecondsOf(work));

function toLangChain(message: Message): BaseMessage[] {
  const text = message.content.map((block) => (isText(block) ? block.text : '')).join('');
  if (message.role === 'assistant') {
    const calls = toolUses(message).map(({ id, name, input }) => ({
      id,
      name,
      args: input as object,
    }));
    return [new AIMessage({ content: text, tool_calls: calls })];
  }
  const results = toolResults(message).map(
    ({ tool_use_id, content }) =>
      new ToolMessage({ tool_call_id: tool_use_id, content: String(content) }),
  );
  return results.length > 0 ? results : [new HumanMessage(text)];
}
