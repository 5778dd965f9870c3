import { projectsOf } from './projects.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What the other sessions of a run say about one session. */
export interface Background {
  /** Sorted hashes of demanded units that at least two sessions of other projects hold. */
  readonly guessable: Float64Array;
  /** How many sessions of other projects there are. */
  readonly foreignSessions: number;
  /** Sessions of one project have one number, in the order in which projects first appear. */
  readonly project: number;
}

/** For each session the units anybody would know: what it demands and other projects' sessions hold as well. */
export function backgrounds(vocabularies: readonly Vocabulary[]): readonly Background[] {
  const wanted = new Set(vocabularies.flatMap(({ demanded }) => [...demanded]));
  const holders = holdersOf(vocabularies, wanted);
  const projects = numbered(projectsOf(vocabularies.map(({ paths }) => new Set(paths))));
  return vocabularies.map(({ demanded }, own) => {
    const isForeign = (other: number): boolean => projects[other] !== projects[own];
    const isGuessable = (unit: number): boolean =>
      (holders.get(unit) ?? []).filter(isForeign).length >= GUESSABLE_FROM_SESSIONS;
    return {
      guessable: demanded.filter(isGuessable),
      foreignSessions: vocabularies.filter((_, other) => isForeign(other)).length,
      project: projects[own] as number,
    };
  });
}

function numbered(projects: readonly number[]): readonly number[] {
  const order = [...new Set(projects)];
  return projects.map((project) => order.indexOf(project));
}

/** The sessions that hold each of the wanted units. */
function holdersOf(
  vocabularies: readonly Vocabulary[],
  wanted: ReadonlySet<number>,
): ReadonlyMap<number, readonly number[]> {
  const holders = new Map<number, number[]>();
  for (const [at, { shown }] of vocabularies.entries()) {
    for (const unit of shown) {
      if (!wanted.has(unit)) continue;
      const known = holders.get(unit);
      if (known) known.push(at);
      else holders.set(unit, [at]);
    }
  }
  return holders;
}

const GUESSABLE_FROM_SESSIONS = 2;
