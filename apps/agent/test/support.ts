import { type ChildProcess, fork, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulator } from '@varve/emulator';
import { expect, onTestFinished } from 'vitest';
import { bundleProgram } from '../../../internal/src/bundle-program.ts';
import type { RunRequest } from './programs/runner.ts';

/** The command as it stands in the sources. */
export const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');

type EmulatorOptions = NonNullable<Parameters<typeof startEmulator>[0]>;

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  /** Has the process while it runs. */
  readonly onStart?: (child: ChildProcess) => void | Promise<void>;
}

/**
 * As `workbench`, but what needs neither standard input nor a signal runs in one process for all tests of a file, in a sixth of
 * the time: for tests of what the command does, not of how it starts and ends.
 */
export const sharedWorkbench = async (options: EmulatorOptions) => {
  const bench = await workbench(options);
  const { folder, config, environment, run } = bench;
  return {
    ...bench,
    run(args: readonly string[], given: RunOptions = {}): Promise<Ran> {
      if (given.input !== undefined || given.onStart !== undefined) return run(args, given);
      return runShared({ args, env: environment(given.env), cwd: folder, configDir: config });
    },
  };
};

let runner: Promise<ChildProcess> | undefined;

async function runShared(request: RunRequest): Promise<Ran> {
  runner ??= bundleProgram(RUNNER).then((program) => {
    const child = fork(program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.unref();
    child.channel?.unref();
    return child;
  });
  const child = await runner;
  child.channel?.ref();
  return new Promise<Ran>((resolve, reject) => {
    const ended = (code: number | null) => {
      runner = undefined;
      reject(new Error(`The process that runs the command ended with ${code}.`));
    };
    child.once('exit', ended);
    child.once('message', (ran) => {
      child.off('exit', ended);
      child.channel?.unref();
      resolve(ran as Ran);
    });
    child.send(request);
  });
}

const RUNNER = join(import.meta.dirname, 'programs', 'runner.ts');

/** A provider, a project folder and a home, and the command in them. After the test no request was refused. */
export async function workbench(options: EmulatorOptions, given?: string) {
  const program = given ?? (await bundleProgram(MAIN));
  const emulator = await startEmulator(options);
  const root = mkdtempSync(join(tmpdir(), 'varve-agent-'));
  const folder = join(root, 'project');
  const config = join(root, 'config');
  const base = await import('node:fs/promises');
  await base.mkdir(folder);
  onTestFinished(async () => {
    expect(emulator.report().refused).toBe(0);
    await emulator.close();
    // a terminal that is gone may have a program that writes its last
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  });

  const environment = (env: RunOptions['env'] = {}) => ({
    ...{ PATH: process.env.PATH, SHELL: '/bin/bash', HOME: root, VARVE_CONFIG_DIR: config },
    ...{ NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ANTHROPIC_API_KEY: 'any' },
    ANTHROPIC_BASE_URL: emulator.url,
    ...env,
  });
  const start = (args: readonly string[], env: RunOptions['env'], stdin: 'ignore' | 'pipe') =>
    spawn(process.execPath, [program, ...args], {
      ...{ cwd: folder, env: environment(env), stdio: [stdin, 'pipe', 'pipe'] },
    });

  const run = (args: readonly string[], { env = {}, input, onStart }: RunOptions = {}) =>
    new Promise<Ran>((resolve, reject) => {
      const child = start(args, env, input === undefined ? 'ignore' : 'pipe');
      let [stdout, stderr] = ['', ''];
      child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
        stdout += chunk;
      });
      child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
        stderr += chunk;
      });
      child.stdin?.end(input);
      child.on('error', reject);
      child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
      Promise.resolve(onStart?.(child)).catch(reject);
    });

  return {
    ...{ emulator, root, folder, config, program, environment, run, start },
    write: (name: string, text: string) => writeFileSync(join(folder, name), text),
    read: (name: string) => readFileSync(join(folder, name), 'utf8'),
    /** Bodies of requests, as values. */
    bodies: () =>
      emulator.requests.map(
        ({ json }) => json as { readonly messages: readonly unknown[]; readonly system: unknown },
      ),
  };
}

/** Of very many files, in milliseconds. */
const REMOVE_MS = 600_000;

/** A folder that is gone after the test. */
export function folderOf(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }), REMOVE_MS);
  return folder;
}

export const use = (id: string, name: string, input: object) => ({
  content: [{ type: 'tool_use', id, name, input }],
});

/** One object of each line. */
export const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Numbers from 0 up to 1, the same for the same seed. */
export function randomNumbers(state: number): () => number {
  let last = state;
  return () => {
    last = (Math.imul(last, 1_664_525) + 1_013_904_223) >>> 0;
    return last / 2 ** 32;
  };
}

/** What stands in place of a stored result, before and after a layer cleared it. */
const STORED = /stored whole|^\[Output cleared\. Stored as /;

/** A message without its markers, which are not part of what is cached, and without results that a layer may clear later. */
export const sent = (message: unknown): string =>
  JSON.stringify(message, (key, value: unknown) => {
    if (key === 'cache_control') return undefined;
    return typeof value === 'string' && STORED.test(value) ? '(stored)' : value;
  });
