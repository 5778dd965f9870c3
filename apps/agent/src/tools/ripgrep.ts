import { spawn } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';

const MOST_BYTES = 16 * 2 ** 20;

export interface RipgrepOptions {
  readonly cwd: string;
  readonly signal?: AbortSignal | undefined;
  /** What stands between two lines. @default a line feed */
  readonly separator?: string | undefined;
}

export interface Found {
  readonly lines: readonly string[];
  /** Whether it printed more than is kept. */
  readonly isCut: boolean;
  /** What it said on standard error. */
  readonly problem: string;
}

/** Runs ripgrep; of an output that is too long the beginning is kept, in whole lines. */
export function ripgrep(
  args: readonly string[],
  { cwd, signal, separator = '\n' }: RipgrepOptions,
): Promise<Found> {
  return new Promise((resolve, reject) => {
    const child = spawn(rgPath, ['--no-config', '--color=never', ...args], {
      ...{ cwd, signal },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed: Buffer[] = [];
    let bytes = 0;
    let problem = '';
    child.stdout.on('data', (chunk: Buffer) => {
      if (bytes <= MOST_BYTES) printed.push(chunk);
      bytes += chunk.length;
      if (bytes > MOST_BYTES) child.kill();
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      problem = `${problem}${chunk}`.slice(0, 2_000);
    });
    child.on('error', reject);
    child.on('close', () => {
      const isCut = bytes > MOST_BYTES;
      const lines = Buffer.concat(printed).toString('utf8').split(separator);
      if (isCut || lines.at(-1) === '') lines.pop();
      resolve({ lines, isCut, problem: problem.trim() });
    });
  });
}
