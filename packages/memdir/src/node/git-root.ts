import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

/** More of a file that names a folder of git is not read. */
const MOST_CHARS = 4_096;

/**
 * The root of the repository that a folder belongs to, the same one for all its worktrees; undefined outside of one. A `.git`
 * file counts only where the repository knows it: a checkout cannot claim another repository's memory.
 */
export function gitRoot(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const dotGit = join(at, '.git');
    const stats = lstatSync(dotGit, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return at;
    if (stats?.isFile()) return mainRoot(at, dotGit) ?? at;
    if (dirname(at) === at) return undefined;
  }
}

function mainRoot(worktree: string, dotGit: string): string | undefined {
  const named = /^gitdir:\s*(.+?)\s*$/m.exec(textOf(dotGit) ?? '')?.[1];
  if (named === undefined) return undefined;
  const gitFolder = resolve(worktree, named);
  const common = textOf(join(gitFolder, 'commondir'))?.trim();
  const back = textOf(join(gitFolder, 'gitdir'))?.trim();
  if (common === undefined || back === undefined) return undefined; // a submodule is a repository of its own
  const knows = isAbsolute(back) ? back : resolve(gitFolder, back);
  if (realOf(knows) !== realOf(dotGit)) return undefined;
  const shared = realOf(resolve(gitFolder, common));
  if (shared === undefined || !isBelow(realOf(gitFolder), join(shared, 'worktrees')))
    return undefined;
  return basename(shared) === '.git' ? dirname(shared) : shared; // a bare repository is its own root
}

const isBelow = (path: string | undefined, folder: string): boolean =>
  path !== undefined && dirname(path) === folder;

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').slice(0, MOST_CHARS);
  } catch {
    return undefined; // not there, or no file
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // not there
  }
}
