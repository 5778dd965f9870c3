import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

/** More of a file that names a folder of git is not read. */
const MOST_CHARS = 4_096;

/**
 * The root of the repository that a folder belongs to, the same one for all its worktrees; undefined outside of one. A `.git`
 * file counts only where the repository knows it: a checkout cannot claim another repository's memory.
 */
export function gitRoot(folder: string): string | undefined {
  const at = worktreeRoot(folder);
  return at === undefined ? undefined : (mainRoot(at, join(at, '.git')) ?? at);
}

/** The root of the worktree that a folder belongs to; of a repository without others that of the repository. */
export function worktreeRoot(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const stats = lstatSync(join(at, '.git'), { throwIfNoEntry: false });
    if (stats?.isDirectory() || stats?.isFile()) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** The roots of the worktrees of a repository that are there, its own among them. */
export function worktreesOf(root: string): readonly string[] {
  const known = [join(root, '.git', 'worktrees'), join(root, 'worktrees')].flatMap((folder) =>
    namesIn(folder).map((name) => textOf(join(folder, name, 'gitdir'))?.trim()),
  );
  const there = known.map((dotGit) => (dotGit === undefined ? undefined : realOf(dotGit)));
  return [root, ...there.flatMap((dotGit) => (dotGit === undefined ? [] : [dirname(dotGit)]))];
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

/** Names of the folders in a folder; none where it is none. */
export function namesIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    return []; // not there, or no folder
  }
}

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
