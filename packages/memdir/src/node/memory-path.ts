import { realpathSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { checkOptions, expected, required } from '@varve/guards';
import { projectSlug } from '@varve/transcript/node';
import { isReserved } from '../path.ts';
import { gitRoot, namesIn, worktreeRoot, worktreesOf } from './git-root.ts';

export interface MemoryPathOptions {
  /** Where the agent works: a folder of the project. */
  readonly cwd: string;
  /** The agent's own folder, for all projects. */
  readonly root: string;
  /** Of a run on another machine: the folder there that is kept between runs, in place of `root`. @default `root` */
  readonly remoteRoot?: string | undefined;
  /**
   * For whom it is: every worktree of the repository, or the one that `cwd` is in alone.
   * @default 'repository'
   */
  readonly scope?: MemoryScope | undefined;
  /** The memory folder itself, in place of the one made of `root` and `cwd`. */
  readonly folder?: string | undefined;
}

const SCOPES = ['repository', 'worktree'] as const;
export type MemoryScope = (typeof SCOPES)[number];

/**
 * Where the memory of a project is: `<root>/projects/<project>/memory`. Every folder of a repository and every worktree of it
 * gives the same one; no two projects share one. That of one worktree alone is beside it. Every reader and writer of memory takes
 * the path from here.
 */
export function memoryPath(options: MemoryPathOptions): string {
  checkOptions(options, {
    cwd: ABSOLUTE,
    root: ABSOLUTE,
    remoteRoot: OPTIONAL,
    folder: OPTIONAL,
    scope: SCOPES,
  });
  const { cwd, folder, scope = 'repository' } = options;
  if (folder !== undefined) return resolve(folder);
  const { place, real } = placeOf(options);
  if (scope === 'repository') return join(place, 'memory');
  return join(place, WORKTREES, slugOf(worktreeRoot(real) ?? real, cwd), 'memory');
}

/** Memory folders of single worktrees of a repository that are gone: what they hold can be saved for the repository, or left. */
export function strandedMemory(
  options: Pick<MemoryPathOptions, 'cwd' | 'root' | 'remoteRoot'>,
): readonly string[] {
  checkOptions(options, { cwd: ABSOLUTE, root: ABSOLUTE, remoteRoot: OPTIONAL });
  const { place, repository } = placeOf(options);
  const there = new Set(worktreesOf(repository).map((path) => slugOf(path, path)));
  return namesIn(join(place, WORKTREES))
    .filter((name) => !there.has(name) && namesIn(join(place, WORKTREES, name)).includes('memory'))
    .map((name) => join(place, WORKTREES, name, 'memory'));
}

const WORKTREES = 'worktrees';

/** The folder of a project among those of the agent. */
function placeOf({ cwd, root, remoteRoot = root }: MemoryPathOptions) {
  const real = realOrGiven(resolve(cwd));
  const repository = gitRoot(real) ?? real;
  return {
    ...{ real, repository },
    place: join(resolve(remoteRoot), 'projects', slugOf(repository, cwd)),
  };
}

function slugOf(path: string, cwd: string): string {
  const slug = projectSlug(path);
  if (slug === undefined)
    throw expected('cwd', { what: 'a path with a letter or a digit', error: RangeError }, cwd);
  return slug;
}

/** An option that has to be an absolute path. */
export const ABSOLUTE = required({
  what: 'an absolute path',
  fits: (value) => typeof value === 'string' && isAbsolute(value) && !value.includes('\0'),
});

export const OPTIONAL = { ...ABSOLUTE, isRequired: false };

function realOrGiven(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // not there yet
  }
}

export interface AgentMemoryPathOptions extends Pick<MemoryPathOptions, 'cwd' | 'root'> {
  /** The name of the agent, from its definition. */
  readonly agent: string;
  /** The folder of the agents' files in a repository, e.g. `.varve`. */
  readonly projectFolder: string;
}

/** The memory folders of one agent: for all projects, for this one and in version control, for this one on this machine. */
export function agentMemoryPaths(options: AgentMemoryPathOptions) {
  checkOptions(options, { cwd: ABSOLUTE, root: ABSOLUTE, agent: NAME, projectFolder: NAME });
  const { cwd, root, agent, projectFolder } = options;
  const real = realOrGiven(resolve(cwd));
  const repository = gitRoot(real) ?? real;
  return {
    user: join(resolve(root), 'agent-memory', agent),
    project: join(repository, projectFolder, 'agent-memory', agent),
    local: join(repository, projectFolder, 'agent-memory-local', agent),
  };
}

const NAME = required({
  what: 'a plain name',
  fits: (value) =>
    typeof value === 'string' &&
    /^\.?[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,100}$/u.test(value) &&
    !isReserved(value),
});
