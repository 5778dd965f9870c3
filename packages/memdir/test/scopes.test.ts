import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMemdir } from '../src/index.ts';
import {
  agentMemoryPaths,
  checkMemoryWrite,
  diskFolder,
  memoryPath,
  strandedMemory,
} from '../src/node/index.ts';
import { fileText, NOW, newMemory, temporaryFolder } from './support.ts';

const git = (cwd: string, ...args: readonly string[]): void => {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
  execFileSync('git', [...identity, ...args], { cwd, stdio: 'ignore' });
};
const open = (path: string) => createMemdir({ folder: diskFolder(path), now: () => NOW });

/** A repository with two worktrees, and where memory is kept. */
function repository() {
  const base = temporaryFolder();
  const at = (...names: readonly string[]) => join(base, ...names);
  mkdirSync(at('my_repo v1.2', 'src'), { recursive: true });
  git(at('my_repo v1.2'), 'init', '-q');
  git(at('my_repo v1.2'), 'commit', '-q', '--allow-empty', '-m', 'x');
  for (const name of ['tree a', 'tree.b'])
    git(at('my_repo v1.2'), 'worktree', 'add', '-q', '--detach', at(name));
  return { at, root: at('config') };
}

describe('119 worktrees', () => {
  test('what is saved for the repository is seen everywhere, what is saved for a worktree only there; of one that is gone it is listed as stranded', async () => {
    const { at, root } = repository();
    const [main, a, b] = [at('my_repo v1.2'), at('tree a'), at('tree.b')];
    const everywhere = (cwd: string) => memoryPath({ cwd, root });
    const here = (cwd: string) => memoryPath({ cwd, root, scope: 'worktree' });
    await open(everywhere(a)).save(newMemory('Release', 'Release on Tuesdays.'));
    for (const cwd of [a, b])
      await open(here(cwd)).save(newMemory('Branch', `The branch of ${cwd} is half done.`));
    for (const cwd of [main, a, b, at('my_repo v1.2', 'src')])
      expect((await open(everywhere(cwd)).scan()).files.map(({ name }) => name)).toEqual([
        'Release',
      ]);
    expect(new Set([main, a, b].map(here)).size).toBe(3);
    expect((await open(here(main)).scan()).files).toEqual([]);
    expect(strandedMemory({ cwd: main, root })).toEqual([]);
    const stranded = here(b);
    git(main, 'worktree', 'remove', '--force', b);
    for (const cwd of [main, a]) expect(strandedMemory({ cwd, root })).toEqual([stranded]);
    // what stands there can be read, and saved for the repository
    const [left] = (await open(stranded).scan()).files;
    expect(left).toMatchObject({ name: 'Branch' });
    rmSync(a, { recursive: true }); // gone without a word to git
    expect(strandedMemory({ cwd: main, root })).toHaveLength(2);
  });

  test('a project without git is its own worktree; other projects and what is no memory are not listed', async () => {
    const base = temporaryFolder();
    const root = join(base, 'config');
    for (const name of ['one', 'two']) mkdirSync(join(base, name));
    const options = { cwd: join(base, 'one'), root } as const;
    await open(memoryPath({ ...options, scope: 'worktree' })).save(newMemory('A', 'Text of a.'));
    expect(strandedMemory(options)).toEqual([]);
    expect(strandedMemory({ ...options, cwd: join(base, 'two') })).toEqual([]);
    const beside = join(memoryPath(options), '..', 'worktrees');
    writeFileSync(join(beside, 'a-file'), 'x');
    mkdirSync(join(beside, 'empty'));
    symlinkSync(base, join(beside, 'link'));
    expect(strandedMemory(options)).toEqual([]);
    expect(() => memoryPath({ ...options, scope: 'branch' as never })).toThrow(TypeError);
  });
});

describe('215 a folder that looks like the memory folder', () => {
  const { at, root } = (() => ({ at: join, root: '/home/me/.agent' }))();
  const folder = at(root, 'projects', 'app-0123456789ab', 'memory');

  test.each([
    ['the folder itself', at(folder, 'a.md')],
    ['below it', at(folder, 'team', 'a.md')],
    ['by a way round', at(folder, '..', 'memory', 'a.md')],
    ['with the separators of Windows', `${folder}\\a.md`],
    ['a file of the project', '/home/me/app/src/memory/alloc.md'],
    ['a folder called projects', '/home/me/projects/app/notes.md'],
    ['no Markdown', '/home/me/other/projects/kernel/memory/alloc.c'],
    ['below the folder of the work', '/home/me/app/projects/kernel/memory/README.md'],
  ])('%s may be written', (_, path) => {
    expect(checkMemoryWrite(path, { folder, cwd: '/home/me/app' })).toEqual({ kind: 'ok' });
  });

  test.each([
    ['another project', at(root, 'projects', 'other-0123456789ab', 'memory', 'a.md')],
    ['a name made of the path', at(root, 'projects', '-home-me-app', 'memory', 'MEMORY.md')],
    ['another root', '/home/me/.other/projects/app/memory/deep/a.md'],
    ['other letters', '/home/me/.agent/Projects/app/Memory/a.MD'],
    ['a way out of ours', at(folder, '..', '..', 'app', 'memory', 'a.md')],
    ['a relative one', '../.agent/projects/app/memory/a.md'],
    ['that of a worktree', at(folder, '..', 'worktrees', 'b-0123456789ab', 'memory', 'a.md')],
    ['the name of ours with more', at(`${folder}`, '..', '..', 'app-evil', 'memory', 'x.md')],
  ])('%s is refused with the right path', (_, path) => {
    const checked = checkMemoryWrite(path, { folder, cwd: '/home/me/app' });
    expect(checked).toEqual({ kind: 'refused', message: expect.stringContaining(folder) });
  });

  test('links are followed: an alias of the folder is the folder, a link to another one is not', () => {
    const base = temporaryFolder();
    const own = join(base, 'projects', 'own', 'memory');
    const other = join(base, 'projects', 'other', 'memory');
    for (const each of [own, other]) mkdirSync(each, { recursive: true });
    symlinkSync(own, join(base, 'alias'));
    symlinkSync(other, join(own, 'link'));
    mkdirSync(join(base, 'work', 'projects', 'x'), { recursive: true });
    symlinkSync(other, join(base, 'work', 'projects', 'x', 'memory'));
    const kind = (path: string) =>
      checkMemoryWrite(path, { folder: own, cwd: join(base, 'work') }).kind;
    expect(kind(join(base, 'alias', 'new', 'a.md'))).toBe('ok');
    expect(checkMemoryWrite(join(own, 'a.md'), { folder: join(base, 'alias') }).kind).toBe('ok');
    expect(kind(join(own, 'link', 'a.md'))).toBe('refused');
    expect(kind(join(base, 'work', 'projects', 'x', 'memory', 'a.md'))).toBe('refused');
  });

  test('what is no path is refused, and never thrown at a model', () => {
    for (const path of ['', '\0', 'x'.repeat(100_000), undefined as never])
      expect(['ok', 'refused']).toContain(checkMemoryWrite(path, { folder }).kind);
    expect(() => checkMemoryWrite('a.md', { folder: 'relative' })).toThrow(TypeError);
  });
});

test('218 two repositories with opposite rules: each sees its own only, never that of an agent, and no session notes', async () => {
  const base = temporaryFolder();
  const root = join(base, 'config');
  for (const [name, mark] of [
    ['one', 'single'],
    ['two', 'double'],
  ] as const) {
    const cwd = join(base, name);
    mkdirSync(cwd);
    git(cwd, 'init', '-q');
    const rule = newMemory('Quote style', `Use ${mark} quotes in this code.`, { type: 'feedback' });
    await open(memoryPath({ cwd, root })).save(rule);
    const agent = agentMemoryPaths({ cwd, root, agent: 'reviewer', projectFolder: '.varve' });
    for (const path of Object.values(agent))
      await open(path).save(newMemory('Quote style', 'An agent wants quotes of code as they are.'));
    const notes = join(memoryPath({ cwd, root }), '..', 'session-notes.md');
    writeFileSync(notes, fileText('Notes', 'Notes say the quotes in this code do not matter.'));
  }
  for (const [name, mark] of [
    ['one', 'single'],
    ['two', 'double'],
  ] as const) {
    const recall = open(memoryPath({ cwd: join(base, name), root })).startRecall();
    const found = await recall.recall('Which quotes are used in this code, what is the style?');
    if (found.kind !== 'recalled') throw new Error(found.kind);
    expect(found.memories.map(({ text }) => text.split('\n').at(-1))).toEqual([
      `Use ${mark} quotes in this code.`,
    ]);
  }
});

test('D15 the folder is made beforehand, for its owner only; once more is no fault, and what stands in its place is one', async () => {
  const path = join(temporaryFolder(), 'deep', 'memory');
  await diskFolder(path).make();
  await diskFolder(path).make();
  expect((await open(path).scan()).files).toEqual([]);
  const file = join(path, 'a.md');
  writeFileSync(file, 'x');
  await expect(diskFolder(file).make()).rejects.toMatchObject({
    name: 'MemdirError',
  });
});

describe('226 145 146 what a sync will need of the folder', () => {
  test('the text that lost stands in a hidden folder: in no list, index, recall, check or dream input, and no save goes there', async () => {
    const path = join(temporaryFolder(), 'memory');
    mkdirSync(join(path, '.conflicts'), { recursive: true });
    const losing = join(path, '.conflicts', 'm1@0123.md');
    writeFileSync(losing, fileText('Losing', 'The losing text about the pump.'));
    const memory = open(path);
    await memory.save(newMemory('Gate', 'It opens at nine.'));
    expect((await memory.scan()).files.map(({ name }) => name)).toEqual(['Gate']);
    expect((await memory.loadIndex()).text).not.toContain('osing');
    expect((await memory.startRecall().recall('the losing text about the pump')).kind).toBe('none');
    expect(await memory.check()).toMatchObject({ ok: true, files: 1 });
    expect((await memory.rebuild()).kind).toBe('unchanged');
    expect(
      await memory.save(newMemory('X', 'Text of x.', { path: '.conflicts/m1@0123.md' })),
    ).toMatchObject({ kind: 'refused', reason: 'bad-path' });
    expect(readFileSync(losing, 'utf8')).toContain('The losing text about the pump.');
  });

  test('of two who save from one version one is told, in either order, and loses no text of the other; three versions later too', async () => {
    for (const isLate of [false, true]) {
      const path = join(temporaryFolder(), 'memory');
      const [one, other] = [open(path), open(path)];
      const first = await one.save(newMemory('Gate', 'Version 0.', { path: 'team/gate.md' }));
      if (first.kind !== 'saved') throw new Error(first.kind);
      let basis = first.hash;
      for (let version = 1; version <= (isLate ? 3 : 1); version++) {
        const next = newMemory('Gate', `Version ${version}.`, { path: 'team/gate.md', basis });
        const saved = await one.save(next);
        if (saved.kind !== 'saved') throw new Error(saved.kind);
        basis = saved.hash;
      }
      const late = newMemory('Gate', 'Mine.', { path: 'team/gate.md', basis: first.hash });
      expect(await other.save(late)).toEqual({
        ...{ kind: 'conflict', path: 'team/gate.md', hash: basis },
      });
      expect(readFileSync(join(path, 'team/gate.md'), 'utf8')).toContain(isLate ? '3.' : '1.');
    }
  });

  test('files of the team are scanned, indexed, recalled and checked; a file that is gone is no wish to delete it elsewhere', async () => {
    const path = join(temporaryFolder(), 'memory');
    const memory = open(path);
    await memory.save(newMemory('Gate', 'The gate opens at nine.', { path: 'team/gate.md' }));
    await memory.save(newMemory('Kiln', 'The kiln door sticks.', { path: 'team/kiln.md' }));
    rmSync(join(path, 'team', 'kiln.md')); // a stale checkout, no forgetting
    expect(existsSync(join(path, '.tombstones.jsonl'))).toBe(false);
    expect((await memory.check()).findings).toEqual([
      expect.objectContaining({ kind: 'dangling', path: 'team/MEMORY.md' }),
    ]);
    expect(
      await memory.save(newMemory('Kiln', 'The kiln door sticks.', { path: 'team/kiln.md' })),
    ).toMatchObject({ kind: 'saved' });
    const found = await memory.startRecall().recall('When does the gate open?');
    expect(found).toMatchObject({ memories: [{ path: 'team/gate.md' }] });
  });
});
