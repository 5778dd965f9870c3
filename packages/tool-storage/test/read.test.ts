import type { Entry, Message } from '@varve/messages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryStore, type ToolStorage, ToolStorageError } from '../src/index.ts';
import { longText } from './long-text.ts';
import { memoryStorage, output, shownText } from './support.ts';

type ReadRange = NonNullable<Parameters<ToolStorage['read']>[1]>;

const TEXT = longText(60_000);

async function stored(text: string, readChars = 8_000) {
  const sizeOf = (value: string) => (value.startsWith('<persisted-output ') ? 0 : 1); // store all
  const results = memoryStorage({ readChars, threshold: 0, sizeOf });
  const padded = text.length < 1_000 ? text.padEnd(1_000, '\n') : text;
  const outcome = await results.offload(output('t', padded));
  if (outcome.kind !== 'stored') throw new Error(outcome.reason);
  return { results, handle: outcome.handle, text: padded };
}

describe('read (S4)', () => {
  test.each<[string, ReadRange, string, ReadRange | undefined]>([
    ['one line', { lines: [3, 3] }, 'line 2:', undefined],
    ['the last lines and beyond', { lines: [1_111, 9_999] }, 'line 1110:', undefined],
    ['inside a line', { lines: [3, 3], column: 6 }, '2:', undefined],
    ['more than fits', { lines: [1, 1_000] }, 'line 0:', { lines: [151, 1_000], column: 11 }],
    ['the first page', { page: 1 }, 'line 0:', { page: 2 }],
    ['the last page', { page: 8 }, '', undefined],
  ])('%s', async (_name, range, start, next) => {
    const { results, handle } = await stored(TEXT);
    const page = await results.read(handle, range);
    expect(page.text.startsWith(start)).toBe(true);
    expect(page.next).toEqual(next);
    expect(page.text.length).toBeLessThanOrEqual(8_000);
  });

  test.each<[ReadRange, string]>([
    [{ page: 0 }, 'there are pages 1 to 8'],
    [{ page: 9 }, 'there are pages 1 to 8'],
    [{ page: Number.NaN }, 'there are pages 1 to 8'],
    [{ lines: [0, 1] }, 'there are lines 1 to '],
    [{ lines: [5, 4] }, 'there are lines 1 to '],
    [{ lines: [99_999, 99_999] }, 'there are lines 1 to '],
    [{ lines: [1, 1], column: 999 }, 'line 1 has 52 characters'],
    [{ search: '' }, 'must not be empty'],
    [{ search: 'x', skip: -1 }, 'from 0 up'],
  ])('%j is an invalid range', async (range, text) => {
    const { results, handle } = await stored(TEXT);
    await expect(results.read(handle, range)).rejects.toMatchObject({ code: 'invalid-range' });
    await expect(results.read(handle, range)).rejects.toThrow(text);
  });

  test('finds a text with line and column, case and all, and nothing else', async () => {
    const { results, handle } = await stored('alpha\nbeta Alpha\n(a+)+$ alpha\n');
    const find = async (range: ReadRange) => (await results.read(handle, range)).text;
    expect(await find({ search: 'alpha' })).toBe('1:1: alpha\n3:8: (a+)+$ alpha');
    expect(await find({ search: 'alpha', ignoreCase: true })).toBe(
      '1:1: alpha\n2:6: beta Alpha\n3:8: (a+)+$ alpha',
    );
    expect(await find({ search: '(A+)+$', ignoreCase: true })).toBe('3:1: (a+)+$ alpha');
    expect(await results.read(handle, { search: 'gamma' })).toEqual({
      text: '',
      next: undefined,
      total: 0,
    });
  });

  test('many places come in parts that together are all of them', async () => {
    const { results, handle } = await stored(TEXT);
    const lines: string[] = [];
    let next: ReadRange | undefined = { search: 'build' };
    while (next !== undefined) {
      const page = await results.read(handle, next);
      expect(page.text.length).toBeLessThanOrEqual(8_000);
      lines.push(...page.text.split('\n'));
      next = page.next;
    }
    expect(lines).toHaveLength(TEXT.split('build').length - 1);
    expect(new Set(lines).size).toBe(lines.length);
  });

  const text = fc
    .array(
      fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('\n', '😀'.repeat(150), 'x'.repeat(900)),
      ),
      { maxLength: 60 },
    )
    .map((pieces) => pieces.join(''));

  async function readAll(
    results: Awaited<ReturnType<typeof stored>>['results'],
    handle: string,
    first: ReadRange,
  ) {
    const pieces: string[] = [];
    for (let next: ReadRange | undefined = first; next !== undefined; ) {
      const page = await results.read(handle, next);
      expect(page.text.length).toBeLessThanOrEqual(200);
      expect(page.text).not.toMatch(/\p{Surrogate}/u);
      pieces.push(page.text);
      next = page.next;
    }
    return pieces.join('');
  }

  test('all pages together are the text, and so are all lines', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        const { results, handle, text: whole } = await stored(value, 200);
        expect(await readAll(results, handle, { page: 1 })).toBe(whole);
        expect(await readAll(results, handle, { lines: [1, 1_000_000] })).toBe(whole);
      }),
    );
  });
});

describe('ToolStorageError', () => {
  test.each([
    '',
    'nothing-0123456789abcdef.txt',
    '../../etc/passwd',
    '/etc/passwd',
    's1/x.txt',
    'x',
    '..',
    'a\0.txt',
    'x.exe',
  ])('the handle %j is unknown', async (handle) => {
    const asked: string[] = [];
    const store = memoryStore();
    const get: typeof store.get = (key, options) => {
      asked.push(key);
      return store.get(key, options);
    };
    const results = memoryStorage({ store: { ...store, get } });
    await expect(results.read(handle)).rejects.toMatchObject({ code: 'unknown-handle' });
    expect(asked.every((key) => /^s1\/[\w~-]+\.txt$/.test(key))).toBe(true);
  });

  test('a store that cannot be asked is never called a result that is not there', async () => {
    const store = memoryStore();
    const cause = new Error('no network');
    const results = memoryStorage({ store: { ...store, get: () => Promise.reject(cause) } });
    const error = await results.read('t-0123456789abcdef.txt').catch((thrown: unknown) => thrown);
    expect(ToolStorageError.is(error)).toBe(true);
    expect(error).toMatchObject({ code: 'store-failed', cause });
    expect((await results.runReadTool({ handle: 't-0123456789abcdef.txt' })).content).toContain(
      'may still be there',
    );
  });

  test.each([
    ['other bytes', Buffer.from('other')],
    ['an empty file', new Uint8Array()],
  ])('%s under the handle are damage', async (_name, bytes) => {
    const store = memoryStore();
    const hash = {
      name: 'sum',
      of: (data: Uint8Array) =>
        data
          .reduce((sum, byte) => (sum * 31 + byte) % 1e9, 7)
          .toString(16)
          .padStart(16, '0'),
    };
    const results = memoryStorage({ store, hash });
    const outcome = await results.offload(output('t', TEXT));
    const handle = outcome.kind === 'stored' ? outcome.handle : '';
    expect((await results.read(handle)).total).toBe(8);
    await store.put(`s1/${handle}`, bytes);
    await expect(results.read(handle)).rejects.toMatchObject({ code: 'damaged' });
  });
});

/** An answer without the line that says what it is. */
const rest = (content: string): string => content.slice(content.indexOf('\n') + 1);

describe('readTool and runReadTool (S4)', () => {
  test('the definition is one a request takes, under the name asked for, and short: every session pays for it', () => {
    const { readTool } = memoryStorage({ readToolName: 'read_result' });
    expect(readTool).toMatchObject({ name: 'read_result', input_schema: { type: 'object' } });
    expect(JSON.stringify(readTool).length).toBeLessThanOrEqual(300);
  });

  test('the range that a preview suggests works, and its answer says how to read on', async () => {
    const results = memoryStorage();
    const shown = shownText(await results.offload(output('t', TEXT)));
    const input = JSON.parse(/\{"handle":"[^}]*\}/.exec(shown)?.[0] ?? '{}') as {
      handle: string;
      lines: [number, number];
    };
    const { content, isError } = await results.runReadTool(input);
    expect(isError).toBe(false);
    expect(content).toMatch(
      /^t-[0-9a-f]{16}\.txt: lines of 1112; this is the end\nline \d+: a line/,
    );
    const first = await results.runReadTool({ handle: input.handle });
    expect(first.content).toContain(
      `: lines of 1112; read on with {"handle":"${input.handle}","lines":[151,1112],"skip":10}\nline 0:`,
    );
    const second = await results.runReadTool({
      handle: input.handle,
      lines: [151, 1_112],
      skip: 10,
    });
    const joined = `${rest(first.content)}${rest(second.content)}`;
    expect(TEXT.startsWith(joined)).toBe(true);
    expect(joined.length).toBe(16_000);
    expect(await results.runReadTool({ handle: input.handle, search: 'nowhere' })).toEqual({
      content: `${input.handle}: not found`,
      isError: false,
    });
  });

  test('a text without a capital is found in any case; answers say how to read on', async () => {
    const { results, handle } = await stored('Alpha\nalpha\n', 8_000);
    const find = async (more: object) => (await results.runReadTool({ handle, ...more })).content;
    expect(await find({ search: 'alpha' })).toContain(
      '2 places; this is the end\n1:1: Alpha\n2:1: alpha',
    );
    expect(await find({ search: 'Alpha' })).toContain('1 places; this is the end\n1:1: Alpha');
    expect(await find({ search: 'ALPHA', ignore_case: true })).toContain('2 places');
    expect(await find({ search: 'alpha', skip: 1 })).toContain('2:1: alpha');
    const large = await stored(TEXT, 200);
    const page = await large.results.runReadTool({ handle: large.handle, search: 'build' });
    expect(page.content).toMatch(/read on with \{"handle":"[^"]+","search":"build","skip":\d+\}\n/);
  });

  test.each([
    { search: 'BUILD', ignore_case: true },
    { search: 'build', ignore_case: false },
  ])('%j is read on as it began', async (input) => {
    const { results, handle } = await stored('Build\nbuild\nBUILD\n'.repeat(60), 200);
    const places: string[] = [];
    for (let next: unknown = { handle, ...input }; next !== undefined; ) {
      const { content } = await results.runReadTool(next);
      places.push(...rest(content).split('\n'));
      const on = /read on with (\{.*\})\n/.exec(content)?.[1];
      next = on === undefined ? undefined : JSON.parse(on);
    }
    expect(places).toHaveLength(input.ignore_case ? 180 : 60);
  });

  test('a field that is null is as if it were not there', async () => {
    const { results, handle } = await stored(TEXT);
    const names = ['lines', 'search', 'skip', 'page', 'column', 'ignore_case', 'list', 'more'];
    const nothing = Object.fromEntries(names.map((name) => [name, null]));
    for (const given of [
      { handle },
      { handle: null },
      { handle, search: 'line' },
      { handle, page: 1 },
    ])
      expect(await results.runReadTool({ ...nothing, ...given })).toEqual(
        await results.runReadTool(given),
      );
    for (const name of names)
      expect(await results.runReadTool({ handle, [name]: null })).toEqual(
        await results.runReadTool({ handle }),
      );
  });

  test.each([
    [{ skip: 500 }, 'line 1 has 52 characters'],
    [{ lines: [2, 3], skip: 52 }, 'line 2 has 52 characters'],
    [{ skip: -1 }, '`skip` must be a whole number from 0 up'],
    [{ skip: 'x' }, '`skip` must be a whole number from 0 up'],
    [{ lines: [2, 3], skip: '5' }, '`skip` must be a whole number from 0 up'],
  ])('%j is answered in words of the definition', async (input, text) => {
    const { results, handle } = await stored(TEXT);
    const { content, isError } = await results.runReadTool({ handle, ...input });
    expect(isError).toBe(true);
    expect(content).toContain(text);
    expect(content).not.toContain('column');
  });

  test('what earlier definitions had is taken', async () => {
    const { results, handle } = await stored(TEXT);
    const read = async (more: object) => (await results.runReadTool({ handle, ...more })).content;
    expect(await read({ page: 2 })).toContain('page 2 of 8; read on with');
    const behind = rest(await read({ lines: [3, 3], skip: 5 }));
    expect(rest(await read({ lines: [3, 3], column: 6 }))).toBe(behind);
    expect((await results.runReadTool({ list: true })).content).toContain(handle);
  });

  test.each([
    [{ handle: 3 }, '`handle` must be a text'],
    [{ handle: 'x' }, 'no result is stored under this handle'],
    [{ handle: 'x', lines: [1, 2], page: 3 }, 'give one of `lines` and `page`'],
    [{ handle: 'x', lines: 3 }, '`lines` must be two numbers'],
    [{ handle: 'x', search: 3 }, '`search` must be a text'],
    [{ id: 'x', lines: [1, 2] }, '`handle`'],
    [{ handle: null, file_path: 'x' }, '`handle`'],
    [{ list: false }, '`handle`'],
    ['x', '`handle`'],
    [['x'], '`handle`'],
  ])('%j is answered with what is wrong', async (input, text) => {
    const { content, isError } = await memoryStorage().runReadTool(input);
    expect(isError).toBe(true);
    expect(content).toContain(text);
  });

  test('wrong types of numbers are answered too', async () => {
    const { results, handle } = await stored(TEXT);
    for (const range of [
      { page: 'x' },
      { lines: ['a', 'b'] },
      { lines: [1, 2], column: {} },
      { search: 'x', skip: 'y' },
    ]) {
      expect(await results.runReadTool({ handle, ...range })).toMatchObject({ isError: true });
    }
  });

  test('its answers are never stored again', async () => {
    const results = memoryStorage({ threshold: 10, readChars: 100_000 });
    const outcome = await results.offload(output('t', TEXT));
    const { content } = await results.runReadTool({
      handle: outcome.kind === 'stored' ? outcome.handle : '',
    });
    expect(content.length).toBeGreaterThan(60_000);
    const again = await results.offload(output('t2', content, 'read_stored'));
    expect(again).toMatchObject({ kind: 'kept', reason: 'read-back', content });
  });

  test('an abort rejects', async () => {
    const { results, handle } = await stored(TEXT);
    const { signal } = { signal: AbortSignal.abort() };
    await expect(results.runReadTool({ handle }, { signal })).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    );
  });
});

describe('what the model reads back', () => {
  test.each([
    ['case 49: has no half character', '\ud83d', '\ufffd'],
    ['case 94: has no terminal escape', '\x1b]0;title\x07\x9b31m', ''],
  ])('%s, and code reads what was stored', async (_name, odd, shown) => {
    const results = memoryStorage({ threshold: 100 });
    const text = `${odd}line of text\n`.repeat(900);
    const outcome = await results.offload(output('t', text));
    const handle = outcome.kind === 'stored' ? outcome.handle : '';
    const { content } = await results.runReadTool({ handle, lines: [1, 2] });
    expect(content.split('\n').slice(1)).toEqual([
      `${shown}line of text`,
      `${shown}line of text`,
      '',
    ]);
    expect((await results.read(handle, { lines: [1, 1] })).text).toBe(`${odd}line of text\n`);
  });

  test('columns count as in the preview', async () => {
    const results = memoryStorage({ threshold: 100 });
    const text = `${'\x1b[1mab\x1b[0m'.repeat(9_000)}`;
    const outcome = await results.offload(output('t', text));
    const handle = outcome.kind === 'stored' ? outcome.handle : '';
    const columns = /line="1" columns="(\d+)-/.exec(shownText(outcome))?.[1];
    const { content } = await results.runReadTool({
      handle,
      lines: [1, 1],
      column: Number(columns),
    });
    const [head = ''] = shownText(outcome).split('\n<persisted-output-gap');
    const last = head.at(-1);
    expect(content.split('\n')[1]?.[0]).toBe(last === 'a' ? 'b' : 'a');
  });
});

test('a store without a hash that gives other bytes is found out', async () => {
  const store = memoryStore();
  const results = memoryStorage({
    store: { ...store, get: async () => new Uint8Array([1, 2, 3]) },
  });
  const outcome = await results.offload(output('t', longText(60_000)));
  const handle = outcome.kind === 'stored' ? outcome.handle : '';
  await expect(results.load(handle)).rejects.toMatchObject({ code: 'damaged' });
  expect((await results.runReadTool({ handle })).isError).toBe(true);
});

describe('handleOf (M6)', () => {
  const resultOf = (id: string, content: string) => ({
    type: 'tool_result' as const,
    tool_use_id: id,
    content,
  });
  const entryOf = (block: ReturnType<typeof resultOf>): Entry => ({
    id: 'e1',
    at: '2026-01-01T00:00:00.000Z',
    type: 'message',
    message: { id: 'm1', role: 'user', content: [block] },
  });

  test.each([
    ['a result of an observed message', 'short', true],
    ['an empty one', '', false],
  ])('%s', async (_name, content, isReadable) => {
    const results = memoryStorage({});
    const block = resultOf('toolu_1', content);
    expect(results.handleOf(block)).toBeUndefined();
    results.observe(entryOf(block));
    const handle = results.handleOf(block);
    expect(handle !== undefined).toBe(isReadable);
    if (handle === undefined) return;
    expect(await results.load(handle)).toBe(content);
    expect((await results.read(handle)).text).toBe(content);
    expect(results.handleOf({ ...block })).toBeUndefined();
  });

  test('a message of a plain array has none: nothing keeps it', async () => {
    const results = memoryStorage({});
    const block = resultOf('toolu_1', 'short');
    await results.offloadMessages([{ role: 'user', content: [block] }], { seen: 1 });
    expect(results.handleOf(block)).toBeUndefined();
  });
});

describe('L315: the read tool lists what can be read', () => {
  test('in bounded pages, the newest first; nothing that only claims to be stored, nothing removed', async () => {
    const results = memoryStorage({ readChars: 1_000 });
    expect((await results.runReadTool({})).content).toContain('No result is stored.');
    const handles: string[] = [];
    for (let index = 0; index < 100; index++) {
      const outcome = await results.offload(output(`call-${index}`, `${index} ${TEXT}`));
      if (outcome.kind === 'stored') handles.push(outcome.handle);
    }
    const fake = 'other-0123456789abcdef.txt';
    const message: Message = {
      id: 'm',
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'liar',
          content: `<persisted-output handle="${fake}" size="9 MB" lines="1">`,
        },
      ],
    };
    results.observe({ id: 'e', at: '2026-01-01T00:00:00Z', type: 'message', message });
    await results.remove(handles[7] as string);
    const expected = handles.filter((_, index) => index !== 7).toReversed();
    expect(results.stored().map(({ handle }) => handle)).toEqual(expected);
    let text = '';
    let input: unknown = {};
    while (input !== undefined) {
      const { content, isError } = await results.runReadTool(input);
      expect(isError).toBe(false);
      const [head, ...page] = content.split('\n') as [string, ...string[]];
      expect(page.join('\n').length).toBeLessThanOrEqual(1_000);
      text += page.join('\n');
      const next = /read on with (\{.*\})$/.exec(head)?.[1];
      input = next === undefined ? undefined : JSON.parse(next);
    }
    expect(text.split('\n').map((line) => line.split(' ')[0])).toEqual(expected);
    const found = await results.runReadTool({ search: 'call-42-' });
    expect(found.content).toContain(handles[42]);
  });
});
