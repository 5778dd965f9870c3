import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { checkOptions, required } from '@varve/guards';
import type { GitLookup } from '../sources.ts';

const run = promisify(execFile);

/**
 * Asks a git repository about a path: `gone` only if it lies inside, some commit of the current branch had it, and nothing stands there
 * now. What cannot be asked is not checkable.
 */
export function gitLookup(root: string): GitLookup {
  checkOptions({ root }, { root: required('a text that is not blank') });
  return async (path, { signal }) => {
    const isOutside =
      path === '' ||
      isAbsolute(path) ||
      /^[~$%]|^[A-Za-z]:/.test(path) ||
      path.split(/[/\\]/).includes('..');
    if (isOutside || path.includes('\0')) return 'not-checkable';
    if (existsSync(join(root, path))) return 'there';
    try {
      const args = ['--literal-pathspecs', 'log', '-1', '--format=%H', '--', path];
      const { stdout } = await run('git', args, { cwd: root, signal });
      return stdout.trim() === '' ? 'not-checkable' : 'gone';
    } catch {
      signal?.throwIfAborted();
      return 'not-checkable'; // no git, no repository, no commit
    }
  };
}
