import { spawn } from 'node:child_process';
import { bundleProgram } from '../../../internal/src/bundle-program.ts';

export interface KillMoment {
  /** What it has done by then, whatever else the machine does: so many lines that it printed. */
  readonly lines: number;
  /** After the last of them. */
  readonly afterMs: number;
}

/** Runs a program up to a moment, and kills it; gives the lines it printed. */
export async function runAndKill(
  program: string,
  args: readonly string[],
  { lines, afterMs }: KillMoment,
): Promise<string[]> {
  const child = spawn('node', [await bundleProgram(program), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  const whole = () => printed.split('\n').slice(0, -1);
  const ended = new Promise((resolve) => child.on('close', resolve));
  await new Promise<void>((resolve) => {
    child.on('close', () => resolve());
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
      if (whole().length >= lines) resolve();
    });
  });
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill('SIGKILL');
  await ended;
  return whole();
}
