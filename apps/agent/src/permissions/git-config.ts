import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Settings of a repository with which a command of git that only reads runs another program. */
const RUNS =
  /^(?:core\.(?:fsmonitor|sshcommand|pager|gitproxy|worktree|alternaterefscommand)|filter\.|diff\.external|diff\..*\.(?:command|textconv)|pager\.|alias\.|gpg\.|include(?:if)?\.|extensions\.partialclone|remote\..*\.(?:promisor|vcs|uploadpack)|log\.(?:showsignature|diffmerges)|merge\..*\.driver)/i;

/** Runs itself when a command that only reads brings the index up to date. */
const HOOK = 'hooks/post-index-change';
const MOST_SUBMODULES = 50;
const MOST_BYTES = 256 * 2 ** 20;

/** Whether what came with a repository, or with one in it, has git run other programs when it only reads. */
export async function gitRunsPrograms(cwd: string): Promise<boolean> {
  const git = async (...args: string[]): Promise<string> => {
    const { stdout } = await run('git', args, { cwd, timeout: 5_000, maxBuffer: MOST_BYTES });
    return stdout;
  };
  const keys = (scope: string) => git('config', scope, '--no-includes', '--name-only', '--list');
  let lists: string[];
  try {
    lists = await Promise.all([keys('--local'), keys('--worktree').catch(() => '')]);
  } catch {
    return false; // no repository, or no git: then it runs nothing
  }
  if (lists.some((list) => list.split('\n').some((key) => RUNS.test(key)))) return true;
  try {
    if (existsSync(resolve(cwd, (await git('rev-parse', '--git-path', HOOK)).trimEnd())))
      return true;
    const inner = await submodulesOf((await git('rev-parse', '--show-cdup')).trimEnd());
    if (inner.length > MOST_SUBMODULES) return true;
    return (await Promise.all(inner.map(gitRunsPrograms))).includes(true);
  } catch {
    return true; // not known
  }

  /** Repositories in this one that git looks into, from the folder at its top. */
  async function submodulesOf(up: string): Promise<string[]> {
    const files = await git('-C', up === '' ? '.' : up, 'ls-files', '--stage', '-z');
    return files
      .split('\0')
      .filter((line) => line.startsWith('160000 '))
      .map((line) => join(resolve(cwd, up), line.slice(line.indexOf('\t') + 1)))
      .filter((path) => existsSync(join(path, '.git')));
  }
}
