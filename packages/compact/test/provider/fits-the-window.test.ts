import type { Head, JsonObject, Message, Request } from '@varve/messages';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCompaction, createProviderCompaction } from '../../src/index.ts';
import type { ProviderReply } from '../../src/provider/provider-compaction.ts';
import { ESTIMATOR, type Said, textOf, tokensOf, turns } from '../full/histories.ts';
import { contextFor, editEntry, HEAD, watchedLog } from '../plan/working-log.ts';

type Provider = 'anthropic' | 'openai';

const BLOCK = { type: 'compaction', content: 'Short.', encrypted_content: 'e', signature: 's' };
const HISTORY = turns(4, 1_500);

/** Of a model that no table knows, counted as the test counts. */
const headOf = (parts: Partial<Head> = {}): Head => ({
  ...{ id: 'h', model: 'test-model', system: [], tools: [], params: {}, ...parts },
});
const words = (tokens: number) => [{ type: 'text' as const, text: textOf(tokens) }];
const toolOf = (tokens: number) => ({ name: 'read', description: textOf(tokens) });

const asMessage = ({ role, content }: Said): Omit<Message, 'id'> => ({
  role,
  content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
});

interface Given {
  readonly provider: Provider;
  readonly windowTokens: number;
  readonly head?: Head;
  readonly history?: readonly Said[];
  readonly instructions?: string;
  readonly maxSummaryTokens?: number;
  /** What the bill of the last request was larger by than the estimate, or smaller. */
  readonly unseenTokens?: number;
  /** What the provider is asked to do to each request. */
  readonly server?: JsonObject | undefined;
}

/** What is sent, counted as the test does; for OpenAI that is the input, in which the system prompt stands and no tool. */
function sentTokens({ head, messages }: Request, { provider, instructions = '' }: Given): number {
  const sent = provider === 'openai' ? { ...head, tools: [] } : head;
  return ESTIMATOR.head(sent) + tokensOf(messages) + ESTIMATOR.text(instructions);
}

async function compacted(given: Given) {
  const { provider, windowTokens, head = headOf(), unseenTokens = 0, ...rest } = given;
  const { server, history = HISTORY, ...options } = rest;
  const requests: Request[] = [];
  const compactor = createCompaction({ summarize: 'ledger' });
  const log = watchedLog(compactor);
  log.append({ ...HEAD, type: 'head', head } as Parameters<typeof log.append>[0]);
  for (const said of history) log.say(asMessage(said));
  if (server) log.append(editEntry({ kind: 'server', params: server }, 'server'));
  const overheadTokens = ESTIMATOR.head(head) + unseenTokens;
  const context = contextFor(log.view, { windowTokens, overheadTokens });
  const plan = compactor.planNow(context, { trigger: 'manual' });
  if (plan.kind !== 'work') throw new Error(plan.reason);
  const outcome = await createProviderCompaction({
    ...{ provider, ...options },
    async call(request): Promise<ProviderReply> {
      requests.push(request);
      return { content: [BLOCK], stopReason: 'compaction' };
    },
  })(plan.work);
  const messages = log.view.messages;
  return { outcome, requests, whole: { head, messages } as unknown as Request };
}

const DECLINED = { kind: 'failed', reason: 'prompt-too-long', calls: 0 };
/** What a summary has at least. */
const leastOf = (windowTokens: number) => Math.min(3_903, Math.floor(windowTokens / 8));

// Siblings looked for: the summary's request, in one and in parts, of one side, of a stretch and as a child that takes notes.
describe('what a provider is asked to compact fits the window', () => {
  test.each(['anthropic', 'openai'] as const)(
    '%s: less room, less output; too little, no call',
    async (provider) => {
      const { whole } = await compacted({ provider, windowTokens: 200_000 });
      const prompt = Math.ceil(sentTokens(whole, { provider, windowTokens: 0 }) * 1.01);
      const askedAt = async (room: number) =>
        (await compacted({ provider, windowTokens: prompt + room })).requests.map(
          ({ maxOutputTokens }) => maxOutputTokens,
        );
      expect(await askedAt(200_000)).toEqual([20_000]);
      const [reduced = 0] = await askedAt(10_000);
      expect(reduced).toBeGreaterThan(9_900);
      expect(reduced).toBeLessThanOrEqual(10_000);
      const { outcome, requests } = await compacted({ provider, windowTokens: prompt + 1_000 });
      expect(outcome).toEqual(DECLINED);
      expect(requests).toEqual([]);
    },
  );

  test.each([
    ['anthropic', 'instructions', { instructions: textOf(3_000) }, true],
    ['openai', 'instructions', { instructions: textOf(3_000) }, true],
    ['anthropic', 'a system prompt', { head: headOf({ system: words(3_000) }) }, true],
    ['openai', 'a system prompt', { head: headOf({ system: words(3_000) }) }, true],
    ['anthropic', 'tools', { head: headOf({ tools: [toolOf(3_000)] }) }, true],
    ['openai', 'tools, which it is not sent', { head: headOf({ tools: [toolOf(3_000)] }) }, false],
    ['anthropic', 'what no estimate shows', { unseenTokens: 3_000 }, true],
    ['openai', 'what no estimate shows', { unseenTokens: 3_000 }, true],
  ] as const)('%s counts %s', async (provider, _, given, isCounted) => {
    const { whole } = await compacted({ provider, windowTokens: 200_000 });
    const windowTokens = Math.ceil(sentTokens(whole, { provider, windowTokens: 0 }) * 1.01) + 3_500;
    expect((await compacted({ provider, windowTokens })).requests).toHaveLength(1);
    const { outcome, requests } = await compacted({ provider, windowTokens, ...given });
    expect(requests).toHaveLength(isCounted ? 0 : 1);
    if (isCounted) expect(outcome).toEqual(DECLINED);
  });

  test.each(['head', 'server'] as const)(
    'what the provider cleared by the parameters of the %s is counted: a compaction reads it again',
    async (asked) => {
      const management = { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } };
      const head = headOf({
        system: words(5_000),
        ...(asked === 'head' && { params: management }),
      });
      const { whole } = await compacted({ provider: 'anthropic', windowTokens: 200_000, head });
      const windowTokens = sentTokens(whole, { provider: 'anthropic', windowTokens: 0 }) + 1_000;
      const cleared = { provider: 'anthropic', windowTokens, head, unseenTokens: -8_000 } as const;
      const server = asked === 'server' ? management : undefined;
      expect((await compacted({ ...cleared, server })).outcome).toEqual(DECLINED);
    },
  );

  // Shortest recorded answer to a request for a summary: fixtures/summaries, by the tokenizer of each model.
  test.each([
    ['anthropic', 'claude-opus-5-5', 5_239],
    ['anthropic', 'claude-opus-4-6', 3_806],
    ['openai', 'gpt-5.5', 3_132],
  ] as const)(
    '%s: %s is asked for nothing where its answer would be cut',
    async (provider, model, least) => {
      const history = turns(12, 4_000);
      const head = headOf({ model });
      const { whole } = await compacted({ provider, windowTokens: 400_000, head, history });
      const prompt = Math.ceil(sentTokens(whole, { provider, windowTokens: 0 }) * 1.01);
      for (const room of [2_000, 2_500, least - 100]) {
        const given = { provider, head, history, windowTokens: prompt + room };
        const { outcome, requests } = await compacted(given);
        expect(requests).toEqual([]);
        expect(outcome).toEqual(DECLINED);
      }
      const windowTokens = prompt + least + 100;
      const { requests } = await compacted({ provider, head, history, windowTokens });
      expect(requests[0]?.maxOutputTokens).toBeGreaterThanOrEqual(least);
    },
  );

  const anyGiven = fc.record({
    provider: fc.constantFrom<Provider>('anthropic', 'openai'),
    windowTokens: fc.oneof(
      fc.integer({ min: 4_000, max: 40_000 }),
      fc.integer({ min: 4_000, max: 1_000_000 }),
    ),
    systemTokens: fc.integer({ min: 0, max: 6_000 }),
    toolTokens: fc.integer({ min: 0, max: 6_000 }),
    instructionTokens: fc.constantFrom(0, 1, 2_000),
    budget: fc.option(fc.integer({ min: 1_024, max: 60_000 }), { nil: undefined }),
    maxSummaryTokens: fc.integer({ min: 1, max: 40_000 }),
    unseenTokens: fc.integer({ min: 0, max: 4_000 }),
  });

  test('law: any window from 4,000 tokens up: it fits, or it declines where it cannot', async () => {
    const count = { asked: 0, declined: 0 };
    await fc.assert(
      fc.asyncProperty(anyGiven, async (any) => {
        const { systemTokens, toolTokens, instructionTokens, budget, ...rest } = any;
        const thinking = { type: 'enabled', budget_tokens: budget ?? 0 };
        const params: JsonObject = budget === undefined ? {} : { thinking };
        const head = headOf({
          system: systemTokens > 0 ? words(systemTokens) : [],
          tools: toolTokens > 0 ? [toolOf(toolTokens)] : [],
          params,
        });
        const instructions = instructionTokens > 0 ? textOf(instructionTokens) : '';
        const given: Given = { ...rest, head, instructions };
        const { outcome, requests, whole } = await compacted(given);
        const { windowTokens, unseenTokens, maxSummaryTokens } = rest;
        for (const request of requests) {
          const prompt = sentTokens(request, given) + unseenTokens;
          expect(prompt + request.maxOutputTokens).toBeLessThanOrEqual(windowTokens);
          const { budget_tokens: left = 0 } = Object(request.head.params.thinking);
          if (left > 0) expect(left).toBeGreaterThanOrEqual(1_024);
          const least = Math.min(leastOf(windowTokens), maxSummaryTokens);
          expect(request.maxOutputTokens - left).toBeGreaterThanOrEqual(least);
          expect(request.messages).toEqual(whole.messages.slice(0, request.messages.length));
        }
        count.asked += requests.length;
        if (requests.length > 0) return;
        count.declined++;
        expect(outcome).toEqual(DECLINED);
        const prompt = sentTokens(whole, given) + unseenTokens;
        const least = Math.min(leastOf(windowTokens), maxSummaryTokens);
        expect(prompt * 1.01 + 2 + least).toBeGreaterThan(windowTokens);
      }),
    );
    expect(count.asked).toBeGreaterThan(0);
    expect(count.declined).toBeGreaterThan(0);
  });
});
