import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { realFiles } from '@varve/tool-storage/node';
import { takeLock } from '@varve/transcript/node';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isWhole, someUpTo } from '../../../internal/src/share.ts';
import { createMemdir, MemdirError } from '../src/index.ts';
import { diskFolder } from '../src/node/index.ts';
import { DAY_MS, fileText, NOW, newMemory, temporaryFolder } from './support.ts';

const run = promisify(execFile);
const open = (path: string, files = realFiles) =>
  createMemdir({ folder: diskFolder(path, { files }), now: () => NOW });
const visible = (path: string) =>
  (readdirSync(path, { recursive: true }) as string[]).filter(
    (name) => name.endsWith('.md') && !name.startsWith('.'),
  );

/** The disk of a process that ends at its n-th call: from there on nothing happens any more. Nothing is flushed, which takes long. */
function dying(calls: number) {
  let left = calls;
  const counted =
    <Args extends readonly unknown[], Out>(call: (...args: Args) => Promise<Out>) =>
    async (...args: Args): Promise<Out> => {
      if (--left < 0) throw Object.assign(new Error('killed'), { code: 'EIO' });
      return call(...args);
    };
  const nothing = async (): Promise<void> => undefined;
  const files: typeof realFiles = {
    ...realFiles,
    create: counted(async (path) => {
      const file = await realFiles.create(path);
      return { write: counted(file.write), sync: nothing, close: file.close };
    }),
    rename: counted(realFiles.rename),
    remove: counted(realFiles.remove),
    makeFolder: counted(realFiles.makeFolder),
    removeFolder: counted(realFiles.removeFolder),
    syncFolder: nothing,
  };
  return { files, isDead: () => left < 0, made: () => calls - left };
}

describe('memory on disk', () => {
  test('half a character is written as what a file can hold, so that the hash of a save is that of a reading', async () => {
    const memory = open(temporaryFolder());
    const saved = await memory.save(newMemory('Odd \ud83d one', 'A text with \udca9 in it.'));
    if (saved.kind !== 'saved') throw new Error(saved.kind);
    const read = await memory.read(saved.path);
    expect(read?.text).toContain('A text with \ufffd in it.');
    expect(read?.hash).toBe(saved.hash);
  });

  test('nothing is made before the first change; files and folders are for their owner only', async () => {
    const root = join(temporaryFolder(), 'deep', 'memory');
    const memory = open(root);
    expect(await memory.scan()).toMatchObject({ files: [], leftOut: 0 });
    expect((await memory.check()).ok).toBe(true);
    await memory.startRecall().recall('anything at all');
    expect(existsSync(root)).toBe(false);
    await memory.save(newMemory('Gate', 'It opens at nine.'));
    await memory.forget('project_gate.md', { reason: 'asked' });
    await memory.save(newMemory('Team gate', 'It opens at ten.', { path: 'team/gate.md' }));
    for (const name of ['', ...(readdirSync(root, { recursive: true }) as string[])]) {
      const stats = statSync(join(root, name));
      expect([name, (stats.mode & 0o777).toString(8)]).toEqual([
        name,
        stats.isDirectory() ? '700' : '600',
      ]);
    }
    expect((readdirSync(root) as string[]).filter((name) => /\.tmp$|lock/.test(name))).toEqual([]);
  });

  test.each([
    '/',
    '/tmp',
    'relative',
    '',
    '/a/../b/c',
    '//host/share',
    '/a/%2e%2e/b',
    '/a/b\0c',
    '/a/b\nc',
  ])('D7 %j may not be a memory folder', (path) => {
    expect(() => diskFolder(path)).toThrow(expect.objectContaining({ code: 'bad-folder' }));
  });

  test('123 links inside are not followed, to read or to write; the folder itself may be one', async () => {
    const base = temporaryFolder();
    const [root, outside, evil] = [
      join(base, 'mem'),
      join(base, 'outside'),
      join(base, 'mem-evil'),
    ];
    for (const folder of [root, outside, evil]) mkdirSync(folder);
    writeFileSync(
      join(outside, 'secret.md'),
      fileText('Secret plan', 'The secret plan of outside.'),
    );
    symlinkSync(outside, join(root, 'dir'));
    symlinkSync(join(outside, 'secret.md'), join(root, 'file.md'));
    symlinkSync(join(outside, 'new.md'), join(root, 'dangling.md'));
    symlinkSync(root, join(base, 'alias'));
    const memory = open(join(base, 'alias'));
    const { files, ignored } = await memory.scan();
    expect(files).toEqual([]);
    expect(ignored.map(({ path, reason }) => `${path} ${reason}`).sort()).toEqual([
      'dangling.md link',
      'dir link',
      'file.md link',
    ]);
    expect((await memory.startRecall().recall('the secret plan')).kind).toBe('none');
    for (const path of ['dir/new.md', 'file.md', 'dangling.md']) {
      expect(await memory.save(newMemory('Name', `Body of ${path} here.`, { path }))).toMatchObject(
        { kind: 'refused', reason: 'bad-path' },
      );
    }
    const folder = diskFolder(root);
    for (const path of ['../mem-evil/x.md', '..', 'a/../../b.md', '/etc/hosts', 'dir/secret.md']) {
      await expect(folder.read(path)).rejects.toThrow(MemdirError);
      await expect(folder.replace(path, 'x', { basis: undefined })).rejects.toThrow(MemdirError);
    }
    expect([readdirSync(outside), readdirSync(evil)]).toEqual([['secret.md'], []]);
    expect((await memory.save(newMemory('Fine', 'Inside it works.'))).kind).toBe('saved');
  });

  test('an archive that is a link is not written through', async () => {
    const base = temporaryFolder();
    const [root, outside] = [join(base, 'mem'), join(base, 'outside')];
    mkdirSync(root);
    mkdirSync(outside);
    symlinkSync(outside, join(root, '.archive'));
    expect(await open(root).save(newMemory('Name', 'Body here.'))).toMatchObject({
      kind: 'refused',
      reason: 'bad-path',
    });
    expect(readdirSync(outside)).toEqual([]);
  });

  test('D6 219 times of the file system count, but after a clone, where all are the same, nothing is known', async () => {
    const root = join(temporaryFolder(), 'mem');
    mkdirSync(root);
    const bare = (name: string) =>
      `---\nname: ${name}\ndescription: d\ntype: project\n---\nThe ${name} text.\n`;
    for (const [at, name] of ['pump', 'gate', 'kiln', 'mill', 'dam'].entries()) {
      writeFileSync(join(root, `${name}.md`), bare(name));
      utimesSync(
        join(root, `${name}.md`),
        (NOW - at * DAY_MS) / 1_000,
        (NOW - at * DAY_MS) / 1_000,
      );
    }
    const ageOf = async (turn: string) => {
      const result = await open(root).startRecall().recall(turn);
      return result.kind === 'recalled' ? result.memories[0]?.ageDays : 'none';
    };
    expect(await ageOf('kiln')).toBe(2);
    expect((await open(root).scan()).files.map(({ name }) => name)).toEqual([
      'pump',
      'gate',
      'kiln',
      'mill',
      'dam',
    ]);
    for (const name of readdirSync(root))
      utimesSync(join(root, name), NOW / 1_000, NOW / 1_000 + 3);
    expect(await ageOf('kiln')).toBeUndefined();
    const text = readFileSync(join(root, 'kiln.md'), 'utf8');
    writeFileSync(join(root, 'kiln.md'), text.replace('type:', 'modified: 2026-11-20\ntype:'));
    expect(await ageOf('kiln')).toBe(10); // the stamp of its writer stays
  });

  test('a file that changed is read again, one that did not is not', async () => {
    const root = join(temporaryFolder(), 'mem');
    mkdirSync(root);
    writeFileSync(join(root, 'a.md'), fileText('Pump', 'Nine bar.'));
    const folder = diskFolder(root);
    const reads: string[] = [];
    const memory = createMemdir({
      folder: {
        ...folder,
        read: (path, call) => {
          reads.push(path);
          return folder.read(path, call);
        },
      },
      now: () => NOW,
    });
    await memory.scan();
    await memory.scan();
    expect(reads).toEqual(['a.md']);
    writeFileSync(join(root, 'a.md'), fileText('Pump', 'Ten. bar.'));
    const result = await memory.startRecall().recall('pump');
    expect(result).toMatchObject({ memories: [{ text: expect.stringContaining('Ten.') }] });
  });
});

describe('hostile folders', () => {
  test('a file of 50 MB, one that is no text, a pipe, a folder named .md and one that may not be read', async () => {
    const root = join(temporaryFolder(), 'mem');
    mkdirSync(join(root, 'folder.md'), { recursive: true });
    writeFileSync(
      join(root, 'large.md'),
      `---\nname: Large pump\ndescription: d\ntype: project\n---\npump`,
    );
    truncateSync(join(root, 'large.md'), 50_000_000);
    writeFileSync(join(root, 'binary.md'), Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0, 1));
    await run('mkfifo', [join(root, 'pipe.md')]);
    const memory = open(root);
    const { files, ignored } = await memory.scan();
    expect(files.map(({ path, problems }) => [path, problems]).sort()).toEqual([
      ['binary.md', ['no-header', 'not-text']],
      ['large.md', ['too-large']],
    ]);
    expect(ignored).toEqual([{ path: 'pipe.md', reason: 'special' }]);
    const result = await memory.startRecall().recall('the large pump');
    expect(result).toMatchObject({ memories: [{ path: 'large.md', isCut: true }] });
    expect(await memory.forget('binary.md', { reason: 'r' })).toMatchObject({ reason: 'not-text' });
    expect(existsSync(join(root, 'binary.md'))).toBe(true);
  });

  test('10,000 files: the newest are listed and searched, and how many were not is said', async () => {
    const root = join(temporaryFolder(), 'mem');
    mkdirSync(root);
    const count = isWhole ? 10_000 : 500;
    for (let at = 0; at < count; at++) writeFileSync(join(root, `m${at}.md`), `pump${at} text`);
    utimesSync(join(root, 'm77.md'), NOW / 1_000, NOW / 1_000 + 10 ** 7);
    const memory = open(root);
    const { files, leftOut } = await memory.scan();
    expect([files.length, leftOut]).toEqual([200, count - 200]);
    const result = await memory.startRecall().recall('the text of pump77');
    expect(result).toMatchObject({ memories: [{ path: 'm77.md' }] });
    const stop = new AbortController();
    const scanned = open(root).scan({ signal: stop.signal });
    setImmediate(() => stop.abort(new Error('stopped')));
    await expect(scanned).rejects.toThrow('stopped'); // others run in between
  });
});

describe('D4 what the disk does not give', () => {
  const made = (): string => {
    const root = join(temporaryFolder(), 'mem');
    mkdirSync(root);
    return root;
  };

  test('over 2,000 files: an old one is not written over, and is read, edited, superseded and forgotten', async () => {
    const root = made();
    const put = (path: string, text: string, days: number) => {
      writeFileSync(join(root, path), text);
      utimesSync(join(root, path), NOW / 1_000 - days * 86_400, NOW / 1_000 - days * 86_400);
    };
    for (let at = 0; at < 2_001; at++) put(`m${at}.md`, `text ${at}`, 1);
    for (const name of ['gate', 'pump', 'kiln'])
      put(`project_${name}.md`, fileText(`The ${name}`, `Old text of the ${name}.`), 99);
    const { files } = dying(Number.POSITIVE_INFINITY);
    const memory = open(root, files);
    expect(await memory.save(newMemory('Gate', 'New text here.'))).toMatchObject({
      ...{ kind: 'saved', path: 'project_gate_2.md' },
    });
    expect(readFileSync(join(root, 'project_gate.md'), 'utf8')).toContain('Old text of the gate.');
    expect(await memory.save(newMemory('The kiln', 'Other text here.'))).toMatchObject({
      ...{ reason: 'exists', path: 'project_kiln.md' },
    });
    expect((await memory.scan({ maxFiles: 5_000 })).files).toHaveLength(2_005);
    const basis = (await open(root).read('project_pump.md'))?.hash;
    expect(
      await memory.save(
        newMemory('The pump', 'Edited text here.', { path: 'project_pump.md', basis }),
      ),
    ).toMatchObject({ kind: 'saved' });
    expect(
      await open(root, files).save(
        newMemory('B', 'Body of b here.', { supersedes: ['project_gate.md'] }),
      ),
    ).toMatchObject({ kind: 'saved' });
    expect(await open(root, files).forget('project_kiln.md', { reason: 'asked' })).toMatchObject({
      kind: 'forgotten',
    });
  });

  test.skipIf(process.getuid?.() === 0)(
    'files and folders that may not be read are listed, never fatal',
    async () => {
      const root = made();
      writeFileSync(join(root, 'a.md'), fileText('A', 'Text of a here.'));
      writeFileSync(join(root, 'closed.md'), 'secret');
      mkdirSync(join(root, 'closed'));
      chmodSync(join(root, 'closed.md'), 0);
      chmodSync(join(root, 'closed'), 0);
      onTestFinished(() => chmodSync(join(root, 'closed'), 0o700));
      const { files, ignored } = await open(root).scan();
      expect(files.map(({ path }) => path)).toEqual(['a.md']);
      expect(ignored.map(({ path, reason }) => [path, reason]).sort()).toEqual([
        ['closed', 'unreadable'],
        ['closed.md', 'unreadable'],
      ]);
      expect((await open(root).check()).counts['not-opened']).toBe(2);
      expect((await open(root).save(newMemory('New', 'New text here.'))).kind).toBe('saved');
    },
  );

  test('a linked index and a linked archive: scan, check, the index and recall work, and say so', async () => {
    const root = made();
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'MEMORY.md'), '- [X](x.md) — outside\n');
    writeFileSync(join(root, 'a.md'), fileText('Pump', 'Nine bar for the pump.'));
    symlinkSync(join(outside, 'MEMORY.md'), join(root, 'MEMORY.md'));
    const memory = open(root);
    expect(await memory.save(newMemory('New', 'New text here.'))).toMatchObject({
      ...{ kind: 'saved', isIndexed: false },
    });
    expect(readFileSync(join(outside, 'MEMORY.md'), 'utf8')).toBe('- [X](x.md) — outside\n');
    rmSync(join(root, '.archive'), { recursive: true });
    symlinkSync(outside, join(root, '.archive'));
    expect(await memory.forget('a.md', { reason: 'asked' })).toMatchObject({ reason: 'bad-path' });
    expect((await memory.scan()).files).toHaveLength(2);
    const { findings } = await memory.check();
    expect(
      findings
        .filter(({ kind }) => kind === 'not-opened')
        .map(({ path }) => path)
        .sort(),
    ).toEqual(['.archive', 'MEMORY.md']);
    expect((await memory.loadIndex()).text).toContain('MEMORY.md is not read');
    expect((await memory.startRecall().recall('how many bar has the pump')).kind).toBe('recalled');
    expect(readdirSync(outside)).toEqual(['MEMORY.md']);
  });

  test('124 a file for a folder and a folder for a file are answers or typed errors', async () => {
    const root = made();
    writeFileSync(join(root, 'a.md'), fileText('A', 'Text of a here.'));
    mkdirSync(join(root, 'b.md'));
    const folder = diskFolder(root);
    expect(await folder.read('a.md/x.md')).toBeUndefined();
    await expect(folder.read('b.md')).rejects.toMatchObject({
      name: 'MemdirError',
      code: 'bad-path',
    });
    await expect(folder.replace('a.md/x.md', 'x', { basis: undefined })).rejects.toMatchObject({
      name: 'MemdirError',
    });
    await folder.remove('a.md/x.md', { basis: 'x' });
    expect(
      await open(root).save(newMemory('New', 'New text here.', { path: 'b.md' })),
    ).toMatchObject({
      ...{ kind: 'refused', reason: 'bad-path' },
    });
    await expect(diskFolder(join(root, 'a.md')).list('')).rejects.toMatchObject({
      code: 'not-read',
    });
  });

  test('a lock that another process keeps is an error of this package', async () => {
    const root = made();
    const lock = await takeLock(join(root, '.memdir.lock'));
    const memory = createMemdir({ folder: diskFolder(root, { lockWaitMs: 10 }), now: () => NOW });
    const saved = memory.save(newMemory('New', 'New text here.'));
    await expect(saved).rejects.toMatchObject({
      name: 'MemdirError',
      code: 'locked',
      cause: { code: 'locked' },
    });
    await expect(saved).rejects.not.toThrow(root);
    await lock.release();
    expect((await memory.save(newMemory('New', 'New text here.'))).kind).toBe('saved');
  });

  test('a superseded file that is no text stays, and the save says so', async () => {
    const root = made();
    const bytes = Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a);
    writeFileSync(join(root, 'latin.md'), bytes);
    writeFileSync(
      join(root, 'MEMORY.md'),
      Uint8Array.of(...Buffer.from('- [L](latin.md) '), 0xe9, 0x0a),
    );
    const index = readFileSync(join(root, 'MEMORY.md'));
    const memory = open(root);
    expect(
      await memory.save(newMemory('New', 'New text here.', { supersedes: ['latin.md'] })),
    ).toMatchObject({
      ...{ kind: 'refused', reason: 'not-text' },
    });
    expect(await memory.save(newMemory('New', 'New text here.'))).toMatchObject({
      isIndexed: false,
    });
    expect([readFileSync(join(root, 'latin.md')), readFileSync(join(root, 'MEMORY.md'))]).toEqual([
      Buffer.from(bytes),
      index,
    ]);
  });

  test('a name as long as names can be is forgotten, and comes back', async () => {
    const root = made();
    const path = `${'x'.repeat(250)}.md`;
    writeFileSync(join(root, path), fileText('Long', 'Long text of mine.'));
    expect(await open(root).forget(path, { reason: 'asked' })).toMatchObject({ kind: 'forgotten' });
    expect(visible(root)).toEqual([]);
    expect(await open(root).undo()).toMatchObject({ kind: 'undone' });
    expect(visible(root)).toEqual([path]);
  });

  test.each(['create', 'rename'] as const)(
    'D7 123 a folder that becomes a link right before %s: nothing outside stays made, or is changed or removed',
    async (call) => {
      const root = made();
      const outside = temporaryFolder();
      mkdirSync(join(root, 'sub'));
      const text = fileText('Gate', 'It opens at nine.');
      for (const folder of [join(root, 'sub'), outside]) {
        writeFileSync(join(folder, 'gate.md'), text);
      }
      const swap = () => {
        if (existsSync(join(root, 'moved'))) return;
        renameSync(join(root, 'sub'), join(root, 'moved'));
        symlinkSync(outside, join(root, 'sub'));
      };
      const files: typeof realFiles = {
        ...realFiles,
        async create(path) {
          if (call === 'create') swap();
          return realFiles.create(path);
        },
        async rename(from, to) {
          if (call === 'rename') swap();
          return realFiles.rename(from, to);
        },
      };
      const folder = diskFolder(root, { files });
      const replaced = folder.replace('sub/new.md', 'new', { basis: undefined });
      await expect(replaced).rejects.toMatchObject({ name: 'MemdirError' });
      const removed = folder.remove('sub/gate.md', { basis: text });
      await expect(removed).rejects.toMatchObject({ name: 'MemdirError', code: 'bad-path' });
      expect(readdirSync(outside)).toEqual(['gate.md']);
      expect(readFileSync(join(outside, 'gate.md'), 'utf8')).toBe(text);
    },
  );
});

describe('writers at once', () => {
  test('117 processes save at once while a hand adds to a file: all are there, none half', async () => {
    const [processes, each] = isWhole ? [8, 50] : [2, 3];
    const root = join(temporaryFolder(), 'mem');
    await open(root).save(newMemory('Shared', 'First line here.'));
    const program = join(import.meta.dirname, 'programs', 'save-many.ts');
    const writers = Array.from({ length: processes }, (_, at) =>
      run(process.execPath, [program, root, `writer${at}`, String(each)]),
    );
    const shared = join(root, 'project_shared.md');
    writeFileSync(shared, `${readFileSync(shared, 'utf8')}By hand.\n`);
    await Promise.all(writers);
    expect(visible(root)).toHaveLength(processes * each + 2); // the shared one, and the index
    expect(readFileSync(shared, 'utf8')).toContain('By hand.');
    const report = await open(root).check();
    const files = processes * each + 1;
    // an index has 200 lines; what is saved beyond them is found by recall
    const pointers = Math.min(files, 200);
    expect(report).toMatchObject({ files, pointers });
    expect(report.counts).toEqual(files > pointers ? { orphan: files - pointers } : {});
  }, 60_000);

  test('many saves at once in one process wait for each other', async () => {
    const memory = open(join(temporaryFolder(), 'mem'), dying(Number.POSITIVE_INFINITY).files);
    const saves = Array.from({ length: 12 }, (_, at) =>
      memory.save(newMemory(`N ${at}`, `Body number ${at}.`)),
    );
    expect(new Set((await Promise.all(saves)).map(({ kind }) => kind))).toEqual(new Set(['saved']));
    expect(await memory.check()).toMatchObject({ ok: true, files: 12, pointers: 12 });
  });

  test('130 what another process changed since it was read is not written over', async () => {
    const root = join(temporaryFolder(), 'mem');
    const [one, other] = [open(root), open(root)];
    await one.save(newMemory('Port', 'It is 1.'));
    const basis = (await one.read('project_port.md'))?.hash;
    await other.save(newMemory('Port', 'It is 2.', { path: 'project_port.md', basis }));
    expect(
      await one.save(newMemory('Port', 'It is 3.', { path: 'project_port.md', basis })),
    ).toMatchObject({ kind: 'conflict' });
    expect(readFileSync(join(root, 'project_port.md'), 'utf8')).toContain('It is 2.');
  });
});

describe('kills and refusals of the disk', () => {
  test.each(['save', 'supersede', 'forget', 'rebuild', 'undo'] as const)(
    'E6 108 a kill at any call of %s leaves all of before or all of after, once the next writer came',
    async (kind) => {
      const base = temporaryFolder();
      const root = (name: string) => join(base, name, 'memory');
      const before = open(root('before'), dying(Number.POSITIVE_INFINITY).files);
      await before.save(newMemory('One', 'First text here.'));
      await before.save(newMemory('Two', 'Second text here.'));
      if (kind === 'rebuild') {
        writeFileSync(join(root('before'), 'three.md'), fileText('Three', 'By hand here.'));
      }
      const fresh = (name: string): string => {
        cpSync(root('before'), root(name), { recursive: true });
        return root(name);
      };
      const act = async (memory: ReturnType<typeof open>): Promise<unknown> => {
        const next = newMemory('New', 'New text here.');
        if (kind === 'save') return memory.save(next);
        if (kind === 'supersede') return memory.save({ ...next, supersedes: ['project_one.md'] });
        if (kind === 'forget') return memory.forget('project_one.md', { reason: 'asked' });
        return kind === 'rebuild' ? memory.rebuild() : memory.undo();
      };
      const stateOf = (folder: string) =>
        [...visible(folder).sort(), '.tombstones.jsonl']
          .map((name) => join(folder, name))
          .map((path) => `${basename(path)}\n${existsSync(path) ? readFileSync(path, 'utf8') : ''}`)
          .join('\n');
      const whole = dying(1_000);
      await act(open(fresh('after'), whole.files));
      const wanted = [stateOf(root('before')), stateOf(root('after'))];
      expect(wanted[0]).not.toBe(wanted[1]);
      const seen = new Set<number>();
      for (const calls of someUpTo(whole.made() - 1, 8)) {
        const folder = fresh(`killed-at-${calls}`);
        const { files, isDead } = dying(calls);
        await act(open(folder, files)).catch(() => undefined);
        expect(isDead()).toBe(true);
        await open(folder, dying(1_000).files).undo({ id: 'none' }); // the next writer
        const state = wanted.indexOf(stateOf(folder));
        expect([calls, state]).not.toEqual([calls, -1]);
        expect((await open(folder).check()).counts.interrupted).toBeUndefined();
        seen.add(state);
      }
      expect(seen.has(0)).toBe(true);
    },
  );

  test('154 a file that another program holds is waited for', async () => {
    const root = join(temporaryFolder(), 'mem');
    let refusals = 3;
    const files: typeof realFiles = {
      ...realFiles,
      async rename(from, to) {
        if (to.endsWith('project_gate.md') && refusals-- > 0)
          throw Object.assign(new Error('held'), { code: 'EPERM' });
        return realFiles.rename(from, to);
      },
    };
    expect(await open(root, files).save(newMemory('Gate', 'It opens at nine.'))).toMatchObject({
      kind: 'saved',
    });
    expect((await open(root).check()).ok).toBe(true);
  });

  test('154 a file that is never let go: a typed error, the old text stands, and the new one is saved later', async () => {
    const root = join(temporaryFolder(), 'mem');
    const first = await open(root).save(newMemory('Gate', 'It opens at nine.'));
    if (first.kind !== 'saved') throw new Error(first.kind);
    const before = readFileSync(join(root, first.path), 'utf8');
    const files: typeof realFiles = {
      ...realFiles,
      async rename(from, to) {
        if (to.endsWith(first.path)) throw Object.assign(new Error('held'), { code: 'EPERM' });
        return realFiles.rename(from, to);
      },
    };
    const next = newMemory('Gate', 'It opens at ten.', { path: first.path, basis: first.hash });
    await expect(open(root, files).save(next)).rejects.toMatchObject({
      ...{ name: 'MemdirError', code: 'not-written' },
      cause: { code: 'EPERM' },
    });
    expect(readFileSync(join(root, first.path), 'utf8')).toBe(before);
    expect(await open(root).save(next)).toMatchObject({ kind: 'saved' });
    expect(readdirSync(root).filter((name) => /tmp/.test(name))).toEqual([]);
  }, 20_000);

  test('a reading while a file is being written leaves the file alone that is to be moved in its place', async () => {
    const root = join(temporaryFolder(), 'mem');
    const folder = diskFolder(root, {
      files: {
        ...realFiles,
        async rename(from, to) {
          await folder.list('');
          await folder.names('');
          await realFiles.rename(from, to);
        },
      },
    });
    const memory = createMemdir({ folder, now: () => NOW });
    expect(await memory.save(newMemory('Gate', 'It opens at nine.'))).toMatchObject({
      kind: 'saved',
    });
    expect(readdirSync(root)).toContain('project_gate.md');
  });

  test('155 a link under the name of a temporary file is not followed', async () => {
    const root = join(temporaryFolder(), 'mem');
    const outside = join(temporaryFolder(), 'kept');
    writeFileSync(outside, 'kept');
    mkdirSync(root);
    for (const name of ['project_gate.md.tmp', 'MEMORY.md.tmp', '.memdir.lock.tmp'])
      symlinkSync(outside, join(root, name));
    expect((await open(root).save(newMemory('Gate', 'It opens at nine.'))).kind).toBe('saved');
    expect(readFileSync(outside, 'utf8')).toBe('kept');
  });

  test('155 what stands under the name of a temporary file does not matter', async () => {
    const root = join(temporaryFolder(), 'mem');
    mkdirSync(join(root, 'project_gate.md.tmp'), { recursive: true });
    writeFileSync(join(root, 'MEMORY.md.tmp'), 'old');
    chmodSync(join(root, 'MEMORY.md.tmp'), 0o400);
    expect((await open(root).save(newMemory('Gate', 'It opens at nine.'))).kind).toBe('saved');
    expect(readFileSync(join(root, 'MEMORY.md.tmp'), 'utf8')).toBe('old');
  });
});
