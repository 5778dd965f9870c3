import type { MessageLike } from '@varve/messages/blocks';
import { describe, expect, test } from 'vitest';
import { oneIn } from '../../../internal/src/share.ts';
import { createEstimator, createTokenMeter } from '../src/index.ts';

const fail = (): never => {
  throw new Error('no');
};
const WORDS = { note: 'some words that stand in the input '.repeat(20) };
const cyclic: Record<string, unknown> = { ...WORDS };
cyclic.self = cyclic;
const cyclicList: unknown[] = [WORDS];
cyclicList.push({ inside: cyclicList });
const deepOf = (levels: number): unknown => {
  let deep: unknown = WORDS;
  for (let level = 0; level < levels; level++) deep = level % 2 === 0 ? [deep] : { d: deep };
  return deep;
};
const throwing = Object.defineProperty({ ...WORDS }, 'path', { enumerable: true, get: fail });

const VALUES: readonly (readonly [what: string, value: unknown])[] = [
  ['holds itself', cyclic],
  ['is a list that holds itself', cyclicList],
  ['is nested 3,000 deep', deepOf(3_000)],
  ['is nested 100,000 deep', deepOf(100_000)],
  ['has a getter that throws', throwing],
  ['has a getter that throws inside', { list: [WORDS, throwing] }],
  ['is a proxy whose keys cannot be asked', { ...WORDS, a: new Proxy({}, { ownKeys: fail }) }],
  ['cannot be written as it says', { ...WORDS, toJSON: fail }],
  ['has a BigInt', { ...WORDS, lines: 10n }],
];

const call = (input: unknown) => ({ type: 'tool_use', id: 'c', name: 'Read', input });
const reply = (input: unknown): MessageLike => ({ role: 'assistant', content: [call(input)] });
const nested = (levels: number): MessageLike => {
  let content: unknown = [{ type: 'text', text: WORDS.note }];
  for (let level = 0; level < levels; level++) {
    content = [{ type: 'tool_result', tool_use_id: 'c', content }];
  }
  return { role: 'user', content: content as never };
};

// siblings: every function that counts (a block, a message, classes, a head, a text, a request, a meter), with a family, a
// calibration and a counter of one's own; input of a call, a result, an unknown block, a schema; circles, depth, getters, toJSON
describe('M336: of what JSON cannot write the estimator counts what can be read', () => {
  const counter = { encoding: 'own', count: (text: string) => Math.ceil(text.length / 4) };
  const estimators = [
    ...(['claude-new', 'o200k', 'unknown'] as const).map((family) => createEstimator({ family })),
    createEstimator({ counter, calibration: { dense: 2 } }),
  ];
  type Count = (value: unknown) => Promise<number> | number;
  const ways = estimators.flatMap((estimator): [string, Count][] => [
    [`message of ${estimator.name}`, (value) => estimator.message(reply(value))],
    [`block of ${estimator.name}`, (value) => estimator.block(call(value))],
    [
      `an unknown block of ${estimator.name}`,
      (value) => estimator.block({ type: 'server_thing', value } as never),
    ],
    [
      `a head of ${estimator.name}`,
      (value) =>
        estimator.head({ system: [], tools: [{ name: 't', input_schema: value as never }] }),
    ],
    [
      `a result of ${estimator.name}`,
      (value) =>
        estimator.block({
          type: 'tool_result',
          tool_use_id: 'c',
          content: [{ type: 'json', value }],
        } as never),
    ],
    [`a text that is none of ${estimator.name}`, (value) => estimator.text(value as string)],
  ]);

  const all = VALUES.flatMap(([what, value]) => ways.map((way) => [what, ...way, value] as const));

  test.each(oneIn(6, all))('a value that %s: %s', async (what, _, count, value) => {
    const words = await count(WORDS);
    const tokens = await count(value);
    expect(Number.isInteger(tokens)).toBe(true);
    expect(tokens).toBeGreaterThan(words * 0.9);
    if (!what.includes('deep')) expect(tokens).toBeLessThan(words * 2.5 + 40);
  });

  test('results in results, 20,000 deep, and a field of a block or a message that cannot be read', () => {
    const estimator = createEstimator();
    const least = estimator.text(WORDS.note);
    const block = { type: 'text', note: WORDS.note };
    Object.defineProperty(block, 'text', { enumerable: true, get: fail });
    const message = { role: 'user', note: WORDS.note, content: [] };
    Object.defineProperty(message, 'content', { enumerable: true, get: fail });
    for (const tokens of [
      estimator.message(nested(20_000)),
      estimator.message({ role: 'user', content: [block as never] }),
      estimator.block(block as never),
      estimator.message(message),
    ]) {
      expect(tokens).toBeGreaterThanOrEqual(least);
    }
  });

  test('BigInt counts as its digits, a circle once, what stands twice twice', () => {
    const { block } = createEstimator();
    const plain = { b: [1, 'x', null, { c: true }], d: {}, e: [], f: undefined, g: 123_456_789 };
    const big = { ...plain, g: 123_456_789n };
    expect(block(call(big))).toBe(block(call(plain)));
    const many = block(call({ ...WORDS, lines: 10n, again: WORDS }));
    expect(many).toBeGreaterThan(1.9 * block(call(WORDS)));
    let laughs: unknown = { ...WORDS, lines: 10n };
    for (let level = 0; level < 40; level++) laughs = [laughs, laughs];
    expect(block(call(laughs))).toBeGreaterThan(1_000_000);
  });

  test('an error of a counter of one’s own, and messages of another library, stay what they are', () => {
    const own = createEstimator({ counter: { encoding: 'own', count: fail } });
    expect(() => own.block(call({}))).toThrow(new Error('no'));
    const foreign = { role: 'assistant', content: null, tool_calls: [] } as never;
    expect(() => createEstimator().message(foreign)).toThrow(
      expect.objectContaining({ code: 'foreign-messages' }),
    );
  });

  test('a meter counts them as well', () => {
    const sizeWith = (input: unknown) => {
      const meter = createTokenMeter({ model: 'claude-opus-5-5' });
      meter.reset([{ role: 'user', content: 'hi' }, reply(input)] as never);
      return meter.size().tokens;
    };
    expect(sizeWith(cyclic)).toBeGreaterThan(0.9 * sizeWith(WORDS));
  });

  test('what JSON leaves out is left out', () => {
    const { block } = createEstimator();
    const odd = { a: undefined, b: () => 1, c: Symbol('x'), d: new Date(0), e: Number.NaN };
    const plain = JSON.parse(JSON.stringify(odd));
    expect(block(call(odd))).toBe(block(call(plain)));
    expect(block(call(undefined))).toBeGreaterThan(0);
  });
});
