import type { Head, JsonObject, Message, Request } from '@varve/messages';
import { ModelError } from '@varve/models';
import { type ModelInfo, resolveModel } from '@varve/tokens';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CollapseOptions } from '../../src/collapse/settings.ts';
import { createCollapse } from '../../src/index.ts';
import { ESTIMATOR, type Said, textOf, tokensOf, turns } from '../full/histories.ts';
import { type FakeModel, fakeModel, GOOD, reply } from '../full/models.ts';
import { contextFor, HEAD, watchedLog } from '../plan/working-log.ts';

/** Of a model that no table knows, counted as the test counts. */
const headOf = (parts: Partial<Head> = {}): Head => ({
  ...{ id: 'h', model: 'test-model', system: [], tools: [], params: {}, ...parts },
});
const words = (tokens: number) => [{ type: 'text' as const, text: textOf(tokens) }];
const thinks = (budget_tokens: number): JsonObject => ({
  thinking: { type: 'enabled', budget_tokens },
});
const asMessage = ({ role, content }: Said): Omit<Message, 'id'> => ({
  role,
  content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
});

interface Given extends Partial<CollapseOptions> {
  readonly windowTokens: number;
  readonly history?: readonly Said[];
  readonly head?: Head;
  /** What the last request was billed beside the estimate. */
  readonly unseenTokens?: number;
  readonly asked?: FakeModel;
}

/** Has spans of a conversation written that is over the mark in a window. */
async function folded(given: Given) {
  const { windowTokens, head = headOf(), unseenTokens = 0, ...rest } = given;
  const { history = turns(3, 400), asked = fakeModel(reply(GOOD)), ...options } = rest;
  const settings = { stageAt: 0, targetAt: 0, keepTokens: 100, minSpanTokens: 100, ...options };
  const collapse = createCollapse({ ...asked, sizeOfText: ESTIMATOR.text, ...settings });
  const log = watchedLog(collapse);
  log.append({ ...HEAD, type: 'head', head } as Parameters<typeof log.append>[0]);
  for (const said of history) log.say(asMessage(said));
  const overheadTokens = ESTIMATOR.head(head) + unseenTokens;
  const plan = collapse.plan(contextFor(log.view, { windowTokens, overheadTokens }));
  const result = plan.kind === 'work' ? await collapse.run(plan.work) : undefined;
  return { result, requests: asked.requests };
}

const sentTokens = ({ head, messages }: Request): number =>
  ESTIMATOR.head(head) + tokensOf(messages);

const entryOf = (id: string, parts: Partial<ModelInfo>): ModelInfo => ({
  ...resolveModel('nobody-knows-it').model,
  ...{ id, ...parts },
});

// Siblings: the summary's request, in one and in parts, of one side; compaction by the provider; notes and other children.
describe('the summary of a stretch is asked for within the window', () => {
  test.each([4_000, 8_000, 16_000, 200_000])('of %i tokens', async (windowTokens) => {
    const { requests } = await folded({ windowTokens });
    expect(requests.length).toBeGreaterThan(0);
    for (const request of requests) {
      expect(sentTokens(request) + request.maxOutputTokens).toBeLessThanOrEqual(windowTokens);
    }
    if (windowTokens === 200_000) expect(requests[0]?.maxOutputTokens).toBe(4_000);
  });

  test.each([
    ['a stretch', { history: turns(1, 3_600) }],
    ['a system prompt', { head: headOf({ system: words(3_600) }) }],
    ['what no estimate shows', { unseenTokens: 3_600 }],
  ])('%s that leaves no room for one is left alone, without a call', async (_, given) => {
    const { result, requests } = await folded({
      windowTokens: 4_000,
      history: turns(1, 400),
      ...given,
    });
    expect(requests).toEqual([]);
    expect(result).toMatchObject({
      calls: 0,
      notes: [{ kind: 'failed', reason: 'prompt-too-long' }],
    });
  });

  test('of the model that it is asked of, by the entries of the caller', async () => {
    const models = [entryOf('small', { windowTokens: 6_000, maxOutputTokens: 900 })];
    const headFor = (head: Head) => ({ ...head, model: 'small' });
    const history = turns(4, 3_000);
    const given = { windowTokens: 200_000, history, spanTokens: 2_000, headFor, models };
    const { requests } = await folded(given);
    expect(requests.length).toBeGreaterThan(0);
    for (const request of requests) {
      expect(request.maxOutputTokens).toBeLessThanOrEqual(900);
      expect(sentTokens(request) + request.maxOutputTokens).toBeLessThanOrEqual(6_000);
    }
    const whole = await folded({ ...given, spanTokens: 20_000 });
    expect(whole.requests.length).toBe(whole.result?.calls);
    expect(whole.result?.notes[0]).toMatchObject({ kind: 'failed', reason: 'prompt-too-long' });
  });

  test.each([
    ['prompt-too-long', 'prompt-too-long'],
    ['request-too-large', 'prompt-too-long'],
    ['refused', 'refused'],
    ['overloaded', 'model-failed'],
  ] as const)('a call that fails by %s is noted as %s, with its bill', async (code, reason) => {
    const usage = { input_tokens: 7, output_tokens: 1 };
    const asked = fakeModel(new ModelError(code, 'No.', { usage }));
    const given = { windowTokens: 200_000, asked, history: turns(1, 400) };
    const { result } = await folded(given);
    expect(result).toMatchObject({ calls: 1, usage, notes: [{ kind: 'failed', reason }] });
  });

  test('law: any window from 4,000 tokens up, any thinking budget: it fits, or nothing is sent', async () => {
    const count = { asked: 0, declined: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          windowTokens: fc.oneof(
            fc.integer({ min: 4_000, max: 64_000 }),
            fc.integer({ min: 4_000, max: 1_000_000 }),
          ),
          systemTokens: fc.integer({ min: 0, max: 4_000 }),
          budget: fc.constantFrom(0, 1_024, 10_000, 31_999),
          resultTokens: fc.integer({ min: 100, max: 6_000 }),
          maxSummaryTokens: fc.integer({ min: 1, max: 20_000 }),
          unseenTokens: fc.integer({ min: 0, max: 2_000 }),
        }),
        async ({ windowTokens, systemTokens, budget, resultTokens, ...more }) => {
          const head = headOf({
            system: systemTokens > 0 ? words(systemTokens) : [],
            params: budget > 0 ? thinks(budget) : {},
          });
          const history = turns(2, resultTokens);
          const { result, requests } = await folded({ windowTokens, head, history, ...more });
          for (const request of requests) {
            const prompt = sentTokens(request) + more.unseenTokens;
            expect(prompt + request.maxOutputTokens).toBeLessThanOrEqual(windowTokens);
            const { budget_tokens: left = 0 } = Object(request.head.params.thinking);
            expect(request.maxOutputTokens).toBeGreaterThan(left);
          }
          const reasons = (result?.notes ?? []).map(({ reason }) => reason);
          const declined = reasons.filter((reason) => reason === 'prompt-too-long').length;
          expect(result?.calls ?? 0).toBe(requests.length);
          expect(requests.length + declined).toBe(reasons.length);
          count.asked += requests.length;
          count.declined += declined;
        },
      ),
    );
    expect(count.asked).toBeGreaterThan(0);
    expect(count.declined).toBeGreaterThan(0);
  });
});
