import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import fs, {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { serializeEntry } from '@varve/messages';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLog, readLog, salvageLog, takeLock } from '../src/node/index.ts';
import { replaceCall } from './fs-calls.ts';
import { startProgram, temporaryFolder, userEntry } from './support.ts';

type LockOptions = NonNullable<Parameters<typeof takeLock>[1]>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS).toISOString();

/** The path of a lock whose file is like that of a lock of this process but for some fields, or holds a text. */
async function lockOf(owner: object | string): Promise<string> {
  const path = join(temporaryFolder(), 'lock');
  const lock = await takeLock(path);
  const own = JSON.parse(readFileSync(path, 'utf8'));
  await lock.release();
  const body = typeof owner === 'string' ? owner : JSON.stringify({ ...own, ...owner });
  writeFileSync(path, body);
  return path;
}

/** `taken` also says that nothing is left once the lock is given back. */
async function outcomeOf(path: string, options: LockOptions = {}): Promise<string> {
  const before = existsSync(path) && !statSync(path).isDirectory() ? readFileSync(path) : undefined;
  try {
    const lock = await takeLock(path, options);
    expect(lock.isHeld()).toBe(true);
    await lock.release();
    expect(readdirSync(dirname(path))).toEqual([]);
    return 'taken';
  } catch (error) {
    if (before !== undefined) expect(readFileSync(path)).toEqual(before);
    expect(readdirSync(dirname(path))).toEqual(['lock']);
    return (error as { readonly code: string }).code;
  }
}

/** No file below these paths can be read until the test ends. */
function hideFiles(hidden: readonly string[]): void {
  const { readFileSync: read, readlinkSync: target } = fs;
  const refuse = (path: unknown): void => {
    if (!hidden.some((each) => String(path).startsWith(each))) return;
    throw Object.assign(new Error(`EACCES: ${path}`), { code: 'EACCES' });
  };
  fs.readFileSync = ((...args: Parameters<typeof read>) => {
    refuse(args[0]);
    return read(...args);
  }) as typeof read;
  fs.readlinkSync = ((...args: Parameters<typeof target>) => {
    refuse(args[0]);
    return target(...args);
  }) as typeof target;
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(fs, { readFileSync: read, readlinkSync: target });
    syncBuiltinESMExports();
  });
}

/** A clock that is so far ahead of the file system. */
const ahead = (minutes: number): LockOptions => ({
  clock: { now: ({ ctimeMs }) => ctimeMs + minutes * MINUTE_MS },
});

/** The file that has to be made before the lock of an owner is taken over. */
function turnOf(path: string, token: string): string {
  const print = createHash('sha256').update(basename(path)).digest('hex').slice(0, 16);
  return join(dirname(path), `.lock-${print}-${token}`);
}

const GONE = 2 ** 22 + 1; // above the largest process id

describe('takeLock: who has lost a lock at once', () => {
  test.each([
    ['case 126: our own pid from before a restart', { startTime: '1' }, 'taken'],
    ['case 125: an earlier boot of this machine', { bootId: 'earlier' }, 'taken'],
    ['case 125: a process that is gone', { pid: GONE }, 'taken'],
    ['a lock that was given back and not removed', { state: 'free' }, 'taken'],
    ['the same living process', {}, 'locked'],
    [
      'the same living process, its heartbeat long ago',
      { heartbeatAt: minutesAgo(9_999) },
      'locked',
    ],
    ['case 125: another host', { host: 'elsewhere', pid: GONE }, 'locked'],
    [
      'O351: another PID namespace of a host of this name',
      { pidNamespace: 'pid:[1]', pid: GONE },
      'locked',
    ],
    ['O351: a PID namespace that is not known', { pidNamespace: '', pid: GONE }, 'locked'],
    [
      'O351: another machine of this name',
      { bootId: 'other', machineId: 'other', pid: GONE },
      'locked',
    ],
    ['O351: a machine that is not known', { bootId: 'other', machineId: '', pid: GONE }, 'locked'],
    ['O352: a process id that names a group', { pid: 0 }, 'locked'],
    ['O352: a process id that names all', { pid: -1 }, 'locked'],
    ['O352: no number for a process id', { pid: 'one' }, 'locked'],
    ['O352: no whole number for a process id', { pid: 1.5 }, 'locked'],
    ['O352: a process id that names a group that is gone', { pid: -GONE }, 'locked'],
    ['a system that does not tell when processes started', { startTime: '' }, 'locked'],
  ])('%s', async (_what, owner, outcome) => {
    expect(await outcomeOf(await lockOf(owner))).toBe(outcome);
  });
});

describe('takeLock: who has lost it 60 minutes after the last heartbeat', () => {
  const UNKNOWN: readonly (readonly [string, object])[] = [
    ['another host', { host: 'elsewhere' }],
    ['O351: another PID namespace', { pidNamespace: 'pid:[1]' }],
    ['O352: process id 0', { pid: 0 }],
    ['O352: process id -1', { pid: -1 }],
  ];

  test.each(
    UNKNOWN.flatMap(([what, owner]) =>
      [
        [59, 'locked'] as const,
        [61, 'taken'] as const,
        [-59, 'locked'] as const,
        [-61, 'taken'] as const, // the clock was set back: the living would have made it new
      ].map(([minutes, outcome]) => [what, minutes, owner, outcome] as const),
    ),
  )('%s, %i minutes ago', async (_what, minutes, owner, outcome) => {
    const path = await lockOf({ ...owner, heartbeatAt: minutesAgo(minutes) });
    expect(await outcomeOf(path)).toBe(outcome);
  });

  test.each(['{"token":"../../x"}', '{"token":'])(
    'O352: a damaged file of ours, %j: after its last change, whatever its modification time',
    async (text) => {
      const path = await lockOf(text);
      utimesSync(path, new Date(0), new Date(0)); // belongs to the caller
      expect(await outcomeOf(path)).toBe('locked');
      expect(await outcomeOf(path, ahead(59))).toBe('locked');
      expect(await outcomeOf(path, ahead(61))).toBe('taken');
    },
  );

  const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS);

  test.each(['', ' ', 'null', '12345', '{"ho', '\0\0\0', '[]', 'x'.repeat(9_999)])(
    'E2 (O352): a foreign file that holds %j: after its modification time, which its owner renews',
    async (text) => {
      const path = await lockOf(text);
      expect(await outcomeOf(path)).toBe('locked');
      expect(await outcomeOf(path, ahead(59))).toBe('locked');
      utimesSync(path, ago(59), ago(59));
      expect(await outcomeOf(path)).toBe('locked');
      utimesSync(path, ago(61), ago(61));
      expect(await outcomeOf(path)).toBe('taken');
    },
  );

  test('O352: a link that leads nowhere, likewise; what it leads to is not touched', async () => {
    const path = join(temporaryFolder(), 'lock');
    symlinkSync('nowhere', path);
    await expect(takeLock(path)).rejects.toMatchObject({ code: 'locked' });
    await expect(takeLock(path, ahead(59))).rejects.toMatchObject({ code: 'locked' });
    expect(await (await takeLock(path, ahead(61))).release()).toBeUndefined();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  // Siblings looked for: a folder with old and new things in it, one that may not be looked into, a folder in the way of the
  // take-over, many that come upon it, a log whose lock is one.
  describe('E2 (O352): a folder in its place, as other programs make one', () => {
    const folderAt = (minutes: number): string => {
      const path = join(temporaryFolder(), 'lock');
      mkdirSync(path);
      utimesSync(path, ago(minutes), ago(minutes));
      return path;
    };

    test.each([
      [0, 'locked'],
      [59, 'locked'],
      [61, 'taken'],
    ])('changed %i minutes ago: %s', async (minutes, outcome) => {
      expect(await outcomeOf(folderAt(minutes))).toBe(outcome);
    });

    test('its owner is not known, and when it goes is said', async () => {
      const path = folderAt(7);
      const said = `its lock cannot be read; it is taken over 60 minutes after ${statSync(path).mtime.toISOString()}`;
      await expect(takeLock(path)).rejects.toThrow(said);
    });

    test('with something in it: it stays for good, and the error says why', async () => {
      const path = folderAt(9_999);
      writeFileSync(join(path, 'notes.txt'), 'mine');
      utimesSync(join(path, 'notes.txt'), ago(9_999), ago(9_999));
      utimesSync(path, ago(9_999), ago(9_999));
      expect(await outcomeOf(path)).toBe('locked');
      await expect(takeLock(path, ahead(9_999))).rejects.toThrow(
        /folder that is not empty.*move it/,
      );
      expect(readFileSync(join(path, 'notes.txt'), 'utf8')).toBe('mine');
    });

    test.each(['ENOTEMPTY', 'EEXIST'])(
      'something is put in it just as it is taken away, which systems call %s: it stays',
      async (code) => {
        const path = folderAt(61);
        replaceCall('rmdir', () => async () => {
          writeFileSync(join(path, 'notes.txt'), 'mine');
          throw Object.assign(new Error('not empty'), { code });
        });
        await expect(takeLock(path)).rejects.toMatchObject({ code: 'locked' });
        expect(readdirSync(path)).toEqual(['notes.txt']);
        expect(readdirSync(dirname(path))).toEqual(['lock']);
      },
    );

    test('of many exactly one has it at a time', async () => {
      const path = folderAt(61);
      const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => takeLock(path)));
      const taken = attempts.filter(({ status }) => status === 'fulfilled');
      expect(taken).toHaveLength(1);
      for (const attempt of attempts) {
        if (attempt.status === 'fulfilled') await attempt.value.release();
        else expect(attempt.reason).toMatchObject({ code: 'locked' });
      }
      expect(readdirSync(dirname(path))).toEqual([]);
    });

    test('a log is opened once it is over', async () => {
      const path = folderAt(61);
      const log = join(dirname(path), 'log.jsonl');
      renameSync(path, `${log}.lock`);
      utimesSync(`${log}.lock`, ago(59), ago(59));
      await expect(openLog(log)).rejects.toMatchObject({ code: 'locked' });
      utimesSync(`${log}.lock`, ago(61), ago(61));
      await (await openLog(log)).close();
      expect(readdirSync(dirname(log))).toEqual(['log.jsonl']);
    });
  });

  test('the error names owner and heartbeat, and what to do', async () => {
    const heartbeatAt = minutesAgo(7);
    const path = await lockOf({ host: 'elsewhere', pid: 77, heartbeatAt });
    const said = `process 77 on elsewhere has it (last heartbeat ${heartbeatAt}); go home`;
    await expect(takeLock(path, { advice: 'go home' })).rejects.toThrow(said);
  });
});

describe('O351: a system that shows no `/proc`', () => {
  test.each([
    ['namespaces and boots are not known', ['/proc/']],
    ['namespaces are not known', ['/proc/self/ns/pid']],
    ['boots are not known', ['/proc/sys/kernel/random/boot_id']],
  ])('%s: two owners may be in two namespaces, so 60 minutes', async (_what, hidden) => {
    hideFiles(hidden);
    for (const [minutes, outcome] of [
      [0, 'locked'],
      [59, 'locked'],
      [61, process.platform === 'linux' ? 'taken' : 'locked'],
    ] as const) {
      const path = await lockOf({ pid: GONE, heartbeatAt: minutesAgo(minutes) });
      expect(await outcomeOf(path)).toBe(outcome);
    }
  });

  test('the owner saw none, we do', async () => {
    const unseen = { pidNamespace: '', bootId: '', startTime: '', pid: GONE };
    expect(await outcomeOf(await lockOf(unseen))).toBe('locked');
    expect(await outcomeOf(await lockOf({ bootId: '', pid: GONE }))).toBe('locked');
    expect(await outcomeOf(await lockOf({ bootId: '' }))).toBe('locked');
    const long = { bootId: '', heartbeatAt: minutesAgo(61) };
    expect(await outcomeOf(await lockOf(long))).toBe('taken');
  });
});

describe('O352: a body that does not tell whose lock it is', () => {
  const FIELDS = ['host', 'machineId', 'bootId', 'pidNamespace', 'startTime', 'heartbeatAt'];
  // siblings: the token and the process id, which were looked at before
  test.each(
    FIELDS.flatMap((name) =>
      [undefined, null, 12_345, ['x']].map((value) => [name, value] as const),
    ),
  )('%s is %j: the living owner keeps it for 60 minutes', async (name, value) => {
    const path = await lockOf({ [name]: value });
    expect(await outcomeOf(path)).toBe('locked');
    expect(await outcomeOf(path, ahead(59))).toBe('locked');
    expect(await outcomeOf(path, ahead(61))).toBe('taken');
  });
});

describe('takeLock: by exactly one', () => {
  const dead = (token: string) => ({ token, pid: GONE });

  test.each([0, 1, 12])('of many, after %i owners died while they took over', async (count) => {
    const tokens = Array.from({ length: count + 1 }, () => randomUUID());
    const path = await lockOf(dead(tokens[0] as string));
    const body = JSON.parse(readFileSync(path, 'utf8'));
    for (let index = 0; index < count; index++) {
      const owner = { ...body, ...dead(tokens[index + 1] as string) };
      writeFileSync(turnOf(path, tokens[index] as string), JSON.stringify(owner));
    }
    const attempts = await Promise.allSettled(Array.from({ length: 10 }, () => takeLock(path)));
    const taken = attempts.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(taken).toHaveLength(1);
    expect(taken[0]?.isHeld()).toBe(true);
    await taken[0]?.release();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test('a take-over that another process is just making is waited for, also without waitMs', async () => {
    const token = randomUUID();
    const path = await lockOf(dead(token));
    const turn = turnOf(path, token);
    writeFileSync(
      turn,
      readFileSync(path, 'utf8').replace(`"pid":${GONE}`, `"pid":${process.pid}`),
    );
    let pauses = 0;
    const sleep = async () => void (++pauses === 3 && rmSync(turn));
    const lock = await takeLock(path, { clock: { sleep } });
    expect(pauses).toBe(3);
    await lock.release();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  // Siblings looked for: the file of the lock itself, the draft, and both when it is given back.
  test('what another host clears away beside it meanwhile is not missed', async () => {
    const path = await lockOf(dead(randomUUID()));
    rmSync(path);
    mkdirSync(path);
    utimesSync(path, new Date(0), new Date(0));
    replaceCall('rmdir', (rmdir) => async (...args: Parameters<typeof rmdir>) => {
      await rmdir(...args);
      for (const name of readdirSync(dirname(path))) {
        if (!name.endsWith('.draft')) rmSync(join(dirname(path), name));
      }
    });
    const lock = await takeLock(path);
    expect(lock.isHeld()).toBe(true);
    // all that is beside it goes right before it is removed
    replaceCall('rm', (rm) => async (...args: Parameters<typeof rm>) => {
      rmSync(String(args[0]), { force: true });
      return rm(...args);
    });
    await lock.release();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test('of many that come upon a damaged file', async () => {
    const path = await lockOf('{"dam');
    const attempts = Array.from({ length: 10 }, () => takeLock(path, ahead(61)));
    const outcomes = (await Promise.allSettled(attempts)).map(({ status }) => status);
    expect(outcomes.filter((status) => status === 'fulfilled')).toHaveLength(1);
  });

  test('dead owners who name each other in a ring are an answer, not a hang', async () => {
    const [a, b] = [randomUUID(), randomUUID()];
    const path = await lockOf(dead(a));
    const body = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(turnOf(path, a), JSON.stringify({ ...body, ...dead(b) }));
    writeFileSync(turnOf(path, b), JSON.stringify({ ...body, ...dead(a) }));
    await expect(takeLock(path)).rejects.toMatchObject({ code: 'locked' });
  });

  test('what processes that were killed have left beside it goes, what the living have does not', async () => {
    const path = await lockOf({ pid: GONE });
    const gone = readFileSync(path, 'utf8');
    const alive = gone.replace(`"pid":${GONE}`, `"pid":${process.pid}`);
    for (const name of [randomUUID(), `${randomUUID()}.draft`, 'unreadable-7']) {
      writeFileSync(turnOf(path, name), gone);
    }
    writeFileSync(turnOf(path, `${randomUUID()}.${GONE}.draft`), ''); // killed before it wrote anything
    const unwritten = turnOf(path, `${randomUUID()}.${process.pid}.draft`);
    writeFileSync(unwritten, '');
    const living = [randomUUID(), `${randomUUID()}.${process.pid}.draft`].map((name) =>
      turnOf(path, name),
    );
    for (const each of living) writeFileSync(each, alive);
    const others = ['.mine', 'lock.mine', `.lock-${randomUUID()}`].map((n) =>
      join(dirname(path), n),
    );
    for (const other of others) writeFileSync(other, gone);
    const folder = turnOf(path, `${randomUUID()}.${GONE}.draft`);
    mkdirSync(folder);
    const kept = [path, unwritten, folder, ...living, ...others].map((each) => basename(each));
    const lock = await takeLock(path);
    expect(readdirSync(dirname(path)).toSorted()).toEqual(kept.toSorted());
    await lock.release();
  });
});

describe('a lock that is held', () => {
  /** Timers that run when they are told to. */
  function handTimers() {
    const running = new Set<() => void>();
    const every = (_ms: number, run: () => void) => {
      running.add(run);
      return () => void running.delete(run);
    };
    return { clock: { every }, beat: () => [...running].forEach((run) => void run()), running };
  }

  test('its heartbeat is made new each minute and leaves the modification time alone', async () => {
    const path = join(temporaryFolder(), 'lock');
    const { clock, beat, running } = handTimers();
    let minutes = 0;
    const now = () => Date.parse('2026-01-01T00:00:00.000Z') + minutes * MINUTE_MS;
    const lock = await takeLock(path, { clock: { ...clock, now } });
    const first = JSON.parse(readFileSync(path, 'utf8'));
    const mtime = new Date('2020-02-03T04:05:06.789Z');
    utimesSync(path, mtime, mtime);
    for (minutes = 1; minutes <= 50; minutes++) beat();
    const last = JSON.parse(readFileSync(path, 'utf8'));
    expect(first.heartbeatAt).toBe('2026-01-01T00:00:00.000Z');
    expect(last).toEqual({ ...first, heartbeatAt: '2026-01-01T00:50:00.000Z' });
    expect(Math.round(statSync(path).mtimeMs)).toBe(mtime.getTime());
    await lock.release();
    expect(running.size).toBe(0);
  });

  test("an owner that cannot be asked keeps it as long as it renews, an hour after that it is another's", async () => {
    const path = join(temporaryFolder(), 'lock');
    const { clock, beat } = handTimers();
    const started = Date.now();
    let minutes = 0;
    const now = () => started + minutes * MINUTE_MS;
    const old = await takeLock(path, { clock: { ...clock, now } });
    makeForeign(path);
    for (minutes = 50; minutes < 300; minutes += 50) {
      await expect(takeLock(path, { clock: { now } })).rejects.toMatchObject({ code: 'locked' });
      beat();
      makeForeign(path); // the heartbeat has named this host again
    }
    minutes += 10;
    const next = await takeLock(path, { clock: { now } });
    expect([old.isHeld(), next.isHeld()]).toEqual([false, true]);
    const body = readFileSync(path, 'utf8');
    beat(); // neither a late heartbeat
    await old.release(); // nor a late release touches what is another's
    expect(readFileSync(path, 'utf8')).toBe(body);
    expect(next.isHeld()).toBe(true);
    await next.release();
  });

  /** Says in the file, without replacing it, that its owner is on another host. */
  function makeForeign(path: string): void {
    const { host, ...body } = JSON.parse(readFileSync(path, 'utf8'));
    const text = JSON.stringify({ ...body, host: host.replace(/./, '#') });
    writeFileSync(path, text, { flag: 'r+' });
  }

  test('a heartbeat that the file system refuses waits for the next one', async () => {
    const folder = join(temporaryFolder(), 'folder');
    mkdirSync(folder);
    const path = join(folder, 'lock');
    const { clock, beat, running } = handTimers();
    let now = Date.parse('2026-01-01T00:00:00.000Z');
    const lock = await takeLock(path, { clock: { ...clock, now: () => now } });
    renameSync(folder, `${folder}-away`);
    writeFileSync(folder, 'a file where the folder was');
    expect(beat).not.toThrow();
    rmSync(folder);
    renameSync(`${folder}-away`, folder);
    now += MINUTE_MS;
    beat();
    expect(JSON.parse(readFileSync(path, 'utf8')).heartbeatAt).toBe('2026-01-01T00:01:00.000Z');
    await lock.release();
    expect(running.size).toBe(0);
  });

  test('releases nothing that is not its own', async () => {
    const path = await lockOf({ host: 'elsewhere' });
    const foreign = readFileSync(path, 'utf8');
    renameSync(path, `${path}-2`);
    const lock = await takeLock(path);
    renameSync(`${path}-2`, path);
    expect(lock.isHeld()).toBe(false);
    await lock.release();
    await lock.release();
    expect(readFileSync(path, 'utf8')).toBe(foreign);
  });

  test('one whose file was removed is lost, and the path is free', async () => {
    const path = join(temporaryFolder(), 'lock');
    const lock = await takeLock(path);
    renameSync(path, `${path}-gone`);
    expect(lock.isHeld()).toBe(false);
    const next = await takeLock(path);
    await lock.release();
    expect(next.isHeld()).toBe(true);
    await next.release();
  });

  test('is refused to the process that has it, and waited for when it asks so', async () => {
    const path = join(temporaryFolder(), 'lock');
    const first = await takeLock(path);
    await expect(takeLock(path)).rejects.toMatchObject({ code: 'locked', file: path });
    await expect(takeLock(path)).rejects.toThrow(`process ${process.pid} `);
    const abort = new AbortController();
    const aborted = takeLock(path, { waitMs: HOUR_MS, signal: abort.signal });
    abort.abort();
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
    await expect(takeLock(path, { waitMs: 300 })).rejects.toMatchObject({ code: 'locked' });
    const second = takeLock(path, { waitMs: HOUR_MS });
    await first.release();
    await (await second).release();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test('is private, and with `keepFile` its file and modification time stay from one owner to the next', async () => {
    const path = join(temporaryFolder(), 'lock');
    const mtime = new Date('2020-02-03T04:05:06.789Z');
    const first = await takeLock(path, { keepFile: true });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    utimesSync(path, mtime, mtime);
    await first.release();
    const killed = startProgram('hold-lock.ts', path);
    expect(await killed.said(/\w+/)).toBe('taken');
    await killed.kill();
    expect(Math.round(statSync(path).mtimeMs)).toBe(mtime.getTime());
    const last = await takeLock(path, { keepFile: true });
    expect(last.token).not.toBe(first.token);
    expect(Math.round(statSync(path).mtimeMs)).toBe(mtime.getTime());
    await last.release();
    expect(readdirSync(dirname(path))).toEqual(['lock']);
  });
});

describe('`newFileMs`', () => {
  const STAMP = Date.parse('2019-08-07T06:05:04.321Z');
  const timeOf = (path: string) => Math.round(statSync(path).mtimeMs);

  test.each(['with links', 'without links'])(
    '%s the file of a new lock has the time from its first moment, that of an old one keeps its own',
    async (kind) => {
      if (kind === 'without links') {
        replaceCall('link', () => async () => {
          throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
        });
      }
      const path = join(temporaryFolder(), 'lock');
      const first = await takeLock(path, { keepFile: true, newFileMs: STAMP });
      expect(timeOf(path)).toBe(STAMP);
      await first.release();
      expect(timeOf(path)).toBe(STAMP);
      utimesSync(path, 86_400, 86_400);
      const second = await takeLock(path, { keepFile: true, newFileMs: STAMP });
      expect(timeOf(path)).toBe(86_400_000);
      await second.release();
    },
  );
});

describe.skipIf(!existsSync('/proc/self/fd'))('the file descriptors of locks', () => {
  const openFiles = () => readdirSync('/proc/self/fd').length;

  test('none is left of locks that were taken, refused, taken over or lost', async () => {
    const path = join(temporaryFolder(), 'lock');
    const taken = async (options?: LockOptions) => (await takeLock(path, options)).release();
    const refused = () => expect(takeLock(path)).rejects.toMatchObject({ code: 'locked' });
    await taken();
    const before = openFiles();
    for (let round = 0; round < 20; round++) {
      await taken();
      await taken({ keepFile: true });
      const held = await takeLock(path);
      await refused();
      const dead = readFileSync(path, 'utf8').replace(`"pid":${process.pid}`, `"pid":${GONE}`);
      await held.release();
      writeFileSync(path, dead);
      await taken();
      const lost = await takeLock(path);
      rmSync(path);
      await lost.release();
    }
    expect(openFiles()).toBe(before);
  });

  test.each([
    ['EPERM', 'taken'],
    ['ENOSYS', 'taken'],
    ['ENOTSUP', 'taken'],
    ['EOPNOTSUPP', 'taken'],
    ['EIO', 'write-failed'],
    ['EROFS', 'write-failed'],
    ['EDQUOT', 'write-failed'],
    ['EACCES', 'write-failed'],
  ])(
    'where a link is refused with %s: %s; only where there are no links the file is a copy',
    async (code, outcome) => {
      const path = join(temporaryFolder(), 'lock');
      let isRefused = true;
      replaceCall('link', (link) => async (...args: Parameters<typeof link>) => {
        if (isRefused) throw Object.assign(new Error('refused'), { code });
        await link(...args);
      });
      const taking = takeLock(path);
      if (outcome === 'taken') await (await taking).release();
      else {
        await expect(taking).rejects.toMatchObject({ code: outcome, file: path, cause: { code } });
      }
      expect(readdirSync(dirname(path))).toEqual([]);
      isRefused = false;
      expect(await outcomeOf(path)).toBe('taken');
    },
  );

  test.each([
    [0, 0],
    [1, 1],
    [10, 1],
  ])('who waits %i ms for it pauses %i times, each at least 10 ms long', async (waitMs, pauses) => {
    const path = join(temporaryFolder(), 'lock');
    const held = await takeLock(path);
    const slept: number[] = [];
    const clock = { sleep: async (ms: number) => void slept.push(ms) };
    await expect(takeLock(path, { waitMs, clock })).rejects.toMatchObject({ code: 'locked' });
    expect(slept).toHaveLength(pauses);
    for (const ms of slept) expect(ms).toBeGreaterThanOrEqual(10);
    await held.release();
  });

  test('one whose file is replaced while it is being taken is not held, and left open neither', async () => {
    const path = join(temporaryFolder(), 'lock');
    const other = await takeLock(path);
    const body = readFileSync(path, 'utf8');
    await other.release();
    const before = openFiles();
    replaceCall('link', (link) => async (...args: Parameters<typeof link>) => {
      await link(...args);
      rmSync(path);
      writeFileSync(path, body); // what is left of a take-over during a suspension of an hour
    });
    for (let round = 0; round < 20; round++) {
      await expect(takeLock(path)).rejects.toMatchObject({ code: 'locked' });
      rmSync(path);
    }
    expect(openFiles()).toBe(before);
  });
});

describe.skipIf(!existsSync('/proc/self/stat'))('when the owner started', () => {
  /** Field 22 counted from the end, where no name of a command is. */
  const startedAt = (pid: number) =>
    readFileSync(`/proc/${pid}/stat`, 'utf8').trim().split(' ').at(-31);
  const bodyOf = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

  test('is what the system says, in the ticks of the system', async () => {
    const path = join(temporaryFolder(), 'lock');
    const lock = await takeLock(path);
    expect(bodyOf(path)).toMatchObject({ pid: process.pid, startTime: startedAt(process.pid) });
    await lock.release();
  });

  test.each(['a b', ') Z 1 (', 'a) (b c) '])(
    'a command whose name is %j is alive until it is killed',
    async (name) => {
      const path = join(temporaryFolder(), 'lock');
      const owner = startProgram('hold-lock.ts', path, { args: ['0', 'at-once', name] });
      expect(await owner.said(/\w+/)).toBe('taken');
      const { pid, startTime } = bodyOf(path);
      expect(readFileSync(`/proc/${pid}/comm`, 'utf8')).toBe(`${name}\n`);
      expect(startTime).toBe(startedAt(pid));
      await expect(takeLock(path)).rejects.toMatchObject({ code: 'locked' });
      await owner.kill();
      await (await takeLock(path)).release();
    },
  );

  test('a process that has ended and is only not waited for is dead', async () => {
    const path = join(temporaryFolder(), 'lock');
    const under = ['sh', '-c', '"$@" & exec sleep 60', 'sh'];
    const owner = startProgram('hold-lock.ts', path, { under }); // ends because its input does
    expect(await owner.said(/\w+/)).toBe('taken');
    const { pid } = bodyOf(path);
    while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await (await takeLock(path)).release();
    await owner.kill();
  });
});

const canUnshare = (...flags: string[]): boolean =>
  process.platform === 'linux' && spawnSync('unshare', [...flags, 'true']).status === 0;

describe('takeLock in several processes', () => {
  test.skipIf(!canUnshare('--pid', '--fork', '--mount-proc'))(
    'O351: a live owner in another PID namespace keeps it (needs `unshare --pid`)',
    async () => {
      const path = join(temporaryFolder(), 'lock');
      const flags = ['--pid', '--fork', '--kill-child', '--mount-proc'];
      const inside = startProgram('hold-lock.ts', path, { under: ['unshare', ...flags] });
      expect(await inside.said(/\w+/)).toBe('taken');
      expect(JSON.parse(readFileSync(path, 'utf8')).pid).toBeLessThan(20); // ours has that id as well, or nothing
      await expect(takeLock(path)).rejects.toMatchObject({ code: 'locked' });
      await expect(takeLock(path, ahead(59))).rejects.toMatchObject({ code: 'locked' });
      const log = join(temporaryFolder(), 'log.jsonl');
      const open = await openLog(log);
      const other = startProgram('hold-lock.ts', `${log}.lock`, { under: ['unshare', ...flags] });
      expect(await other.said(/\w+/)).toBe('locked');
      await open.close();
      await inside.kill();
      await expect(takeLock(path, ahead(59))).rejects.toMatchObject({ code: 'locked' }); // not proven
      await (await takeLock(path, ahead(61))).release();
    },
  );

  test.skipIf(!canUnshare('--uts'))(
    'two hosts: each respects the lock of the other for an hour (needs `unshare --uts`)',
    async () => {
      const path = join(temporaryFolder(), 'lock');
      const under = ['unshare', '--uts', 'sh', '-c', 'hostname elsewhere && exec "$0" "$@"'];
      const there = startProgram('hold-lock.ts', path, { under });
      expect(await there.said(/\w+/)).toBe('taken');
      await expect(takeLock(path)).rejects.toThrow(/ on elsewhere has it/);
      await there.kill();
      await expect(takeLock(path, ahead(59))).rejects.toMatchObject({ code: 'locked' });
      const body = JSON.parse(readFileSync(path, 'utf8'));
      writeFileSync(path, JSON.stringify({ ...body, heartbeatAt: minutesAgo(61) }));
      const here = await takeLock(path);
      const again = startProgram('hold-lock.ts', path, { under });
      expect(await again.said(/\w+/)).toBe('locked');
      await here.release();
      const last = startProgram('hold-lock.ts', path, { under });
      expect(await last.said(/\w+/)).toBe('taken');
      last.child.stdin.write('release\n');
      await last.ended;
      expect(readdirSync(dirname(path))).toEqual([]);
    },
  );

  test('a dead owner is followed by exactly one of many processes', async () => {
    const path = join(temporaryFolder(), 'lock');
    const dead = startProgram('hold-lock.ts', path);
    expect(await dead.said(/\w+/)).toBe('taken');
    await expect(takeLock(path)).rejects.toMatchObject({ code: 'locked' });
    const takers = Array.from({ length: 5 }, () =>
      startProgram('hold-lock.ts', path, { args: ['0', 'wait'] }),
    );
    await Promise.all(takers.map(({ said }) => said(/ready/)));
    await dead.kill();
    for (const { child } of takers) child.stdin.write('go\n');
    const outcomes = await Promise.all(takers.map(({ said }) => said(/taken|locked/)));
    expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(1);
  });
});

describe('openLog', () => {
  test('two names of one file meet in one lock', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'log.jsonl');
    symlinkSync('log.jsonl', join(folder, 'link.jsonl')); // leads to nothing yet
    const log = await openLog(join(folder, 'link.jsonl'));
    await expect(openLog(path)).rejects.toMatchObject({ code: 'locked' });
    await log.close();
    const again = await openLog(path);
    await expect(openLog(join(folder, 'link.jsonl'))).rejects.toMatchObject({ code: 'locked' });
    await again.close();
    expect(readdirSync(folder).toSorted()).toEqual(['link.jsonl', 'log.jsonl']);
  });

  // Siblings looked for: salvaging, a link made while the log is open, links in other folders, reading and forking.
  test('B5: a file that hard links lead to is opened by nobody else', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'log.jsonl');
    const hard = join(temporaryFolder(), 'hard.jsonl');
    const log = await openLog(path);
    await log.append(userEntry('1', 'one'));
    linkSync(path, hard);
    const refused = {
      code: 'many-names',
      message: expect.stringContaining('2 names (hard links)'),
    };
    await expect(openLog(hard)).rejects.toMatchObject(refused);
    await log.append(userEntry('2', 'two'));
    await log.close();
    for (const name of [path, hard]) {
      const bytes = readFileSync(name);
      await expect(openLog(name)).rejects.toMatchObject(refused);
      expect(readFileSync(name)).toEqual(bytes);
    }
    expect(readdirSync(folder)).toEqual(['log.jsonl']);
    const ids = [];
    for await (const { entry } of readLog(hard)) ids.push(entry.id);
    expect(ids).toEqual(['1', '2']);
    rmSync(hard);
    await (await openLog(path)).close();
    expect(readdirSync(folder)).toEqual(['log.jsonl']);
  });

  test('B5: a log that was being salvaged when the process died is salvaged again', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const log = await openLog(path);
    await log.append(userEntry('1', 'one'));
    await log.close();
    appendFileSync(path, '{"id":\n{}\n');
    linkSync(path, `${path}.damaged`);
    await expect(openLog(path)).rejects.toMatchObject({ code: 'many-names' });
    expect(await salvageLog(path)).toMatchObject({ entries: 1 });
    await (await openLog(path)).close();
  });

  test('a writer that was suspended for an hour appends nothing to the log of the next', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const late = await openLog(path);
    await late.append(userEntry('1', 'one'));
    renameSync(`${path}.lock`, `${path}.taken`); // what a take-over makes of it
    const next = await openLog(path);
    await next.append(userEntry('2', 'two'));
    const text = readFileSync(path, 'utf8');
    const lost = { code: 'lock-lost', file: path };
    await expect(late.append(userEntry('3', 'three'))).rejects.toMatchObject(lost);
    await expect(late.flush()).rejects.toMatchObject(lost);
    await late.close();
    expect(readFileSync(path, 'utf8')).toBe(text);
    await next.append(userEntry('4', 'four'));
    await next.close();
  });

  // siblings: notes, and the inbox of a mailbox
  test('O358: nor what it was about to write when the lock was taken over', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const late = await openLog(path);
    await late.append(userEntry('1', 'one'));
    const text = readFileSync(path, 'utf8');
    const appending = late.append(userEntry('2', 'two')); // has looked, and not written yet
    renameSync(`${path}.lock`, `${path}.taken`);
    expect(await appending).toMatchObject({ kind: 'buffered', reason: 'lock-lost' });
    await expect(late.close()).rejects.toMatchObject({ code: 'write-failed' });
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('O358: one whose lock is taken over while it is opened is left as it is', async () => {
    const path = join(temporaryFolder(), 'log.jsonl');
    const torn = `${serializeEntry(userEntry('1', 'one'))}\n{"id":"2"`;
    writeFileSync(path, torn);
    const onEntry = () => renameSync(`${path}.lock`, `${path}.taken`);
    const lost = { code: 'lock-lost', file: path };
    await expect(openLog(path, { onEntry })).rejects.toMatchObject(lost);
    expect(readFileSync(path, 'utf8')).toBe(torn);
    expect(readdirSync(dirname(path)).toSorted()).toEqual(['log.jsonl', 'log.jsonl.taken']);
  });

  test.each(['.salvage', '.damaged'])(
    'O358: nor is one salvaged whose lock is taken over when %s is written',
    async (name) => {
      const path = join(temporaryFolder(), 'log.jsonl');
      const damaged = `${serializeEntry(userEntry('1', 'one'))}\ndamaged\n`;
      writeFileSync(path, damaged);
      const taken = (given: unknown) => {
        if (String(given) === path + name) renameSync(`${path}.lock`, `${path}.taken`);
      };
      replaceCall('open', (open) => async (...args: Parameters<typeof open>) => {
        taken(args[0]);
        return open(...args);
      });
      replaceCall('link', (link) => async (from: never, to: never) => {
        taken(to);
        return link(from, to);
      });
      await expect(salvageLog(path)).rejects.toMatchObject({ code: 'lock-lost', file: path });
      expect(readFileSync(path, 'utf8')).toBe(damaged);
    },
  );

  test.each([
    ['a folder', (lock: string) => mkdirSync(lock), 'locked'],
    ['a file that is none', (lock: string) => writeFileSync(lock, ''), 'locked'],
    ['a link to itself', (lock: string) => symlinkSync(lock, lock), 'locked'],
  ])('%s in place of its lock is an error that names the log', async (_what, make, code) => {
    const path = join(temporaryFolder(), 'log.jsonl');
    make(`${path}.lock`);
    await expect(openLog(path)).rejects.toMatchObject({ code, file: path });
  });
});
