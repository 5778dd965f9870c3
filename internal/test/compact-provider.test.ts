import Anthropic from '@anthropic-ai/sdk';
import {
  type Compaction,
  createCompaction,
  createProviderCompaction,
  createThresholdCompaction,
} from '@varve/compact';
import { type createEmulator, startEmulator } from '@varve/emulator';
import {
  type Block,
  createProjection,
  type Entry,
  type Message,
  type PlanContext,
  type Request,
  type View,
} from '@varve/messages';
import { createMicrocompact } from '@varve/microcompact';
import { type ModelClient, send } from '@varve/models';
import { createAnthropicClient } from '@varve/models/anthropic';
import { createOpenAICompact, createOpenAIResponsesClient } from '@varve/models/openai';
import { priceUsage, resolveModel } from '@varve/tokens';
import OpenAI from 'openai';
import { describe, expect, onTestFinished, test } from 'vitest';

const at = '2026-01-31T12:00:00Z';
const text = (text: string): Block => ({ type: 'text', text });

async function start(options: NonNullable<Parameters<typeof createEmulator>[0]> = {}) {
  const emulator = await startEmulator({ keepRequests: 100, ...options });
  onTestFinished(() => emulator.close());
  return emulator;
}

/** A thread on a log; `words` of every answer make it as large as it has to be. */
function thread(model: string, words: number) {
  const projection = createProjection();
  const compactor = createCompaction({ summarize: () => Promise.reject(new Error('not asked')) });
  let view: View = { messages: [], changedFrom: 0 };
  let count = 0;
  const append = (entry: Entry) => {
    view = projection.append(entry);
    compactor.observe(entry, view);
  };
  const say = (role: Message['role'], ...content: Block[]) => {
    const id = `m${count++}`;
    append({ id: `e-${id}`, at, type: 'message', message: { id, role, content } });
  };
  const head = { id: 'head', model, system: [text('You fix tests.')], tools: [], params: {} };
  append({ id: 'e-head', at, type: 'head', head: head as never });
  for (const n of [0, 1, 2]) {
    say('user', text(`question ${n}`));
    say('assistant', text(`answer ${n}\n${'word '.repeat(words)}`));
  }
  say('user', text('and now: plum-4'));
  const request = (): Request => {
    const { messages, server } = view;
    return {
      head: head as never,
      messages,
      markers: [],
      maxOutputTokens: 1_000,
      ...(server && { server }),
    };
  };
  const work = () => {
    const plan = compactor.planNow(CONTEXT, { trigger: 'manual' });
    if (plan.kind !== 'work') throw new Error(plan.reason);
    return plan.work;
  };
  return { append, say, request, work, view: () => view };
}

type Thread = ReturnType<typeof thread>;

const CONTEXT: PlanContext = {
  nowMs: 0,
  atUserTurn: true,
  contextTokens: 20_000,
  limits: { windowTokens: 200_000, effectiveTokens: 180_000, autocompactTokens: 167_000 },
  sizeOf: (message) => Math.ceil(JSON.stringify(message.content).length / 4),
  cache: { warm: true, markers: [] },
  prices: { read: 0.1, write: 1.25, output: 5 },
  thinking: 'free',
};

/** The conversation goes on after the edit: the block goes back in the bytes in which it came. */
async function goOn(log: Thread, client: ModelClient, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    const { content } = await send(client, log.request());
    log.say('assistant', ...content);
    log.say('user', text(`go on ${turn}`));
  }
}

type Sent = { readonly body: Uint8Array } | undefined;
const textOf = (sent: Sent) => new TextDecoder().decode(sent?.body);

const dollarsOf = (model: string, usage: unknown) =>
  priceUsage(usage as never, resolveModel(model).model as never).dollars;

describe('compaction on demand over the SDK of Anthropic (C18, B3)', () => {
  const MODEL = 'claude-opus-5-5';
  const clientOf = (url: string, streaming: boolean) =>
    createAnthropicClient({ sdk: new Anthropic({ baseURL: url, apiKey: 'any' }), streaming });

  test.each([true, false])(
    'the block goes back byte for byte, and its bill is the sum (streaming %s)',
    async (streaming) => {
      const emulator = await start();
      const client = clientOf(emulator.url, streaming);
      const log = thread(MODEL, 2_000);
      const run = createProviderCompaction({
        provider: 'anthropic',
        call: (request, options) => send(client, request, options),
      });
      const result = await run(log.work());
      if (result.kind !== 'compacted') throw new Error(String(result.cause ?? result.reason));
      const { edit, receipt } = result;
      expect(receipt).toMatchObject({ engine: 'provider' });
      expect(dollarsOf(MODEL, receipt.usage)).toBeCloseTo(emulator.report().dollars, 12);
      expect(dollarsOf(MODEL, receipt.usage)).toBeGreaterThan(0);
      log.append({ id: 'edit', at, type: 'edit', by: 'compact', reason: 'manual', receipt, edit });
      await goOn(log, client, 2);
      const later = emulator.requests.slice(1).map(textOf);
      expect(later).toHaveLength(2);
      for (const body of later) {
        expect(body).toContain(`"content":[${JSON.stringify(blockOf(result))}]`);
        expect(JSON.parse(body).messages[0].content).toEqual([blockOf(result)]);
        expect(body).not.toContain('word word');
      }
      expect(log.view().messages[1]?.content).toEqual([text('and now: plum-4')]);
      expect(emulator.requests.every(({ status }) => status === 200)).toBe(true);
    },
  );

  test('a second one takes the place of the first', async () => {
    const emulator = await start();
    const client = clientOf(emulator.url, true);
    const log = thread(MODEL, 2_000);
    const run = createProviderCompaction({
      provider: 'anthropic',
      call: (request, options) => send(client, request, options),
    });
    for (const id of ['first', 'second']) {
      const result = await run(log.work());
      if (result.kind !== 'compacted') throw new Error(String(result.cause ?? result.reason));
      const { edit } = result;
      log.append({ id, at, type: 'edit', by: 'compact', reason: 'manual', edit });
      log.say('assistant', text(`later ${'word '.repeat(3_000)}`));
      log.say('user', text('more'));
    }
    await goOn(log, client, 1);
    const blocks = log
      .view()
      .messages.flatMap(({ content }) => content.filter(({ type }) => type === 'compaction'));
    expect(blocks).toHaveLength(1);
  });

  test('a refusal of the provider is a failure, and the log is as it was', async () => {
    const emulator = await start({
      faults: [{ on: 1, kind: 'status', status: 529, times: 9 }] as never,
    });
    const client = createAnthropicClient({
      sdk: new Anthropic({ baseURL: emulator.url, apiKey: 'any' }),
      maxRetries: 0,
    });
    const log = thread(MODEL, 2_000);
    const before = JSON.stringify(log.view());
    const run = createProviderCompaction({
      provider: 'anthropic',
      call: (request, options) => send(client, request, options),
    });
    expect(await run(log.work())).toMatchObject({
      kind: 'failed',
      reason: 'model-failed',
      cause: { code: 'overloaded' },
    });
    expect(JSON.stringify(log.view())).toBe(before);
  });
});

describe('compaction at a threshold over the SDK of Anthropic (C18, B2)', () => {
  test('is asked for by a server edit, and its block stands for what was before', async () => {
    const emulator = await start({ replies: ['Went on.', 'Again.'] });
    const client = createAnthropicClient({
      sdk: new Anthropic({ baseURL: emulator.url, apiKey: 'any' }),
    });
    const log = thread('claude-opus-5-5', 20_000);
    const planner = createThresholdCompaction({ triggerTokens: 50_000 });
    const observe = (id: string) =>
      planner.observe({ id, at, type: 'note', by: 'x', data: null }, log.view());
    const apply = (id: string) => {
      observe(id);
      const plan = planner.plan(CONTEXT);
      if (plan.kind !== 'edit') throw new Error(plan.reason);
      for (const edit of plan.edits)
        log.append({ id, at, type: 'edit', by: 'provider', reason: plan.reason, edit });
      return plan.receipt;
    };
    apply('ask');
    const { content, usage, iterations } = await send(client, log.request());
    expect(content.map(({ type }) => type)).toEqual(['compaction', 'text']);
    const response = {
      id: 'r',
      model: 'm',
      stopReason: 'end_turn',
      usage: { ...usage, iterations },
    } as const;
    log.append({
      id: 'e-reply',
      at,
      type: 'message',
      message: { id: 'reply', role: 'assistant', content, response },
    });
    const receipt = apply('take');
    expect(dollarsOf('claude-opus-5-5', receipt?.usage)).toBeCloseTo(emulator.report().dollars, 12);
    expect(log.view().messages).toHaveLength(1);
    log.say('user', text('go on'));
    const next = await send(client, log.request());
    expect(next.content).toEqual([text('Again.')]);
    const sent = textOf(emulator.requests[1]);
    expect(sent).toContain(JSON.stringify(content[0]));
    expect(JSON.parse(sent).messages[0].content).toEqual(content);
  });
});

describe('compaction at a threshold beside clearing by the provider (C18, M3)', () => {
  const planners = {
    compaction: () => createThresholdCompaction({ triggerTokens: 50_000 }),
    clearing: () =>
      createMicrocompact({
        server: { triggerTokens: 1_000, clearAtLeastTokens: 0, keepToolUses: 1, keepThinking: 1 },
      }),
  };

  test.each([
    ['compaction', 'clearing'],
    ['clearing', 'compaction'],
  ] as const)(
    '%s, then %s: both are asked for once, in the order that the provider wants',
    async (...order) => {
      const emulator = await start({ replies: ['Went on.'] });
      const client = createAnthropicClient({
        sdk: new Anthropic({ baseURL: emulator.url, apiKey: 'any' }),
      });
      const log = thread('claude-opus-5-5', 20_000);
      const plans = order.map((name) => planners[name]());
      const planAll = (round: number) =>
        plans.map((planner, index) => {
          planner.observe({ id: 'n', at, type: 'note', by: 'x', data: null }, log.view());
          const plan = planner.plan(CONTEXT);
          if (plan.kind !== 'edit') return plan.reason;
          for (const edit of plan.edits) {
            const id = `${round}-${index}`;
            log.append({ id, at, type: 'edit', by: order[index] ?? '', reason: plan.reason, edit });
          }
          return plan.kind;
        });
      expect(planAll(0)).toEqual(['edit', 'edit']);
      expect(planAll(1).sort()).toEqual(['nothing-compacted', 'server-side']);
      const { content } = await send(client, log.request());
      expect(content.map(({ type }) => type)).toEqual(['compaction', 'text']);
      const { edits } = JSON.parse(textOf(emulator.requests[0])).context_management;
      expect(edits.map(({ type }: { type: string }) => type)).toEqual([
        'clear_thinking_20251015',
        'clear_tool_uses_20250919',
        'compact_20260112',
      ]);
      expect(emulator.requests.map(({ status }) => status)).toEqual([200]);
    },
  );
});

describe('compact over the SDK of OpenAI (C18, C2)', () => {
  const MODEL = 'gpt-5.6-sol';

  test('what it returns goes back as it came, the words of the user included', async () => {
    const emulator = await start();
    const sdk = new OpenAI({ baseURL: `${emulator.url}/v1`, apiKey: 'any' });
    const client = createOpenAIResponsesClient({ sdk });
    const log = thread(MODEL, 2_000);
    const run = createProviderCompaction({
      provider: 'openai',
      call: createOpenAICompact({ sdk }),
    });
    const result = await run(log.work());
    if (result.kind !== 'compacted') throw new Error(String(result.cause ?? result.reason));
    const { edit, receipt } = result;
    expect(dollarsOf(MODEL, receipt.usage)).toBeCloseTo(emulator.report().dollars, 12);
    log.append({ id: 'edit', at, type: 'edit', by: 'compact', reason: 'manual', receipt, edit });
    await goOn(log, client, 1);
    const words = textOf(emulator.requests[1]);
    expect(words).toContain(JSON.stringify(blockOf(result)));
    for (const said of ['question 0', 'question 1', 'question 2', 'plum-4'])
      expect(words).toContain(said);
    expect(words).not.toContain('word word');
    expect(emulator.requests.every(({ status }) => status === 200)).toBe(true);
  });

  test('an abort rejects with AbortError', async () => {
    const emulator = await start();
    const sdk = new OpenAI({ baseURL: `${emulator.url}/v1`, apiKey: 'any' });
    const run = createProviderCompaction({
      provider: 'openai',
      call: createOpenAICompact({ sdk }),
    });
    const options = { signal: AbortSignal.abort() };
    await expect(run(thread(MODEL, 2_000).work(), options)).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(emulator.requests).toHaveLength(0);
  });
});

const blockOf = ({ edit }: Compaction): Block | undefined =>
  edit.with.flatMap(({ content }) => content).find(({ type }) => type === 'compaction');
