import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { rgPath } from '@vscode/ripgrep';

const run = promisify(execFile);
const MOST_BYTES = 8 * 2 ** 20;
/** How long a listing is good, in milliseconds. */
const FRESH_MS = 5_000;

/** Lists the files of a folder that no ignore file hides, for completions behind `@`. */
export function createFileList(cwd: string): () => Promise<readonly string[]> {
  let listed: { readonly atMs: number; readonly paths: Promise<readonly string[]> } | undefined;
  return () => {
    if (listed === undefined || performance.now() - listed.atMs > FRESH_MS)
      listed = { atMs: performance.now(), paths: list(cwd) };
    return listed.paths;
  };
}

async function list(cwd: string): Promise<readonly string[]> {
  try {
    const args = ['--files', '--null', '--hidden', '--glob', '!.git'];
    const { stdout } = await run(rgPath, args, { cwd, maxBuffer: MOST_BYTES });
    return stdout.split('\0').filter((path) => path !== '');
  } catch {
    return []; // no files, or too many to list
  }
}
