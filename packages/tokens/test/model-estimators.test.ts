import { expect, test } from 'vitest';
import { createEstimator, MODELS, resolveModel } from '../src/index.ts';
import { createModelEstimators } from '../src/models.ts';

const TEXT = 'The parser reads { "a": [1, 2] } and 数据压缩 as they are.';

test('createModelEstimators: each model in the vocabulary of its family, families shared', () => {
  const estimatorOf = createModelEstimators();
  for (const { id, tokenizer } of MODELS) {
    expect(estimatorOf(id).text(TEXT)).toBe(createEstimator({ family: tokenizer }).text(TEXT));
  }
  expect(estimatorOf('claude-opus-5-5[1m]')).toBe(estimatorOf('claude-opus-5-5'));
  expect(estimatorOf('nobody-knows').name).toBe('varve-unknown');
  expect(estimatorOf(undefined).name).toBe('varve-o200k');
  expect(estimatorOf(undefined)).toBe(createModelEstimators()(undefined));
  const own = { ...resolveModel('gpt-5.4').model, id: 'mine', tokenizer: 'claude-new' as const };
  expect(createModelEstimators({ models: [own] })('mine')).toBe(estimatorOf('claude-opus-5-5'));
});
