/**
 * A project number for each session, from the paths it shows: files do not name their project. Two sessions belong together
 * when a tenth of the smaller one's paths are also the other's, and so do those that a third one joins. In recorded sessions
 * of several agents no two of different projects shared that much.
 */
export function projectsOf(paths: readonly ReadonlySet<number>[]): readonly number[] {
  const projects = paths.map((_, at) => at);
  for (const [at, own] of paths.entries()) {
    for (const [other, theirs] of paths.slice(0, at).entries()) {
      if (!areTogether(own, theirs)) continue;
      const [from, to] = [projects[other], projects[at]];
      for (const [each, project] of projects.entries()) {
        if (project === from) projects[each] = to as number;
      }
    }
  }
  return projects;
}

function areTogether(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  const [small, large] = one.size <= other.size ? [one, other] : [other, one];
  let shared = 0;
  for (const path of small) shared += Number(large.has(path));
  return shared >= MIN_SHARED_PATHS && shared >= small.size * SAME_PROJECT_SHARE;
}

const SAME_PROJECT_SHARE = 0.1;
/** Fewer are chance: every project has a README. */
const MIN_SHARED_PATHS = 5;
