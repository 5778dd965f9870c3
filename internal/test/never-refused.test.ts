import { setImmediate } from 'node:timers/promises';
import { type Context, ContextError, type ContextEvent, createContext } from '@varve/context';
import { createFork, ForkError } from '@varve/fork-agent';
import {
  type Block,
  type JsonObject,
  parseEntry,
  type Request,
  serializeEntry,
} from '@varve/messages';
import { createMicrocompact } from '@varve/microcompact';
import type { ModelClient } from '@varve/models';
import { createAnthropicClient } from '@varve/models/anthropic';
import { createOpenAIChatClient, createOpenAIResponsesClient } from '@varve/models/openai';
import { resolveModel } from '@varve/tokens';
import { createToolStorage, memoryStore } from '@varve/tool-storage';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBinding, type Fields, refusals, STRICT_MODELS } from './strict-provider.ts';

/** What a provider answers next, drawn by the law. */
type Draw = (below: number) => number;

function drawFrom(seed: number): Draw {
  let state = seed;
  return (below) => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return below <= 0 ? 0 : ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const SUMMARY = `<analysis>Read.</analysis><summary>${[
  'Request and intent',
  'Key concepts',
  'Files and code',
  'Errors and fixes',
  'Problem solving',
  'User messages',
  'Pending tasks',
  'Current work',
  'Next step',
]
  .map((name, index) => `## ${index + 1}. ${name}\nThe parser was read, and \`a.ts\` was edited.`)
  .join('\n')}</summary>`;

const words = (draw: Draw, most: number): string =>
  Array.from({ length: 1 + draw(most) }, (_, index) => `word${draw(50)} ${index}`).join(' ');

/** Blocks of a reply, some as only odd servers write them. */
function replyOf(draw: Draw, count: number): { content: Fields[]; stop: string } {
  const content: Fields[] = [];
  const thinks = draw(3) === 0;
  if (thinks) content.push({ type: 'thinking', thinking: words(draw, 20), signature: '' });
  if (draw(12) === 0) content.push({ type: 'redacted_thinking', data: '' });
  if (draw(3) > 0) content.push({ type: 'text', text: draw(15) === 0 ? '  ' : words(draw, 60) });
  const calls = draw(3);
  for (let index = 0; index < calls; index++) {
    // a provider that signs thinking gives ids
    const odd = thinks ? 3 + draw(22) : draw(25);
    const id = odd === 0 ? '' : odd === 1 ? 'same' : odd === 2 ? 'call 1/2' : `c${count}_${index}`;
    const input = odd === 3 ? 'cut sh' : odd === 4 ? ['x'] : { path: `f${draw(5)}.ts` };
    const name = draw(2) === 0 ? 'read' : 'bash';
    content.push({ type: 'tool_use', id, name, input });
    if (thinks && draw(4) === 0)
      content.push({ type: 'thinking', thinking: words(draw, 9), signature: '' });
  }
  if (content.length === 0) content.push({ type: 'text', text: 'Done.' });
  const stop = calls > 0 ? 'tool_use' : draw(10) === 0 ? 'max_tokens' : 'end_turn';
  return { content, stop };
}

/** A provider that checks each body and answers as drawn; its clients are those of `@varve/models`. */
function createProvider(draw: Draw) {
  const refused: string[] = [];
  const counts = { requests: 0, summaries: 0, forks: 0, thinking: 0 };
  const binding = createBinding();
  let answers = 0;
  const answer = (sent: Fields, kind: Kind): { content: readonly Fields[]; stop: string } => {
    const text = JSON.stringify(sent);
    const body = JSON.parse(text) as Fields;
    const id = String(body.model);
    const model = STRICT_MODELS[id];
    if (!model) throw new Error(`no such model: ${id}`);
    const found = [
      ...refusals(text, body, model),
      ...(model.binds ? binding.refusals(body, id) : []),
    ];
    refused.push(...found.map((why) => `${kind} to ${id}: ${why}`));
    counts[kind] += 1;
    answers += 1;
    const reply =
      kind === 'summaries'
        ? {
            content: [{ type: 'text', text: draw(6) === 0 ? 'Rate limited.' : SUMMARY }],
            stop: 'end_turn',
          }
        : replyOf(draw, answers);
    const content =
      model.api === 'anthropic' ? binding.sign(body, id, reply.content) : reply.content;
    counts.thinking += text.includes('"signature"') ? 1 : 0;
    return { ...reply, content };
  };
  const usageOf = (body: Fields) => Math.ceil(JSON.stringify(body).length / 4);
  const respond = (data: unknown) => ({
    withResponse: async () => ({ data, response: new Response(null), request_id: null }),
  });
  const anthropic = (kind: Kind) => {
    const create = (body: Fields) => {
      const { content, stop } = answer(body, kind);
      const usage = { input_tokens: usageOf(body), output_tokens: 50 };
      return respond({
        id: `m${answers}`,
        type: 'message',
        role: 'assistant',
        model: body.model,
        content,
        stop_reason: stop,
        usage,
      });
    };
    const messages = { create };
    return createAnthropicClient({
      sdk: { messages, beta: { messages } } as never,
      streaming: false,
    });
  };
  const chat = (kind: Kind) => {
    const create = (body: Fields) => {
      const { content } = answer(body, kind);
      const text = content
        .filter(({ type }) => type === 'text')
        .map((block) => block.text)
        .join('');
      const calls = content
        .filter(({ type }) => type === 'tool_use')
        .map(({ id, name, input }) => ({
          id,
          type: 'function',
          function: { name, arguments: JSON.stringify(input) },
        }));
      const message = {
        role: 'assistant',
        content: text,
        ...(calls.length > 0 && { tool_calls: calls }),
      };
      const usage = { prompt_tokens: usageOf(body), completion_tokens: 50 };
      return respond({
        id: `m${answers}`,
        model: body.model,
        choices: [{ message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }],
        usage,
      });
    };
    return createOpenAIChatClient({
      sdk: { chat: { completions: { create } } } as never,
      streaming: false,
    });
  };
  const responses = (kind: Kind) => {
    const create = (body: Fields) => {
      const { content } = answer(body, kind);
      const output = content.map((block, index) => {
        if (block.type === 'tool_use')
          return {
            type: 'function_call',
            id: `fc_${answers}_${index}`,
            call_id: block.id,
            name: block.name,
            arguments: JSON.stringify(block.input),
          };
        if (block.type === 'text')
          return {
            type: 'message',
            id: `msg_${answers}_${index}`,
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: block.text, annotations: [] }],
          };
        return {
          type: 'reasoning',
          id: `rs_${answers}_${index}`,
          summary: [],
          encrypted_content: 'sealed',
        };
      });
      const usage = { input_tokens: usageOf(body), output_tokens: 50 };
      return respond({ id: `m${answers}`, model: body.model, status: 'completed', output, usage });
    };
    return createOpenAIResponsesClient({
      sdk: { responses: { create } } as never,
      streaming: false,
    });
  };
  const clients = { anthropic, chat, responses };
  const made = new Map<string, ModelClient>();
  return {
    refused,
    counts,
    client(model: string, kind: Kind): ModelClient {
      const { api } = STRICT_MODELS[model] as { api: keyof typeof clients };
      const key = `${api} ${kind}`;
      const client = made.get(key) ?? clients[api](kind);
      made.set(key, client);
      return client;
    },
  };
}

type Kind = 'requests' | 'summaries' | 'forks';

const MODELS = Object.keys(STRICT_MODELS);
const TOOLS = ['read', 'bash'].map((name) => ({
  name,
  description: 'Does it.',
  input_schema: { type: 'object' },
}));
const IMAGE: Block = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
};

function paramsOf(model: string, windowTokens: number, draw: Draw): JsonObject {
  const types =
    STRICT_MODELS[model]?.api === 'anthropic' ? (STRICT_MODELS[model]?.thinkingTypes ?? []) : [];
  const type = types[draw(types.length + 1)];
  if (type === undefined) return {};
  if (type !== 'enabled') return { thinking: { type } };
  const budgets = [1_024, 1_900, 9_000, 31_000].filter((budget) => budget < windowTokens / 2);
  return { thinking: { type, budget_tokens: budgets[draw(budgets.length)] as number } };
}

/** A window that a few messages fill. */
function small(id: string, windowTokens: number) {
  const { model } = resolveModel(id);
  return {
    ...model,
    id,
    aliases: [],
    windowTokens,
    maxOutputTokens: Math.min(model.maxOutputTokens ?? 32_000, windowTokens),
  };
}

interface Played {
  readonly refused: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly edits: number;
}

/** One conversation from its beginning; what a call refuses with a typed error is left out. */
async function play(draw: Draw, steps: number): Promise<Played> {
  const provider = createProvider(draw);
  let model = MODELS[draw(MODELS.length)] as string;
  let last: Request | undefined;
  let edits = 0;
  const windowTokens = [4_000, 8_000, 20_000, 64_000][draw(4)] as number;
  const storage = createToolStorage({
    store: memoryStore(),
    sessionId: 's',
    threshold: 1_500,
    textThreshold: 1_500,
    roundChars: 4_000,
    preview: { maxChars: 200 },
  });
  const begin = (entries: Parameters<typeof createContext>[0]['entries']): Context =>
    createContext({
      model,
      system: 'You fix tests.',
      tools: TOOLS,
      params: paramsOf(model, windowTokens, draw),
      storage,
      entries,
      models: MODELS.map((id) => small(id, windowTokens)),
      ...(draw(3) === 0 && { maxOutputTokens: 1_200 + draw(3_000) }),
      layers: [
        {
          name: 'microcompact',
          planner: createMicrocompact({
            preset: 'classic',
            keepRecent: 1,
            minSavingsTokens: 200,
            count: { candidateTokens: 25 },
          }),
        },
      ],
      compaction: {
        summarize: (request, { signal }) =>
          provider.client(request.head.model, 'summaries').stream(request, { signal }).response(),
        wait: async () => {},
        ...(draw(3) === 0 && { percent: 10 + draw(80) }),
        ...(draw(3) === 0 && { keepTokens: 500 }),
      },
      call: async (request, options) => {
        last = request;
        return provider.client(request.head.model, 'requests').stream(request, options).response();
      },
      now: () => 1_760_000_000_000,
      onEvent: (event: ContextEvent) => {
        if (event.kind === 'edited') edits += 1;
      },
    });
  let context = begin(undefined);
  await context.user('Fix the parser.');
  const act = async (): Promise<void> => {
    const kind = draw(14);
    const open = context.view().open;
    if (kind === 0)
      await context.user(
        draw(4) === 0 ? [{ type: 'text', text: words(draw, 30) }, IMAGE] : words(draw, 400),
      );
    else if (kind === 1) await context.closeRound('aborted');
    else if (kind === 2) {
      await context.closeRound('aborted');
      await context.compact(draw(2) === 0 ? {} : { focus: 'the parser' });
    } else if (kind === 3) {
      if (draw(2) === 0) model = MODELS[draw(MODELS.length)] as string;
      context = begin(context.entries().map((entry) => parseEntry(serializeEntry(entry))));
    } else if (kind === 4 && last && STRICT_MODELS[last.head.model]) {
      const fork = createFork({ client: provider.client(last.head.model, 'forks'), parent: last });
      await fork.run({ directive: 'Name the file.', maxTurns: 1 + draw(2) });
    } else if (open) {
      const ids = open.waiting;
      const given = draw(5) === 0 ? ids.slice(0, draw(ids.length + 1)) : ids;
      await context.results(given.map((toolUseId) => resultOf(toolUseId, draw)));
      if (given.length < ids.length && draw(2) === 0) await context.closeRound('aborted');
    } else if (context.view().messages.at(-1)?.role === 'user') await context.send();
    else await context.user(words(draw, 60));
  };
  for (let step = 0; step < steps; step++) await orRefused(act());
  return { refused: provider.refused, counts: provider.counts, edits };
}

/** What the package refuses by a typed error of its own was not sent. */
async function orRefused(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!ContextError.is(error) && !ForkError.is(error)) throw error;
    typed.set(error.code, (typed.get(error.code) ?? 0) + 1);
  }
}

const typed = new Map<string, number>();

function resultOf(toolUseId: string, draw: Draw) {
  const kind = draw(8);
  const isError = draw(5) === 0;
  if (kind === 0) return { toolUseId, content: '', isError };
  if (kind === 1) return { toolUseId, content: [IMAGE], isError };
  if (kind === 2)
    return { toolUseId, content: [{ type: 'text', text: ' ' } as Block, IMAGE], isError };
  if (kind === 3) return { toolUseId, content: `half \ud83d of ${words(draw, 20)}`, isError };
  return { toolUseId, content: words(draw, [10, 100, 500][draw(3)] as number), isError };
}

describe('no request of ours is refused: turns, summaries, forks (an independent checker)', () => {
  test('whatever comes in, for seven models of three wire formats in windows from 4K to 64K', async () => {
    const sums: Record<string, number> = { conversations: 0, edits: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.nat(2 ** 31 - 1),
        fc.integer({ min: 4, max: 24 }),
        async (seed, steps) => {
          const { refused, counts, edits } = await play(drawFrom(seed), steps);
          // Signals are held weakly, and what is held so stays until the event loop turns.
          await setImmediate();
          expect([...new Set(refused)]).toEqual([]);
          sums.conversations = (sums.conversations ?? 0) + 1;
          sums.edits = (sums.edits ?? 0) + edits;
          for (const [name, count] of Object.entries(counts))
            sums[name] = (sums[name] ?? 0) + count;
        },
      ),
    );
    process.stdout.write(
      `no request refused: ${JSON.stringify(sums)}, typed errors ${JSON.stringify([...typed])}\n`,
    );
    for (const [name, count] of Object.entries(sums)) expect(count, name).toBeGreaterThan(0);
  });
});
