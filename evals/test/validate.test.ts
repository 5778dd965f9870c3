import type { Entry, Usage } from '@varve/messages';
import { CACHE_POLICIES, createCacheSimulator, placeMarkers } from '@varve/prompt-cache';
import { createEstimator } from '@varve/tokens';
import type { ImportedThread } from '@varve/transcript/import';
import { describe, expect, test } from 'vitest';
import { createLossRate } from '../src/validate/loss-rate.ts';
import { predictReads } from '../src/validate/predict-reads.ts';
import { providerRules } from '../src/validate/provider-rules.ts';
import { isClockTrusted } from '../src/validate/recorded-clock.ts';
import { recordedEvents } from '../src/validate/recorded-events.ts';
import { scoreReads } from '../src/validate/score-reads.ts';
import { median, quantile } from '../src/validate/statistics.ts';
import { validateThread } from '../src/validate/validate-thread.ts';

const MODEL = 'claude-opus-4-6';
const HEAD_TOKENS = 5_000;
const START = Date.parse('2026-03-01T10:00:00.000Z');
const iso = (ms: number) => new Date(ms).toISOString();

interface Step {
  /** Seconds since the request before. */
  readonly gap: number;
  /** Tokens read that the bill leaves out, for a reason that is in no file. */
  readonly lost?: number;
  readonly compacts?: boolean;
}

/** A thread whose bills come from the simulator itself, fed by hand in the simplest way. */
function billedThread(steps: readonly Step[]): ImportedThread {
  const sizeOf = createEstimator({ family: 'claude-old' });
  const cache = createCacheSimulator(CACHE_POLICIES.anthropic, { sizeOf });
  const head = {
    id: 'h',
    model: MODEL,
    system: [{ type: 'text', text: 'x' } as const],
    tools: [],
    params: {},
  };
  const entries: Entry[] = [
    { id: 'e0', at: iso(START), type: 'head', head: { ...head, system: [] } },
  ];
  let [atMs, messages] = [
    START,
    [] as { id: string; role: 'user' | 'assistant'; content: { type: 'text'; text: string }[] }[],
  ];
  for (const [index, { gap, lost = 0, compacts = false }] of steps.entries()) {
    atMs += gap * 1000;
    const user = {
      id: `u${index}`,
      role: 'user' as const,
      content: [{ type: 'text' as const, text: `step ${index} `.repeat(900) }],
    };
    if (compacts) {
      const [first, last] = [messages[0], messages.at(-1)];
      const summary = {
        id: `s${index}`,
        role: 'user' as const,
        content: [{ type: 'text' as const, text: 'what came before' }],
      };
      const edit = {
        kind: 'replace-span' as const,
        fromId: first?.id ?? '',
        toId: last?.id ?? '',
        with: [summary],
        then: [],
      };
      entries.push({
        id: `c${index}`,
        at: iso(atMs),
        type: 'edit',
        by: 'import',
        reason: 'recorded-compaction',
        edit,
      });
      messages = [summary];
    }
    messages = [...messages, user];
    entries.push({
      id: `eu${index}`,
      at: iso(atMs),
      type: 'message',
      message: { ...user, createdAt: iso(atMs) },
    });
    const request = placeMarkers(
      { head, messages, markers: [], maxOutputTokens: 1 },
      { policy: CACHE_POLICIES.anthropic },
    );
    const billed = { headTokens: HEAD_TOKENS };
    const { tokens } = cache.send(request, { startMs: atMs, firstTokenMs: atMs + 500, billed });
    const usage: Usage = {
      input_tokens: tokens.plain,
      cache_read_input_tokens: tokens.read - lost,
      cache_creation_input_tokens: tokens.write5m + lost,
      cache_creation: {
        ephemeral_5m_input_tokens: tokens.write5m + lost,
        ephemeral_1h_input_tokens: 0,
      },
      output_tokens: 40,
    };
    const reply = {
      id: `a${index}`,
      role: 'assistant' as const,
      content: [{ type: 'text' as const, text: `done ${index} `.repeat(60) }],
    };
    const response = { id: `r${index}`, model: MODEL, stopReason: 'end_turn' as const, usage };
    entries.push({
      id: `ea${index}`,
      at: iso(atMs + 500),
      type: 'message',
      message: { ...reply, createdAt: iso(atMs + 500), response },
    });
    messages = [...messages, reply];
  }
  return { id: 't', kind: 'main', startsMidSession: false, entries };
}

const steady = Array.from({ length: 40 }, (): Step => ({ gap: 20 }));

function score(steps: readonly Step[]) {
  const thread = billedThread(steps);
  const rules = providerRules(MODEL);
  const options = { thread, format: 'claude-code' as const, rules };
  return scoreReads(predictReads(recordedEvents(thread), options), rules);
}

describe('validate (V1): the simulator against bills', () => {
  test('an undisturbed session is predicted request by request', () => {
    const { exactShare, breaks, billedCachedShare, predictedCachedShare } = score(steady);
    expect(exactShare).toBe(1);
    expect(breaks).toEqual({ billed: 0, predicted: 0, both: 0 });
    expect(Math.abs(billedCachedShare - predictedCachedShare)).toBeLessThan(0.01);
  });

  test('an idle hour and a compaction are found as breaks', () => {
    const steps = steady.map((step, index) => {
      if (index === 15) return { gap: 3_600 };
      return index === 28 ? { gap: 20, compacts: true } : step;
    });
    const { breaks, unexplained, baselines, costErrorShare } = score(steps);
    expect(breaks).toEqual({ billed: 2, predicted: 2, both: 2 });
    expect(unexplained).toEqual([]);
    expect(Math.abs(costErrorShare)).toBeLessThan(Math.abs(baselines.alwaysWarm.costErrorShare));
  });

  test('a loss that nothing in the file explains is listed with its place', () => {
    const steps = steady.map((step, index) => (index === 20 ? { gap: 20, lost: 20_000 } : step));
    const { breaks, unexplained } = score(steps);
    expect(breaks).toEqual({ billed: 1, predicted: 0, both: 0 });
    expect(unexplained).toMatchObject([{ request: 21, messageId: 'a20', gapSeconds: 20 }]);
  });

  test('the bill of a request does not reach its own prediction', () => {
    const lossy = steady.map((step, index) => (index === 20 ? { gap: 20, lost: 20_000 } : step));
    const rules = providerRules(MODEL);
    const readsOf = (steps: readonly Step[]) => {
      const thread = billedThread(steps);
      return predictReads(recordedEvents(thread), { thread, format: 'claude-code', rules }).map(
        ({ readTokens }) => readTokens,
      );
    };
    const [without, withLoss] = [readsOf(steady), readsOf(lossy)];
    expect(withLoss.slice(0, 21)).toEqual(without.slice(0, 21));
    expect(withLoss[21]).toBeLessThan(without[21] as number);
  });

  test('thread figures carry confidence and sizes', () => {
    const validated = validateThread(billedThread(steady), { file: 'f', format: 'claude-code' });
    expect(validated).toMatchObject({ requests: 40, confidence: 'high', doubts: [] });
    expect(validated?.contextSizeErrorMedian).toBeLessThan(0.01);
    expect(
      validateThread(billedThread(steady.slice(0, 2)), { file: 'f', format: 'pi' }),
    ).toBeUndefined();
  });

  test('the first request after a compaction is marked as unanchored', () => {
    const steps = steady.map((step, index) => (index === 28 ? { gap: 20, compacts: true } : step));
    const validated = validateThread(billedThread(steps), { file: 'f', format: 'claude-code' });
    expect(validated?.afterCompaction).toMatchObject({ requests: 1, unanchored: 1 });
  });
});

describe('isClockTrusted', () => {
  const at = (seconds: readonly number[]) =>
    isClockTrusted(
      recordedEvents(billedThread(seconds.map(() => ({ gap: 1 }))))
        .filter((event) => event.kind === 'request')
        .map((event, index) => ({ ...event, startMs: seconds[index] as number })),
    );

  test.each([
    ['times that grow', [1, 2, 3, 4, 5], true],
    ['two steps backwards', [1, 5, 4, 6, 5.5, 7, 8], true],
    ['three steps backwards', [1, 5, 4, 6, 5.5, 7, 6.5], false],
    ['one stamp for most', [1, 1, 1, 1, 2], false],
    ['times that are missing', [Number.NaN, Number.NaN, Number.NaN, 4, 5], false],
  ])('judges %s', (_what, seconds, trusted) => {
    expect(at(seconds)).toBe(trusted);
  });
});

describe('createLossRate', () => {
  test('starts at the prior and is moved by what it sees', () => {
    const rate = createLossRate(0.01, 100);
    expect(rate.rate()).toBeCloseTo(0.01);
    for (let index = 0; index < 100; index++) rate.observe(index % 2);
    expect(rate.rate()).toBeCloseTo((1 + 50) / 200);
  });
});

describe('statistics', () => {
  test.each([
    [[], null, null],
    [[3], 3, 3],
    [[1, 2], 1.5, 2],
    [[5, 1, 3], 3, 5],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 5.5, 9],
  ])('of %j: median %d, 90th percentile %d', (values, middle, ninetieth) => {
    expect([median(values), quantile(values, 0.9)]).toEqual([middle, ninetieth]);
  });
});
