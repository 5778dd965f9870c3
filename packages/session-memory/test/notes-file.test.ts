import { spawn } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { realFiles, type StoreFiles } from '@varve/tool-storage/node';
import { takeLock } from '@varve/transcript/node';
import { describe, expect, test } from 'vitest';
import { bundleProgram } from '../../../internal/src/bundle-program.ts';
import { isWhole, someUpTo } from '../../../internal/src/share.ts';
import { checkNotes } from '../src/check-notes.ts';
import { notesFile, notesPath } from '../src/node/index.ts';
import { DEFAULT_TEMPLATE, parseTemplate } from '../src/template.ts';
import { createTestMemory, notesWith, noteTaker, temporaryFolder, words } from './support.ts';

const OLD = notesWith({ '# Task': 'old' });
const NEW = notesWith({ '# Task': 'new' });

/** A folder with notes in it. */
function place(text?: string) {
  const path = join(temporaryFolder(), 'deep', 'er', 'summary.md');
  if (text !== undefined) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return path;
}

const failed = (code: string) => Object.assign(new Error(`injected ${code}`), { code });

/** The real file system, failing in one place. */
function failing(
  where: keyof StoreFiles | 'write' | 'sync',
  code: string,
  times = Infinity,
): StoreFiles {
  let left = times;
  const guard =
    <Args extends unknown[], Result>(name: string, work: (...args: Args) => Promise<Result>) =>
    async (...args: Args) => {
      if (name === where && left-- > 0) throw failed(code);
      return work(...args);
    };
  return {
    ...realFiles,
    read: guard('read', realFiles.read),
    rename: guard('rename', realFiles.rename),
    makeFolder: guard('makeFolder', realFiles.makeFolder),
    syncFolder: guard('syncFolder', realFiles.syncFolder),
    names: guard('names', realFiles.names),
    create: guard('create', async (path: string) => {
      const file = await realFiles.create(path);
      return { ...file, write: guard('write', file.write), sync: guard('sync', file.sync) };
    }),
  };
}

describe('notesFile (N1)', () => {
  test('no file, no folder: there are no notes; the first write makes both, for the owner only', async () => {
    const path = place();
    const file = notesFile(path);
    expect(await file.read()).toBeUndefined();
    await file.write(NEW, { basis: undefined });
    expect(await file.read()).toBe(NEW);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(path))).toEqual(['summary.md']);
  });

  test.each([
    ['other notes', NEW],
    ['none', undefined],
  ])('is not written where %s were read before', async (_what, basis) => {
    const path = place(OLD);
    await expect(notesFile(path).write(NEW, { basis })).rejects.toMatchObject({
      code: 'changed-meanwhile',
    });
    expect(readFileSync(path, 'utf8')).toBe(OLD);
    expect(readdirSync(dirname(path))).toEqual(['summary.md']);
  });

  test.each([
    ['write', 'ENOSPC'],
    ['sync', 'EIO'],
    ['create', 'EACCES'],
    ['makeFolder', 'EROFS'],
    ['rename', 'EXDEV'],
  ] as const)(
    'case 92: %s fails with %s: not written, the old notes stand',
    async (where, code) => {
      const path = place(OLD);
      const file = notesFile(path, { files: failing(where, code) });
      await expect(file.write(NEW, { basis: OLD })).rejects.toMatchObject({
        code: 'not-written',
        cause: { code },
      });
      expect(readFileSync(path, 'utf8')).toBe(OLD);
    },
  );

  test('a disk that takes nothing is full; one that takes parts gets all of it', async () => {
    const partly = (most: number): StoreFiles => ({
      ...realFiles,
      async create(given) {
        const file = await realFiles.create(given);
        return {
          ...file,
          write: (bytes) => (most === 0 ? Promise.resolve(0) : file.write(bytes.subarray(0, most))),
        };
      },
    });
    const path = place(OLD);
    await expect(
      notesFile(path, { files: partly(0) }).write(NEW, { basis: OLD }),
    ).rejects.toMatchObject({ cause: { code: 'ENOSPC' } });
    await notesFile(path, { files: partly(7) }).write(NEW, { basis: OLD });
    expect(readFileSync(path, 'utf8')).toBe(NEW);
  });

  test('what comes after the move does not undo it', async () => {
    for (const where of ['syncFolder', 'names'] as const) {
      const path = place(OLD);
      await notesFile(path, { files: failing(where, 'EIO') }).write(NEW, { basis: OLD });
      expect(readFileSync(path, 'utf8')).toBe(NEW);
    }
  });

  test.each([
    ['cannot be read', failing('read', 'EIO'), OLD],
    ['are no text', realFiles, Buffer.from([0xff, 0xfe, 0x00])],
  ])('notes that %s are not called absent, and not written over', async (_what, files, content) => {
    const path = place('');
    writeFileSync(path, content);
    const file = notesFile(path, { files });
    await expect(file.read()).rejects.toMatchObject({ code: 'not-read' });
    await expect(file.write(NEW, { basis: undefined })).rejects.toMatchObject({ code: 'not-read' });
    expect(readFileSync(path)).toEqual(Buffer.from(content));
  });

  test('an abort before the move: nothing changed, nothing left', async () => {
    const path = place(OLD);
    const controller = new AbortController();
    const files: StoreFiles = {
      ...realFiles,
      async create(given) {
        controller.abort();
        return realFiles.create(given);
      },
    };
    const written = notesFile(path, { files }).write(NEW, {
      basis: OLD,
      signal: controller.signal,
    });
    await expect(written).rejects.toMatchObject({ name: 'AbortError' });
    expect(readFileSync(path, 'utf8')).toBe(OLD);
    expect(readdirSync(dirname(path))).toEqual(['summary.md']);
  });

  test('case 154: a reader that holds the file is waited for; where it stays, the new notes lie beside the old', async () => {
    const path = place(OLD);
    await notesFile(path, { files: failing('rename', 'EPERM', 3) }).write(NEW, { basis: OLD });
    expect(readFileSync(path, 'utf8')).toBe(NEW);
    const held = notesFile(path, { files: failing('rename', 'EPERM', 20) });
    await expect(held.write(OLD, { basis: NEW })).rejects.toMatchObject({
      code: 'not-written',
      cause: { code: 'EPERM' },
    });
    expect(readFileSync(path, 'utf8')).toBe(NEW);
    const [beside] = readdirSync(dirname(path)).filter((name) => name.endsWith('.tmp'));
    expect(readFileSync(join(dirname(path), beside ?? ''), 'utf8')).toBe(OLD);
  });

  test('case 154: an abort while it waits leaves nothing beside', async () => {
    const path = place(OLD);
    const held = notesFile(path, { files: failing('rename', 'EBUSY') });
    const written = held.write(NEW, { basis: OLD, signal: AbortSignal.timeout(15) });
    await expect(written).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(readdirSync(dirname(path))).toEqual(['summary.md']);
  });

  test('case 155: leftovers neither block nor lead elsewhere, old ones go; of two writers one wins whole', async () => {
    const path = place(OLD);
    const outside = join(temporaryFolder(), 'outside');
    writeFileSync(outside, 'mine');
    mkdirSync(`${path}.tmp`);
    symlinkSync(outside, `${path}.aaaaaaaaaaaa.tmp`);
    writeFileSync(`${path}.bbbbbbbbbbbb.tmp`, 'old');
    utimesSync(`${path}.bbbbbbbbbbbb.tmp`, 1, 1);
    writeFileSync(`${path}.cccccccccccc.tmp`, 'in work');
    writeFileSync(`${path}.mine.tmp`, 'not ours');
    utimesSync(`${path}.mine.tmp`, 1, 1);
    await notesFile(path).write(NEW, { basis: OLD });
    expect(readFileSync(outside, 'utf8')).toBe('mine');
    expect(existsSync(`${path}.bbbbbbbbbbbb.tmp`)).toBe(false);
    expect(readFileSync(`${path}.cccccccccccc.tmp`, 'utf8')).toBe('in work');
    expect(readFileSync(`${path}.mine.tmp`, 'utf8')).toBe('not ours');
    const texts = [words(5_000, 'one'), words(5_000, 'two')];
    await Promise.allSettled(texts.map((text) => notesFile(path).write(text, { basis: NEW })));
    expect(texts).toContain(readFileSync(path, 'utf8'));
  });

  test('case 123: a link in place of the file is not followed, neither to read nor to write', async () => {
    const path = place(OLD);
    const [link, nowhere] = ['link.md', 'nowhere.md'].map((name) => join(dirname(path), name));
    symlinkSync(path, `${link}`);
    symlinkSync(join(dirname(path), 'missing'), `${nowhere}`);
    await expect(notesFile(`${link}`).read()).rejects.toMatchObject({ code: 'not-read' });
    for (const [to, basis] of [[link, OLD] as const, [nowhere, undefined] as const]) {
      const written = notesFile(`${to}`).write(NEW, { basis });
      await expect(written).rejects.toMatchObject({ code: 'not-read' });
      expect(lstatSync(`${to}`).isSymbolicLink()).toBe(true);
    }
    expect(readFileSync(path, 'utf8')).toBe(OLD);
    expect(existsSync(join(dirname(path), 'missing'))).toBe(false);
  });

  test('case 91: a disk that is full for a while costs the notes of that while, and nothing else', async () => {
    const path = place(OLD);
    const file = notesFile(path, { files: failing('write', 'ENOSPC', 2) });
    const { memory, log } = createTestMemory({ file });
    log.user('one');
    log.reply('two', 'a');
    for (let time = 0; time < 2; time++) {
      expect(await memory.extractNow()).toMatchObject({ kind: 'failed', reason: 'not-written' });
      expect(readFileSync(path, 'utf8')).toBe(OLD);
      expect(memory.snapshot()).toMatchObject({ notes: OLD, status: 'loaded' });
      expect(memory.snapshot().checkpoint).toBeUndefined();
    }
    expect(await memory.extractNow()).toMatchObject({ kind: 'extracted' });
    expect(memory.snapshot().cursorId).toBe('a');
    expect(readdirSync(dirname(path))).toEqual(['summary.md']);
  });

  test('notes of 5 MB are read, condensed for the model, and may shrink', async () => {
    const lines = 'a line that says something\n'.repeat(200_000);
    const path = place(notesWith({ '# Worklog': lines }));
    const { memory, log } = createTestMemory({
      file: notesFile(path),
      sizeOf: (text) => Math.ceil(text.length / 4),
      runFork: async ({ runTool }) => {
        const edit = { path, old_string: lines, new_string: 'condensed\n' };
        runTool({ id: 'c', name: 'Edit', input: edit });
        return { kind: 'done' };
      },
    });
    log.user('one');
    expect(await memory.extractNow()).toMatchObject({ kind: 'extracted', edits: 1 });
    expect(readFileSync(path, 'utf8')).toBe(
      notesWith({ '# Worklog': 'condensed\n' }).replace('\n\n\n', '\n\n'),
    );
  });
});

describe('notes that several processes write', () => {
  test('O357: three at once lose no acknowledged write', async () => {
    const path = join(temporaryFolder(), 'notes', 'summary.md');
    const program = join(import.meta.dirname, 'programs', 'notes-writer.ts');
    const writes = isWhole ? 40 : 10;
    const writers = ['a', 'b', 'c'].map((name) => {
      const child = spawn('node', [program, path, name, `${writes}`], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let printed = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        printed += chunk;
      });
      return new Promise<string>((resolve) => child.on('close', () => resolve(printed)));
    });
    const acknowledged = (await Promise.all(writers)).join('').trimEnd().split('\n');
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(acknowledged).toHaveLength(3 * writes);
    expect(lines.toSorted()).toEqual(acknowledged.toSorted());
    expect(readdirSync(dirname(path))).toEqual(['summary.md']);
  });

  test('O357: a writer that another one keeps out says so, and its notes are not written', async () => {
    const path = place(OLD);
    const lock = await takeLock(`${path}.lock`);
    await expect(
      notesFile(path, { lockWaitMs: 30 }).write(NEW, { basis: OLD }),
    ).rejects.toMatchObject({ code: 'not-written', cause: { code: 'locked' } });
    const controller = new AbortController();
    const waiting = notesFile(path).write(NEW, { basis: OLD, signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    expect(readFileSync(path, 'utf8')).toBe(OLD);
    await lock.release();
    await notesFile(path).write(NEW, { basis: OLD });
    expect(readFileSync(path, 'utf8')).toBe(NEW);
  });

  // siblings: the lock of a log, and that of an inbox
  test('O358: a writer whose lock was taken over before its move leaves the notes alone', async () => {
    const path = place(OLD);
    const files: StoreFiles = {
      ...realFiles,
      async create(given) {
        renameSync(`${path}.lock`, `${path}.taken`); // what a take-over makes of it
        return realFiles.create(given);
      },
    };
    const written = notesFile(path, { files }).write(NEW, { basis: OLD });
    await expect(written).rejects.toMatchObject({ code: 'changed-meanwhile' });
    expect(readFileSync(path, 'utf8')).toBe(OLD);
    expect(readdirSync(dirname(path)).toSorted()).toEqual(['summary.md', 'summary.md.taken']);
  });

  test('O358: nor one that loses it while it waits for a reader', async () => {
    const path = place(OLD);
    let refusals = 1;
    const files: StoreFiles = {
      ...realFiles,
      async rename(from, to) {
        if (refusals-- === 0) return realFiles.rename(from, to);
        renameSync(`${path}.lock`, `${path}.taken`);
        throw failed('EBUSY');
      },
    };
    const written = notesFile(path, { files }).write(NEW, { basis: OLD });
    await expect(written).rejects.toMatchObject({ code: 'changed-meanwhile' });
    expect(readFileSync(path, 'utf8')).toBe(OLD);
    expect(readdirSync(dirname(path)).toSorted()).toEqual(['summary.md', 'summary.md.taken']);
  });

  test('O354: folders 0700, files 0600', async () => {
    const path = join(temporaryFolder(), 'deep', 'er', 'summary.md');
    await notesFile(path).write(NEW, { basis: undefined });
    const modes = [path, dirname(path), dirname(dirname(path))].map((each) => statSync(each).mode);
    expect(modes.map((mode) => (mode & 0o777).toString(8))).toEqual(['600', '700', '700']);
  });

  test.each([
    [1, 'of any notes'],
    [2, 'of the session'],
    [3, 'of the project'],
  ])('O355: a link in place of the folder %i above (%s) is not followed', async (levels) => {
    const [root, outside] = [temporaryFolder(), temporaryFolder()];
    const path = notesPath({ root, project: '/w/p', sessionId: 's' });
    const parts = path.slice(root.length + 1).split(sep);
    const link = join(root, ...parts.slice(0, parts.length - levels));
    const below = join(outside, ...parts.slice(parts.length - levels));
    mkdirSync(dirname(below), { recursive: true });
    writeFileSync(below, OLD);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(outside, link);
    const file = notesFile(path);
    await expect(file.read()).rejects.toMatchObject({ code: 'not-read' });
    const written = file.write(NEW, { basis: OLD });
    await expect(written).rejects.toMatchObject({ code: 'not-written', cause: { code: 'ELOOP' } });
    expect(readFileSync(below, 'utf8')).toBe(OLD);
    expect(readdirSync(dirname(below))).toEqual(['summary.md']);
  });

  // siblings: links that lead nowhere, and the folders and results of @varve/tool-storage
  test.each([1, 2, 3].flatMap((levels) => [true, false].map((leads) => [levels, leads] as const)))(
    'O355: a link %i above refuses before anything is made behind it (leads somewhere: %s)',
    async (levels, leads) => {
      const [root, elsewhere] = [temporaryFolder(), temporaryFolder()];
      const outside = join(elsewhere, 'outside');
      if (leads) mkdirSync(outside);
      const path = notesPath({ root, project: '/w/p', sessionId: 's' });
      const parts = path.slice(root.length + 1).split(sep);
      const link = join(root, ...parts.slice(0, parts.length - levels));
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(outside, link);
      const file = notesFile(path);
      await expect(file.read()).rejects.toMatchObject({ code: 'not-read' });
      const written = file.write(NEW, { basis: undefined });
      await expect(written).rejects.toMatchObject({
        code: 'not-written',
        cause: { code: 'ELOOP' },
      });
      expect(readdirSync(elsewhere, { recursive: true })).toEqual(leads ? ['outside'] : []);
    },
  );
});

describe('notesPath (N1)', () => {
  test('one file a session, apart from everything else of the project', () => {
    const path = notesPath({ root: '/r', project: '/home/me/my app', sessionId: 's-1' });
    const slug = path.split(sep)[3];
    expect(slug).toMatch(/^-home-me-my-app-[0-9a-f]{12}$/);
    expect(path).toBe(join('/r', 'projects', `${slug}`, 's-1', 'session-memory', 'summary.md'));
  });

  const slugOf = (project: string) =>
    notesPath({ root: '/r', project, sessionId: 's' }).split(sep)[3] as string;

  test('case 109: no two projects share a folder, and each name fits a file system', () => {
    const long = `/w/${'알'.repeat(300)}`;
    const projects = [
      '/w/알파',
      '/w/베타',
      '/w/a-b',
      '/w/a_b',
      '/w/a.b',
      '/w/a/b',
      long,
      `${long}x`,
    ];
    const slugs = projects.map(slugOf);
    expect(new Set(slugs).size).toBe(projects.length);
    for (const slug of slugs) expect(Buffer.byteLength(slug)).toBeLessThanOrEqual(255);
  });

  test('case 110: a name in composed and decomposed form is one folder', () => {
    expect(slugOf('/w/caf\u00e9')).toBe(slugOf('/w/cafe\u0301'));
  });

  test.each(['', '..', '.', 'a/b', 'a\\b', '../x', '-x'])(
    'refuses the session id %j',
    (sessionId) => {
      expect(() => notesPath({ root: '/r', project: 'p', sessionId })).toThrow(RangeError);
    },
  );

  test.each(['', '/', '..'])('refuses the project %j', (project) => {
    expect(() => notesPath({ root: '/r', project, sessionId: 's' })).toThrow(RangeError);
  });
});

const program = await bundleProgram(join(import.meta.dirname, 'programs', 'notes-killed.ts'));
const template = parseTemplate(DEFAULT_TEMPLATE);

function start(...args: string[]) {
  const child = spawn('node', [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  const first = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      resolve();
    });
  });
  const ended = new Promise<string>((resolve) =>
    child.on('close', (code, signal) => resolve(signal ?? String(code))),
  );
  return { child, first, ended, lastTaken: () => Number(output.trimEnd().split('\n').at(-1) ?? 0) };
}

/** Calls of the file system for one set of notes. */
const CALLS = 19; // looking and reading three times; folder, looking, file, two writes, flush, close, looking, reading, move, flush; stat, names
const RANDOM_KILLS = isWhole ? 20 : 4;

/** Which notes are there: those that were acknowledged last or the ones after them, whole. */
async function expectWhole(path: string, acknowledged: number): Promise<number> {
  const text = await notesFile(path).read();
  if (text === undefined) {
    expect(acknowledged).toBe(0);
    return 0;
  }
  const taken = Number(/^notes (\d+)$/m.exec(text)?.[1]);
  expect(checkNotes(text, text, template)).toEqual([]);
  expect(text.trimEnd().endsWith(words(1_500, `${taken}`))).toBe(true);
  expect([acknowledged, acknowledged + 1]).toContain(taken);
  return taken;
}

describe('notes in a process that is killed (N3)', () => {
  test.each([
    ['before', ''],
    ['in the middle of or after', 'half'],
  ])(
    'SIGKILL %s every call of the file system leaves the old notes or the new',
    async (_when, half) => {
      const first = notesWith({ '# Title': 'notes 1', '# Worklog': words(1_500, '1') });
      const seen = new Set<number>();
      for (const killAt of [...someUpTo(CALLS, 12), CALLS + 1]) {
        const path = join(temporaryFolder(), 'notes', 'summary.md');
        await notesFile(path).write(first, { basis: undefined });
        const run = start(path, '1', String(killAt), half);
        const end = await run.ended;
        seen.add(await expectWhole(path, run.lastTaken() || 1));
        expect([killAt, end]).toEqual([killAt, killAt > CALLS ? '0' : 'SIGKILL']);
        if (end === '0') continue;
        const { memory, log } = createTestMemory({
          file: notesFile(path),
          runFork: noteTaker(() => ({ '# Task': 'after' })),
        });
        log.user('go on');
        expect(await memory.extractNow()).toMatchObject({ kind: 'extracted' });
        expect(await memory.notes()).toContain('\nafter');
      }
      expect([...seen].sort()).toEqual([1, 2]);
    },
    240_000,
  );

  test(`${RANDOM_KILLS} SIGKILLs at random moments, one session going on over all of them`, async () => {
    const path = join(temporaryFolder(), 'notes', 'summary.md');
    let taken = 0;
    for (let round = 0; round < RANDOM_KILLS; round++) {
      const run = start(path, '100000');
      await Promise.race([run.first, run.ended]);
      await new Promise((resolve) => setTimeout(resolve, (round * 7919) % 60));
      run.child.kill('SIGKILL');
      expect(await run.ended).toBe('SIGKILL');
      taken = await expectWhole(path, run.lastTaken() || taken);
    }
    expect(taken).toBeGreaterThanOrEqual(RANDOM_KILLS);
  }, 240_000);
});
