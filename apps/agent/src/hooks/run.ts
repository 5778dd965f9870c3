import { type ChildProcess, spawn } from 'node:child_process';
import { recordOf } from '@varve/guards';
import { type CommandHook, type HookOutput, hookOutputSchema } from './events.ts';

/** What a hook said, or why it said nothing. */
export type HookResult =
  | { readonly kind: 'said'; readonly output: HookOutput; readonly text: string }
  /** Exit code 2. */
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

export interface RunHookOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
}

/** What is kept of what a hook prints, in bytes of each stream. */
const MOST_BYTES = 1_000_000;
/** Of what the model reads of it. */
const MOST_CHARS = 10_000;
const GRACE_MS = 300;
const BLOCKS = 2;

/** Runs a hook in a shell, with what happened on its standard input. Rejects with the reason of an abort only. */
export function runHook(
  { command, timeoutMs }: CommandHook,
  input: object,
  { cwd, env, signal }: RunHookOptions,
): Promise<HookResult> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command], {
      ...{ cwd, env, detached: true },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const stdout = keep(child.stdout);
    const stderr = keep(child.stderr);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      stop(child);
    }, timeoutMs);
    const abort = () => stop(child);
    signal?.addEventListener('abort', abort, { once: true });
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    child.stdin.on('error', () => undefined); // it may end without reading
    child.stdin.end(`${JSON.stringify(input)}\n`);
    child.on('error', (error) => {
      done();
      resolve({ kind: 'failed', reason: error.message });
    });
    child.on('exit', (code, killedBy) => {
      done();
      // A process that it left behind may hold the output open.
      const drained = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, GRACE_MS);
      child.on('close', () => {
        clearTimeout(drained);
        if (signal?.aborted) reject(signal.reason);
        else if (isLate) resolve({ kind: 'failed', reason: `ended after ${timeoutMs} ms` });
        else if (code === null) resolve({ kind: 'failed', reason: `ended by ${killedBy}` });
        else resolve(readResult(code, stdout(), stderr()));
      });
    });
  });
}

function keep(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    if (bytes < MOST_BYTES) chunks.push(chunk.subarray(0, MOST_BYTES - bytes));
    bytes += chunk.length;
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

function stop({ pid }: ChildProcess): void {
  const kill = (signal: NodeJS.Signals) => {
    try {
      if (pid !== undefined) process.kill(-pid, signal);
    } catch {
      // all of it has ended
    }
  };
  kill('SIGTERM');
  setTimeout(() => kill('SIGKILL'), GRACE_MS).unref();
}

function readResult(code: number, stdout: string, stderr: string): HookResult {
  const said = cut(stdout.trim());
  const complaint = cut(stderr.trim());
  if (code === BLOCKS)
    return { kind: 'blocked', reason: complaint || said || 'A hook blocked it.' };
  if (code !== 0)
    return { kind: 'failed', reason: `exit code ${code}${complaint && `: ${complaint}`}` };
  if (!said.startsWith('{')) return { kind: 'said', output: {}, text: said };
  const read = hookOutputSchema.safeParse(parseJson(stdout));
  if (read.success) return { kind: 'said', output: read.data, text: '' };
  return { kind: 'failed', reason: 'it printed JSON that is not as it should be' };
}

function parseJson(text: string): unknown {
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const cut = (text: string): string =>
  text.length <= MOST_CHARS
    ? text
    : `${text.slice(0, MOST_CHARS)}\n[${text.length - MOST_CHARS} more]`;
