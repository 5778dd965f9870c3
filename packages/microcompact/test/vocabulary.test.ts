import { type Block, createProjection, type Entry, type View } from '@varve/messages';
import { createEstimator } from '@varve/tokens';
import { describe, expect, test } from 'vitest';
import { createMicrocompact, microcompact } from '../src/index.ts';
import type { Microcompact } from '../src/planner.ts';
import { history, rounds, toMessages } from './build.ts';

const messages = history(rounds(12));
const blocks = toMessages(messages).flatMap(({ content }) => content);
const sizeIn = (family: 'o200k' | 'claude-new' | 'gemini'): number =>
  blocks.reduce((sum, block: Block) => sum + createEstimator({ family }).block(block), 0);

const MODELS = [
  ['gpt-5.5', 'o200k'],
  ['claude-opus-5-5', 'claude-new'],
  ['gemini-3.8-flash', 'gemini'],
] as const;

/** A log of which each head and message is observed. */
function observed(planner: Microcompact, ...models: readonly string[]): void {
  const projection = createProjection();
  let view: View = { messages: [], changedFrom: 0 };
  const append = (body: object) => {
    const entry = { id: `e${count++}`, at: '2026-01-01T00:00:00Z', ...body } as Entry;
    view = projection.append(entry);
    planner.observe(entry, view);
  };
  let count = 0;
  const [first, ...later] = models.map((model) => ({
    type: 'head',
    head: { id: `h-${model}`, model, system: [], tools: [], params: {} },
  }));
  if (first) append(first);
  for (const message of toMessages(messages)) append({ type: 'message', message });
  for (const head of later) append(head);
}

// siblings looked for: notes of a session (their limits and what they save), the thresholds of stored results
describe('savings are counted in the vocabulary of the model', () => {
  test('the vocabularies differ', () => {
    expect(new Set(MODELS.map(([, family]) => sizeIn(family))).size).toBe(MODELS.length);
  });

  test.each(MODELS)('of a plain history for %s', (model, family) => {
    const options = { mechanisms: ['count'], thinkingRule: 'free' } as const;
    const { block: sizeOf } = createEstimator({ family });
    const told = microcompact(messages, { ...options, sizeOf });
    const found = microcompact(messages, { ...options, model });
    expect(found.savedTokens).toBe(told.savedTokens);
    expect(found.receipt.tokensBefore).toBe(sizeIn(family));
    expect(microcompact(messages, { ...options, model, sizeOf: () => 1 }).savedTokens).toBe(0);
  });

  test.each(MODELS)('of a log whose head names %s', (model, family) => {
    const planner = createMicrocompact();
    observed(planner, model);
    expect(planner.candidates.totalTokens).toBe(sizeIn(family));
  });

  test('another model in the head counts anew; a model that is named, or sizes, stay', () => {
    const planner = createMicrocompact();
    observed(planner, 'gpt-5.5', 'claude-opus-5-5');
    expect(planner.candidates.totalTokens).toBe(sizeIn('claude-new'));
    const named = createMicrocompact({ model: 'gemini-3.8-flash' });
    observed(named, 'gpt-5.5', 'claude-opus-5-5');
    expect(named.candidates.totalTokens).toBe(sizeIn('gemini'));
    const sized = createMicrocompact({ sizeOf: () => 1 });
    observed(sized, 'gpt-5.5', 'claude-opus-5-5');
    expect(sized.candidates.totalTokens).toBe(blocks.length);
  });

  test('without any model as o200k', () => {
    const planner = createMicrocompact();
    observed(planner);
    expect(planner.candidates.totalTokens).toBe(sizeIn('o200k'));
  });
});
