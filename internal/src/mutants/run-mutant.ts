import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutations.ts';

/** The cases of long lists that run: the share of a plain `pnpm test`, or all of them. */
export const CASES = ['share', 'all'] as const;
export type Cases = (typeof CASES)[number];

export interface RunTestsOptions {
  /** A copy of the workspace. */
  readonly dir: string;
  readonly cases: Cases;
  readonly lawRuns: number;
  /** Tests that take longer have found an endless loop. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export type Verdict = 'killed' | 'survived' | 'timed-out';

/** Puts a mutant into the copy, runs the tests at some paths, and takes it out again. */
export async function runMutant(
  mutant: Mutant,
  tests: readonly string[],
  options: RunTestsOptions,
): Promise<Verdict> {
  const path = join(options.dir, mutant.file);
  const text = readFileSync(path, 'utf8');
  const { start, end, replacement } = mutant;
  writeFileSync(path, text.slice(0, start) + replacement + text.slice(end));
  try {
    return await runTests(tests, options);
  } finally {
    writeFileSync(path, text);
  }
}

/** Runs the tests at some paths until the first that fails. */
export function runTests(
  tests: readonly string[],
  { dir, cases, lawRuns, timeoutMs, signal }: RunTestsOptions,
): Promise<Verdict> {
  signal.throwIfAborted();
  const vitest = join(dir, 'node_modules', '.bin', 'vitest');
  const child = spawn(vitest, ['run', '--bail=1', '--reporter=dot', ...tests], {
    cwd: dir,
    env: {
      ...process.env,
      VARVE_LAW_RUNS: String(lawRuns),
      VARVE_ALL_CASES: cases === 'all' ? '1' : '0',
      NO_COLOR: '1',
    },
    stdio: 'ignore',
    detached: true,
  });
  // its workers are in its group, and a mutant may keep them busy for ever
  const kill = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, timeoutMs);
    signal.addEventListener('abort', kill, { once: true });
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
      if (signal.aborted) reject(signal.reason);
      else resolve(isLate ? 'timed-out' : code === 0 ? 'survived' : 'killed');
    });
  });
}

/** `packages/messages` for a file in it, `apps/agent` likewise. */
export const packageOf = (file: string): string => {
  const [folder = '', name = ''] = file.split('/');
  return folder === 'packages' || folder === 'apps' ? `${folder}/${name}` : folder;
};
