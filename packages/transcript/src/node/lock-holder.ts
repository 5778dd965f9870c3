import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import {
  copyFile,
  link,
  lstat,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  utimes,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode, ignoring } from './file-error.ts';
import { PRIVATE_FILE } from './private-files.ts';
import { isRunning, type ProcessIdentity, stateOf } from './process-identity.ts';

/** What stands in a lock file, as one line of JSON that keeps its length while the lock is held and when it is given back. */
export interface LockBody extends ProcessIdentity {
  /** Of this one holding: no two are the same. */
  readonly token: string;
  readonly takenAt: string;
  /** ISO 8601 by the clock of the file system. */
  readonly heartbeatAt: string;
  /** `free`: given back, and the file not removed yet. */
  readonly state: 'held' | 'free';
}

/** A lock as it was found, a file in most cases. */
export interface FoundLock {
  /** The token; of what cannot be read its number in the file system. */
  readonly id: string;
  /** Undefined where the file is empty, damaged, foreign, a link, a folder, or may not be read. */
  readonly body: LockBody | undefined;
  readonly stats: Stats;
  /** The last sign of life of an owner that cannot be read, in ms. */
  readonly changedMs: number;
  /** A folder with something in it: it may be somebody's data, so it is never taken away. */
  readonly isFilled: boolean;
}

/** An owner that is not proven dead has lost its lock so long after its last heartbeat, in ms. */
const EXPIRY_MS = 3_600_000;

/** Bodies are a few hundred bytes long; a larger file is none. */
const MOST_BODY_BYTES = 4_096;

const TOKEN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Undefined where there is no lock. Programs with another kind of lock make a folder in its place. */
export async function findLockHolder(path: string): Promise<FoundLock | undefined> {
  const stats = await lstat(path).catch(ignoring('ENOENT'));
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) return findFolder(path, stats);
  const isReadable = stats.isFile() && stats.size <= MOST_BODY_BYTES;
  const text = isReadable ? await readFile(path, 'utf8').catch(textOfRefused) : '';
  if (text === undefined) return undefined;
  const body = parseBody(text);
  return {
    id: body?.token ?? `unreadable-${stats.ino}`,
    ...{ body, stats, isFilled: false },
    changedMs: changedMs(text, stats),
  };
}

/** What other programs renew of a lock is the modification time; that of ours belongs to the caller. */
const changedMs = (text: string, { ctimeMs, mtimeMs }: Stats): number =>
  text.startsWith('{"token":') ? ctimeMs : mtimeMs;

async function findFolder(path: string, stats: Stats): Promise<FoundLock | undefined> {
  const isFilled = await readdir(path).then(
    (names) => names.length > 0,
    (error: unknown) => {
      ignoring('ENOENT', 'ENOTDIR', 'EACCES', 'EPERM')(error);
      return ['EACCES', 'EPERM'].includes(errorCode(error)) ? true : undefined; // it may be
    },
  );
  if (isFilled === undefined) return findLockHolder(path); // replaced meanwhile
  return {
    id: `folder-${stats.ino}`,
    ...{ body: undefined, stats, changedMs: stats.mtimeMs },
    isFilled,
  };
}

const TEXTS: readonly (keyof LockBody)[] = [
  'token',
  'host',
  'machineId',
  'bootId',
  'pidNamespace',
  'startTime',
  'heartbeatAt',
];

/** Gone meanwhile, or there and not ours to read. */
function textOfRefused(error: unknown): '' | undefined {
  ignoring('ENOENT', 'EACCES', 'EPERM')(error);
  return errorCode(error) === 'ENOENT' ? undefined : '';
}

/** Undefined unless all is there that tells who has the lock: what is missing would differ from what the owner has. */
export function parseBody(text: string): LockBody | undefined {
  try {
    const body = JSON.parse(text);
    const isWhole =
      TEXTS.every((name) => typeof body[name] === 'string') && typeof body.pid === 'number';
    const isNamed = isWhole && TOKEN.test(body.token);
    return isNamed && !Number.isNaN(Date.parse(body.heartbeatAt)) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the lock may be taken from its owner at this time, in ms by the clock of the file system. */
export function isTakeable(found: FoundLock, nowMs: number): boolean {
  const { body } = found;
  // The living make theirs new, so one that is far in the future was made before a clock was set back.
  const isExpired = (atMs: number) => Math.abs(nowMs - atMs) >= EXPIRY_MS;
  if (body === undefined) return !found.isFilled && isExpired(found.changedMs);
  if (body.state === 'free') return true;
  const state = stateOf(body);
  return state === 'unknown' ? isExpired(Date.parse(body.heartbeatAt)) : state === 'dead';
}

/** A whole lock file under a name of its own, to be put in place. */
export interface LockDraft {
  readonly path: string;
  /** The lock that is asked for. */
  readonly lockPath: string;
  readonly nowMs: number;
}

/** `busy`: another process is just taking the lock over, or removing it. */
export type Claim =
  | { readonly kind: 'taken' }
  | { readonly kind: 'held' | 'busy'; readonly holder: FoundLock };

/** More owners than that, each killed while it took over from the one before, name each other in a ring. */
const MOST_DEPTH = 50;

/**
 * Puts the draft in place of nothing, or of a lock that may be taken. A file that does not exist yet is made by exactly one
 * process. So whoever takes over from an owner, or removes its file, first makes the file named after the owner's id, and
 * then looks again whether that owner is still there: nothing else can replace it from then on.
 */
export async function claim(place: string, draft: LockDraft, depth = 0): Promise<Claim> {
  for (;;) {
    if (await createAs(place, draft.path)) return { kind: 'taken' };
    const found = await findLockHolder(place);
    if (found === undefined) continue; // released between the two looks
    const held = { kind: depth === 0 ? 'held' : 'busy', holder: found } as const;
    if (depth === MOST_DEPTH || !isTakeable(found, draft.nowMs)) return held;
    const turn = turnOf(draft.lockPath, found.id);
    const turnClaim = await claim(turn, draft, depth + 1);
    if (turnClaim.kind !== 'taken') return turnClaim;
    const isOurs = await isUnchanged(place, found, draft.nowMs);
    if (isOurs && found.stats.isDirectory()) {
      // nothing replaces a folder in one step, so the place is free for whoever is first
      await rmdir(place).catch(ignoring('ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST'));
    } else if (isOurs) {
      await utimes(turn, found.stats.atime, found.stats.mtime);
      await rename(turn, place);
      return { kind: 'taken' };
    }
    await rm(turn, { force: true });
  }
}

/** Removes the lock of the owner with this token, unless another process is taking it already. */
export async function removeOwn(draft: LockDraft, token: string): Promise<void> {
  const { path, lockPath } = draft;
  const turn = turnOf(lockPath, token);
  if (!(await createAs(turn, path))) return;
  try {
    if ((await findLockHolder(lockPath))?.id === token) await rm(lockPath, { force: true });
  } finally {
    await rm(turn, { force: true });
  }
}

const turnOf = (lockPath: string, id: string): string => `${besides(lockPath)}${id}`;

/** How the files beside a lock begin: by a print of its name, because the name itself may be as long as names can be. */
function besides(lockPath: string): string {
  const print = createHash('sha256').update(basename(lockPath)).digest('hex').slice(0, PRINT_CHARS);
  return join(dirname(lockPath), `.lock-${print}-`);
}

const PRINT_CHARS = 16;

async function isUnchanged(place: string, { id }: FoundLock, nowMs: number): Promise<boolean> {
  const again = await findLockHolder(place);
  return again?.id === id && isTakeable(again, nowMs);
}

/** Makes the path a second name of the draft, or a copy where the file system has no links; false where the path exists. */
async function createAs(path: string, draft: string): Promise<boolean> {
  try {
    await link(draft, path).catch((error: unknown) => {
      if (!NO_LINKS.includes(errorCode(error))) throw error;
      return copyWithTimes(draft, path);
    });
    return true;
  } catch (error) {
    ignoring('EEXIST')(error);
    return false;
  }
}

async function copyWithTimes(draft: string, path: string): Promise<void> {
  await copyFile(draft, path, constants.COPYFILE_EXCL);
  const { atime, mtime } = await lstat(draft);
  await utimes(path, atime, mtime);
}

const NO_LINKS = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'];

/** Writes the file whole. Flushed where it may become the lock: after a power loss an empty one is in the way for an hour. */
export async function writeDraft(
  lockPath: string,
  { token, bodyAt, now, isFlushed, modifiedMs }: DraftContent,
): Promise<LockDraft> {
  const path = `${besides(lockPath)}${token}.${process.pid}.draft`;
  const file = await open(path, 'wx', PRIVATE_FILE.mode);
  try {
    const nowMs = now(await file.stat());
    await file.writeFile(bodyAt(nowMs));
    if (modifiedMs !== undefined) await file.utimes(modifiedMs / 1_000, modifiedMs / 1_000);
    if (isFlushed) await file.sync();
    return { path, lockPath, nowMs };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

export interface DraftContent {
  readonly token: string;
  readonly bodyAt: (nowMs: number) => string;
  readonly now: (file: Stats) => number;
  readonly isFlushed: boolean;
  /** The modification time that the file is to have. @default now */
  readonly modifiedMs?: number | undefined;
}

/** Removes the drafts and turns of processes that were killed. */
export async function removeLeftovers(lockPath: string, nowMs: number): Promise<void> {
  const start = basename(besides(lockPath));
  for (const name of await readdir(dirname(lockPath))) {
    if (!name.startsWith(start)) continue;
    const path = join(dirname(lockPath), name);
    const found = await findLockHolder(path);
    if (found === undefined || found.stats.isDirectory()) continue;
    if (isTakeable(found, nowMs) || isUnwritten(name, found)) await rm(path, { force: true });
  }
}

/**
 * A kill can come before a draft holds anything, so its name says who writes it. A living writer, of another host say, whose
 * draft is taken away makes another one.
 */
const isUnwritten = (name: string, { body }: FoundLock): boolean =>
  body === undefined && !isRunning(Number(DRAFT.exec(name)?.[1] ?? process.pid));

const DRAFT = /\.(\d+)\.draft$/;
