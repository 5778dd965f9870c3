import { TranscriptError } from '../error.ts';
import { type Claimant, type ClaimFolder, openClaims } from './claims.ts';
import { writeError } from './file-error.ts';

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
  readonly signal?: AbortSignal;
  /** How the file is called in errors. @default its path */
  readonly name?: string;
}

/** Where the claims on a file are; whoever holds the lock may keep other files in it. */
export const lockFolder = (file: string): string => `${file}.lock`;

// Two that come at the same moment both step back; a few rounds with different pauses let one of them through.
const MIN_ROUNDS = 8;
const PAUSE_MS = 20;

/** How often a claim is made new, in ms: often enough that other hosts do not take it for dead. */
const BEAT_MS = 300_000;

/**
 * Takes the lock of a file.
 *
 * @throws TranscriptError `locked`, naming the holder, when another writer keeps it for `waitMs`; `write-failed` where there
 * can be no lock
 */
export async function takeLock(file: string, options: LockOptions = {}): Promise<Lock> {
  const { waitMs = 0, signal, name = file } = options;
  const claims = openClaims(lockFolder(file));
  const deadline = Date.now() + waitMs;
  for (let round = 0; ; round++) {
    signal?.throwIfAborted();
    const attempt = await tryClaim(claims).catch((cause: unknown) => {
      throw writeError(name, `the log cannot be locked by ${lockFolder(file)}`, cause);
    });
    if (attempt.kind === 'taken') return attempt.lock;
    const isSettled = attempt.holder.ageMs > PAUSE_MS * 3; // no contender that is about to step back
    if (Date.now() >= deadline && (isSettled || round >= MIN_ROUNDS)) {
      throw lockedError(name, attempt.holder);
    }
    await pause(PAUSE_MS * (0.5 + Math.random()));
  }
}

type Attempt =
  | { readonly kind: 'taken'; readonly lock: Lock }
  | { readonly kind: 'held'; readonly holder: Claimant };

async function tryClaim(claims: ClaimFolder): Promise<Attempt> {
  const own = await claims.put();
  const holder = await claims.findOther(own).catch(async (error: unknown) => {
    await claims.remove(own);
    throw error;
  });
  if (holder === undefined) return { kind: 'taken', lock: keep(claims, own) };
  await claims.remove(own);
  return { kind: 'held', holder };
}

function keep(claims: ClaimFolder, own: string): Lock {
  const renew = () => void claims.renew(own).catch(() => undefined); // the next beat tries again
  const beat = setInterval(renew, BEAT_MS);
  beat.unref();
  return {
    release() {
      clearInterval(beat);
      return claims.remove(own);
    },
  };
}

function lockedError(file: string, { pid, host }: Claimant): TranscriptError {
  const text = `process ${pid} on ${host} is writing this log; close it there, wait with \`lockWaitMs\`, or fork the log`;
  return new TranscriptError('locked', text, { file });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
