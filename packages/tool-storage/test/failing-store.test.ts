import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createToolStorage, memoryStore } from '../src/index.ts';
import { fileStore, realFiles, type StoreFiles } from '../src/node/index.ts';
import { longText } from './long-text.ts';
import { memoryStorage, output, shownText, temporaryFolder } from './support.ts';

const TEXT = longText(120_000);
const mark = (index: number) => output(`t${index}`, longText(300_000, `result ${index}`));

/** A real folder behind a file system that fails in one place. */
function failing(where: keyof StoreFiles | 'write' | 'sync', code: string, after = 0): StoreFiles {
  let calls = 0;
  const fail = () => {
    if (calls++ >= after) throw Object.assign(new Error(`injected ${code}`), { code });
  };
  const guard =
    <Args extends unknown[], Result>(name: string, work: (...args: Args) => Promise<Result>) =>
    async (...args: Args) => {
      if (name === where) fail();
      return work(...args);
    };
  return {
    ...realFiles,
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

const storageOn = (folder: string, files?: StoreFiles) =>
  createToolStorage({ store: fileStore(folder, { files }), sessionId: 's' });

describe('offload where the disk refuses (S5)', () => {
  test.each([
    ['write', 'ENOSPC', 'disk-full'],
    ['sync', 'ENOSPC', 'disk-full'],
    ['sync', 'EIO', 'store-failed'],
    ['rename', 'EDQUOT', 'disk-full'],
    ['rename', 'EXDEV', 'store-failed'],
    ['create', 'EROFS', 'read-only'],
    ['create', 'EACCES', 'read-only'],
    ['create', 'EMFILE', 'store-failed'],
    ['makeFolder', 'EPERM', 'read-only'],
    ['makeFolder', 'ENOTDIR', 'folder-gone'],
    ['syncFolder', 'EIO', 'store-failed'],
    ['names', 'EACCES', 'read-only'],
  ] as const)(
    '%s fails with %s: truncated, %s, and nothing half done is left',
    async (where, code, reason) => {
      const folder = temporaryFolder();
      const outcome = await storageOn(folder, failing(where, code)).offload(output('t', TEXT));
      expect(outcome).toMatchObject({ kind: 'truncated', reason, cause: { code } });
      const shown = shownText(outcome);
      expect(shown.length).toBeLessThanOrEqual(50_000);
      expect(shown.length).toBeGreaterThan(45_000);
      expect(shown).toContain('could not be stored');
      expect(shown).not.toContain('handle=');
      const names = readdirSync(folder).flatMap((name) => readdirSync(join(folder, name)));
      expect(names).toEqual([]);
    },
  );

  test('a disk that takes parts of writes gets all of them; one that takes nothing is full', async () => {
    const folder = temporaryFolder();
    const slow: StoreFiles = {
      ...realFiles,
      async create(path) {
        const file = await realFiles.create(path);
        return { ...file, write: (bytes) => file.write(bytes.subarray(0, 999)) };
      },
    };
    const results = storageOn(folder, slow);
    const outcome = await results.offload(output('t', TEXT));
    expect(await results.load(outcome.kind === 'stored' ? outcome.handle : '')).toBe(TEXT);
    const none: StoreFiles = {
      ...realFiles,
      create: async (path) => ({ ...(await realFiles.create(path)), write: async () => 0 }),
    };
    expect(await storageOn(folder, none).offload(output('u', TEXT))).toMatchObject({
      kind: 'truncated',
      reason: 'disk-full',
    });
  });

  test('where nothing can be written, a result of a crowded round is cut to its share, or kept if that saves nothing', async () => {
    const results = memoryStorage({
      store: {
        ...memoryStore(),
        put: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOSPC' })),
      },
    });
    const outputs = Array.from({ length: 5 }, (_, at) =>
      output(`t${at}`, longText(50_000, `r${at}`)),
    );
    const outcomes = await results.offloadRound([...outputs, output('small', 'ok')]);
    const total = outcomes.reduce((sum, outcome) => sum + shownText(outcome).length, 0);
    expect(total).toBeLessThanOrEqual(200_000);
    expect(outcomes.filter(({ kind }) => kind === 'truncated').length).toBeGreaterThan(0);
    const few = memoryStorage({
      threshold: 800,
      store: { ...memoryStore(), put: () => Promise.reject(new Error('no')) },
    });
    const outcome = await few.offload(output('t', `${'word '.repeat(160)}.`));
    expect(outcome).toMatchObject({ kind: 'kept' });
  });

  test('the decision to truncate is frozen like any other, also when the disk has room again', async () => {
    const folder = temporaryFolder();
    const full = storageOn(folder, failing('write', 'ENOSPC'));
    const before = await full.offload(output('t', TEXT));
    const later = createToolStorage({
      store: fileStore(folder),
      sessionId: 's',
      decisions: full.decisions(),
    });
    const again = await later.offload(output('t', TEXT));
    expect(again).toEqual({ ...before, cause: undefined });
  });

  test('a small disk, real where mounting is allowed, else injected: what was stored stays, the rest is truncated', async () => {
    const { folder, files, isMounted } = smallDisk();
    const results = storageOn(folder, files);
    const outcomes = [];
    for (let index = 0; index < 6; index++) outcomes.push(await results.offload(mark(index)));
    const kinds = outcomes.map(({ kind }) => kind);
    expect(kinds.slice(0, 2)).toEqual(['stored', 'stored']);
    expect(kinds.at(-1)).toBe('truncated');
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.kind === 'stored')
        expect(await results.load(outcome.handle)).toBe(mark(index).content);
      else expect(outcome).toMatchObject({ reason: 'disk-full', cause: { code: 'ENOSPC' } });
    }
    expect(readdirSync(join(folder, 's')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    if (isMounted) expect(statSync(folder).dev).not.toBe(statSync(join(folder, '..')).dev);
  });

  test('a read-only folder, real where mounting or modes hold, else injected', async () => {
    const folder = join(temporaryFolder(), 'results');
    mkdirSync(folder);
    const before = await storageOn(folder).offload(mark(0));
    const isReal = makeReadOnly(folder);
    const results = storageOn(folder, isReal ? undefined : failing('create', 'EROFS'));
    expect(await results.offload(mark(1))).toMatchObject({
      kind: 'truncated',
      reason: 'read-only',
    });
    const handle = before.kind === 'stored' ? before.handle : '';
    expect(await results.load(handle)).toBe(mark(0).content);
    if (isReal)
      await expect(results.remove(handle)).rejects.toMatchObject({ code: 'store-failed' });
  });

  test('a folder that vanishes is made again; what was in it is called unknown, and comes back with its content', async () => {
    const folder = join(temporaryFolder(), 'results');
    const results = storageOn(folder);
    const first = await results.offload(mark(0));
    rmSync(folder, { recursive: true });
    const handle = first.kind === 'stored' ? first.handle : '';
    await expect(results.load(handle)).rejects.toMatchObject({ code: 'unknown-handle' });
    const second = await results.offload(mark(1));
    expect(await results.load(second.kind === 'stored' ? second.handle : '')).toBe(mark(1).content);
    const resumed = createToolStorage({
      store: fileStore(folder),
      sessionId: 's',
      decisions: results.decisions(),
    });
    expect(await resumed.offload(mark(0))).toEqual(first);
    expect(await resumed.load(handle)).toBe(mark(0).content);
  });

  test('a file in place of the folder is an outcome too', async () => {
    const folder = join(temporaryFolder(), 'results');
    writeFileSync(folder, 'not a folder');
    const outcome = await storageOn(folder).offload(mark(0));
    expect(outcome).toMatchObject({
      kind: 'truncated',
      cause: { code: expect.stringMatching(/^E(?:EXIST|NOTDIR)$/) },
    });
  });
});

describe('budgets', () => {
  test.each([
    [{ maxSessionBytes: 250_000 }, 'session-budget'],
    [{ maxTotalBytes: 250_000 }, 'total-budget'],
  ])(
    '%j: what does not fit is truncated, what is there already needs no room',
    async (limits, reason) => {
      const store = memoryStore();
      const results = createToolStorage({ store, sessionId: 's', ...limits });
      const first = await results.offload(output('a', TEXT));
      const second = await results.offload(output('b', longText(120_000, 'b')));
      expect([first.kind, second.kind]).toEqual(['stored', 'stored']);
      const third = await results.offload(output('c', longText(120_000, 'c')));
      expect(third).toMatchObject({ kind: 'truncated', reason });
      expect(third).not.toHaveProperty('cause');
      const restarted = createToolStorage({ store, sessionId: 's', ...limits });
      expect(await restarted.offload(output('a', TEXT))).toMatchObject({ kind: 'stored' });
      expect(await restarted.offload(output('d', longText(120_000, 'd')))).toMatchObject({
        kind: 'truncated',
        reason,
      });
      await restarted.remove(first.kind === 'stored' ? first.handle : '');
      expect(await restarted.offload(output('e', longText(120_000, 'e')))).toMatchObject({
        kind: 'stored',
      });
    },
  );

  test('the session budget does not count other sessions, the total does', async () => {
    const store = memoryStore();
    await createToolStorage({ store, sessionId: 'other' }).offload(output('a', TEXT));
    const session = createToolStorage({ store, sessionId: 's', maxSessionBytes: 130_000 });
    expect(await session.offload(output('b', TEXT))).toMatchObject({ kind: 'stored' });
    const total = createToolStorage({ store, sessionId: 't', maxTotalBytes: 250_000 });
    expect(await total.offload(output('c', TEXT))).toMatchObject({
      kind: 'truncated',
      reason: 'total-budget',
    });
  });
});

describe('abort', () => {
  const isAbort = expect.objectContaining({ name: 'AbortError' });

  test('before the file is in place nothing was changed, and a later call decides anew', async () => {
    for (const where of ['write', 'sync', 'rename'] as const) {
      const folder = temporaryFolder();
      const controller = new AbortController();
      const abortAt = (name: string) => {
        if (name === where) controller.abort();
      };
      const files: StoreFiles = {
        ...realFiles,
        async create(path) {
          const file = await realFiles.create(path);
          abortAt('write');
          return { ...file, sync: () => file.sync().finally(() => abortAt('sync')) };
        },
      };
      const results = storageOn(folder, files);
      const { signal } = controller;
      const done = results.offload(output('t', TEXT), { signal });
      if (where === 'rename') {
        expect(await done).toMatchObject({ kind: 'stored' }); // nothing was aborted
        continue;
      }
      await expect(done).rejects.toThrow(isAbort);
      expect(results.decisions()).toEqual([]);
      await expect.poll(() => readdirSync(join(folder, 's'))).toEqual([]); // the store cleans up behind the call
      expect(await results.offload(output('t', TEXT))).toMatchObject({ kind: 'stored' });
    }
  });

  test('in the middle of a round what was stored for it is taken back, but not what was there before', async () => {
    const store = memoryStore();
    const controller = new AbortController();
    let puts = 0;
    const put: typeof store.put = async (key, bytes, options) => {
      if (++puts === 4) controller.abort();
      return store.put(key, bytes, options);
    };
    const results = memoryStorage({ store: { ...store, put } });
    await results.offload(mark(0));
    const again = createToolStorage({ store: { ...store, put }, sessionId: 's1' });
    const round = [mark(0), mark(1), mark(2), mark(3)];
    await expect(again.offloadRound(round, { signal: controller.signal })).rejects.toThrow(isAbort);
    expect(await store.list('')).toHaveLength(1);
    expect(again.decisions()).toEqual([]);
  });

  test('one that waits its turn rejects, the others go on', async () => {
    const results = memoryStorage();
    const controller = new AbortController();
    const first = results.offload(mark(0));
    const second = results.offload(mark(1), { signal: controller.signal });
    const third = results.offload(mark(2));
    controller.abort();
    await expect(second).rejects.toThrow(isAbort);
    expect([(await first).kind, (await third).kind]).toEqual(['stored', 'stored']);
  });
});

/** 1 MB of real disk where mounting is allowed, else a disk that is full after two results. */
function smallDisk() {
  const folder = join(temporaryFolder(), 'disk');
  mkdirSync(folder);
  if (mount('-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder)) {
    onTestFinished(() => void spawnSync('umount', [folder]));
    return { folder, files: realFiles, isMounted: true };
  }
  return { folder, files: failing('write', 'ENOSPC', 2), isMounted: false };
}

/** Whoever may do everything needs a mount; for all others a mode is enough. */
function makeReadOnly(folder: string): boolean {
  if (process.getuid?.() !== 0) {
    for (const path of [folder, join(folder, 's')]) chmodSync(path, 0o500);
    onTestFinished(() =>
      [folder, join(folder, 's')].forEach((path) => void chmodSync(path, 0o700)),
    );
    return process.platform !== 'win32';
  }
  if (!mount('--bind', folder, folder)) return false;
  onTestFinished(() => void spawnSync('umount', [folder]));
  return mount('-o', 'remount,ro,bind', folder);
}

const mount = (...args: string[]): boolean =>
  process.platform === 'linux' && spawnSync('mount', args).status === 0;

describe('a store that never answers', () => {
  const never = () => new Promise<never>(() => undefined);

  test.each(['put', 'list'] as const)('%s: an abort ends the call at once', async (method) => {
    const storage = memoryStorage({ store: { ...memoryStore(), [method]: never } });
    const large = output('t1', longText(60_000));
    const [first, second] = [new AbortController(), new AbortController()];
    const calls = [first, second].map(({ signal }) => storage.offload(large, { signal }));
    second.abort(new Error('held up'));
    await expect(calls[1]).rejects.toThrow('held up');
    first.abort(new Error('hangs'));
    await expect(calls[0]).rejects.toThrow('hangs');
    expect(storage.decisions()).toEqual([]);
    await expect(storage.offload(output('t2', 'small'))).resolves.toMatchObject({ kind: 'kept' });
  });

  test('get and delete: an abort ends the call at once', async () => {
    const storage = memoryStorage({ store: { ...memoryStore(), get: never, delete: never } });
    const outcome = await storage.offload(output('t1', longText(60_000)));
    const handle = outcome.kind === 'stored' ? outcome.handle : '';
    const options = { signal: AbortSignal.timeout(5) };
    await expect(storage.load(handle, options)).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(storage.remove(handle, options)).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
