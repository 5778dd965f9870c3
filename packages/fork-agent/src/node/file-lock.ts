import { link, lstat, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { type LockOwner, mayBeAlive, newOwner, parseOwner } from './process-owner.ts';

/** A lock that is held. */
export interface FileLock {
  readonly owner: LockOwner;
  /** Whether it is still ours: somebody may have removed the file. */
  isHeld(): Promise<boolean>;
  /** Removes it if it is still ours. */
  release(): Promise<void>;
}

/**
 * Takes the lock at a path, from nobody or from an owner that is dead; undefined where somebody holds it. The file appears
 * whole or not at all. Of several that find a dead owner exactly one takes over: they need the lock named after the dead
 * owner's token first, and look again once they have it.
 */
export async function acquireLock(path: string): Promise<FileLock | undefined> {
  return acquire({ path, root: path, depth: 0 });
}

interface Place {
  readonly path: string;
  /** The lock that was asked for: locks for taking over are named after it, so that names stay short. */
  readonly root: string;
  /** How many dead owners of such locks were found on the way. */
  readonly depth: number;
}

async function acquire(place: Place): Promise<FileLock | undefined> {
  const { path, root, depth } = place;
  if (depth > MAX_DEPTH) return undefined;
  const owner = newOwner();
  const draft = `${root}.${owner.token}.draft`;
  // flushed, since nobody could tell whose an empty lock is after a power loss
  await writeFile(draft, JSON.stringify(owner), { flag: 'wx', mode: 0o600, flush: true });
  try {
    return (await take(place, draft)) ? held(path, owner) : undefined;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Owners that died one after the other while they took over; more than that name each other in a ring. */
const MAX_DEPTH = 50;

async function take(place: Place, draft: string): Promise<boolean> {
  const { path } = place;
  for (;;) {
    if (await createAs(path, draft)) return true;
    const holder = await readOwner(path);
    if (!holder) continue; // released between the two looks
    if (mayBeAlive(holder)) return false;
    const outcome = await takeOver(place, draft, holder);
    if (outcome !== 'changed') return outcome === 'taken';
  }
}

async function takeOver(
  { path, root, depth }: Place,
  draft: string,
  dead: LockOwner,
): Promise<'taken' | 'busy' | 'changed'> {
  const guard = await acquire({ path: `${root}.${dead.token}`, root, depth: depth + 1 });
  if (!guard) return 'busy'; // somebody else is taking over
  try {
    if ((await readOwner(path))?.token !== dead.token) return 'changed';
    await rename(draft, path);
    return 'taken';
  } finally {
    await guard.release();
  }
}

/**
 * Undefined where there is no lock. One that cannot be read is not ours to judge, and counts as held by another machine; so
 * does a link, which may lead nowhere and still be in the way.
 */
async function readOwner(path: string): Promise<LockOwner | undefined> {
  const found = await orUndefined(lstat(path), 'ENOENT');
  if (!found) return undefined;
  if (!found.isFile()) return UNREADABLE;
  const json = await orUndefined(readFile(path, 'utf8'), 'ENOENT');
  return json === undefined ? undefined : (parseOwner(json) ?? UNREADABLE);
}

const UNREADABLE: LockOwner = { token: '', pid: 0, host: 'unreadable', started: '' };

/** Makes the path a second name of the draft, which fails where the path exists. */
async function createAs(path: string, draft: string): Promise<boolean> {
  const done = link(draft, path).then(() => true);
  return (await orUndefined(done, 'EEXIST')) ?? false;
}

const held = (path: string, owner: LockOwner): FileLock => ({
  owner,
  isHeld: async () => (await readOwner(path))?.token === owner.token,
  async release() {
    if ((await readOwner(path))?.token === owner.token) await rm(path, { force: true });
  },
});

async function orUndefined<T>(work: Promise<T>, code: string): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return undefined;
    throw error;
  }
}
