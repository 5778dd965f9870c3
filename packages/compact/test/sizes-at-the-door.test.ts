import { describe, expect, test } from 'vitest';
import { NEW_BREAKER } from '../src/auto/breaker.ts';
import { decideCompaction } from '../src/auto/decide-compaction.ts';
import { acceptSummary } from '../src/full/accept-summary.ts';
import { restore } from '../src/index.ts';
import { planSnip } from '../src/snip/snip.ts';

const unknown = (value: unknown) => value as never;
const NONE = [Number.NaN, null, '5', {}];

describe('E1: a size that is none is refused at every door that takes one', () => {
  const message = (id: string, role: 'user' | 'assistant') => ({
    ...{ id, role },
    content: [{ type: 'text', text: id }],
  });
  const messages = ['a', 'b', 'c', 'd'].flatMap((id) => [
    message(`${id}1`, 'user'),
    message(`${id}2`, 'assistant'),
  ]);

  test.each([...NONE, undefined, -1])('planSnip with a budget of %s', (budget) => {
    const options = { budgetTokens: unknown(budget), sizeOf: () => 100, thinking: 'free' as const };
    expect(() => planSnip(messages, options)).toThrow('Expected `budgetTokens` to be');
  });

  test.each(NONE)('acceptSummary with sizes of %s', (size) => {
    const reply = { content: [{ type: 'text', text: 'Done.' }], stopReason: 'end_turn' as const };
    const sizes = { replacedTokens: 1_000, maxTokens: 100, minSavings: 0.1, sizeOf: () => 1 };
    for (const name of ['replacedTokens', 'maxTokens', 'minSavings'] as const) {
      expect(() => acceptSummary(reply, { ...sizes, [name]: size })).toThrow(
        `Expected \`${name}\` to be`,
      );
    }
  });

  test.each(NONE)('decideCompaction with sizes of %s', (size) => {
    const input = { contextTokens: 1, thresholdTokens: 2, windowTokens: 3, breaker: NEW_BREAKER };
    for (const name of ['contextTokens', 'thresholdTokens', 'windowTokens', 'effectiveTokens']) {
      expect(() => decideCompaction({ ...input, [name]: size })).toThrow(
        `Expected \`${name}\` to be`,
      );
    }
  });

  test.each(NONE)('restore with limits of %s', async (size) => {
    const options = {
      ...{ readFile: async () => '', kept: [], messageId: 'r1' },
      sizeOf: (text: string) => text.length,
    };
    await expect(restore({}, { ...options, roomTokens: unknown(size) })).rejects.toThrow(
      'Expected `roomTokens` to be',
    );
    await expect(restore({}, { ...options, limits: { files: unknown(size) } })).rejects.toThrow(
      'Expected `limits.files` to be',
    );
  });
});
