import { describe, expect, test } from 'vitest';
import type { ExtractionState } from '../src/should-extract.ts';
import { shouldExtract } from '../src/should-extract.ts';

const extract = (reason: string) => ({ kind: 'extract', reason });
const wait = (reason: string) => ({ kind: 'wait', reason });
const first = { contextTokens: 10_000, toolCalls: 3, endsWithCall: true };
const later = { contextTokens: 25_000, baselineTokens: 20_000, toolCalls: 3, endsWithCall: true };

describe('shouldExtract (N2)', () => {
  test.each<[string, ExtractionState, object]>([
    ['nothing yet', { contextTokens: 0, toolCalls: 0, endsWithCall: false }, wait('small-context')],
    ['just below the first size', { ...first, contextTokens: 9_999 }, wait('small-context')],
    ['at the first size with calls', first, extract('tool-calls')],
    ['at the first size, too few calls', { ...first, toolCalls: 2 }, wait('few-calls')],
    [
      'at the first size at a pause',
      { ...first, toolCalls: 0, endsWithCall: false },
      extract('pause'),
    ],
    ['just below the growth', { ...later, contextTokens: 24_999 }, wait('little-growth')],
    ['grown, with calls', later, extract('tool-calls')],
    ['grown, too few calls', { ...later, toolCalls: 2 }, wait('few-calls')],
    ['grown, at a pause', { ...later, toolCalls: 0, endsWithCall: false }, extract('pause')],
    [
      'calls without growth',
      { ...later, contextTokens: 20_000, toolCalls: 99 },
      wait('little-growth'),
    ],
    [
      'small again after a compaction',
      { ...later, contextTokens: 6_000, baselineTokens: 4_000 },
      wait('little-growth'),
    ],
    [
      'grown from a small size',
      { ...later, contextTokens: 9_000, baselineTokens: 4_000 },
      extract('tool-calls'),
    ],
    ['no size', { ...first, contextTokens: Number.NaN }, wait('small-context')],
    ['no size later', { ...later, contextTokens: Number.NaN }, wait('little-growth')],
  ])('%s', (_what, state, expected) => {
    expect(shouldExtract(state)).toEqual(expected);
  });

  test('thresholds of one’s own count, zero included, and one left undefined does not', () => {
    const state = { contextTokens: 1, baselineTokens: 1, toolCalls: 0, endsWithCall: true };
    expect(shouldExtract(state, { growthTokens: 0, toolCalls: 0 })).toEqual(extract('tool-calls'));
    expect(shouldExtract(state, { growthTokens: undefined })).toEqual(wait('little-growth'));
  });
});
