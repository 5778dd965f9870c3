import { usageFromOpenAIChat, usageFromOpenAIResponses } from '@varve/messages/convert';
import { describe, expect, test } from 'vitest';
import { priceUsage } from '../src/index.ts';
import { crudeMeter, usage, user } from './meter-build.ts';

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
