import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Settings of a repository with which a command of git that only reads runs another program. */
const RUNS =
  /^(?:core\.(?:fsmonitor|sshcommand|pager|gitproxy|worktree|alternaterefscommand)|filter\.|diff\.external|diff\..*\.(?:command|textconv)|pager\.|alias\.|gpg\.|include(?:if)?\.|extensions\.partialclone|remote\..*\.(?:promisor|vcs|uploadpack)|log\.showsignature)/i;

/** Whether the configuration that came with a repository has git run other programs when it only reads. */
export async function gitRunsPrograms(cwd: string): Promise<boolean> {
  const list = async (scope: string): Promise<string> => {
    const { stdout } = await run(
      'git',
      ['config', scope, '--no-includes', '--name-only', '--list'],
      {
        cwd,
        timeout: 5_000,
      },
    );
    return stdout;
  };
  try {
    const lists = await Promise.all([list('--local'), list('--worktree').catch(() => '')]);
    return lists
      .join('\n')
      .split('\n')
      .some((key) => RUNS.test(key));
  } catch {
    return false; // no repository, or no git: then it runs nothing
  }
}
