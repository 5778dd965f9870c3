import type { Entry } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { stripEscapes } from '../src/escapes.ts';
import type { ToolStorage } from '../src/index.ts';
import { fileStore } from '../src/node/index.ts';
import { previewOf } from '../src/preview/preview.ts';
import { longText } from './long-text.ts';
import { memoryStorage, output, shownText, temporaryFolder } from './support.ts';

const handleOf = (outcome: Awaited<ReturnType<ToolStorage['offload']>>): string =>
  outcome.kind === 'stored' ? outcome.handle : '';

describe('createToolStorage', () => {
  test.each([
    ['empty', '', ''],
    ['made alike', 'a/b', 'a_b'],
    ['only in case', 'ID', 'id'],
    ['long', 'x'.repeat(300), `${'x'.repeat(300)}y`],
    ['leading out', '../../a', '..\\..\\a'],
    ['of a device', 'NUL', 'nul'],
  ])('case 95: ids that are %s collide with nothing', async (_name, one, two) => {
    const folder = temporaryFolder();
    const store = fileStore(folder, { durable: false });
    const results = memoryStorage({ store });
    const first = await results.offload(output(one, longText(100_000, 'first')));
    const second = await results.offload(output(two, longText(100_000, 'second')));
    expect(handleOf(first)).not.toBe(handleOf(second));
    expect(await results.load(handleOf(first))).toBe(longText(100_000, 'first'));
    expect(await results.load(handleOf(second))).toBe(longText(100_000, 'second'));
    expect(await store.list('s1/')).toHaveLength(2);
  });

  test('case 97: few very long lines come back in pages that fit, and nothing is stored again', async () => {
    const results = memoryStorage();
    const text = Array.from({ length: 5 }, (_, at) => `${at}${'x'.repeat(39_999)}`).join('\n');
    const outcome = await results.offload(output('t', text));
    const before = results.decisions().filter(({ kind }) => kind === 'stored');
    for (const first of [{ page: 1 }, { lines: [1, 5] }] as const) {
      const pieces: string[] = [];
      for (
        let next: NonNullable<Parameters<ToolStorage['read']>[1]> | undefined = first;
        next !== undefined;
      ) {
        const page = await results.read(handleOf(outcome), next);
        const shown = await results.offload(output(`r${pieces.length}`, page.text, 'read_stored'));
        expect(page.text.length).toBeLessThanOrEqual(8_000);
        expect(shown).toMatchObject({ kind: 'kept', reason: 'read-back' });
        pieces.push(page.text);
        next = page.next;
      }
      expect(pieces.join('')).toBe(text);
    }
    expect(results.decisions().filter(({ kind }) => kind === 'stored')).toEqual(before);
  });

  test.each(['cleared', 'compacted away', 'rewound', 'restored', 'swept', 'removed'])(
    'case 99: a file read again after its result was %s gets content or a handle that works',
    async (path) => {
      const results = memoryStorage();
      const file = longText(80_000, 'file');
      const first = await results.offload(output('read-1', file, 'read'));
      if (path === 'restored') results.observe(entryOf('read-1', shownText(first)));
      if (path === 'removed') await results.remove(handleOf(first));
      if (path === 'swept') await results.remove(handleOf(first));
      const again = await results.offload(output('read-2', file, 'read'));
      expect(again.kind).toBe('stored');
      expect(shownText(again)).toContain('file 0: ');
      expect(await results.load(handleOf(again))).toBe(file);
    },
  );

  test('case 102: a match in the middle of one line of 3 MB is shown, with the size and a handle', async () => {
    const line = `${'a'.repeat(1_500_000)}NEEDLE${'b'.repeat(1_500_000)}`;
    const results = memoryStorage();
    const outcome = await results.offload({
      ...output('t', `min.js:1:${line}`, 'grep'),
      query: 'NEEDLE',
    });
    const shown = shownText(outcome);
    expect(shown.length).toBeLessThan(2_700);
    expect(shown).toContain('aNEEDLEb');
    expect(shown.slice(0, 120)).toMatch(
      /^<persisted-output handle="t-\w{16}\.txt" size="3\.0 MB" lines="1"/,
    );
    expect(shown).toMatch(/<persisted-output-gap line="1" columns="\d+-\d+"\/>/);
    const { text } = await results.read(handleOf(outcome), { search: 'NEEDLE' });
    expect(text).toMatch(/^1:1500010: …a+NEEDLEb+…$/);
  });

  test.each([
    [
      'text with NULs in its escapes',
      Buffer.from(`\x1b[31m\0error:\x1b[0m\0 two tests failed\n\x1b[\0K done\n`.repeat(3)),
      'two tests failed',
    ],
    [
      'UTF-16 with a mark',
      Buffer.from('\ufeffsummary: tests pass', 'utf16le'),
      'summary: tests pass',
    ],
    ['Latin-1', Buffer.from('déjà vu, naïve', 'latin1'), 'déjà vu, naïve'],
  ])('case 104: %s is readable', async (_name, content, text) => {
    const outcome = await memoryStorage().offload({ toolUseId: 't', toolName: 'bash', content });
    expect(outcome.kind).toBe('kept');
    expect(stripEscapes(shownText(outcome))).toContain(text);
  });

  test('case 104: a PNG is described by type, size and handle, never empty', async () => {
    const content = Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      Buffer.alloc(70_000, 0xab),
    ]);
    const outcome = await memoryStorage().offload({ toolUseId: 't', toolName: 'bash', content });
    expect(outcome).toMatchObject({ kind: 'stored', reason: 'binary' });
    expect(shownText(outcome)).toContain('PNG image, 70.0 kB');
    expect(shownText(outcome)).toContain(handleOf(outcome));
  });

  test('case 94: terminal escapes stay in the store and out of what the model reads first', async () => {
    const text = `\x1b[?1049h\x1b[?1000h\x1b]0;title\x07\x1b]8;;https://a.example\x1b\\link\x1b]8;;\x1b\\ \x1b[32mok\x1b[0m \x9b1m 😀 \x1b\n`;
    const results = memoryStorage();
    const outcome = await results.offload(output('t', text.repeat(6_000)));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(shownText(outcome)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
    expect(previewOf(text).text).toBe('link ok  😀 ');
    expect(await results.load(handleOf(outcome))).toBe(text.repeat(6_000));
  });
});

function entryOf(toolUseId: string, content: string): Entry {
  const block = { type: 'tool_result', tool_use_id: toolUseId, content };
  const message = { id: 'm', role: 'user', content: [block] } as const;
  return { id: 'e', at: '2026-01-02T03:04:05.000Z', type: 'message', message };
}
