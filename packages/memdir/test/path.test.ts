import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMemdir, MemdirError } from '../src/index.ts';
import { diskFolder } from '../src/node/index.ts';
import { checkPath } from '../src/path.ts';
import { NOW, newMemory, temporaryFolder, testMemory } from './support.ts';

const BAD: readonly (readonly [path: string, reason: string])[] = [
  ['', 'empty'],
  ['   ', 'empty'],
  ['\0x.md', 'control-character'],
  ['a\u202Edm.md', 'control-character'],
  ['/etc/passwd.md', 'absolute'],
  ['~/x.md', 'absolute'],
  ['C:\\x.md', 'absolute'],
  ['c:x.md', 'absolute'],
  ['\\\\host\\share\\x.md', 'absolute'],
  ['//host/share/x.md', 'absolute'],
  ['../x.md', 'leaves-the-folder'],
  ['a/../../b.md', 'leaves-the-folder'],
  ['a/./b.md', 'leaves-the-folder'],
  ['..\\x.md', 'backslash'],
  ['a\\b.md', 'backslash'],
  ['..%2fx.md', 'encoded'],
  ['%2e%2e/x.md', 'encoded'],
  ['%252e%252e%252fx.md', 'encoded'],
  ['．．/x.md', 'encoded'],
  ['a／..／b.md', 'encoded'],
  ['a\u2215b.md', 'encoded'],
  ['a\u2025/b.md', 'encoded'],
  ['con.md', 'reserved-name'],
  ['a/NUL.txt.md', 'reserved-name'],
  ['com¹.md', 'reserved-name'],
  ['x.md:stream.md', 'reserved-name'],
  ['a./b.md', 'reserved-name'],
  ['a /b.md', 'reserved-name'],
  ['a//b.md', 'reserved-name'],
  ['?.md', 'reserved-name'],
  [`${'x'.repeat(5_000)}.md`, 'too-long'],
  [`${'x'.repeat(250)}.md`, 'too-long'],
  ['.archive/x.md', 'hidden'],
  ['a/.git/x.md', 'hidden'],
  ['node_modules/x.md', 'hidden'],
  ['a/Node_Modules/x.md', 'hidden'],
  ['ARCHIV~1/x.md', 'reserved-name'],
  ['MEM\u200CORY.md', 'encoded'],
  ['a\uFEFF.md', 'encoded'],
  ['a\uD800.md', 'control-character'],
  ['x.txt', 'not-markdown'],
  ['x', 'not-markdown'],
  ['MEMORY.md', 'index'],
  ['a/memory.MD', 'index'],
];

describe('D7 paths', () => {
  test.each(BAD)('%j is refused: %s', (path, reason) => {
    expect(checkPath(path)).toMatchObject({ kind: 'refused', reason });
  });

  test.each([
    'a.md',
    'team/a.md',
    'a b/c-d_e.md',
    '山川.md',
    'console.md',
    'a..b.md',
    'a~b.md',
    'Ré.md',
  ])('%j is taken', (path) => {
    expect(checkPath(path)).toEqual({ kind: 'ok', path: path.normalize('NFC') });
  });

  test('110 both forms of a name are one path', () => {
    expect(checkPath('re\u0301.md')).toEqual({ kind: 'ok', path: 'r\u00e9.md' });
  });

  test('124 a bad path is an answer that names no place of the machine, and nothing is written', async () => {
    for (const [path] of BAD) {
      const { memory, folder } = testMemory();
      const saved = await memory.save(newMemory('Name', 'Body.', { path }));
      expect(saved).toMatchObject({ kind: 'refused', reason: 'bad-path' });
      expect(saved.kind === 'refused' && saved.message).not.toMatch(/\/(?:tmp|home|work|etc)/);
      expect((await folder.list('')).files).toEqual([]);
      expect(await memory.forget(path, { reason: 'r' })).toMatchObject({ kind: 'refused' });
      expect(await memory.read(path)).toBeUndefined();
    }
  });

  test('124 every call that takes a path or an id answers or throws a typed error, and reads and makes nothing outside', async () => {
    const base = temporaryFolder();
    const [root, outside] = [join(base, 'memory'), join(base, 'outside')];
    for (const folder of [root, outside]) mkdirSync(folder);
    for (const name of ['MEMORY.md', 'x.md'])
      writeFileSync(join(outside, name), '- [X](x.md) kept outside\n');
    symlinkSync(outside, join(root, 'link'));
    const memory = createMemdir({ folder: diskFolder(root), now: () => NOW });
    const more = [`${outside}/x.md`, '../outside/x.md', '../outside/MEMORY.md', 'link/MEMORY.md'];
    const paths = [...BAD.map(([path]) => path), ...more, '.inbox/../../outside/x.md'];
    const text = '---\nname: N\ndescription: D\ntype: project\n---\n\nText of it.\n';
    const said: unknown[] = [];
    for (const path of paths) {
      const calls: readonly (() => Promise<unknown>)[] = [
        () => memory.read(path),
        () => memory.loadIndex(path.trim() === '' ? {} : { path }),
        () => memory.save(newMemory('N', 'Text of it.', { path })),
        () => memory.save(newMemory('N', 'Text of it.', { supersedes: [path] })),
        () => memory.forget(path, { reason: 'r' }),
        () => memory.change([{ path, basis: undefined, text }], { reason: 'r' }),
        () => memory.change([{ path, basis: 'x', text: undefined }], { reason: 'r' }),
        () => memory.accept(path),
        () => memory.discard(path),
        () => memory.undo({ id: path }),
      ];
      for (const call of calls) {
        const answer = await call().catch((error: unknown) => {
          if (!MemdirError.is(error)) throw error;
          return error.message;
        });
        said.push(answer);
        const isDone = (answer as { kind?: string } | undefined)?.kind ?? '';
        expect([path, String(call), isDone]).not.toEqual([
          ...[path, String(call), expect.stringMatching(/^(?:saved|changed|forgotten|undone)$/)],
        ]);
      }
    }
    expect(JSON.stringify(said)).not.toContain('kept outside');
    expect(readdirSync(base).sort()).toEqual(['memory', 'outside']);
    expect(readdirSync(outside).sort()).toEqual(['MEMORY.md', 'x.md']);
    expect(readdirSync(root)).toEqual(['link']);
  });
});
