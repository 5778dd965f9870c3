import { hostileText } from '@varve/messages/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crudeTokens } from '../src/crude-estimator.ts';
import { createEstimator } from '../src/index.ts';
import { utf8Bytes } from '../src/utf8-bytes.ts';

const crudeEstimator = createEstimator({ family: 'crude' });

describe('utf8Bytes (T2)', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['é', 2],
    ['漢', 3],
    ['🌍', 4],
    ['\ud83c', 3],
    ['\udf0d\ud83c', 6],
    ['\0', 1],
  ])('of %j is %i', (text, bytes) => {
    expect(utf8Bytes(text)).toBe(bytes);
  });

  test('is what an encoder writes', () => {
    fc.assert(
      fc.property(fc.oneof(hostileText(), fc.string({ unit: 'binary' })), (text) => {
        expect(utf8Bytes(text)).toBe(new TextEncoder().encode(text).length);
      }),
    );
  });
});

describe('crudeEstimator (T2)', () => {
  test.each([
    ['', 'text', 0],
    ['a', 'text', 1],
    ['abcd', 'text', 1],
    ['abcde', 'text', 2],
    ['漢字漢字', 'text', 3],
    ['{"a":1}', 'json', 4],
  ] as const)('counts %j as %s: %i', (text, kind, tokens) => {
    expect(crudeTokens(text, kind)).toBe(tokens);
  });

  test('counts media at 2,000 whatever its size, wherever it stands', () => {
    const image = { type: 'image', source: { data: 'A'.repeat(9_000) } };
    expect(crudeEstimator.block(image)).toBe(2_000);
    const result = {
      type: 'tool_result',
      tool_use_id: 't',
      content: [image, { type: 'document', source: {} }],
    };
    expect(crudeEstimator.block(result)).toBe(4_000);
  });

  test('counts tool input as JSON and rounds up every block', () => {
    const call = { type: 'tool_use', id: 't', name: 'read', input: { path: 'a' } };
    expect(crudeEstimator.block(call)).toBe(Math.ceil(4 / 4 + 12 / 2));
    const five = { type: 'text', text: 'abcde' };
    expect(crudeEstimator.message({ role: 'user', content: [five, five] })).toBe(4);
    expect(crudeEstimator.message({ role: 'user', content: 'abcdeabcde' })).toBe(3);
  });

  test('counts a tool result by its text, a structured one as JSON', () => {
    const result = (content: unknown) => ({ type: 'tool_result', tool_use_id: 't', content });
    expect(crudeEstimator.block(result('abcdefgh'))).toBe(2);
    expect(crudeEstimator.block(result([{ type: 'text', text: 'abcdefgh' }]))).toBe(2);
    const structured = { type: 'search_result', rows: [1, 2, 3] };
    expect(crudeEstimator.block(result([structured]))).toBe(
      Math.ceil(JSON.stringify(structured).length / 2),
    );
    expect(crudeEstimator.block(result(undefined))).toBe(0);
  });

  test('counts a head: prompt as text, tools as JSON', () => {
    const tool = { name: 'read', input_schema: { type: 'object' } };
    const head = { system: [{ type: 'text' as const, text: 'abcde' }], tools: [tool] };
    expect(crudeEstimator.head(head)).toBe(2 + Math.ceil(JSON.stringify(tool).length / 2));
  });

  test('never throws and never undercounts the bytes, whatever the text', () => {
    fc.assert(
      fc.property(hostileText(), (text) => {
        expect(crudeEstimator.text(text) * 4).toBeGreaterThanOrEqual(utf8Bytes(text));
      }),
    );
  });
});
