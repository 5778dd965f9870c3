import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TranscriptError } from '../error.ts';
import { errorCode } from './file-error.ts';
import { ownIdentity, type ProcessIdentity, stateOf } from './process-identity.ts';

/**
 * One writer a file. Everybody who wants it puts down a claim under a name of their own before looking at the claims of
 * others, so two can never both see nobody; a claim is only ever removed by its owner or when its owner is proven dead.
 */
export interface Lock {
  release(): Promise<void>;
}

export interface LockOptions {
  /**
   * How long to wait for another writer, in ms.
   * @default 0
   */
  readonly waitMs?: number;
  /**
   * A claim of another host, which cannot be asked, counts as dead when it is older than this, in ms.
   * @default 3_600_000
   */
  readonly foreignExpiryMs?: number;
  readonly signal?: AbortSignal;
}

// Two that come at the same moment both step back; a few rounds with different pauses let one of them through.
const MIN_ROUNDS = 8;
const PAUSE_MS = 20;

/** Takes the lock of a file. Throws `locked`, naming the holder, when another writer keeps it for `waitMs`. */
export async function takeLock(file: string, options: LockOptions = {}): Promise<Lock> {
  const { waitMs = 0, foreignExpiryMs = 3_600_000, signal } = options;
  const folder = `${file}.lock`;
  const deadline = Date.now() + waitMs;
  for (let round = 0; ; round++) {
    signal?.throwIfAborted();
    const claim = await putClaim(folder);
    const holder = await findHolder(folder, claim, foreignExpiryMs);
    if (holder === undefined) return { release: () => removeClaim(folder, claim) };
    await removeClaim(folder, claim);
    if (Date.now() >= deadline && (holder.settled || round >= MIN_ROUNDS))
      throw lockedError(file, holder);
    await pause(PAUSE_MS * (0.5 + Math.random()));
  }
}

interface Holder extends ProcessIdentity {
  /** Its claim is older than a moment, so it is no contender that is about to step back. */
  readonly settled: boolean;
}

async function putClaim(folder: string): Promise<string> {
  const claim = `${randomUUID()}.json`;
  for (;;) {
    await mkdir(folder).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
    const draft = join(folder, `${claim}.draft`);
    try {
      await writeFile(draft, JSON.stringify(ownIdentity()), { flag: 'wx', mode: 0o600 });
      await rename(draft, join(folder, claim));
      return claim;
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error; // the last holder removed the folder meanwhile
    }
  }
}

async function findHolder(
  folder: string,
  own: string,
  expiryMs: number,
): Promise<Holder | undefined> {
  const claims = (await readdir(folder)).filter((name) => name.endsWith('.json') && name !== own);
  for (const name of claims.sort()) {
    const path = join(folder, name);
    const owner = await readClaim(path);
    if (owner === undefined) continue;
    const state = stateOf(owner);
    if (state === 'alive' || (state === 'unknown' && owner.ageMs < expiryMs)) {
      return { ...owner, settled: owner.ageMs > PAUSE_MS * 3 };
    }
    await unlink(path).catch(ignoreMissing);
  }
  return undefined;
}

async function readClaim(
  path: string,
): Promise<(ProcessIdentity & { readonly ageMs: number }) | undefined> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
    return { ...parseIdentity(text), ageMs: Math.max(0, Date.now() - mtimeMs) };
  } catch (error) {
    ignoreMissing(error);
    return undefined;
  }
}

/** An unreadable claim (empty after a power loss) belongs to nobody who is alive. */
function parseIdentity(text: string): ProcessIdentity {
  try {
    const { host, bootId, pid, startTime } = JSON.parse(text) as Record<string, unknown>;
    return {
      host: String(host),
      bootId: String(bootId),
      pid: Number(pid),
      startTime: String(startTime),
    };
  } catch {
    return { ...ownIdentity(), bootId: 'unreadable' };
  }
}

async function removeClaim(folder: string, claim: string): Promise<void> {
  await unlink(join(folder, claim)).catch(ignoreMissing);
  await rmdir(folder).catch((error: unknown) => {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errorCode(error))) throw error;
  });
}

function ignoreMissing(error: unknown): void {
  if (errorCode(error) !== 'ENOENT') throw error;
}

function lockedError(file: string, { pid, host }: Holder): TranscriptError {
  const text = `process ${pid} on ${host} is writing this log; close it there, wait with \`lockWaitMs\`, or fork the log`;
  return new TranscriptError('locked', text, { file });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
