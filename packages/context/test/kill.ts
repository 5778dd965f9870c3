import { spawn } from 'node:child_process';

/** Runs a program until it has printed a line and then for so long, and kills it; gives the lines it printed. */
export async function runAndKill(
  program: string,
  args: readonly string[],
  afterMs: number,
): Promise<string[]> {
  const child = spawn('node', [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  const ended = new Promise((resolve) => child.on('close', resolve));
  await new Promise<void>((resolve) => {
    child.on('close', () => resolve());
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
      resolve();
    });
  });
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill('SIGKILL');
  await ended;
  return printed.split('\n').slice(0, -1);
}
