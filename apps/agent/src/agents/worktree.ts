import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '@varve/transcript/node';
import { gitRunsPrograms } from '../permissions/git-config.ts';

const run = promisify(execFile);

/** A copy of the repository that one agent works in. */
export interface Worktree {
  readonly path: string;
  /** Removes it where nothing was changed in it; else it says where the changes are. */
  close(): Promise<string | undefined>;
}

/** Makes a worktree of the last commit on a branch of its own. Throws where there is no repository with a commit. */
export async function createWorktree(cwd: string, path: string, branch: string): Promise<Worktree> {
  if (await gitRunsPrograms(cwd))
    throw new Error(
      'The configuration of this repository has git run programs, so no worktree is made.',
    );
  const git = async (where: string, ...args: string[]): Promise<string> => {
    const quiet = ['-c', 'core.hooksPath=/dev/null', '--no-pager', ...args];
    const { stdout } = await run('git', quiet, { cwd: where, timeout: 60_000 });
    return stdout.trim();
  };
  await makeFolder(dirname(path), 0o777);
  try {
    await git(cwd, 'worktree', 'add', '--quiet', '-b', branch, path, 'HEAD');
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim() ?? String(error);
    throw new Error(`No worktree could be made for this agent: ${said}`);
  }
  const base = await git(path, 'rev-parse', 'HEAD');
  return {
    path,
    async close() {
      const changed = await git(path, 'status', '--porcelain').catch(() => 'unknown');
      const head = await git(path, 'rev-parse', 'HEAD').catch(() => 'unknown');
      if (changed !== '' || head !== base)
        return `Its changes are in the worktree ${path}, on the branch ${branch}.`;
      await git(cwd, 'worktree', 'remove', '--force', path).catch(() =>
        rm(path, { recursive: true, force: true }),
      );
      await git(cwd, 'branch', '-D', branch).catch(() => undefined);
      return undefined;
    },
  };
}
