import type { Entry } from '@varve/messages';
import { createEstimator } from '@varve/tokens';
import { describe, expect, test } from 'vitest';
import { memoryStorage, output } from './support.ts';

const TEXT = 'The parser reads a line and gives it back as it was. '.repeat(600);
const sizeIn = (family: 'o200k' | 'claude-new' | 'gemini'): number =>
  createEstimator({ family }).text(TEXT);

const headOf = (model: string): Entry => ({
  id: `e-${model}`,
  at: '2026-01-01T00:00:00Z',
  type: 'head',
  head: { id: `h-${model}`, model, system: [], tools: [], params: {} },
});

// siblings looked for: what clearing saves, the limits of notes and what they save
describe('thresholds in tokens are counted in the vocabulary of the model', () => {
  // between the two: large for one model, small for the other
  const tokens = Math.round((sizeIn('o200k') + sizeIn('claude-new')) / 2);
  const threshold = { chars: 100_000, tokens };
  const kindFor = async (storage: ReturnType<typeof memoryStorage>, id = 'c') =>
    (await storage.offload(output(id, TEXT))).kind;

  test('the vocabularies differ', () => {
    expect(sizeIn('claude-new')).toBeGreaterThan(sizeIn('o200k') * 1.1);
  });

  test.each([
    ['gpt-5.5', 'kept'],
    ['claude-opus-5-5', 'stored'],
  ])('%s: the same result is %s', async (model, kind) => {
    expect(await kindFor(memoryStorage({ threshold, model }))).toBe(kind);
    const observing = memoryStorage({ threshold });
    observing.observe(headOf(model));
    expect(await kindFor(observing)).toBe(kind);
    expect(await kindFor(observing.fork({ sessionId: 's2' }), 'd')).toBe(kind);
  });

  test('the newest head counts; a model that is named, or sizes, count more', async () => {
    const heads = [headOf('claude-opus-5-5'), headOf('gpt-5.5')];
    const kinds = [{}, { model: 'claude-opus-5-5' }, { sizeOf: (text: string) => text.length }].map(
      (given) => {
        const storage = memoryStorage({ threshold, ...given });
        for (const head of heads) storage.observe(head);
        return kindFor(storage);
      },
    );
    expect(await Promise.all(kinds)).toEqual(['kept', 'stored', 'stored']);
  });

  test('without any model as o200k', async () => {
    expect(await kindFor(memoryStorage({ threshold }))).toBe('kept');
  });
});
