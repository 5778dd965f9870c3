import {
  anthropicProfile,
  checkRequest,
  type Head,
  type JsonObject,
  type Message,
  type Request,
  type View,
} from '@varve/messages';
import { createRequestStamp } from '@varve/messages/stamps';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CompactOptions } from '../../src/full/compact.ts';
import {
  compact,
  createCollapse,
  createCompaction,
  createProviderCompaction,
  type SummaryReply,
} from '../../src/index.ts';
import { contextFor, HEAD, watchedLog } from '../plan/working-log.ts';
import { replied, round, type Said, said, turns } from './histories.ts';
import { type FakeModel, fakeModel, GOOD, noWait, reply } from './models.ts';

const history = turns(20, 2_000);

const enabled = (budget: number): JsonObject => ({
  thinking: { type: 'enabled', budget_tokens: budget },
});

/** What the API says of such a request, written from its documentation and not from ours. */
function refusals({ head, server, maxOutputTokens }: Request): readonly string[] {
  const found: string[] = [];
  const params = head.params as Record<string, Record<string, unknown> | undefined>;
  const { type, budget_tokens: budget } = params.thinking ?? {};
  if (type === 'enabled' && !(Number(budget) >= 1_024)) found.push('budget below 1,024');
  if (type === 'enabled' && maxOutputTokens <= Number(budget)) found.push('max_tokens <= budget');
  const isOff = type === undefined || type === 'disabled';
  const clears = [head.params, server].some((each) =>
    JSON.stringify(each ?? {}).includes('clear_thinking'),
  );
  if (isOff && clears) found.push('clears thinking that is off');
  const choice = params.tool_choice?.type;
  if (choice === 'any' || choice === 'tool') found.push('forces a call');
  if (!(maxOutputTokens >= 1)) found.push('no output');
  return found;
}

const MODELS = [
  { model: 'claude-opus-4-1', most: 32_000 },
  { model: 'claude-sonnet-4-5', most: 64_000 },
  { model: 'a-model-nobody-knows', most: Number.POSITIVE_INFINITY },
] as const;

describe('what the provider refuses is no request of ours (K305)', () => {
  // Siblings looked for: full, partial, collapse, provider, a planner on a log, fork and agent (fork-agent's tests).
  test.each(MODELS)(
    'a thinking budget of 31,999 beside a bound of 20,000 on $model',
    async ({ model, most }) => {
      const asked = fakeModel(reply(GOOD));
      const head = { model, params: enabled(31_999) };
      const done = await compact(history, { ...asked, head, wait: noWait });
      expect(done.kind === 'compacted' && done.receipt.engine).toBe('summary');
      const [request] = asked.requests as [Request];
      expect(refusals(request)).toEqual([]);
      expect(request.maxOutputTokens).toBeLessThanOrEqual(most);
      // the budget is left alone where the model can reply that much, because it is part of the cached prefix
      if (most > 52_000) expect(request.head.params).toBe(head.params);
    },
  );

  test.each([500, 2_000, 4_000])('a bound of %d for the summary', async (maxSummaryTokens) => {
    const asked = fakeModel(reply(GOOD));
    const head = { model: 'claude-sonnet-4-5', params: enabled(10_000) };
    const done = await compact(history, { ...asked, head, maxSummaryTokens });
    expect(done.kind).toBe('compacted');
    expect(asked.requests.map(refusals)).toEqual([[]]);
    expect(asked.requests[0]?.maxOutputTokens).toBe(10_000 + maxSummaryTokens);
  });

  test('where even the least budget does not fit, thinking goes and its clearing with it', async () => {
    const asked = fakeModel(reply(GOOD));
    const edits = [{ type: 'clear_thinking_20251015' }, { type: 'clear_tool_uses_20250919' }];
    const params = { ...enabled(3_000), context_management: { edits } };
    const head = { model: 'small', params };
    await compact(history, { ...asked, head, maxOutputTokens: 2_000, windowTokens: 200_000 });
    expect(asked.requests.map(refusals)).toEqual([[]]);
    expect(asked.requests[0]?.head.params).toEqual({ context_management: { edits: [edits[1]] } });
    expect(params.context_management.edits).toHaveLength(2);
  });

  test.each([
    { tool_choice: { type: 'any' } },
    { tool_choice: { type: 'tool', name: 'read' } },
    { tool_choice: 'required' },
    { output_config: { format: { type: 'json_schema' }, effort: 'low' } },
    { response_format: { type: 'json_object' } },
    { stop_sequences: ['\n'] },
  ] as JsonObject[])('parameters that force another answer go: %j', async (params) => {
    const asked = fakeModel(reply(GOOD));
    await compact(history, {
      ...asked,
      head: { model: 'm', params: { ...params, speed: 'fast' } },
    });
    const { effort } = (params.output_config ?? {}) as JsonObject;
    const left = effort === undefined ? {} : { output_config: { effort } };
    expect(asked.requests[0]?.head.params).toEqual({ ...left, speed: 'fast' });
  });

  test('collapse, with its bound of 4,000', async () => {
    const asked = fakeModel(reply(GOOD));
    const sizeOfText = (text: string) => text.length / 4;
    const collapse = createCollapse({ ...asked, sizeOfText, stageAt: 0, targetAt: 0 });
    const log = watchedLog(collapse);
    const model = 'claude-sonnet-4-5';
    const head = { id: 'h', model, system: [], tools: [], params: enabled(31_999) };
    log.append({ ...HEAD, type: 'head', head });
    for (const message of history) log.say(asMessage(message));
    const plan = collapse.plan(contextFor(log.view, { windowTokens: 200_000 }));
    if (plan.kind !== 'work') throw new Error(plan.kind);
    await collapse.run(plan.work);
    expect(asked.requests.length).toBeGreaterThan(0);
    expect(asked.requests.flatMap(refusals)).toEqual([]);
  });

  test('compaction by the provider, which takes no context management beside it', async () => {
    const asked = fakeModel({
      content: [{ type: 'compaction', content: 'Short.' }],
      stopReason: 'compaction',
    });
    const run = createProviderCompaction({ provider: 'anthropic', call: asked.summarize });
    const compactor = createCompaction(asked);
    const log = watchedLog(compactor);
    const params = {
      ...enabled(31_999),
      context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
      stop_sequences: ['x'],
    };
    const head = { id: 'h', model: 'claude-opus-4-6', system: [], tools: [], params };
    log.append({ ...HEAD, type: 'head', head });
    for (const message of history) log.say(asMessage(message));
    for (const options of [{ windowTokens: 200_000 }, {}]) {
      const plan = compactor.planNow(contextFor(log.view, options), { trigger: 'manual' });
      if (plan.kind !== 'work') throw new Error(plan.kind);
      expect((await run(plan.work)).kind).toBe('compacted');
    }
    expect(asked.requests.flatMap(refusals)).toEqual([]);
    const [whole, small] = asked.requests.map(({ head: { params } }) => params);
    expect(whole).toEqual(enabled(31_999));
    // a window that is nearly full has no room for such a budget
    expect(Number(Object(small?.thinking).budget_tokens)).toBeLessThan(31_999);
  });

  test('law: any budget, bound, window and maximum', async () => {
    let requests = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          budget: fc.integer({ min: 1_024, max: 120_000 }),
          maxSummaryTokens: fc.integer({ min: 1, max: 40_000 }),
          maxOutputTokens: fc.option(fc.integer({ min: 100, max: 130_000 }), { nil: undefined }),
          windowTokens: fc.integer({ min: 8_000, max: 400_000 }),
          cut: fc.boolean(),
        }),
        async ({ budget, cut, ...options }) => {
          const asked = fakeModel(cut ? reply('<summary>It', 'max_tokens') : reply(GOOD));
          const head = { model: 'a-model', params: enabled(budget) };
          await compact(history, { ...asked, ...options, head, wait: noWait });
          const profile = anthropicProfile({ thinking: 'free' });
          for (const request of asked.requests) {
            expect(refusals(request)).toEqual([]);
            const most = options.maxOutputTokens ?? Number.POSITIVE_INFINITY;
            expect(request.maxOutputTokens).toBeLessThanOrEqual(most);
            expect(checkRequest(request, profile)).toEqual([]);
          }
          requests += asked.requests.length;
        },
      ),
    );
    console.info(`K305: ${requests} requests, none refused`);
    expect(requests).toBeGreaterThan(50);
  });
});

describe('a summary needs no streaming (K308)', () => {
  /** As the SDK does when it is asked for a whole answer. */
  const unstreamed = (steps: readonly SummaryReply[]): FakeModel => {
    const model = fakeModel(...steps);
    const summarize: FakeModel['summarize'] = (request, options) => {
      if (request.maxOutputTokens > 21_333) throw new Error('Streaming is required for this.');
      return model.summarize(request, options);
    };
    return { ...model, summarize };
  };

  test.each([
    { name: 'at first', steps: [reply(GOOD)], params: {} },
    {
      name: 'after an answer that was cut',
      steps: [reply('<summary>', 'max_tokens'), reply(GOOD)],
      params: {},
    },
    { name: 'with a budget that fits', steps: [reply(GOOD)], params: enabled(16_000) },
    {
      name: 'with a budget, cut',
      steps: [reply('<summary>', 'max_tokens'), reply(GOOD)],
      params: enabled(10_000),
    },
  ])('$name', async ({ steps, params }) => {
    const model = unstreamed(steps);
    const head = { model: 'claude-sonnet-4-5', params };
    const done = await compact(history, { ...model, head, wait: noWait });
    expect(done.kind === 'compacted' && done.receipt.engine).toBe('summary');
  });

  test('a caller that asks for longer summaries gets them', async () => {
    const model = fakeModel(reply(GOOD));
    await compact(history, { ...model, head: { model: 'm' }, maxSummaryTokens: 30_000 });
    expect(model.requests[0]?.maxOutputTokens).toBe(30_000);
  });
});

describe('no model is named (N343)', () => {
  const { summarize } = fakeModel(reply(GOOD));
  const heads = [undefined, {}, { model: '' }, { model: '  ' }, { system: [] }, { model: 3 }];

  test.each(heads)(
    'compact, of all and of a side, refuses the head %j and says what is missing',
    async (head) => {
      const options = { summarize, head } as unknown as CompactOptions<Said>;
      const partial = { ...options, direction: 'up-to', pivot: 4 } as const;
      for (const run of [() => compact(history, options), () => compact(history, partial)]) {
        await expect(run()).rejects.toThrow(TypeError);
        await expect(run()).rejects.toThrow(/`head\.model`/);
      }
    },
  );

  test('also where there is nothing to compact', async () => {
    const options = { summarize } as unknown as CompactOptions<Said>;
    await expect(compact([said('Hello.'), replied()], options)).rejects.toThrow(TypeError);
  });

  test('a planner on a log says that there is no head', () => {
    const compactor = createCompaction({ summarize });
    const collapse = createCollapse({ summarize, sizeOfText: (text) => text.length / 4 });
    const log = watchedLog(compactor, collapse);
    for (const message of [said('Go.'), ...round('a'), ...round('b')]) log.say(asMessage(message));
    const context = contextFor(log.view);
    const none = { kind: 'none', reason: 'no-head' };
    expect(compactor.plan(context)).toEqual(none);
    expect(compactor.planNow(context, { trigger: 'manual' })).toEqual(none);
    expect(collapse.plan({ ...context, contextTokens: 1_000_000 })).toEqual(none);
  });
});

const asMessage = ({ role, content }: Said) => ({
  role,
  content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
});

// Siblings looked for: a summary in one request, of one side, in parts and of a span; with stamps and without.
describe('M333: a summary request carries no thinking that the next request would drop', () => {
  const OPUS = 'claude-opus-5-5';
  const thought = (id: string, response?: Message['response']): Message => ({
    id,
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: `signed-${id}` },
      { type: 'text', text: `Answer ${id}. ${'It parses. '.repeat(200)}` },
    ],
    ...(response && { response }),
  });
  const asks = (id: string): Message => ({
    id,
    role: 'user',
    content: [{ type: 'text', text: `Question ${id}?` }],
  });
  const head = (model: string, system = 'You fix.') => ({
    ...{ id: 'h', model, tools: [], params: {} },
    system: [{ type: 'text' as const, text: system }],
  });
  const response = (model: string) => ({ id: 'r', model, stopReason: 'end_turn' as const });
  /** Ten turns, of which those from `other` on were answered under the second head. */
  function session(first: Head, second: Head, isStamped: boolean, other = 10): Message[] {
    const messages: Message[] = [];
    for (let index = 0; index < 10; index++) {
      messages.push(asks(`q${index}`));
      const asked = index < other ? first : second;
      const view = { head: asked, messages: [...messages] } as unknown as View;
      const request = isStamped ? { request: createRequestStamp(view, 0) } : {};
      messages.push(thought(`a${index}`, { ...response(asked.model), ...request }));
    }
    return [...messages, asks('last')];
  }
  const thoughtsIn = ({ messages }: Request) =>
    messages.flatMap(({ content }) => content.filter(({ type }) => type === 'thinking'));

  test.each([
    { name: 'another model, stamped', to: head('claude-sonnet-5-5'), isStamped: true },
    { name: 'another model, without stamps', to: head('claude-sonnet-5-5'), isStamped: false },
    { name: 'a model that nobody knows', to: head('a-model'), isStamped: false },
    { name: 'another system prompt', to: head(OPUS, 'You test.'), isStamped: true },
  ])('$name', async ({ to, isStamped }) => {
    for (const other of [10, 5]) {
      const history = session(head(OPUS), to, isStamped, other);
      const asked = fakeModel(reply(GOOD));
      const options = { ...asked, head: to, keepTokens: 0 };
      const done = await compact(history, options);
      expect(done.kind === 'compacted' && done.receipt.engine).toBe('summary');
      await compact(history, { ...options, direction: 'up-to', pivot: 18 });
      expect(asked.requests).toHaveLength(2);
      expect(asked.requests.flatMap(thoughtsIn)).toEqual([]);
    }
  });

  test('thinking that the next request carries stays, and with it the cached prefix', async () => {
    for (const [wrote, isStamped] of [
      [OPUS, true],
      [OPUS, false],
      [`${OPUS}-20260901`, false],
    ] as const) {
      const history = session(head(wrote), head(wrote), isStamped);
      const asked = fakeModel(reply(GOOD));
      await compact(history, { ...asked, head: head(OPUS), keepTokens: 0 });
      expect(asked.requests.flatMap(thoughtsIn)).toHaveLength(10);
    }
  });
});
