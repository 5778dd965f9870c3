import { describe, expect, test } from 'vitest';
import { memoryStore } from '../src/index.ts';
import { fileStore } from '../src/node/index.ts';
import { previewOf } from '../src/preview/preview.ts';
import { sweep } from '../src/retention.ts';
import { memoryStorage, output } from './support.ts';

const HOSTILE = [Number.NaN, -1, '5', null];
const shown = (value: unknown): string => (typeof value === 'string' ? 'string' : String(value));
const wording = (name: string, value?: unknown): RegExp =>
  new RegExp(
    `^Expected \`${name}\` to be .+, got \`${value === undefined ? '.+' : shown(value)}\`$`,
  );

const NUMBERS: readonly [string, (value: never) => unknown][] = [
  ...(['roundChars', 'maxSessionBytes', 'maxTotalBytes', 'readChars'] as const).map(
    (name): [string, (value: never) => unknown] => [
      name,
      (value) => memoryStorage({ [name]: value }),
    ],
  ),
  ...(['chars', 'tokens'] as const).flatMap((name): [string, (value: never) => unknown][] => [
    [`threshold.${name}`, (value) => memoryStorage({ threshold: { [name]: value } })],
    [`textThreshold.${name}`, (value) => memoryStorage({ textThreshold: { [name]: value } })],
    [`tools.grep.${name}`, (value) => memoryStorage({ tools: { grep: { [name]: value } } })],
  ]),
  ['preview.maxChars', (maxChars) => memoryStorage({ preview: { maxChars } })],
  ['maxChars', (maxChars) => previewOf('x', { maxChars })],
];

describe('options that make no sense are refused with one wording', () => {
  test.each(
    NUMBERS.flatMap(([name, give]) => HOSTILE.map((value) => [name, value, give] as const)),
  )('`%s`: %j', (name, value, give) => {
    const call = () => give(value as never);
    expect(call).toThrow(RangeError);
    expect(call).toThrow(wording(name, value));
  });

  test.each(
    (['maxAgeMs', 'maxTotalBytes', 'minAgeMs'] as const).flatMap((name) =>
      HOSTILE.map((value) => [name, value] as const),
    ),
  )('sweep, `%s`: %j removes nothing', async (name, value) => {
    const store = memoryStore({ now: () => 0 });
    await store.put('s/a.txt', new Uint8Array(9));
    const swept = sweep(store, { keep: [], nowMs: 1e12, [name]: value });
    await expect(swept).rejects.toThrow(RangeError);
    await expect(swept).rejects.toThrow(wording(name, value));
    expect(await store.list('')).toHaveLength(1);
  });

  test.each([
    ['nowMs', { nowMs: Number.NaN }],
    ['nowMs', { nowMs: undefined }],
    ['keep', { keep: undefined }],
    ['keep', { keep: 5 }],
  ])('sweep without a right `%s`', async (name, given) => {
    const options = { keep: [], nowMs: 0, ...given } as never;
    await expect(sweep(memoryStore(), options)).rejects.toThrow(wording(name));
  });

  test.each([Number.NaN, '5', null])('room of %j tokens for a result', async (maxTokens) => {
    const options = { maxTokens: maxTokens as never };
    const offloaded = memoryStorage().offload(output('c', 'x'), options);
    await expect(offloaded).rejects.toThrow(wording('maxTokens', maxTokens));
  });

  test('no room at all is room of none', async () => {
    const storage = memoryStorage();
    const text = 'The parser reads a line. '.repeat(4_000);
    expect((await storage.offload(output('c', text), { maxTokens: -5 })).kind).toBe('stored');
  });

  test.each<[string, () => unknown]>([
    ['store', () => memoryStorage({ store: undefined as never })],
    ['sessionId', () => memoryStorage({ sessionId: 5 as never })],
    ['threshold', () => memoryStorage({ threshold: '5' as never })],
    ['threshold', () => memoryStorage({ threshold: null as never })],
    ['tools', () => memoryStorage({ tools: [] as never })],
    ['tools.grep', () => memoryStorage({ tools: { grep: '5' as never } })],
    ['thresholdOf', () => memoryStorage({ thresholdOf: 5 as never })],
    ['sizeOf', () => memoryStorage({ sizeOf: 5 as never })],
    ['decisions', () => memoryStorage({ decisions: {} as never })],
    ['preview.style', () => memoryStorage({ preview: { style: 'tail' as never } })],
    ['style', () => previewOf('x', { style: 'tail' as never })],
  ])('`%s` of another kind', (name, call) => {
    expect(call).toThrow(TypeError);
    expect(call).toThrow(wording(name));
  });

  test('a key that leads out of the folder', async () => {
    const read = async () => fileStore('/tmp/nowhere').get('../x');
    await expect(read()).rejects.toThrow(wording('key', 'x'));
  });
});
