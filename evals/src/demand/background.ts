import type { Vocabulary } from './vocabulary.ts';

/** What the other sessions of a run say about one session. */
export interface Background {
  /** Sorted hashes of demanded units that at least two sessions of other projects hold. */
  readonly guessable: Float64Array;
  /** How many sessions of other projects there are. */
  readonly foreignSessions: number;
}

/**
 * For each session the units anybody would know. Files do not name their project: two sessions belong to the same one
 * when a tenth of what the smaller one's calls use is also used by the other's.
 */
export function backgrounds(vocabularies: readonly Vocabulary[]): readonly Background[] {
  const wanted = new Set(vocabularies.flatMap(({ demanded }) => [...demanded]));
  const holders = holdersOf(vocabularies, wanted);
  const demands = vocabularies.map(({ demanded }) => new Set(demanded));
  return demands.map((demand) => {
    const foreign = new Set(
      demands.flatMap((other, at) => (isSameProject(demand, other) ? [] : [at])),
    );
    const isGuessable = (unit: number): boolean => {
      const elsewhere = (holders.get(unit) ?? []).filter((at) => foreign.has(at));
      return elsewhere.length >= GUESSABLE_FROM_SESSIONS;
    };
    return {
      guessable: Float64Array.from([...demand].filter(isGuessable)).sort(),
      foreignSessions: foreign.size,
    };
  });
}

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

function isSameProject(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  const [small, large] = one.size <= other.size ? [one, other] : [other, one];
  let shared = 0;
  for (const unit of small) shared += Number(large.has(unit));
  return shared > 0 && shared >= small.size * SAME_PROJECT_SHARE;
}

const GUESSABLE_FROM_SESSIONS = 2;
const SAME_PROJECT_SHARE = 0.1;
