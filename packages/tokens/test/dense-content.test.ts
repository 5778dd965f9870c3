import { readFileSync } from 'node:fs';
import { Tiktoken } from 'tiktoken/lite';
import { describe, expect, test } from 'vitest';
import { createEstimator, MODELS } from '../src/index.ts';

const crudeEstimator = createEstimator({ family: 'crude' });

const vocabulary = JSON.parse(
  readFileSync(new URL(import.meta.resolve('tiktoken/encoders/o200k_base.json')), 'utf8'),
);
const tiktoken = new Tiktoken(vocabulary.bpe_ranks, {}, vocabulary.pat_str);
const source = (name: string) => readFileSync(new URL(`../src/${name}`, import.meta.url), 'utf8');

describe('createEstimator (T2)', () => {
  test.each([
    ['minified JSON', JSON.stringify(MODELS)],
    ['source code', source('price-usage.ts') + source('meter-accept.ts')],
  ])('case 61: %s is counted within a tenth', (_, text) => {
    const ratio = createEstimator({ family: 'o200k' }).text(text) / tiktoken.encode(text).length;
    expect(ratio).toBeGreaterThan(0.9);
    expect(ratio).toBeLessThan(1.1);
  });

  test('case 61: the crude rule does not undercount JSON that is known to be JSON', () => {
    const call = { type: 'tool_use', id: 't', name: 'write', input: MODELS };
    const exact = tiktoken.encode(JSON.stringify(MODELS)).length;
    expect(crudeEstimator.block(call)).toBeGreaterThanOrEqual(exact);
  });
});
