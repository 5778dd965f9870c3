import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { defineTool, type ToolOutput } from './tool.ts';

const DEFAULT_MS = 120_000;
const MOST_MS = 600_000;
/** What is kept of an output, half from its beginning and half from its end. */
const MOST_BYTES = 32 * 2 ** 20;
/** How long a process may take to end when it is asked to, and its output to arrive once it has. */
const GRACE_MS = 300;
const SHELL = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';

export const bashTool = defineTool({
  name: 'Bash',
  description: `Runs a command in the shell, in the folder of the session: a \`cd\` does not last until the next call. Gives what it printed, standard error included; a long output is stored, and its beginning and end are shown. It is ended after ${DEFAULT_MS / 1000} seconds unless \`timeout\` says otherwise, and so are processes that it leaves in the background.`,
  input: z.object({
    command: z.string().min(1).describe('The command'),
    description: z.string().optional().describe('What it does, in five to ten words'),
    timeout: z.int().min(1).max(MOST_MS).optional().describe('Milliseconds until it is ended'),
  }),
  reads: false,
  risk: 'runs',
  async run({ command, timeout = DEFAULT_MS }, { signal, cwd, callId, emit }) {
    const onText = (text: string) => emit({ kind: 'call-output', id: callId, text });
    const ended = await runShell(command, { cwd, signal, timeoutMs: timeout, onText });
    return outputOf(ended, timeout);
  },
});

interface Ended {
  readonly printed: Buffer;
  readonly code: number | null;
  readonly killedBy: NodeJS.Signals | null;
  readonly isLate: boolean;
}

interface ShellOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onText: (text: string) => void;
}

/** Runs a command as the leader of a process group, all of which ends with it, with the time limit and with an abort. */
function runShell(command: string, { cwd, signal, timeoutMs, onText }: ShellOptions) {
  return new Promise<Ended>((resolve, reject) => {
    const child = spawn(SHELL, ['-c', command], {
      cwd,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Without locks, `git status` writes no index, and so runs no hook of the repository.
      env: {
        ...process.env,
        GIT_OPTIONAL_LOCKS: '0',
        GIT_PAGER: 'cat',
        PAGER: 'cat',
        TERM: 'dumb',
      },
    });
    const kept = createKept();
    const decoder = new TextDecoder();
    let isLate = false;
    const take = (chunk: Buffer) => {
      kept.add(chunk);
      onText(decoder.decode(chunk, { stream: true }));
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const stop = () => {
      killGroup(child, 'SIGTERM');
      setTimeout(() => killGroup(child, 'SIGKILL'), GRACE_MS);
    };
    const timer = setTimeout(() => {
      isLate = true;
      stop();
    }, timeoutMs);
    signal.addEventListener('abort', stop, { once: true });
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    };
    child.on('error', (error) => {
      end();
      reject(error);
    });
    child.on('exit', (code, killedBy) => {
      end();
      killGroup(child, 'SIGKILL');
      // A process that left the group may hold the output open for ever.
      const drained = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, GRACE_MS);
      child.on('close', () => {
        clearTimeout(drained);
        if (signal.aborted) reject(signal.reason);
        else resolve({ printed: kept.all(), code, killedBy, isLate });
      });
    });
  });
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // all of it has ended
  }
}

/** The beginning and the end of an output. */
function createKept() {
  const head: Buffer[] = [];
  const tail: Buffer[] = [];
  let [headBytes, tailBytes, lostBytes] = [0, 0, 0];
  return {
    add(chunk: Buffer) {
      if (headBytes < MOST_BYTES / 2) {
        head.push(chunk);
        headBytes += chunk.length;
        return;
      }
      tail.push(chunk);
      tailBytes += chunk.length;
      while (tailBytes > MOST_BYTES / 2) {
        const lost = (tail.shift() as Buffer).length;
        tailBytes -= lost;
        lostBytes += lost;
      }
    },
    all: (): Buffer =>
      Buffer.concat([
        ...head,
        ...(lostBytes > 0 ? [Buffer.from(`\n[${lostBytes} bytes were not kept]\n`)] : []),
        ...tail,
      ]),
  };
}

function outputOf({ printed, code, killedBy, isLate }: Ended, timeoutMs: number): ToolOutput {
  const how = isLate
    ? `The command was ended after ${timeoutMs} ms.`
    : killedBy !== null
      ? `The command was ended by ${killedBy}.`
      : code !== 0
        ? `Exit code ${code}`
        : undefined;
  const parts = [printed, ...(how === undefined ? [] : [Buffer.from(`\n${how}`)])];
  const whole = Buffer.concat(parts);
  if (whole.length === 0) return { content: 'The command printed nothing.' };
  return { content: new Uint8Array(whole), isError: how !== undefined };
}
