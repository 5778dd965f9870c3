import type { Message, Usage } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import {
  CACHE_POLICIES,
  type CacheBreak,
  cachePolicy,
  createBreakDetector,
  explainBreak,
  placeMarkers,
} from '../src/index.ts';
import { compareDiagnosis } from '../src/server.ts';
import { assistant, characters, head, request, user } from './support.ts';

type BreakCause = CacheBreak['cause'];

const policy = cachePolicy('claude-opus-5-5');
const options = { policy, sizeOf: characters };
const MINUTE = 60_000;

const sent = (messages: readonly Message[], startMs: number, ownHead = head()) => ({
  request: placeMarkers(request(messages, { head: ownHead, markers: [] }), { policy }),
  startMs,
});

const history = [user(5_000), assistant(100), user(3_000)];
const next = [...history, assistant(50), user(70)];

describe('explainBreak (P2)', () => {
  test('nothing came before the first request', () => {
    expect(explainBreak(undefined, sent(history, 0), options)).toMatchObject({
      breaks: [{ cause: 'first-request', lostTokens: 0 }],
    });
  });

  test('nothing is lost when something is added', () => {
    expect(explainBreak(sent(history, 0), sent(next, 1), options)).toEqual({
      breaks: [],
      change: undefined,
      expectedReadTokens: 9_100,
      readTokens: 9_100,
    });
  });

  test.each([
    { name: 'time', next: sent(next, 6 * MINUTE), cause: 'ttl-expired' },
    {
      name: 'model',
      next: sent(next, 1, head({ model: 'claude-opus-5' })),
      cause: 'model-changed',
    },
    { name: 'system', next: sent(next, 1, head({ systemTokens: 999 })), cause: 'system-changed' },
    {
      name: 'tools',
      next: sent(next, 1, head({ tools: [{ name: 'a' }] })),
      cause: 'tools-changed',
    },
    { name: 'an edit', next: sent([user(9), ...next.slice(1)], 1), cause: 'messages-changed' },
  ])('$name', ({ next: after, cause }) => {
    const { breaks } = explainBreak(sent(history, 0), after, options);
    expect(breaks[0]?.cause).toBe(cause);
  });

  test('the reply that has not begun', () => {
    const before = { ...sent(history, 0), firstTokenMs: 2_000 };
    const { breaks } = explainBreak(before, sent(next, 1_000), options);
    expect(breaks).toEqual([{ cause: 'not-yet-available', lostTokens: 9_100 }]);
  });
});

const usage = (read: number, written: number, plain = 0): Usage => ({
  input_tokens: plain,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: written,
  output_tokens: 10,
});

describe('createBreakDetector (P2, P7)', () => {
  test('is quiet while what was written is read', () => {
    const detector = createBreakDetector(options);
    const first = detector.observe({ ...sent(history, 0), usage: usage(0, 20_000, 12) });
    expect(first).toEqual({ kind: 'no-drop', readTokens: 0, expectedReadTokens: 0 });
    const second = detector.observe({ ...sent(next, 1), usage: usage(20_000, 200, 12) });
    expect(second).toEqual({ kind: 'no-drop', readTokens: 20_000, expectedReadTokens: 20_000 });
  });

  test.each([
    { read: 20_000, kind: 'no-drop' },
    { read: 19_000, kind: 'no-drop' },
    { read: 18_999, kind: 'alarm' },
    { read: 0, kind: 'alarm' },
  ])('20,000 expected, $read read: $kind', ({ read, kind }) => {
    const detector = createBreakDetector({ ...options, toleranceTokens: 0 });
    detector.observe({ ...sent(history, 0), usage: usage(0, 20_000) });
    const observed = detector.observe({ ...sent(next, 1), usage: usage(read, 20_200 - read) });
    expect(observed.kind).toBe(kind);
  });

  test.each([
    { name: 'nothing', after: sent(next, 1), cause: 'unexplained' },
    {
      name: 'the system prompt',
      after: sent(next, 1, head({ systemTokens: 900 })),
      cause: 'system-changed',
    },
    {
      name: 'the model',
      after: sent(next, 1, head({ model: 'claude-opus-5' })),
      cause: 'model-changed',
    },
    {
      name: 'a message',
      after: sent([user(4_000, 'z'), ...next.slice(1)], 1),
      cause: 'messages-changed',
    },
  ])('raises an alarm for a drop when $name changed', ({ after, cause }) => {
    const detector = createBreakDetector(options);
    detector.observe({ ...sent(history, 0), usage: usage(0, 9_100) });
    const observed = detector.observe({ ...after, usage: usage(0, 9_220) });
    expect(observed).toMatchObject({ kind: 'alarm', expectedReadTokens: 9_100 });
    const breaks = observed.kind === 'alarm' ? observed.breaks : [];
    expect(breaks[0]?.cause).toBe(cause);
    expect(breaks.reduce((sum, { lostTokens }) => sum + lostTokens, 0)).toBe(9_100);
  });

  test('what a server without a timer forgets was evicted', () => {
    const detector = createBreakDetector({ policy: CACHE_POLICIES.blocks, sizeOf: characters });
    detector.observe({ ...sent(history, 0), usage: usage(0, 0, 9_100) });
    const observed = detector.observe({ ...sent(next, 1), usage: usage(0, 0, 9_220) });
    expect(observed).toMatchObject({ kind: 'alarm', breaks: [{ cause: 'evicted' }] });
  });

  test('time that passed is a reason of its own', () => {
    const detector = createBreakDetector(options);
    detector.observe({ ...sent(history, 0), usage: usage(0, 9_100) });
    const observed = detector.observe({ ...sent(next, 6 * MINUTE), usage: usage(0, 9_220) });
    expect(observed).toMatchObject({ kind: 'expected', reason: 'ttl-expired' });
  });

  test('an announced edit explains the first response after it, and no other', () => {
    const detector = createBreakDetector(options);
    detector.observe({ ...sent(history, 0), usage: usage(0, 9_100) });
    detector.expect('compaction');
    const compacted = [user(2_000, 'summary')];
    const first = detector.observe({ ...sent(compacted, 1), usage: usage(1_000, 2_000) });
    expect(first).toMatchObject({ kind: 'expected', reason: 'compaction' });
    const lost = detector.observe({ ...sent([...compacted, user(9)], 2), usage: usage(0, 3_009) });
    expect(lost).toMatchObject({ kind: 'alarm', breaks: [{ cause: 'unexplained' }] });
  });

  test('a reason is for the thread it was given for', () => {
    const detector = createBreakDetector(options);
    detector.observe({ ...sent(history, 0), usage: usage(0, 9_100), thread: 'child' });
    detector.expect('compaction');
    const observed = detector.observe({
      ...sent(next, 1),
      usage: usage(0, 9_220),
      thread: 'child',
    });
    expect(observed.kind).toBe('alarm');
  });

  test('a provider that reports no writes is expected to keep the whole prompt', () => {
    const detector = createBreakDetector({
      policy: CACHE_POLICIES.openaiImplicit,
      sizeOf: characters,
    });
    const billed = (read: number, plain: number): Usage => ({
      input_tokens: plain,
      cache_read_input_tokens: read,
      output_tokens: 5,
    });
    detector.observe({ ...sent(history, 0), usage: billed(0, 9_100) });
    const observed = detector.observe({ ...sent(next, 1), usage: billed(8_960, 260) });
    expect(observed).toEqual({ kind: 'no-drop', readTokens: 8_960, expectedReadTokens: 9_088 });
  });

  test('keeps the measures of a session', () => {
    const detector = createBreakDetector(options);
    expect(detector.measures()).toMatchObject({ requests: 0, hitShare: 0 });
    detector.observe({ ...sent(history, 0), usage: usage(0, 9_100) });
    detector.observe({ ...sent(next, 1), usage: usage(9_100, 120) });
    detector.observe({ ...sent(next, 6 * MINUTE), usage: usage(0, 9_220) });
    detector.observe({ ...sent(next, 6 * MINUTE + 1), usage: usage(1_000, 8_220) });
    detector.expect('clearing');
    detector.observe({ ...sent(next, 6 * MINUTE + 2), usage: usage(9_220, 0) });
    expect(detector.measures()).toEqual({
      requests: 5,
      promptTokens: 9_100 + 4 * 9_220,
      readTokens: 19_320,
      hitShare: 19_320 / (9_100 + 4 * 9_220),
      expected: { 'ttl-expired': 1 },
      alarms: { unexplained: 1 },
      lostTokens: 9_220 + 8_220,
      falseAlarms: 1,
    });
  });
});

describe('compareDiagnosis (P5)', () => {
  test.each<[string | undefined, BreakCause[], ReturnType<typeof compareDiagnosis>]>([
    [undefined, [], { kind: 'unknown', reason: 'not-asked' }],
    ['pending', ['tools-changed'], { kind: 'unknown', reason: 'pending' }],
    ['unavailable', ['tools-changed'], { kind: 'unknown', reason: 'unavailable' }],
    ['comparison_response_not_found', [], { kind: 'unknown', reason: 'unavailable' }],
    ['previous_message_not_found', [], { kind: 'unknown', reason: 'unavailable' }],
    ['input_changed', ['system-changed'], { kind: 'agreed', cause: 'system-changed' }],
    ['input_changed', ['messages-changed'], { kind: 'agreed', cause: 'messages-changed' }],
    ['context_compacted', ['messages-changed'], { kind: 'agreed', cause: 'messages-changed' }],
    ['verbosity_changed', ['params-changed'], { kind: 'agreed', cause: 'params-changed' }],
    ['cache_hit', [], { kind: 'agreed' }],
    ['cache_hit', ['ttl-expired'], { kind: 'only-predicted', predicted: ['ttl-expired'] }],
    ['tools_changed', [], { kind: 'only-diagnosed', word: 'tools_changed' }],
    ['tools_changed', ['ttl-expired', 'tools-changed'], { kind: 'agreed', cause: 'tools-changed' }],
    [
      'tools_changed',
      ['ttl-expired'],
      { kind: 'differs', word: 'tools_changed', predicted: ['ttl-expired'] },
    ],
    ['messages_changed', ['params-changed'], { kind: 'agreed', cause: 'params-changed' }],
    [
      'new_word',
      ['ttl-expired'],
      { kind: 'differs', word: 'new_word', predicted: ['ttl-expired'] },
    ],
  ])('%s beside %j is %j', (word, predicted, expected) => {
    expect(compareDiagnosis(word === undefined ? undefined : { word }, predicted)).toEqual(
      expected,
    );
  });
});
