import { checkHistory, checkRequest, type Message, type ThinkingRule } from '@varve/messages';
import { messageHistory } from '@varve/messages/testing';
import { contextLimits } from '@varve/tokens';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CompactFailure } from '../../src/full/failure.ts';
import { MOST_CALLS } from '../../src/full/next-try.ts';
import { compact } from '../../src/index.ts';
import { ESTIMATOR, grownTo, profilesFor, RULES, tokensOf } from './histories.ts';
import { FAILING, fakeModel, GOOD, NAMED, noWait, reply } from './models.ts';

const WINDOW = 40_000;
const MOST_OUTPUT = 4_000;
const LIMITS = contextLimits({ windowTokens: WINDOW, maxOutputTokens: MOST_OUTPUT });

// What only the conversation itself can be the reason for: nothing that a model does.
const ALLOWED: readonly CompactFailure[] = [
  'nothing-to-compact',
  'still-too-large',
  'thinking-bound',
  'not-smaller',
];

const MODELS = { ...FAILING, 'gives a summary': reply(GOOD) };

const drawn = () =>
  fc.record({
    history: messageHistory(),
    filled: fc.constantFrom(0.6, 1, 1.3, 3),
    model: fc.constantFrom(...Object.keys(MODELS)),
    thinking: fc.constantFrom(...RULES),
    keepTokens: fc.constantFrom(0, 0, 2_000, 20_000),
    tooLong: fc.constantFrom('drop-oldest' as const, 'peel' as const),
  });

describe('compact (C4, C6, C7)', () => {
  test('leaves a conversation that can go on, or exactly the one it was given and why, whatever the model does', async () => {
    let compacted = 0;
    await fc.assert(
      fc.asyncProperty(drawn(), async ({ history, filled, model, ...options }) => {
        const messages = grownTo(history, WINDOW * filled);
        const written = JSON.stringify(messages);
        const fake = fakeModel(MODELS[model as keyof typeof MODELS]);
        const result = await compact(messages, {
          head: NAMED,
          ...options,
          summarize: fake.summarize,
          wait: noWait,
          windowTokens: WINDOW,
          maxOutputTokens: MOST_OUTPUT,
        });
        expect(JSON.stringify(messages)).toBe(written);
        expect(fake.requests.length).toBeLessThanOrEqual(MOST_CALLS);
        expectRequests(fake.requests, messages, options.thinking);
        if (result.kind === 'failed') {
          expect(result.messages).toBe(messages);
          expect(ALLOWED).toContain(result.reason);
          return;
        }
        compacted++;
        expectGoesOn(result.messages, messages, options.thinking);
        expect(result.receipt.calls).toBe(fake.requests.length);
        expect(result.receipt.tokensAfter).toBe(
          tokensOf(result.messages) + ESTIMATOR.head(NO_HEAD),
        );
        expect(result.receipt.tokensAfter).toBeLessThan(result.receipt.tokensBefore);
      }),
    );
    expect(compacted).toBeGreaterThan((fc.readConfigureGlobal().numRuns ?? 100) / 2);
  });
});

const NO_HEAD = { system: [], tools: [] };

/** Each request is one the provider takes, and fits the window with its reply. */
function expectRequests(
  requests: ReturnType<typeof fakeModel>['requests'],
  messages: readonly Message[],
  thinking: ThinkingRule,
): void {
  const [profile] = profilesFor(thinking);
  if (!profile || checkHistory(messages, profile).length > 0) return;
  for (const request of requests) {
    expect(checkRequest(request, profile)).toEqual([]);
    const prompt = tokensOf(request.messages) + ESTIMATOR.head(NO_HEAD);
    expect(prompt + request.maxOutputTokens).toBeLessThanOrEqual(WINDOW);
    expect(request.maxOutputTokens).toBeLessThanOrEqual(MOST_OUTPUT);
  }
}

function expectGoesOn(
  after: readonly Message[],
  before: readonly Message[],
  thinking: ThinkingRule,
): void {
  for (const profile of profilesFor(thinking)) {
    if (checkHistory(before, profile).length > 0) continue;
    expect(checkHistory(after, profile)).toEqual([]);
  }
  expect(tokensOf(after)).toBeLessThan(LIMITS.effectiveTokens);
  const places = after.slice(1).map(({ id }) => before.findIndex((message) => message.id === id));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
}
