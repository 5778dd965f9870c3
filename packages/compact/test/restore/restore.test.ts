import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Block, createProjection, type Message, type View } from '@varve/messages';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { restore } from '../../src/index.ts';
import type { RestoreOptions, RestoreSources } from '../../src/restore/restore.ts';
import type { ReadFile } from '../../src/restore/restore-files.ts';

/** Four characters a token, so that sizes can be counted by hand. */
const sizeOf = (text: string) => Math.ceil(text.length / 4);

const filesOf =
  (files: Readonly<Record<string, string>>): ReadFile =>
  async (path) =>
    files[path];

const run = (sources: RestoreSources, options: Partial<RestoreOptions> = {}) =>
  restore(sources, { readFile: filesOf({}), kept: [], messageId: 'r', sizeOf, ...options });

const textOf = (messages: readonly Message[]) =>
  messages.flatMap(({ content }) => content.map(({ text }) => String(text))).join('\n');

const call = (id: string, input: unknown): Message => ({
  id: `a-${id}`,
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'read', input }],
});
const result = (id: string, content: string, more: object = {}): Message => ({
  id: `r-${id}`,
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content, ...more }],
});

describe('restore (C8)', () => {
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [`f${n}.ts`, `file ${n}\n`]),
  );
  const names = Object.keys(files);

  test.each([
    { name: 'nothing', reads: [], restored: [], named: 0 },
    { name: 'one', reads: ['f0.ts'], restored: ['f0.ts'], named: 0 },
    {
      name: 'each once, at its newest read',
      reads: ['f0.ts', 'f1.ts', 'f0.ts'],
      restored: ['f0.ts', 'f1.ts'],
      named: 0,
    },
    {
      name: 'five at most',
      reads: names.slice(0, 5),
      restored: ['f4.ts', 'f3.ts', 'f2.ts', 'f1.ts', 'f0.ts'],
      named: 0,
    },
    {
      name: 'the sixth by name',
      reads: names.slice(0, 6),
      restored: ['f5.ts', 'f4.ts', 'f3.ts', 'f2.ts', 'f1.ts'],
      named: 1,
    },
    {
      name: 'ten names at most',
      reads: names,
      restored: ['f29.ts', 'f28.ts', 'f27.ts', 'f26.ts', 'f25.ts'],
      named: 10,
    },
  ])('$name', async ({ reads, restored, named }) => {
    const done = await run({ reads }, { readFile: filesOf(files) });
    expect(done.restored.map(({ path }) => path)).toEqual(restored);
    expect(done.named).toHaveLength(named);
    for (const path of restored) expect(textOf(done.messages)).toContain(files[path]);
  });

  test('a list of skills comes back once, and only where a caller gives one that is not shown', async () => {
    const skillListing = '- paint: paints\n- sing: sings\n';
    const done = await run({ skillListing });
    expect(textOf(done.messages)).toBe(`<skill-listing>\n${skillListing}</skill-listing>`);
    const again = await run({ skillListing }, { kept: done.messages });
    expect(again.messages).toEqual([]);
    for (const none of [undefined, '', ' \n']) {
      expect((await run({ skillListing: none })).messages).toEqual([]);
    }
  });

  test('a file that is gone or cannot be read gives way to the next one', async () => {
    const readOrThrow: ReadFile = async (path) => {
      if (path === 'locked.ts') throw new Error('EACCES');
      return files[path];
    };
    const reads = [...names.slice(0, 5), 'gone.ts', 'locked.ts'];
    const done = await run({ reads }, { readFile: readOrThrow });
    expect(done.restored).toHaveLength(5);
    expect(done.missing).toEqual(['gone.ts']);
    expect(done.failed).toMatchObject([{ path: 'locked.ts', cause: { message: 'EACCES' } }]);
  });

  test('cuts a long file at a line within its budget, and says so', async () => {
    const long = 'line of a long file\n'.repeat(5_000);
    const done = await run({ reads: ['long.ts'] }, { readFile: filesOf({ 'long.ts': long }) });
    expect(done.restored).toEqual([{ path: 'long.ts', whole: false }]);
    expect(done.tokens).toBeLessThanOrEqual(5_000);
    expect(done.tokens).toBeGreaterThan(4_950);
    expect(textOf(done.messages)).toMatch(/^<restored-file path="long\.ts" part="start only/);
    expect(textOf(done.messages)).toMatch(/a long file\n<\/restored-file>$/);
  });

  test.each([
    {
      name: 'a whole result',
      kept: [call('1', { path: 'a.ts' }), result('1', 'one\ntwo\n')],
      shown: true,
    },
    {
      name: 'a result with line numbers',
      kept: [call('1', { file_path: 'a.ts' }), result('1', '  1→one\n  2→two\n')],
      shown: true,
    },
    {
      name: 'a text that names it',
      kept: [{ id: 'u', role: 'user', content: [{ type: 'text', text: 'a.ts:\none\ntwo\n' }] }],
      shown: true,
    },
    {
      name: 'case 99: a cleared result',
      kept: [call('1', { path: 'a.ts' }), result('1', '[cleared]')],
      shown: false,
    },
    {
      name: 'a part of it',
      kept: [call('1', { path: 'a.ts', limit: 1 }), result('1', 'one\n')],
      shown: false,
    },
    {
      name: 'an older state of it',
      kept: [call('1', { path: 'a.ts' }), result('1', 'one\nthree\n')],
      shown: false,
    },
    {
      name: 'another file with the same content',
      kept: [call('1', { path: 'b.ts' }), result('1', 'one\ntwo\n')],
      shown: false,
    },
    {
      name: 'an error',
      kept: [call('1', { path: 'a.ts' }), result('1', 'one\ntwo\n', { is_error: true })],
      shown: false,
    },
    { name: 'nothing', kept: [], shown: false },
  ] as { name: string; kept: Message[]; shown: boolean }[])(
    '$name that stays: shown $shown',
    async ({ kept, shown }) => {
      const done = await run(
        { reads: ['a.ts'] },
        { kept, readFile: filesOf({ 'a.ts': 'one\ntwo\n' }) },
      );
      expect(done.shown).toEqual(shown ? ['a.ts'] : []);
      expect(done.messages).toHaveLength(shown ? 0 : 1);
    },
  );

  test('skills come most recent first, each once with what it says now, within their budgets', async () => {
    const skills = [
      { name: 'old', text: 'x'.repeat(40_000) },
      { name: 'twice', text: 'before' },
      ...['a', 'b', 'c', 'd'].map((name) => ({ name, text: name.repeat(40_000) })),
      { name: 'twice', text: 'after' },
    ];
    const done = await run({ skills });
    expect(done.skills).toEqual(['twice', 'd', 'c', 'b', 'a', 'old']);
    expect(done.tokens).toBeLessThanOrEqual(25_000);
    expect(textOf(done.messages)).not.toContain('before');
  });

  test('plan, list, agents, announcements and what hooks said are attached', async () => {
    const { messages } = await run({
      plan: '1. fix',
      todos: '[ ] test',
      agents: [{ id: 't-1', status: 'running', task: 'read docs' }],
      announcements: ['tools: grep'],
      sessionContext: ['branch: main'],
    });
    expect(textOf(messages)).toMatch(
      /1\. fix[\s\S]*<todo-list>\n\[ \] test\n<\/todo-list>[\s\S]*t-1 \(running\): read docs[\s\S]*tools: grep[\s\S]*branch: main/,
    );
    expect(messages[0]).toMatchObject({ role: 'user', origin: { kind: 'reminder' } });
  });

  test('case 13: both running agents are listed', async () => {
    const agents = ['t-1', 't-2'].map((id) => ({ id, status: 'running', task: 'scan' }));
    const text = textOf((await run({ agents })).messages);
    expect(text).toContain('t-1 (running)');
    expect(text).toContain('t-2 (running)');
  });

  test('rejects with the reason of the signal as soon as it is aborted', async () => {
    const abort = new AbortController();
    const readFile: ReadFile = async () => {
      abort.abort('enough');
      throw new Error('a reason of its own');
    };
    const done = run({ reads: ['a.ts', 'b.ts'] }, { readFile, signal: abort.signal });
    await expect(done).rejects.toBe('enough');
  });

  test('case 2: rules are there exactly once after each of four compactions, as they are then', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'varve-rules-'));
    onTestFinished(() => rm(dir, { recursive: true }));
    const rules = join(dir, 'RULES.md');
    const log = createProjection();
    const say = (id: string) => message(log, id);
    let view = say('u0');
    for (let round = 1; round <= 4; round++) {
      await writeFile(rules, `Never touch folder Zephyr-31. Version ${Math.ceil(round / 2)}.`);
      const { messages } = await run(
        { instructions: [rules] },
        { readFile: (path) => readFile(path, 'utf8'), messageId: `restored-${round}` },
      );
      view = compacted(log, view, { round, then: messages });
      view = say(`u${round}`);
      const shown = textOf(view.messages);
      expect(shown.split('Zephyr-31')).toHaveLength(2);
      expect(shown).toContain(`Version ${Math.ceil(round / 2)}.`);
    }
  });
});

type Log = ReturnType<typeof createProjection>;
const at = '2026-01-31T12:00:00Z';

function message(log: Log, id: string): View {
  const content: Block[] = [{ type: 'text', text: `message ${id}` }];
  return log.append({ id: `e-${id}`, at, type: 'message', message: { id, role: 'user', content } });
}

/** Everything becomes a summary that says ok. */
function compacted(
  log: Log,
  { messages }: View,
  { round, then }: { readonly round: number; readonly then: readonly Message[] },
): View {
  const summary: Message = {
    id: `s${round}`,
    role: 'user',
    content: [{ type: 'text', text: 'ok' }],
  };
  const fromId = messages[0]?.sources[0] as string;
  const toId = messages.at(-1)?.sources.at(-1) as string;
  const edit = { kind: 'replace-span', fromId, toId, with: [summary], then } as const;
  return log.append({ id: `edit-${round}`, at, type: 'edit', by: 'compact', reason: 'test', edit });
}

describe('laws of restore (C8)', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 400 });
  const file = fc.record({ path: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), text });
  const limits = fc.record({
    files: fc.nat(4),
    fileTokens: fc.nat(120),
    allFileTokens: fc.nat(300),
    namedFiles: fc.nat(3),
  });

  test('never more than its limits, each file in one list at most, the same bytes for the same input', () =>
    fc.assert(
      fc.asyncProperty(fc.array(file), limits, async (files, limits) => {
        const readFile = filesOf(Object.fromEntries(files.map(({ path, text }) => [path, text])));
        const reads = files.map(({ path }) => path);
        const done = await run({ reads }, { readFile, limits });
        const listed = [...done.restored.map(({ path }) => path), ...done.named, ...done.shown];
        expect(new Set(listed).size).toBe(listed.length);
        expect(done.restored.length).toBeLessThanOrEqual(limits.files);
        expect(done.named.length).toBeLessThanOrEqual(limits.namedFiles);
        const texts = (done.messages[0]?.content ?? []).map(({ text }) => String(text));
        const contents = texts.filter((text) => text.startsWith('<restored-file'));
        const sizes = contents.map(sizeOf);
        expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(limits.fileTokens);
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(
          limits.allFileTokens,
        );
        const again = await run({ reads }, { readFile, limits });
        expect(JSON.stringify(again)).toBe(JSON.stringify(done));
        for (const { path, whole } of done.restored.filter((file) => file.whole)) {
          expect(whole && textOf(done.messages)).toContain(await readFile(path, {}));
        }
      }),
    ));
});

describe('L315: stored results that can be read back', () => {
  const results = Array.from({ length: 100 }, (_, index) => ({
    handle: `toolu_${String(index).padStart(24, '0')}-0123456789abcdef.txt`,
    bytes: 60_000,
  }));
  const stored = { tool: 'read_stored', results };

  test('the newest within 1,200 tokens, and how many more there are', async () => {
    const { messages, tokens } = await run({ stored });
    const text = textOf(messages);
    const listed = results.filter(({ handle }) => text.includes(handle));
    expect(tokens).toBeLessThanOrEqual(1_200);
    expect(listed.length).toBeGreaterThanOrEqual(40);
    expect(listed).toEqual(results.slice(0, listed.length));
    expect(text).toContain(`and ${100 - listed.length} more: \`read_stored\` without a handle`);
  });

  test('not those that stay in view; nothing where there is none, or no room', async () => {
    const kept = [result('k', `handle="${results[0]?.handle}"`)];
    const text = textOf((await run({ stored }, { kept })).messages);
    expect(text).not.toContain(results[0]?.handle);
    expect(text).toContain(results[1]?.handle);
    expect((await run({ stored: { ...stored, results: [] } })).messages).toEqual([]);
    expect((await run({ stored }, { roomTokens: 60 })).messages).toEqual([]);
  });
});
