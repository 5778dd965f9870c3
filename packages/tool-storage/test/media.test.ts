import { describe, expect, test } from 'vitest';
import { stripEscapes } from '../src/escapes.ts';
import { createToolStorage, memoryStore } from '../src/index.ts';
import { previewOf } from '../src/preview/preview.ts';
import { longText } from './long-text.ts';
import { memoryStorage, shownText } from './support.ts';

const image = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'iVBO'.repeat(30_000) },
};
const pdf = {
  type: 'document',
  source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' },
};
const other = { type: 'container_upload', file_id: 'f', content: [{ type: 'text', text: 'y' }] };

const offload = <Content>(content: Content, storage = memoryStorage()) =>
  storage.offload({ toolUseId: 't', toolName: 'bash', content: content as never });

const bytesOf = (...values: (string | number)[]): Uint8Array =>
  Uint8Array.from(
    values.flatMap((value) =>
      typeof value === 'number' ? [value] : [...Buffer.from(value, 'latin1')],
    ),
  );

describe('offload of blocks (S5)', () => {
  test.each([
    ['no blocks', [], 'empty'],
    ['an empty text', [{ type: 'text', text: '' }], 'empty'],
    ['an image alone, however large', [image], 'no-text'],
    ['a PDF', [pdf], 'no-text'],
    ['a short text beside an image', [{ type: 'text', text: 'see' }, image], 'below-threshold'],
  ])('%s is kept as it is', async (_name, content, reason) => {
    const outcome = await offload(content);
    expect(outcome).toMatchObject({ kind: 'kept', reason });
    expect(outcome.content).toBe(content);
  });

  test('text is replaced where it first stands; images, documents and unknown blocks stay, the same objects', async () => {
    const results = memoryStorage();
    const blocks = [
      image,
      { type: 'text', text: longText(40_000) },
      pdf,
      { type: 'text', text: longText(40_000, 'b') },
      other,
    ];
    const outcome = await offload(blocks, results);
    expect(outcome.kind).toBe('stored');
    const shown = outcome.content as readonly { type: string; text?: string }[];
    expect(shown.map(({ type }) => type)).toEqual([
      'image',
      'text',
      'document',
      'container_upload',
    ]);
    expect(
      [shown[0], shown[2], shown[3]].every((block, at) => block === [image, pdf, other][at]),
    ).toBe(true);
    expect(shown[1]?.text).toMatch(/^<persisted-output handle="t-[0-9a-f]{16}\.json"/);
    const handle = outcome.kind === 'stored' ? outcome.handle : '';
    expect(await results.load(handle)).toEqual(blocks);
    expect((await results.read(handle, { lines: [1, 2] })).text).toMatch(/^\[image\]\nline 0: /);
  });

  test('a document that is text counts as text', async () => {
    const text = {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: longText(60_000) },
    };
    const outcome = await offload([text]);
    expect(outcome).toMatchObject({ kind: 'stored', content: [{ type: 'text' }] });
  });

  test('what no request could carry is given back with the reason', async () => {
    const cycle: Record<string, unknown> = { type: 'text', text: longText(60_000) };
    cycle.self = cycle;
    const outcome = await offload([cycle]);
    expect(outcome).toMatchObject({ kind: 'kept', reason: 'not-json' });
  });

  test.each([undefined, null])('%s counts as empty', async (content) => {
    expect(await offload(content)).toMatchObject({ kind: 'kept', reason: 'empty' });
  });
});

describe('offload of bytes and odd text (S5)', () => {
  test.each([
    ['UTF-8', Buffer.from('grüße 😀'), 'grüße 😀'],
    [
      'UTF-8 with a broken byte',
      Buffer.from([...Buffer.from('größe über'), 0xff]),
      'größe über\ufffd',
    ],
    ['UTF-16 with a mark', Buffer.from('\ufeffgrüße', 'utf16le'), 'grüße'],
    ['UTF-16, big end first', bytesOf(0xfe, 0xff, 0, 0x67, 0, 0xfc), 'gü'],
    ['Latin-1', Buffer.from('le café est fermé', 'latin1'), 'le café est fermé'],
    ['no bytes', new Uint8Array(), ''],
  ])('%s is text', async (_name, content, text) => {
    expect(await offload(content)).toMatchObject({ kind: 'kept', content: text });
  });

  test.each([
    ['PNG image', bytesOf('\x89PNG\r\n\x1a\n', ...noise(5_000)), 'PNG image'],
    ['gzip data', bytesOf(0x1f, 0x8b, 8, 0), 'gzip data'],
    ['PDF document', bytesOf('%PDF-1.7\n%abc'), 'PDF document'],
    ['noise', Uint8Array.from(noise(5_000)), 'binary data'],
  ])('%s is described and stored byte for byte', async (_name, content, what) => {
    const results = memoryStorage();
    const outcome = await offload(content, results);
    expect(outcome).toMatchObject({ kind: 'stored', reason: 'binary' });
    expect(shownText(outcome)).toContain(what);
    const handle = outcome.kind === 'stored' ? outcome.handle : '';
    expect(handle).toMatch(/\.bin$/);
    expect(await results.load(handle)).toEqual(Uint8Array.from(content));
    expect((await results.read(handle)).text).toContain(what);
  });

  test('large Latin-1 and UTF-16 are stored as bytes and read as text', async () => {
    for (const [encoding, mark] of [
      ['latin1', ''],
      ['utf16le', '\ufeff'],
    ] as const) {
      const results = memoryStorage();
      const bytes = Uint8Array.from(Buffer.from(mark + longText(60_000, 'caf\xe9'), encoding));
      const outcome = await offload(bytes, results);
      expect(outcome).toMatchObject({ kind: 'stored', reason: 'over-threshold' });
      const handle = outcome.kind === 'stored' ? outcome.handle : '';
      expect(await results.load(handle)).toEqual(bytes);
      expect((await results.read(handle, { search: 'caf\xe9 7:' })).total).toBe(1);
    }
  });

  test('a text that is decoded binary is described, not previewed', async () => {
    const text = Buffer.from(noise(80_000)).toString('utf8');
    const outcome = await offload(text);
    expect(outcome).toMatchObject({ kind: 'stored', reason: 'binary' });
    expect(shownText(outcome)).toContain('binary data');
    expect(shownText(outcome).length).toBeLessThan(500);
  });

  test('half surrogates survive, and no preview holds one', async () => {
    const results = memoryStorage();
    const text = `\ud83d${longText(60_000)}\ude00`;
    const outcome = await offload(text, results);
    const handle = outcome.kind === 'stored' ? outcome.handle : '';
    expect(handle).toMatch(/\.json$/);
    expect(await results.load(handle)).toBe(text);
    expect(shownText(outcome)).not.toMatch(/\p{Surrogate}/u);
  });

  test('one line of 50 MB is stored whole behind a small preview', async () => {
    const results = createToolStorage({ store: memoryStore(), sessionId: 's' });
    const text = `${'x'.repeat(25_000_000)} error: here ${'y'.repeat(25_000_000)}`;
    const outcome = await offload(text, results);
    expect(outcome).toMatchObject({ kind: 'stored', bytes: 50_000_013, lines: 1 });
    expect(shownText(outcome)).toContain('error: here');
    expect(shownText(outcome).length).toBeLessThan(2_700);
    const handle = outcome.kind === 'stored' ? outcome.handle : '';
    expect((await results.read(handle, { search: 'error: here' })).text).toMatch(
      /^1:25000002: …x+ error: here y+…$/,
    );
    expect(((await results.load(handle)) as string) === text).toBe(true);
  });
});

describe('stripEscapes (S5)', () => {
  test.each([
    ['nothing to do', 'plain\ttext\n', 'plain\ttext\n'],
    ['colours', '\x1b[1;31mred\x1b[0m', 'red'],
    ['alternate screen and mouse', '\x1b[?1049h\x1b[?1000hx\x1b[?1049l', 'x'],
    ['a title', '\x1b]0;title\x07x', 'x'],
    ['a link', '\x1b]8;;https://a.example\x1b\\text\x1b]8;;\x1b\\', 'text'],
    ['a lone ESC', 'a\x1b', 'a'],
    ['8-bit C1', 'a\x9b31mb\x85c', 'abc'],
    ['NUL and bell', 'a\0b\x07c', 'abc'],
    ['CRLF and a progress bar', 'a\r\n10%\r20%\r\nb', 'a\n10% 20%\nb'],
    [
      'a title that never ends',
      `\x1b]0;${'t'.repeat(9_000)}\nnext`,
      `${'t'.repeat(9_000 - 4_094)}\nnext`,
    ],
    ['emoji', '👩‍👩‍👧 ok', '👩‍👩‍👧 ok'],
  ])('%s', (_name, text, plain) => {
    expect(stripEscapes(text)).toBe(plain);
  });

  test('takes no longer for a text of carriage returns alone', () => {
    expect(stripEscapes('\r'.repeat(1_000_000))).toBe(' ');
    expect(stripEscapes(`${'\r'.repeat(1_000_000)}\n`)).toBe('\n');
  });

  test('a preview has none of them, and the stored whole has all', async () => {
    const results = memoryStorage();
    const text = longText(60_000).replaceAll('build', '\x1b[32mbuild\x1b[0m');
    const outcome = await offload(text, results);
    expect(shownText(outcome)).not.toContain('\x1b');
    expect(shownText(outcome)).toContain('a line of a build that');
    expect(await results.load(outcome.kind === 'stored' ? outcome.handle : '')).toBe(text);
  });

  test('lines keep their numbers', () => {
    const text = Array.from(
      { length: 900 },
      (_, at) => `\x1b[2K${at % 3 ? '\r' : ''}step ${at}\r\n`,
    ).join('');
    expect(stripEscapes(text).split('\n')).toHaveLength(text.split('\n').length);
    expect(previewOf(text, { style: 'head', maxChars: 200 }).cutAtLine).toBeGreaterThan(10);
  });
});

/** Bytes without order, the same every time. */
function noise(count: number): number[] {
  let state = 12_345;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 24;
  });
}
