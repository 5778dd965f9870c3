import { describe, expect, test } from 'vitest';
import { resolveModel } from '../src/index.ts';
import { contextWindow } from '../src/limits.ts';

const BETA = 'context-1m-2025-08-07';

describe('contextWindow (T4)', () => {
  test.each([
    [
      'a suffix before anything else',
      'claude-sonnet-4-5[1m]',
      { overrideTokens: 5 },
      1_000_000,
      'suffix',
    ],
    ['a suffix on an unknown model', 'orbit-2[1M]', {}, 1_000_000, 'suffix'],
    ['the table', 'claude-haiku-4-5', {}, 200_000, 'table'],
    ['the table before the beta header', 'claude-sonnet-4-5', { betas: [BETA] }, 200_000, 'table'],
    ['the table before the override', 'gpt-5.5', { overrideTokens: 5 }, 1_050_000, 'table'],
    [
      'the beta header',
      'orbit-2',
      { betas: ['other', BETA], overrideTokens: 5 },
      1_000_000,
      'beta-header',
    ],
    ['the override', 'orbit-2', { overrideTokens: 64_000 }, 64_000, 'override'],
    ['the default', 'orbit-2', {}, 200_000, 'default'],
    ['the default for an empty id', '', {}, 200_000, 'default'],
  ] as const)('asks %s', (_, id, options, tokens, rule) => {
    expect(contextWindow(id, options)).toMatchObject({ tokens, rule });
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '64000' as unknown as number])(
    'ignores the override %s',
    (overrideTokens) => {
      expect(contextWindow('orbit-2', { overrideTokens })).toMatchObject({
        tokens: 200_000,
        rule: 'default',
      });
    },
  );

  test('says which model is unknown when it falls back', () => {
    expect(contextWindow('orbit-2').message).toContain('`orbit-2`');
    expect(contextWindow('claude-opus-5-5')).not.toHaveProperty('message');
  });

  test('takes an entry of the caller for the table', () => {
    const models = [{ ...resolveModel('orbit-2').model, windowTokens: 32_000 }];
    expect(contextWindow('orbit-2', { models })).toEqual({ tokens: 32_000, rule: 'table' });
  });

  test.each([0, Number.NaN, -1, undefined as unknown as number])(
    'K301: an entry whose window is %s has the default, and the message names the entry',
    (windowTokens) => {
      const models = [{ ...resolveModel('orbit-2').model, windowTokens }];
      const window = contextWindow('orbit-2', { models });
      expect(window).toMatchObject({ tokens: 200_000, rule: 'default' });
      expect(window.message).toContain('`orbit-2`');
      expect(contextWindow('orbit-2', { models, overrideTokens: 8_000 }).tokens).toBe(8_000);
    },
  );
});
