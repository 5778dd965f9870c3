import { createEstimator } from '@varve/tokens/estimate';
import { describe, expect, test } from 'vitest';
import { stripEscapes } from '../src/escapes.ts';
import { previewOf } from '../src/preview/preview.ts';
import { memoryStorage, output, shownText } from './support.ts';

const { text: sizeOf } = createEstimator();

function base64(chars: number): string {
  let state = 7;
  const bytes = Uint8Array.from({ length: Math.ceil((chars * 3) / 4) }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state >> 16;
  });
  return Buffer.from(bytes).toString('base64').slice(0, chars);
}

const filled = (unit: string, chars: number): string =>
  unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars);

const PROSE = filled('The parser reads a line and gives it back as it was. ', 190_000);

// siblings: results and texts, a number and an object as threshold, text that is dense in one place only, images inside JSON
describe('K303: sizes are measured in tokens as well as characters', () => {
  test.each([
    ['Chinese', filled('数据压缩上下文窗口的令牌与工具结果。', 193_500)],
    ['base64', base64(193_500)],
    ['emoji', filled('😀🎉🚀🧪', 193_500)],
    ['a log with dense lines between', filled(`ok\n${base64(3_000)}\n数据压缩上下文\n`, 193_500)],
  ])('a message of 193,500 characters of %s is stored behind its preview', async (_, text) => {
    const storage = memoryStorage();
    const outcome = await storage.offloadText({ id: 'm1', text });
    expect(outcome.kind).toBe('stored');
    expect(sizeOf(shownText(outcome))).toBeLessThan(4_000);
    const handle = outcome.kind === 'stored' ? outcome.handle : '';
    expect(await storage.load(handle)).toBe(text);
  });

  test('prose of 190,000 characters stays, unless its message has less room', async () => {
    const storage = memoryStorage();
    expect((await storage.offloadText({ id: 'm1', text: PROSE })).kind).toBe('kept');
    const small = await storage.offloadText({ id: 'm2', text: PROSE }, { maxTokens: 20_000 });
    expect(small).toMatchObject({ kind: 'stored', reason: 'over-threshold' });
    const roomy = await storage.offloadText({ id: 'm3', text: PROSE }, { maxTokens: 900_000 });
    expect(roomy.kind).toBe('kept');
  });

  test.each([
    ['a picture inside of JSON', JSON.stringify({ type: 'image', data: base64(40_000) }), 'stored'],
    ['Chinese', filled('数据压缩上下文窗口', 25_000), 'stored'],
    ['prose', PROSE.slice(0, 49_000), 'kept'],
    ['a small picture inside of JSON', JSON.stringify({ data: base64(4_000) }), 'kept'],
  ])('a result of %s below 50,000 characters is %s by its tokens', async (_, text, kind) => {
    const result = await memoryStorage().offload(output('t', text));
    expect(result.kind).toBe(kind);
  });

  test.each([
    [{ threshold: 10_000 }, 'stored'],
    [{ threshold: { chars: 10_000, tokens: 20_000 } }, 'kept'],
    [{ threshold: { tokens: 5_000 } }, 'stored'],
    [{ threshold: Number.POSITIVE_INFINITY }, 'kept'],
  ])('with %o dense text of 9,000 characters is %s', async (options, kind) => {
    const text = filled('数据压缩上下文窗口', 9_000);
    expect((await memoryStorage(options).offload(output('t', text))).kind).toBe(kind);
  });
});

const COLOURED = Array.from(
  { length: 500 },
  (_, line) => `\x1b[32m✓\x1b[39m test ${line} \x1b[2mpasses\x1b[22m in ${line} ms`,
).join('\n');
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is sought
const PLAIN = COLOURED.replace(/\x1b\[\d+m/g, '');

// siblings: text, blocks, bytes; stored and kept; another look at what was kept; a tool that is left alone
describe('N347: terminal escapes go before sizes are compared', () => {
  test('of a result below the threshold, in each form that it may come in', async () => {
    const storage = memoryStorage();
    const kept = await storage.offload(output('t1', COLOURED));
    expect(kept).toMatchObject({ kind: 'kept', content: PLAIN });
    const image = { type: 'image', source: {} };
    const blocks = [{ type: 'text', text: COLOURED }, image];
    const shown = await storage.offload({ toolUseId: 't2', toolName: 'bash', content: blocks });
    expect(shown.content).toEqual([{ type: 'text', text: PLAIN }, image]);
    expect(blocks[0]).toEqual({ type: 'text', text: COLOURED });
    const bytes = new TextEncoder().encode(COLOURED);
    const read = await storage.offload({ toolUseId: 't3', toolName: 'bash', content: bytes });
    expect(read.content).toBe(PLAIN);
  });

  test('what the model sees stays as it is, whatever is asked again', async () => {
    const storage = memoryStorage({ roundChars: 30_000 });
    const first = await storage.offload(output('t1', COLOURED));
    const round = [output('t1', String(first.content)), output('t2', 'x '.repeat(14_000))];
    const [again, other] = await storage.offloadRound(round);
    expect(again).toMatchObject({ kind: 'kept', content: first.content });
    expect(other?.kind).toBe('stored');
    expect((await storage.offload(output('t1', COLOURED))).content).toBe(PLAIN);
  });

  test('a result that is long by its escapes alone is kept', async () => {
    const threshold = PLAIN.length + 10;
    const kept = await memoryStorage({ threshold }).offload(output('t', COLOURED));
    expect(kept).toMatchObject({ kind: 'kept', reason: 'below-threshold', content: PLAIN });
  });

  test('what is stored is stored as it came', async () => {
    const storage = memoryStorage({ threshold: 5_000 });
    const outcome = await storage.offload(output('t', COLOURED));
    const handle = outcome.kind === 'stored' ? outcome.handle : '';
    expect(await storage.load(handle)).toBe(COLOURED);
  });

  test('a tool that is left alone keeps its escapes, and plain text its reference', async () => {
    const storage = memoryStorage({ tools: { draw: Number.POSITIVE_INFINITY } });
    expect((await storage.offload(output('t1', COLOURED, 'draw'))).content).toBe(COLOURED);
    const content = [{ type: 'text', text: PLAIN }];
    const kept = await storage.offload({ toolUseId: 't2', toolName: 'bash', content });
    expect(kept.content).toBe(content);
  });

  test.each([
    ['a\0b', 'a␀b'],
    ['a\0\0\0b', 'a␀␀␀b'],
    [`head${'\0'.repeat(8)}tail`, 'head␀(×8)tail'],
    ['\x1b[1m\0\x1b[0m', '␀'],
  ])('NULs become visible: %j', async (text, shown) => {
    expect((await memoryStorage().offload(output('t', text))).content).toBe(shown);
  });
});

// siblings: an object, a list, a string alone, lines of a log, JSON in a string of JSON, blocks, bytes, a document; kept, stored and read back, previews
describe('N347: overstrike, as `man` prints bold and underlined', () => {
  test.each([
    ['N\bNA\bAM\bME\bE', 'NAME'],
    ['_\bN_\bA', 'NA'],
    ['N\b_A\b_', 'NA'],
    ['_\bN\bN', 'N'],
    ['N\bN\bN\bNO', 'NO'],
    ['_\b_', '_'],
    ['_\bé\u001b[0m_\b😀', 'é😀'],
    ['aa\bb', 'aab'],
  ])('%j', (given, plain) => {
    expect(stripEscapes(given)).toBe(plain);
    expect(stripEscapes(JSON.stringify({ out: given }))).toBe(JSON.stringify({ out: plain }));
  });
});

describe('N347: terminal escapes in the strings of JSON', () => {
  const LINK = '\x1b]8;;https://x.test\x07here\x1b]8;;\x07';
  const dirty = {
    stdout: `${COLOURED}\n${LINK}\0`,
    stderr: '\x1b[0m',
    exit: 0,
    'a\x1b[1mkey': '\t\n',
  };
  const clean = { stdout: `${PLAIN}\nhere␀`, stderr: '', exit: 0, 'a\x1b[1mkey': '\t\n' };
  const json = JSON.stringify;

  test.each([
    ['an object', json(dirty), json(clean)],
    ['an object of several lines', json(dirty, null, 2), json(clean, null, 2)],
    ['a list', json([[1, dirty], '\u009b31mred']), json([[1, clean], 'red'])],
    ['a string alone', json('\x1b[31mred\x1b[0m'), json('red')],
    ['JSON in a string of JSON', json({ body: json(dirty) }), json({ body: json(clean) })],
    [
      'lines of a log',
      `start\n${json(dirty)}\n${json(clean)}`,
      `start\n${json(clean)}\n${json(clean)}`,
    ],
    ['capital digits', '{"a":"\\u001B[31mred\\u001B[39m"}', '{"a":"red"}'],
    ['carriage returns', '{"a":"10%\\r20%\\r\\ndone"}', '{"a":"10% 20%\\ndone"}'],
  ])('of %s go', async (_, text, shown) => {
    const storage = memoryStorage();
    expect((await storage.offload(output('t1', text))).content).toBe(shown);
    const content = [{ type: 'text', text }];
    const blocks = await storage.offload({ toolUseId: 't2', toolName: 'bash', content });
    expect(blocks.content).toEqual([{ type: 'text', text: shown }]);
    const bytes = new TextEncoder().encode(text);
    const read = await storage.offload({ toolUseId: 't3', toolName: 'bash', content: bytes });
    expect(read.content).toBe(shown);
    const again = await storage.offload(output('t4', shown));
    expect(again.content).toBe(shown);
  });

  test.each([
    ['code', 'const RED = "\\u001b[31m";\nconst all = { "red": "\\u001b[31m" };'],
    ['a regular expression in JSON', json({ code: 'split(/\\u001b\\[/)' })],
    ['JSON with a comma too many', '{"a":"\\u001b[31m",}'],
    ['a backslash before the u', json({ path: 'C:\\u001b' })],
    ['JSON without escapes', json({ a: ' \t\n', b: 'é\\' })],
  ])('%s stays as it is', async (_, text) => {
    expect((await memoryStorage().offload(output('t', text))).content).toBe(text);
  });

  test('its size is that of what is shown, and what is stored is what came', async () => {
    const threshold = json(clean).length + 10;
    const storage = memoryStorage({ threshold });
    const kept = await storage.offload(output('t1', json(dirty)));
    expect(kept).toMatchObject({ kind: 'kept', reason: 'below-threshold' });
    const long = json({ stdout: COLOURED.repeat(4), stderr: '' });
    const outcome = await storage.offload(output('t2', long));
    const handle = outcome.kind === 'stored' ? outcome.handle : '';
    expect(shownText(outcome)).not.toMatch(/u001b|\[3[29]m/);
    expect(shownText(outcome)).toContain('✓ test 0 passes');
    expect(await storage.load(handle)).toBe(long);
    for (const range of [{ page: 1 }, { lines: [1, 1] }, { search: 'test 7 passes' }]) {
      const { content } = await storage.runReadTool({ handle, ...range });
      expect(content).toContain('test 7 passes');
      expect(content).not.toMatch(/u001b|\[3[29]m/);
    }
    expect(previewOf(long).text).not.toMatch(/u001b|\[3[29]m/);
  });

  test('one pass, however deep JSON stands in JSON', () => {
    let nested = json(dirty);
    for (let level = 0; level < 5; level++) nested = json({ body: nested });
    let value: unknown = JSON.parse(stripEscapes(nested));
    for (let level = 0; level < 5; level++) value = JSON.parse((value as { body: string }).body);
    expect(value).toMatchObject({ stderr: '', exit: 0 });
  });
});

// siblings: removed on request, swept by age, never stored, stored by an earlier run
describe('N347: a handle of what is gone', () => {
  test('reads as expired where it was stored, after a restart too', async () => {
    const storage = memoryStorage({ threshold: 1_000 });
    const outcome = await storage.offload(output('t', 'word '.repeat(1_000)));
    const handle = outcome.kind === 'stored' ? outcome.handle : '';
    const later = memoryStorage({ decisions: storage.decisions() });
    expect((await later.runReadTool({ handle })).content).toContain('has expired');
    const unknown = await later.runReadTool({ handle: 'x-0123456789abcdef.txt' });
    expect(unknown.content).not.toContain('expired');
    await storage.remove(handle);
    expect((await storage.runReadTool({ handle })).content).toContain('was removed');
  });

  test('an image-only result leaves a trace that can be read', async () => {
    const storage = memoryStorage();
    const content = [{ type: 'image', source: { type: 'base64', data: 'AAAA' } }];
    const block = { type: 'tool_result', tool_use_id: 't', content } as const;
    const message = { id: 'm', role: 'user', content: [block] } as const;
    storage.observe({ id: 'e', at: '2026-02-01T00:00:00.000Z', type: 'message', message });
    const handle = storage.handleOf(block);
    expect(handle).toBeDefined();
    expect((await storage.runReadTool({ handle })).content).toContain('[image]');
  });
});
