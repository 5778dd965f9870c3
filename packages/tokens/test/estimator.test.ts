import type { OtherBlock } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { totalTokens } from '../src/content-class.ts';
import { loadExactCounter } from '../src/exact.ts';
import { createEstimator } from '../src/index.ts';
import { gif, jpeg, pdf, png, webp } from './pictures.ts';

const estimator = createEstimator({ family: 'claude-old' });
const image = (data: string) => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data },
});
/** Any block, also of a type that nobody knows. */
const block = (fields: OtherBlock): OtherBlock => fields;
const text = (value: string) => block({ type: 'text', text: value });
const user = (...content: { readonly type: string }[]): MessageLike => ({ role: 'user', content });

describe('createEstimator().block (T2)', () => {
  test.each([
    ['no text', { type: 'text', text: '' }, 0, 0],
    ['a sentence', { type: 'text', text: 'Fix the failing test, please.' }, 6, 12],
    ['a call', { type: 'tool_use', id: 'a', name: 'read', input: { path: 'a.ts' } }, 15, 30],
    ['a call without input', { type: 'tool_use', id: 'a', name: 'now', input: {} }, 13, 20],
    ['a result without content', { type: 'tool_result', tool_use_id: 'a' }, 12, 12],
    ['a result', { type: 'tool_result', tool_use_id: 'a', content: 'ok' }, 13, 15],
    ['open thinking', { type: 'thinking', thinking: 'Let me look.', signature: 's' }, 3, 8],
    ['hidden thinking', { type: 'thinking', thinking: '', signature: 'x'.repeat(500) }, 50, 200],
    ['redacted thinking', { type: 'redacted_thinking', data: 'x'.repeat(500) }, 50, 200],
    ['a text document', { type: 'document', source: { type: 'text', data: 'a b c' } }, 3, 8],
    ['a PDF', { type: 'document', source: { type: 'base64', data: pdf(9_000) } }, 2_000, 2_000],
    ['a block of a later API', { type: 'later', note: 'some words here' }, 8, 25],
    [
      'a found page',
      { type: 'web_fetch_tool_result', content: [{ type: 'text', text: 'hi' }] },
      13,
      15,
    ],
  ])('%s costs what it holds', (_, block, least, most) => {
    expect(estimator.block(block)).toBeGreaterThanOrEqual(least);
    expect(estimator.block(block)).toBeLessThanOrEqual(most);
  });

  test('a block that no request could carry counts without throwing', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    for (const input of [circle, 1n, Symbol('s'), () => 1, undefined, Number.NaN]) {
      expect(
        estimator.block(block({ type: 'tool_use', id: 'a', name: 'b', input })),
      ).toBeGreaterThan(0);
    }
    fc.assert(
      fc.property(
        fc.constantFrom('text', 'tool_use', 'tool_result', 'image', 'document', 'x'),
        fc.object(),
        (type, fields) => {
          const tokens = estimator.block(block({ ...fields, type }));
          expect(Number.isInteger(tokens) && tokens >= 0).toBe(true);
        },
      ),
    );
  });
});

describe('createEstimator().block, pictures (T2)', () => {
  test.each([
    ['PNG', png],
    ['JPEG', jpeg],
    ['GIF', gif],
    ['WebP', webp],
  ])('case 54: a %s of 10 × 10 costs the same in 100 KB and in 5 MB', (_, encode) => {
    const sizes = [0, 100_000, 5_000_000].map((padding) =>
      estimator.block(image(encode({ width: 10, height: 10, padding }))),
    );
    expect(sizes).toEqual([1, 1, 1]);
  });

  test('case 54: three pictures cost three times one, also inside a tool result', () => {
    const picture = () => image(png({ width: 800, height: 600, padding: 50_000 }));
    const one = estimator.block(picture());
    expect(one).toBe(Math.ceil(800 / 28) * Math.ceil(600 / 28));
    const classes = estimator.classes(user(picture(), picture(), picture()));
    expect(classes.media).toBe(3 * one);
    expect(classes.text + classes.dense).toBe(0);
    const result = { type: 'tool_result', tool_use_id: 'a', content: [picture(), picture()] };
    expect(estimator.classes(user(result)).media).toBe(2 * one);
  });

  test.each([
    ['claude-old', 1_920, 1_080, 1_568],
    ['claude-old', 200, 200, 64],
    ['claude-new', 1_920, 1_080, 69 * 39],
    ['claude-new', 8_000, 8_000, 4_784],
    ['o200k', 1_024, 1_024, 85 + 170 * 4],
    ['o200k', 10, 10, 85 + 170],
    ['gemini', 1_920, 1_080, 1_120],
  ] as const)('on %s a picture of %i × %i costs %i', (family, width, height, tokens) => {
    const picture = image(png({ width, height, padding: 0 }));
    expect(createEstimator({ family }).block(picture)).toBe(tokens);
  });

  test.each([
    ['is at a URL', { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }],
    ['is a file id', { type: 'image', source: { type: 'file', file_id: 'file_1' } }],
    ['is damaged', image('####')],
    ['is empty', image('')],
    ['is not said', { type: 'image' }],
  ])('a picture whose size %s costs the same as one of full size', (_, block) => {
    expect(estimator.block(block)).toBe(1_568);
    expect(createEstimator({ family: 'claude-new' }).block(block)).toBe(2_000);
  });

  test('a picture in a data URL costs by its size', () => {
    const url = `data:image/png;base64,${png({ width: 280, height: 280, padding: 9_000 })}`;
    expect(estimator.block(block({ type: 'image_url', image_url: { url } }))).toBe(100);
    expect(estimator.block(block({ type: 'input_image', image_url: url }))).toBe(100);
  });
});

describe('createEstimator().message (T2)', () => {
  const blocks = fc.oneof(
    fc.record({ type: fc.constant('text'), text: fc.string({ unit: 'grapheme' }) }),
    fc.record({ type: fc.constant('tool_use'), name: fc.string(), input: fc.object() }),
    fc.record({ type: fc.constant('tool_result'), content: fc.string() }),
    fc.constant(image(png({ width: 99, height: 50, padding: 3 }))),
  );
  const message = fc.record({
    role: fc.constantFrom('user', 'assistant'),
    content: fc.array(blocks),
  });

  test('is the sum of its classes, rounded up, and each block fits in it', () => {
    fc.assert(
      fc.property(message, (value) => {
        const tokens = estimator.message(value);
        expect(totalTokens(estimator.classes(value))).toBe(tokens);
        for (const inner of value.content) {
          expect(estimator.block(inner)).toBeLessThanOrEqual(tokens);
        }
      }),
    );
  });

  test('is the same whether it was seen before or not, and whichever estimator saw it', () => {
    fc.assert(
      fc.property(message, (value) => {
        const once = estimator.message(value);
        expect(estimator.message(value)).toBe(once);
        expect(createEstimator({ family: 'claude-old' }).message(structuredClone(value))).toBe(
          once,
        );
      }),
    );
  });

  test('takes text for content', () => {
    const tokens = estimator.message({ role: 'user', content: 'Fix the failing test.' });
    expect(tokens).toBe(estimator.message(user(text('Fix the failing test.'))));
  });

  test('writes the input of a call once for as long as the block lives', () => {
    let written = 0;
    const input = { toJSON: () => `${++written}` };
    const call = { type: 'tool_use', id: 'a', name: 'b', input };
    estimator.block(call);
    estimator.message(user(call));
    estimator.message({ role: 'assistant', content: [call] });
    expect(written).toBe(1);
  });
});

describe('createEstimator().head (T2)', () => {
  const head = {
    system: [{ type: 'text', text: 'You fix bugs.' }],
    tools: [{ name: 'read', description: 'Reads a file.', input_schema: { type: 'object' } }],
  } as const;

  test('counts the system prompt, the tools and what they are wrapped in', () => {
    const bare = estimator.head({ system: [], tools: [] });
    const system = estimator.head({ system: head.system, tools: [] });
    const whole = estimator.head(head);
    expect(bare).toBe(6);
    expect(system).toBeGreaterThan(bare + 2);
    expect(whole).toBeGreaterThan(system + 549 + 53);
    expect(totalTokens(estimator.headClasses(head))).toBe(whole);
  });
});

describe('createEstimator options (T2)', () => {
  const code = 'for (const file of files) await remove(file, { force: true });\n'.repeat(20);

  test('families count the same text in the order of their vocabularies', () => {
    const [o200k, old, recent] = (['o200k', 'claude-old', 'claude-new'] as const).map((family) =>
      createEstimator({ family }).text(code),
    ) as [number, number, number];
    expect(old / o200k).toBeCloseTo(1.2, 1);
    expect(recent / o200k).toBeCloseTo(1.7, 1);
  });

  test('names itself by its family and its counter', async () => {
    const counter = await loadExactCounter({ encoding: 'o200k_base' });
    expect(createEstimator().name).toBe('varve-o200k');
    expect(createEstimator({ family: 'gemini' }).name).toBe('varve-gemini');
    expect(createEstimator({ family: 'claude-new', counter }).name).toBe(
      'varve-claude-new-o200k_base',
    );
  });

  test('a calibration multiplies its classes and leaves the others', () => {
    const message = user(text(`${code}0123456789 的`));
    const plain = estimator.classes(message);
    const learned = createEstimator({ family: 'claude-old', calibration: { text: 2, dense: 0.5 } });
    const classes = learned.classes(message);
    expect(classes.text).toBeCloseTo(2 * plain.text);
    expect(classes.dense).toBeCloseTo(0.5 * plain.dense);
    expect(classes.cjk).toBe(plain.cjk);
    expect(classes.framing).toBe(plain.framing);
  });

  test('with an exact counter of its own vocabulary it is exact (T3)', async () => {
    const counter = await loadExactCounter({ encoding: 'o200k_base' });
    const exact = createEstimator({ counter });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(exact.text(text)).toBe(counter.count(text));
      }),
    );
    expect(exact.block(block({ type: 'text', text: code }))).toBe(counter.count(code));
  });
});
