import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { TranscriptError } from '../src/index.ts';
import { findSessions, importFile, openLog, readLog, salvageLog } from '../src/node/index.ts';
import { fixtures, importText } from './import-support.ts';
import { temporaryFolder } from './support.ts';

describe('importFile (V2)', () => {
  test('reads a file as importSession reads its bytes, under its path', async () => {
    const { path } = fixtures.find(({ format }) => format === 'codex') as { path: string };
    const { readFileSync } = await import('node:fs');
    expect(await importFile(path)).toEqual(await importText(readFileSync(path), { name: path }));
    expect((await importFile(path, { name: 'stars' })).name).toBe('stars');
  });

  test('case 87: a missing file, a folder and a file that cannot be read are three things', async () => {
    const folder = temporaryFolder();
    const loop = join(folder, 'loop.jsonl');
    symlinkSync(loop, loop);
    const codeOf = (path: string) =>
      importFile(path).then(
        () => 'read',
        (error) => (TranscriptError.is(error) ? error.code : error),
      );
    expect(await codeOf(join(folder, 'gone.jsonl'))).toBe('not-found');
    expect(await codeOf(folder)).toBe('not-a-file');
    expect(await codeOf(loop)).toBe('unreadable');
  });

  test('case 87: what stands behind a file, as behind a closed door, is unreadable, not missing', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '{}');
    const path = join(folder, 'file', 'session.jsonl');
    await expect(importFile(path)).rejects.toMatchObject({ code: 'unreadable', file: path });
  });

  test('reads from a pipe', async () => {
    const { path } = fixtures.find(({ format }) => format === 'codex') as { path: string };
    const pipe = join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const writer = spawn('cp', [path, pipe]);
    const ended = new Promise((resolve) => writer.on('close', resolve));
    const session = await importFile(pipe, { name: 'piped' });
    await ended;
    expect(session).toEqual(await importFile(path, { name: 'piped' }));
  });

  test('a pipe, a socket or a device in a searched folder is no session; a link to a file is', async () => {
    const folder = temporaryFolder();
    execFileSync('mkfifo', [join(folder, 'a.jsonl')]);
    symlinkSync('/dev/null', join(folder, 'b.jsonl'));
    symlinkSync(join(folder, 'a.jsonl'), join(folder, 'c.jsonl'));
    symlinkSync(folder, join(folder, 'd.jsonl'));
    writeFileSync(join(folder, 'e.jsonl'), '{}');
    symlinkSync(join(folder, 'e.jsonl'), join(folder, 'f.jsonl'));
    symlinkSync(join(folder, 'nowhere'), join(folder, 'g.jsonl'));
    const found = await findSessions([folder]);
    expect(found.map((path) => basename(path))).toEqual(['e.jsonl', 'f.jsonl', 'g.jsonl']);
  });

  test.each(['a pipe', 'a link to a pipe', 'a device'])(
    '%s in place of a log is not-a-file, at once',
    async (what) => {
      const folder = temporaryFolder();
      const pipe = join(folder, 'log.jsonl');
      execFileSync('mkfifo', [pipe]);
      symlinkSync(pipe, join(folder, 'link.jsonl'));
      symlinkSync('/dev/zero', join(folder, 'zero.jsonl'));
      const names = { 'a link to a pipe': 'link.jsonl', 'a device': 'zero.jsonl' };
      const path = join(folder, names[what as keyof typeof names] ?? 'log.jsonl');
      const refused = { name: 'TranscriptError', code: 'not-a-file', file: path };
      await expect(readLog(path).next()).rejects.toMatchObject(refused);
      await expect(openLog(path)).rejects.toMatchObject(refused);
      await expect(salvageLog(path)).rejects.toMatchObject({ code: 'not-a-file' });
      expect(readdirSync(folder)).toHaveLength(3);
    },
  );

  test('an empty file is named', async () => {
    const path = join(temporaryFolder(), 'empty.jsonl');
    writeFileSync(path, '');
    await expect(importFile(path)).rejects.toMatchObject({ code: 'empty', file: path });
  });
});

describe('findSessions (V2)', () => {
  function makeFolder(): string {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'b/node_modules'), { recursive: true });
    mkdirSync(join(folder, '.git'));
    for (const name of [
      'z.jsonl',
      'a.traj',
      'notes.md',
      'b/c.json',
      'b/node_modules/d.json',
      '.git/e.json',
      '.f.jsonl',
    ]) {
      writeFileSync(join(folder, name), '');
    }
    return folder;
  }

  test('searches folders in order and takes files as they are', async () => {
    const folder = makeFolder();
    const found = await findSessions([join(folder, 'notes.md'), folder, join(folder, 'z.jsonl')]);
    expect(found.map((path) => path.slice(folder.length + 1))).toEqual([
      'notes.md',
      'a.traj',
      'b/c.json',
      'z.jsonl',
    ]);
  });

  test.each([{ paths: [] }, { paths: ['.empty'] }])(
    'finds nothing in $paths',
    async ({ paths }) => {
      const folder = temporaryFolder();
      mkdirSync(join(folder, '.empty'));
      expect(await findSessions(paths.map((path) => join(folder, path)))).toEqual([]);
    },
  );

  test('a missing path is an error, not an empty list', async () => {
    await expect(findSessions([join(temporaryFolder(), 'gone')])).rejects.toMatchObject({
      code: 'not-found',
    });
  });
});

test('endings are read in whatever case', async () => {
  const folder = temporaryFolder();
  const names = ['A.JSONL', 'b.Json', 'c.TRAJ', 'd.jsonl.ZST', 'e.DB', 'f.Sqlite'];
  for (const name of names) writeFileSync(join(folder, name), '');
  expect(await findSessions([folder])).toEqual(names.map((name) => join(folder, name)));
});

test('a database copied without the files beside it says what to copy', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'opencode.db');
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE session (id TEXT)');
  copyFileSync(path, join(folder, 'copy.db'));
  database.close();
  await expect(importFile(join(folder, 'copy.db'))).rejects.toMatchObject({
    code: 'empty',
    message: expect.stringMatching(/no table is in .* end in -wal and -shm/),
  });
});
