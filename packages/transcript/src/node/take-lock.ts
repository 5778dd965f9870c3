import { randomUUID } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  fstatSync,
  futimesSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { TranscriptError } from '../error.ts';
import { errorCode, writeError } from './file-error.ts';
import {
  claim,
  type FoundLock,
  findLockHolder,
  isTakeable,
  type LockBody,
  parseBody,
  removeLeftovers,
  removeOwn,
  writeDraft,
} from './lock-holder.ts';
import { ownIdentity } from './process-identity.ts';

/** A lock that is held. */
export interface Lock {
  readonly path: string;
  /** Of this one holding: no two are the same. It stands in the file. */
  readonly token: string;
  /**
   * Whether the file is still ours: it may have been removed, or taken over while this process was suspended for an hour. Ask
   * right before each write that the lock is to protect.
   */
  isHeld(): boolean;
  /** Gives it back; does nothing to a lock that is no longer ours. A second call does nothing. */
  release(): Promise<void>;
}

export interface LockOptions {
  /**
   * How long to wait for another owner, in ms.
   * @default 0
   */
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Leaves the file in place when the lock is given back, with its modification time.
   * @default false
   */
  readonly keepFile?: boolean | undefined;
  /**
   * The modification time of the file where none stood there, in ms since 1970: it has it from the first moment.
   * @default now
   */
  readonly newFileMs?: number | undefined;
  /** How the locked thing is called in errors. @default its path */
  readonly name?: string | undefined;
  /** What else the caller can do, for the message of `locked`. @default 'close it there or wait' */
  readonly advice?: string | undefined;
  /** @default the clock of the file system and the timers of the process */
  readonly clock?: Partial<LockClock> | undefined;
}

export interface LockClock {
  /**
   * The time in ms since 1970, by a clock that all owners share.
   * @default the time at which this file was changed, which it was just now: the clock of the file system, so that hosts whose clocks differ agree
   */
  now(file: Stats): number;
  /** Calls `run` every so many ms until the function it returns is called. */
  every(ms: number, run: () => void): () => void;
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

/** How often the heartbeat is made new, in ms. */
const BEAT_MS = 60_000;

const PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 100;

/** Taking over and removing take some ms: so many pauses are made for one of them also where the caller does not wait. */
const MOST_BUSY_PAUSES = 10;

/**
 * Takes the lock at a path, which is a file: whoever makes it has the lock. Its body names the owner (process, start time,
 * PID namespace, boot and host) and the time of its last heartbeat, which the owner makes new each minute; the modification
 * time of the file is left alone and free for the caller's own use. The lock of an owner that is proven dead is taken over at once, by exactly one
 * process; that of any other owner that cannot be asked, and a file that is empty, damaged or foreign, 60 minutes after the
 * last heartbeat or change (of what is not ours the modification time, which its owner renews). So is an empty folder, as other
 * programs make one; a folder with something in it is never taken away. An owner proven alive keeps it.
 *
 * @throws TranscriptError `locked`, naming the owner, when another one keeps it for `waitMs`; `write-failed` where the system
 * refuses. The reason of the signal, an `AbortError` unless one was given; nothing is left behind then.
 */
export async function takeLock(path: string, options: LockOptions = {}): Promise<Lock> {
  const { waitMs = 0, signal, name = path, advice = 'close it there or wait' } = options;
  const clock = { ...REAL_CLOCK, ...options.clock };
  const { keepFile = false, newFileMs } = options;
  let waitedMs = 0;
  for (let pauses = 0; ; pauses++) {
    signal?.throwIfAborted();
    const attempt = await tryLock(path, { keepFile, newFileMs, clock }).catch((cause: unknown) => {
      throw writeError(name, `it cannot be locked by the file ${path}`, cause);
    });
    if (attempt.kind === 'taken') return attempt.lock;
    const isBusy = attempt.kind === 'busy' && pauses < MOST_BUSY_PAUSES;
    if (waitedMs >= waitMs && !isBusy) throw lockedError(name, advice, attempt.holder);
    const longestMs = Math.min(PAUSE_MS * 1.2 ** pauses, LONGEST_PAUSE_MS);
    const pauseMs = longestMs * (0.5 + Math.random() / 2);
    await clock.sleep(pauseMs, signal);
    waitedMs += pauseMs;
  }
}

const REAL_CLOCK: LockClock = {
  now: ({ ctimeMs }) => ctimeMs,
  every(ms, run) {
    const timer = setInterval(run, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
};

/** Makes another attempt where the draft is gone: a process of another host may take it for a leftover. */
async function tryLock(path: string, file: LockFile): Promise<Attempt> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryOnce(path, file);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

const MOST_ATTEMPTS = 3;

interface LockFile extends Pick<LockOptions, 'newFileMs'> {
  readonly keepFile: boolean;
  readonly clock: LockClock;
}

type Attempt =
  | { readonly kind: 'taken'; readonly lock: Lock }
  | { readonly kind: 'held' | 'busy'; readonly holder: FoundLock };

async function tryOnce(path: string, given: LockFile): Promise<Attempt> {
  const { keepFile, newFileMs, clock } = given;
  const first = await findLockHolder(path);
  // Without a file of our own the time is not known; an owner that is alive loses the lock at no time.
  if (first !== undefined && !isTakeable(first, Number.POSITIVE_INFINITY)) {
    return { kind: 'held', holder: first };
  }
  const token = randomUUID();
  const body = newBody(token);
  const draft = await writeDraft(path, {
    token,
    bodyAt: body,
    now: clock.now,
    isFlushed: true,
    modifiedMs: newFileMs,
  });
  try {
    const claimed = await claim(path, draft);
    if (claimed.kind !== 'taken') return claimed;
    const file = openSync(path, 'r+');
    if (parseBody(readFileSync(file, 'utf8'))?.token !== token) {
      closeSync(file);
      return tryLock(path, given); // this process was suspended for an hour while it took the lock
    }
    await removeLeftovers(path, draft.nowMs).catch(() => undefined); // the next owner tries again
    return { kind: 'taken', lock: keep({ path, token, file, body, keepFile, clock }) };
  } finally {
    await rm(draft.path, { force: true });
  }
}

/** The text of a body at a time; every one has the same length. */
function newBody(token: string) {
  const identity = ownIdentity();
  let takenAt: string | undefined;
  return (nowMs: number, state: LockBody['state'] = 'held'): string => {
    const heartbeatAt = new Date(nowMs).toISOString();
    takenAt ??= heartbeatAt;
    return `${JSON.stringify({ token, ...identity, takenAt, heartbeatAt, state })}\n`;
  };
}

interface Holding {
  readonly path: string;
  readonly token: string;
  /** Open as long as the lock is held: what is written to it after somebody has put another file in its place harms nobody. */
  readonly file: number;
  readonly body: ReturnType<typeof newBody>;
  readonly keepFile: boolean;
  readonly clock: LockClock;
}

function keep({ path, token, file, body, keepFile, clock }: Holding): Lock {
  const own = fstatSync(file, { bigint: true }); // which file is open never changes
  let isReleased = false;

  function isHeld(): boolean {
    return !isReleased && isFileAt(path, own);
  }

  /** At once, so that a modification time that this process sets is not lost between reading and writing it back. */
  function write(state: LockBody['state']): void {
    const { atimeMs, mtimeMs } = fstatSync(file);
    // Setting the times is a change of the file: its time is now, by the clock of the file system.
    const keepTimes = () => futimesSync(file, atimeMs / 1_000, Math.round(mtimeMs) / 1_000);
    keepTimes();
    writeSync(file, body(clock.now(fstatSync(file)), state), 0);
    keepTimes();
  }

  const stop = clock.every(BEAT_MS, () => {
    try {
      if (isHeld()) write('held');
      else stop();
    } catch {
      // the system refuses to look or to write; the next beat tries again
    }
  });

  return {
    path,
    token,
    isHeld,
    async release() {
      if (isReleased) return;
      const wasHeld = isHeld();
      isReleased = true;
      stop();
      try {
        if (!wasHeld) return;
        write('free');
      } catch (cause) {
        if (keepFile) throw writeError(path, 'the lock could not be given back', cause);
      } finally {
        closeSync(file);
      }
      if (!keepFile) await remove(path, token, clock);
    },
  };
}

/** Asked for before every write. */
function isFileAt(path: string, { ino, dev }: Pick<BigIntStats, 'ino' | 'dev'>): boolean {
  const there = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return there !== undefined && there.ino === ino && there.dev === dev;
}

/** Where the file cannot be removed, on a full disk say, it is free all the same, and the next owner takes it over. */
async function remove(path: string, token: string, { now }: LockClock): Promise<void> {
  const own = randomUUID();
  try {
    const content = { token: own, bodyAt: newBody(own), now, isFlushed: false };
    const draft = await writeDraft(path, content);
    await removeOwn(draft, token).finally(() => rm(draft.path, { force: true }));
  } catch (cause) {
    const left = await findLockHolder(path).catch(() => undefined);
    if (left?.id === token && left.body?.state === 'held') {
      throw writeError(path, 'the lock could not be given back', cause);
    }
  }
}

function lockedError(name: string, advice: string, found: FoundLock): TranscriptError {
  return new TranscriptError('locked', holderText(found, advice), { file: name });
}

function holderText({ body, changedMs, isFilled }: FoundLock, advice: string): string {
  if (isFilled) {
    return 'a folder that is not empty stands in place of its lock and is never taken away; move it if no process has it';
  }
  return body === undefined
    ? `its lock cannot be read; it is taken over 60 minutes after ${new Date(changedMs).toISOString()}, or remove it if no process has it`
    : `process ${body.pid} on ${body.host} has it (last heartbeat ${body.heartbeatAt}); ${advice}`;
}
