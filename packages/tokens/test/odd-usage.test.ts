import { usageFromOpenAIChat, usageFromOpenAIResponses } from '@varve/messages/convert';
import { describe, expect, test } from 'vitest';
import { createEstimator, priceUsage } from '../src/index.ts';
import { crudeMeter, usage, user } from './meter-build.ts';

const crudeEstimator = createEstimator({ family: 'crude' });

// siblings looked for: both converters, the meter, the price; null, nothing, a text, a list, counts that are texts
describe('K309: what is no usage is refused with what was expected', () => {
  test.each([null, undefined, 'x', 5, []])('%j', (value) => {
    const given = value as never;
    for (const run of [
      () => usageFromOpenAIChat(given),
      () => usageFromOpenAIResponses(given),
      () => crudeMeter().anchor(given),
      () => priceUsage(given, 'claude-opus-5'),
    ]) {
      expect(run).toThrow(TypeError);
      expect(run).toThrow('Expected `usage` to be');
    }
  });

  test.each([
    { input_tokens: '12', output_tokens: '3' },
    { input_tokens: 12, output_tokens: '3' },
    { input_tokens: 12, output_tokens: 3, cache_read_input_tokens: '1' },
    { output_tokens: 3 },
  ])('counts that are no numbers are not joined: %j', (given) => {
    const meter = crudeMeter();
    meter.add(user(100));
    expect(() => meter.anchor(given as never)).toThrow(TypeError);
    expect(meter.size()).toMatchObject({ tokens: 100, anchored: false });
    const nulls = { cache_creation_input_tokens: null, cache_read_input_tokens: null };
    expect(meter.anchor({ ...usage(0, 1), ...nulls, input_tokens: 110 } as never)).toEqual({
      kind: 'anchored',
    });
  });
});

// siblings looked for: both estimators; messages, blocks of messages, blocks, heads
describe('K309: an estimator says what it expected', () => {
  const own = createEstimator();
  test.each([
    ['message', null],
    ['message', 5],
    ['message', { role: 'user' }],
    ['message', { role: 'user', content: 5 }],
    ['message', { role: 'user', content: [null] }],
    ['classes', undefined],
    ['block', null],
    ['head', null],
    ['head', {}],
  ] as const)('%s of %j', (door, given) => {
    for (const estimator of [own, crudeEstimator]) {
      expect(() => estimator[door](given as never)).toThrow(TypeError);
      expect(() => estimator[door](given as never)).toThrow('Expected `');
    }
  });

  test('a system message may have no content', () => {
    for (const estimator of [own, crudeEstimator]) {
      expect(estimator.message({ role: 'system' } as never)).toBeLessThan(10);
    }
  });
});
