import { ripgrep } from '../tools/ripgrep.ts';

/** How long a listing is good, in milliseconds. */
const FRESH_MS = 5_000;
/** Files that are searched at each key. */
const MOST_FILES = 20_000;

/** Lists the files of a folder that no ignore file hides, for completions behind `@`; of very many a part. */
export function createFileList(cwd: string): () => Promise<readonly string[]> {
  let listed: { readonly atMs: number; readonly paths: Promise<readonly string[]> } | undefined;
  return () => {
    if (listed === undefined || performance.now() - listed.atMs > FRESH_MS)
      listed = { atMs: performance.now(), paths: list(cwd) };
    return listed.paths;
  };
}

async function list(cwd: string): Promise<readonly string[]> {
  const args = ['--files', '--null', '--hidden', '--glob', '!.git'];
  try {
    const { lines } = await ripgrep(args, { cwd, separator: '\0' });
    return lines.slice(0, MOST_FILES);
  } catch {
    return []; // the folder cannot be listed
  }
}
