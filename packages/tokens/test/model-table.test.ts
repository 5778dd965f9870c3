import { describe, expect, test } from 'vitest';
import { MODELS, resolveModel } from '../src/index.ts';
import { findModel } from '../src/models.ts';

describe('findModel (T4)', () => {
  test.each([
    ['claude-opus-5-5', 'claude-opus-5-5'],
    ['claude-opus-4.8', 'claude-opus-4-8'],
    ['claude-sonnet-4-20250514', 'claude-sonnet-4'],
    ['claude-opus-4-20250514', 'claude-opus-4'],
    ['claude-opus-4-5-20251101', 'claude-opus-4-5'],
    ['claude-sonnet-4.6', 'claude-sonnet-4-6'],
    ['claude-haiku-4-5-20251001', 'claude-haiku-4-5'],
    ['gpt-5.1-codex', 'gpt-5.1'],
    ['gpt-5.3-codex-spark', 'gpt-5.3-codex-spark'],
    ['gpt-5.4', 'gpt-5.4'],
    ['gpt-5.5', 'gpt-5.5'],
    ['gemini-3-flash-preview', 'gemini-3-flash-preview'],
    ['deepseek-v4-flash-free', 'deepseek-v4-flash-free'],
  ])('knows %s as %s', (id, entry) => {
    expect(findModel(id)?.id).toBe(entry);
  });

  test.each([
    '',
    'claude',
    'claude-opus-5-5-beta',
    'claude-opus',
    'CLAUDE-OPUS-5-5',
    ' gpt-5.5',
    '__proto__',
  ])('does not know `%s`', (id) => {
    expect(findModel(id)).toBeUndefined();
  });

  test('claude-sonnet-5-5 is not the sonnet-5 entry', () => {
    expect(findModel('claude-sonnet-5-5')?.thinking).toBe('prefix-bound');
    expect(findModel('claude-sonnet-5')?.thinking).toBe('latest-turn');
  });
});

describe('the table (T4)', () => {
  test('names every id and alias once', () => {
    const ids = MODELS.flatMap((model) => [model.id, ...model.aliases]);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test.each(MODELS.map((model) => [model.id, model] as const))('%s is well formed', (_, model) => {
    expect(model.checkedOn).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(model.windowTokens).toBeGreaterThanOrEqual(128_000);
    if (model.maxOutputTokens !== undefined) {
      expect(model.maxOutputTokens).toBeLessThan(model.windowTokens);
    }
    const starts = model.prices.map((tier) => tier.fromPromptTokens);
    expect(starts[0] ?? 0).toBe(0);
    expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
    for (const tier of model.prices) {
      expect(tier.cacheRead).toBeLessThan(tier.input);
      expect(tier.input).toBeLessThan(tier.output);
      expect(tier.cacheWrite5m !== undefined).toBe(model.cache.writes === 'charged');
    }
  });

  test.each(
    MODELS.filter((model) => model.prices.length === 0).map((model) => [model.id, model] as const),
  )('%s says that its price is unknown', (_, model) => {
    expect(model.notes.join()).toMatch(/no price/);
  });

  test.each(
    MODELS.filter((model) => model.provider === 'anthropic').map(
      (model) => [model.id, model] as const,
    ),
  )('%s writes cost 1.25 and 2 times the input', (_, model) => {
    for (const tier of model.prices) {
      expect(tier.cacheWrite5m).toBeCloseTo(tier.input * 1.25, 10);
      expect(tier.cacheWrite1h).toBeCloseTo(tier.input * 2, 10);
    }
  });
});

describe('resolveModel (T4)', () => {
  test('knows a listed model, with and without a long-context suffix', () => {
    expect(resolveModel('claude-opus-4-6[1m]')).toEqual({
      known: true,
      model: findModel('claude-opus-4-6'),
    });
  });

  test('says loudly that a model is unknown and assumes no price', () => {
    const resolved = resolveModel('my-opal-fake');
    expect(resolved).toMatchObject({ known: false, reason: 'not-in-table' });
    expect(resolved.known ? '' : resolved.message).toContain('my-opal-fake');
    expect(resolved.model).toMatchObject({ prices: [], windowTokens: 200_000, checkedOn: 'never' });
  });

  test('prefers an entry of the caller', () => {
    const own = { ...resolveModel('x').model, id: 'claude-opus-5-5', windowTokens: 7 };
    expect(resolveModel('claude-opus-5-5', { models: [own] }).model.windowTokens).toBe(7);
  });
});
