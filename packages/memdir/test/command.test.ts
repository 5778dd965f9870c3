import { execFile } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createMemdir } from '../src/index.ts';
import { diskFolder } from '../src/node/index.ts';
import { main } from '../src/node/main.ts';
import type { NewMemory } from '../src/save.ts';
import { fileText, temporaryFolder } from './support.ts';

const CLI = join(import.meta.dirname, '..', 'src', 'node', 'cli.ts');

/** The command in this process. */
async function run(...args: readonly string[]) {
  let [stdout, stderr] = ['', ''];
  const code = await main(args, {
    out: (text) => {
      stdout += text;
    },
    err: (text) => {
      stderr += text;
    },
  });
  return { code, stdout, stderr };
}

function makeFolder(files: Readonly<Record<string, string>>): string {
  const folder = join(temporaryFolder(), 'memory');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const SOUND = {
  'MEMORY.md': '- [Gate](gate.md) — when it opens\n',
  'gate.md': fileText('Gate', 'At nine.'),
};

describe('varve-memdir check', () => {
  test('it is a program', async () => {
    const folder = makeFolder({ 'gate.md': fileText('Gate', 'At nine.') });
    const ran = promisify(execFile)(process.execPath, [CLI, 'check', folder]);
    await expect(ran).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('1 fault: '),
    });
  });

  test('a sound folder: the verdict first, exit code 0, and nothing is written', async () => {
    const folder = makeFolder(SOUND);
    const before = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).ctimeMs]);
    const { code, stdout } = await run('check', folder);
    expect([code, stdout]).toEqual([0, `sound: ${folder} (1 file, 1 index, 1 pointer)\n`]);
    expect(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).ctimeMs])).toEqual(
      before,
    );
    expect(readFileSync(join(folder, 'gate.md'), 'utf8')).toBe(SOUND['gate.md']);
  });

  test('faults: exit code 1, each kind with its places, the first of many', async () => {
    const lost = Array.from({ length: 7 }, (_, at) => `- [L${at}](lost${at}.md) — gone`).join('\n');
    const folder = makeFolder({ ...SOUND, 'MEMORY.md': lost, 'bad\u001b[31m.md': 'Text.' });
    const { code, stdout } = await run('check', folder);
    expect(code).toBe(1);
    expect(stdout.split('\n')[0]).toBe(`10 faults: ${folder} (2 files, 1 index, 7 pointers)`);
    expect(stdout).toContain('fault: 7 index lines that point to no file\n  MEMORY.md:1  lost0.md');
    expect(stdout).toContain('… 2 more (--all)');
    expect(stdout).not.toContain('\u001b');
    expect((await run('check', '--all', folder)).stdout).toContain('MEMORY.md:7  lost6.md');
  });

  test('no name of a file or of the folder ends a line, colours it or turns it round', async () => {
    const names = ['a\n0 faults: all is well.md', 'b\u202Egpj.md', 'c\u2028d.md', '\u009b31m.md'];
    const folder = makeFolder(Object.fromEntries(names.map((name) => [name, 'Text.'])));
    const { code, stdout } = await run('check', folder, '--all');
    expect(code).toBe(1);
    expect(stdout).toContain('all is well');
    const { stderr } = await run('check', `${folder}\u001b[31m\nsound`);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    for (const shown of [stdout, stderr]) {
      expect(shown).not.toMatch(/^(?:0 faults|sound)/m);
      expect(shown).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
    }
  });

  test('D7 123 a folder of links, special files and a file of 50 MB: each is named, none is followed', async () => {
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'MEMORY.md'), '- [X](x.md) — kept outside\n');
    const folder = makeFolder({ 'gate.md': fileText('Gate', 'At nine.'), 'large.md': 'x' });
    truncateSync(join(folder, 'large.md'), 50_000_000);
    for (const [name, target] of [
      ['MEMORY.md', join(outside, 'MEMORY.md')],
      ['link.md', join(outside, 'MEMORY.md')],
      ['loop', folder],
      ['.archive', outside],
      ['gone.md', join(outside, 'gone')],
    ] as const)
      symlinkSync(target, join(folder, name));
    const started = performance.now();
    const { code, stdout } = await run('check', folder, '--all');
    expect([code, performance.now() - started < 2_000]).toEqual([1, true]);
    for (const name of ['MEMORY.md', 'link.md', 'loop', 'gone.md'])
      expect(stdout).toContain(`  ${name}  link\n`);
    expect(stdout).toContain('  large.md  too-large\n');
    expect(stdout).not.toContain('kept outside');
    expect(readdirSync(outside)).toEqual(['MEMORY.md']);
  });

  test('--json is the whole report', async () => {
    const folder = makeFolder({ 'gate.md': fileText('Gate', 'At nine.') });
    const { code, stdout } = await run('check', folder, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      ...{ ok: false, files: 1, indexes: 0, pointers: 0, leftOut: 0, counts: { orphan: 1 } },
      findings: [{ kind: 'orphan', level: 'fault', path: 'gate.md', detail: 'in no index' }],
    });
  });

  test('one of a kind is one, and a folder without any memory is not called sound', async () => {
    const folder = makeFolder({ ...SOUND, 'b.md': fileText('B', 'As of yesterday.') });
    const { stdout } = await run('check', folder);
    expect(stdout).toContain('fault: 1 file that stands in no index\n');
    expect(stdout).toContain('note: 1 file with a date that only its day explains\n');
    const empty = await run('check', makeFolder({ 'notes.txt': 'x' }));
    expect([empty.code, empty.stdout.split(':')[0]]).toEqual([0, 'no memory']);
  });

  test.each([
    [[], 2, 'stdout', 'varve-memdir check <folder>'],
    [['--help'], 0, 'stdout', 'Exit code'],
    [['-h'], 0, 'stdout', 'Exit code'],
    [['check', '-h'], 0, 'stdout', 'Exit code'],
    [['check', ''], 2, 'stderr', 'Expected the path of a folder'],
    [['check', '', '--json'], 2, 'stdout', '{"ok":false,"error":"Expected the path'],
    [['check', '/nowhere/at/all', '--json'], 2, 'stdout', '{"ok":false,"error":"There is no'],
    [['check', CLI], 2, 'stderr', 'is no folder: give the one that the files are in'],
    [['check', join(CLI, 'x')], 2, 'stderr', 'There is no folder'],
    [['check', '--', '--odd'], 2, 'stderr', 'There is no folder --odd.'],
    [['check'], 2, 'stderr', 'see --help'],
    [['scan', '/tmp/x'], 2, 'stderr', 'see --help'],
    [['check', '/tmp/x/y', '--fix'], 2, 'stderr', '`--fix`'],
    [['check', '/nowhere/at/all'], 2, 'stderr', 'There is no folder /nowhere/at/all.'],
    [['check', '/'], 2, 'stderr', 'may not be a root'],
  ] as const)('%j ends with %i', async (args, code, stream, text) => {
    const ran = await run(...args);
    expect([ran.code, ran[stream]]).toEqual([code, expect.stringContaining(text)]);
  });
});

describe('varve-memdir undo', () => {
  test('takes back the last change, then the one before it, and says when there is none', async () => {
    const folder = join(temporaryFolder(), 'memory');
    const memory = createMemdir({ folder: diskFolder(folder), now: Date.now });
    const gate = { name: 'Gate', description: 'When it opens', type: 'project', body: 'At nine.' };
    await memory.save(gate as NewMemory);
    await memory.forget('project_gate.md', { reason: 'asked' });
    const first = await run('undo', folder);
    expect([first.code, first.stdout]).toEqual([
      0,
      expect.stringMatching(/^taken back: .*\(forget/),
    ]);
    expect(readFileSync(join(folder, 'project_gate.md'), 'utf8')).toContain('At nine.');
    const [record] = await memory.history();
    const again = await run('undo', folder, record?.undoes ?? '');
    expect([again.code, again.stdout]).toEqual([1, 'this change is taken back already\n']);
    const second = await run('undo', folder, '--json');
    expect([second.code, JSON.parse(second.stdout).kind]).toEqual([0, 'undone']);
    const third = await run('undo', folder);
    expect([third.code, third.stdout]).toEqual([1, 'there is nothing to take back\n']);
    expect((await run('undo', folder, '1/2')).stdout).toBe('there is no change with this id\n');
  });

  test('names the files that were changed since', async () => {
    const folder = join(temporaryFolder(), 'memory');
    const memory = createMemdir({ folder: diskFolder(folder), now: Date.now });
    const gate = { name: 'Gate', description: 'When it opens', type: 'project', body: 'At nine.' };
    await memory.save(gate as NewMemory);
    writeFileSync(join(folder, 'project_gate.md'), 'By hand.');
    const { code, stdout } = await run('undo', folder);
    expect([code, stdout]).toEqual([
      1,
      'nothing was done, for these were changed or forgotten since: project_gate.md\n',
    ]);
  });

  test.each([
    [['undo'], 'see --help'],
    [['undo', '/nowhere/at/all'], 'There is no folder'],
    [['undo', '/tmp/x', '1', '2'], 'see --help'],
  ])('%j is not done', async (args, text) => {
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
  });
});
