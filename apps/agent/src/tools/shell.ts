import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, fstatSync, openSync, readSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardGroup } from './guard.ts';

/** A command that prints more is ended, in bytes. */
export const MOST_BYTES = 2 ** 30;
/** What is kept of an output, half from its beginning and half from its end, in bytes. */
const MOST_KEPT = 32 * 2 ** 20;
/** What is shown at a time while it runs, in bytes. */
const MOST_SHOWN = 64 * 2 ** 10;
const POLL_MS = 50;
/** How long a process may take to end when it is asked to, in milliseconds. */
const GRACE_MS = 300;
const SHELL = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';

/** Without locks, `git status` writes no index, and so runs no hook of the repository. */
const OWN_ENVIRONMENT = { GIT_OPTIONAL_LOCKS: '0', GIT_PAGER: 'cat', PAGER: 'cat', TERM: 'dumb' };

/** How a command ended. */
export interface Ended {
  readonly printed: Buffer;
  readonly code: number | null;
  readonly killedBy: NodeJS.Signals | null;
  /** Why it was ended, where we ended it. */
  readonly why?: 'late' | 'too-much' | 'interrupted' | undefined;
}

export interface ShellOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>> | undefined;
  readonly signal: AbortSignal;
  /** @default no limit */
  readonly timeoutMs?: number | undefined;
  /** Has what is printed, piece by piece. */
  readonly onText: (text: string) => void;
}

/**
 * Runs a command as the leader of a process group, all of which ends with it, with the time limit, with an abort and with this
 * process. Its output goes into a file, as programs that end in the middle of an output lose what they had not written to a
 * pipe; and nobody waits for a process that keeps it open. What was printed before an abort is given as well.
 */
export async function runShell(
  command: string,
  { cwd, env, signal, timeoutMs, onText }: ShellOptions,
): Promise<Ended> {
  signal.throwIfAborted();
  const output = openOutput(onText);
  try {
    const child = spawn(SHELL, ['-c', command], {
      cwd,
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
      env: { ...process.env, ...env, ...OWN_ENVIRONMENT },
    });
    const release = child.pid === undefined ? undefined : guardGroup(child.pid);
    let why: Ended['why'];
    let killing: ReturnType<typeof setTimeout> | undefined;
    const stop = () => {
      killGroup(child, 'SIGTERM');
      killing ??= setTimeout(() => killGroup(child, 'SIGKILL'), GRACE_MS);
    };
    const end = (reason: NonNullable<Ended['why']>) => {
      why ??= reason;
      stop();
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(end, timeoutMs, 'late');
    const poll = setInterval(() => {
      if (output.show() > MOST_BYTES) end('too-much');
    }, POLL_MS);
    const interrupt = () => end('interrupted');
    signal.addEventListener('abort', interrupt, { once: true });
    try {
      const [code, killedBy] = (await once(child, 'exit')) as [
        number | null,
        NodeJS.Signals | null,
      ];
      return { printed: output.all(), code, killedBy, why };
    } finally {
      clearTimeout(timer);
      clearTimeout(killing);
      clearInterval(poll);
      signal.removeEventListener('abort', interrupt);
      killGroup(child, 'SIGKILL'); // what it left in the background
      release?.();
    }
  } finally {
    output.close();
  }
}

/** A file without a name, so that it is gone with the last process that has it open. */
function openOutput(onText: (text: string) => void) {
  const path = join(tmpdir(), `varve-output-${randomUUID()}`);
  const fd = openSync(path, 'ax+', 0o600);
  unlinkSync(path);
  const decoder = new TextDecoder();
  let shownBytes = 0;
  const read = (from: number, to: number): Buffer => {
    const bytes = Buffer.alloc(Math.max(0, to - from));
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from));
  };
  /** Shows what came since the last time, and gives the size of all. */
  const show = (): number => {
    const { size } = fstatSync(fd);
    if (size > shownBytes)
      onText(decoder.decode(read(Math.max(shownBytes, size - MOST_SHOWN), size), { stream: true }));
    shownBytes = size;
    return size;
  };
  return {
    ...{ fd, show },
    /** All of it, or its beginning and its end. */
    all(): Buffer {
      const size = show();
      if (size <= MOST_KEPT) return read(0, size);
      const lost = Buffer.from(`\n[${size - MOST_KEPT} bytes were not kept]\n`);
      return Buffer.concat([read(0, MOST_KEPT / 2), lost, read(size - MOST_KEPT / 2, size)]);
    },
    close: () => closeSync(fd),
  };
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // all of it has ended
  }
}

export const WAS_INTERRUPTED =
  'The command was interrupted: it and all processes that it had started were ended.';

/** Undefined where it went well. */
export function howItEnded(
  { code, killedBy, why }: Omit<Ended, 'printed'>,
  timeoutMs?: number,
): string | undefined {
  if (why === 'interrupted') return WAS_INTERRUPTED;
  if (why === 'late') return `The command was ended after ${timeoutMs} ms.`;
  if (why === 'too-much') return `The command was ended: it printed more than ${MOST_BYTES} bytes.`;
  if (killedBy !== null) return `The command was ended by ${killedBy}.`;
  return code === 0 ? undefined : `Exit code ${code}`;
}
