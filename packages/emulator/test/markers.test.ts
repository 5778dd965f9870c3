import { describe, expect, test } from 'vitest';
import { assistant, body, create, post, text, toolResult, toolUse, user } from './support.ts';

const mark = (part: object, ttl?: '1h') => ({
  ...part,
  cache_control: { type: 'ephemeral', ...(ttl && { ttl }) },
});
const long = (name: string) => text(`${name} `.repeat(1_000));
const tool = (name: string) => ({
  name,
  description: `${name} `.repeat(1_000),
  input_schema: { type: 'object' },
});

interface Bill {
  readonly read: number;
  readonly written: number;
  readonly plain: number;
}

const bill = async (emulator: ReturnType<typeof create>, fields: object): Promise<Bill> => {
  const { json } = await post(emulator, body({ ...fields }));
  const { usage } = json;
  return {
    read: usage.cache_read_input_tokens,
    written: usage.cache_creation_input_tokens,
    plain: usage.input_tokens,
  };
};

/** What the second request is billed, which differs from the first in what `changed` fills in. */
async function second(fields: (changed: string) => object): Promise<[Bill, Bill]> {
  const emulator = create();
  return [await bill(emulator, fields('one')), await bill(emulator, fields('two'))];
}

describe('a marker on any block (A1)', () => {
  test('on static system text before text that changes, that part is read', async () => {
    const [first, then] = await second((day) => ({
      system: [mark(long('static')), text(`Today is ${day}.`)],
    }));
    expect(first.written).toBeGreaterThan(1_000);
    expect(then).toEqual({ ...first, read: first.written, written: 0 });
  });

  test('on system text that changes, nothing is read', async () => {
    const [, then] = await second((day) => ({
      system: [long('static'), mark(text(`Today is ${day}.`))],
    }));
    expect(then.read).toBe(0);
  });

  test('on the first of two tools, it is read where the system text changes', async () => {
    const [first, then] = await second((day) => ({
      tools: [mark(tool('read')), tool('write')],
      system: [mark(text(`Today is ${day}.`))],
    }));
    expect(then.read).toBeGreaterThan(1_000);
    expect(then.read).toBeLessThan(first.written * 0.6);
    expect(then.read + then.written).toBe(first.written);
  });

  test('on a block inside of a message, what stands behind it is plain input', async () => {
    const [first, then] = await second((question) => ({
      messages: [user([mark(long('file')), text(`Question ${question}?`)])],
    }));
    expect(then).toEqual({ ...first, read: first.written, written: 0 });
    expect(then.plain).toBeGreaterThan(0);
  });

  test('four of them each keep what stands before them', async () => {
    const emulator = create();
    const fields = (depth: number) => ({
      tools: [mark(tool(depth > 0 ? 'read' : 'other'))],
      system: [mark(long(depth > 1 ? 'static' : 'other'))],
      messages: [
        user([mark(long(depth > 2 ? 'file' : 'other')), mark(long(depth > 3 ? 'again' : 'other'))]),
      ],
    });
    await bill(emulator, fields(4));
    const reads: number[] = [];
    // each change also writes, so the deepest is asked first
    for (const depth of [4, 3, 2, 1]) reads.push((await bill(emulator, fields(depth))).read);
    expect(reads).toEqual([...reads].sort((left, right) => right - left));
    expect(new Set(reads).size).toBe(4);
    expect(reads.at(-1)).toBeGreaterThan(1_000);
    expect((await bill(create(), fields(0))).read).toBe(0);
  });

  test.each([
    { blocks: 19, isRead: true },
    { blocks: 20, isRead: false },
  ])('an entry $blocks blocks before the marker is found: $isRead', async ({ blocks, isRead }) => {
    const emulator = create();
    await bill(emulator, { messages: [user([mark(long('file'))])] });
    const later = Array.from({ length: blocks }, (_, index) => text(`part ${index}`));
    const last = mark(later.at(-1) as object);
    const next = [user([long('file'), ...later.slice(0, -1), last])];
    expect((await bill(emulator, { messages: next })).read > 0).toBe(isRead);
  });

  test('a run of calls or of results counts as one block', async () => {
    const emulator = create();
    await bill(emulator, { messages: [user([mark(long('file'))])] });
    const ids = Array.from({ length: 30 }, (_, index) => `t${index}`);
    const results = ids.map((id) => toolResult(id));
    const last = mark(results.at(-1) as object);
    const next = [
      user([long('file')]),
      assistant(ids.map((id) => toolUse(id))),
      user([...results.slice(0, -1), last]),
    ];
    expect((await bill(emulator, { messages: next })).read).toBeGreaterThan(1_000);
  });

  test('of an hour before one of five minutes, each is billed as its own', async () => {
    const { json } = await post(
      create(),
      body({
        system: [mark(long('static'), '1h'), long('more')],
        messages: [user([mark(long('file'))])],
      }),
    );
    const { ephemeral_1h_input_tokens: hour, ephemeral_5m_input_tokens: minutes } =
      json.usage.cache_creation;
    expect(hour).toBeGreaterThan(1_000);
    expect(minutes).toBeGreaterThan(hour * 1.9);
  });
});
