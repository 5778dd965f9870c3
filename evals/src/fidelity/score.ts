import { type Fact, type FactType, VITAL, weightOf } from './facts/fact.ts';
import { factNames } from './file-names.ts';
import type { Haystack, Match } from './match.ts';

/** Counts of one type of facts by what became of them. */
export type TypeScore = Readonly<Record<Match, number>>;

export interface FactScore {
  readonly types: Readonly<Partial<Record<FactType, TypeScore>>>;
  /** Mean over types of the share that is bound, vital types three times: what stands in the context. */
  readonly recall: number | null;
  /** The same, and half for what can be looked up. */
  readonly recallWithRecovery: number | null;
  /** Share of all vital facts that are bound. */
  readonly vital: number | null;
  readonly contradicted: number;
}

/** Looks every fact up. */
export function scoreFacts(facts: readonly Fact[], haystack: Haystack): FactScore {
  const types: Partial<Record<FactType, Record<Match, number>>> = {};
  const nameOf = factNames(facts);
  for (const fact of facts) {
    const score = types[fact.type] ?? { ...NONE };
    types[fact.type] = score;
    score[haystack.match(fact, nameOf(fact))] += 1;
  }
  const scores = Object.entries(types) as [FactType, TypeScore][];
  const vital = scores.filter(([type]) => VITAL.has(type));
  const count = (pick: (score: TypeScore) => number, of = scores) =>
    of.reduce((sum, [, each]) => sum + pick(each), 0);
  const vitalFacts = count(all, vital);
  return {
    types,
    recall: meanOverTypes(scores, ({ bound }) => bound),
    recallWithRecovery: meanOverTypes(scores, ({ bound, recoverable }) => bound + recoverable / 2),
    vital: vitalFacts === 0 ? null : count(({ bound }) => bound, vital) / vitalFacts,
    contradicted: count(({ contradicted }) => contradicted),
  };
}

const NONE = { bound: 0, recoverable: 0, 'key-only': 0, contradicted: 0, lost: 0 };

const all = (score: TypeScore): number => Object.values(score).reduce((sum, each) => sum + each, 0);

/** So that four hundred literals do not drown five rules. */
function meanOverTypes(
  scores: readonly [FactType, TypeScore][],
  good: (score: TypeScore) => number,
): number | null {
  const weights = scores.reduce((sum, [type]) => sum + weightOf(type), 0);
  if (weights === 0) return null;
  return (
    scores.reduce((sum, [type, score]) => sum + (weightOf(type) * good(score)) / all(score), 0) /
    weights
  );
}
