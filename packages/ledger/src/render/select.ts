import type { Fact, FactType } from '../fact.ts';
import { createSaidRows } from './said-rows.ts';
import type { Row } from './sections.ts';
import { longerCuts, shortRow } from './user-rows.ts';

interface SelectOptions {
  /** Messages of the person, the newest first. */
  readonly users: readonly Row[];
  /** Words of the assistant. */
  readonly said: readonly Fact[];
  /** What is there already retells the session: fewer of them are told. */
  readonly retold: boolean;
  /** Sentences of the assistant that do not hold any more. */
  readonly isOutdated: (sentence: string) => boolean;
  readonly others: readonly Fact[];
  /** A fact as it is shown. */
  readonly lineOf: (fact: Fact) => string;
  readonly restTokens: number;
  readonly sizeOf: (text: string) => number;
}

/** The share of the room that the person's messages may take before anything else is placed. */
const USER_SHARE = 0.5;

/** The share of what is left that the assistant's words may take. */
const SAID_SHARE = 0.5;
const RETOLD_SHARE = 0.25;

/** Chooses what stands in the room that rules and pins leave, and gives what is chosen its rank. */
export function chooseFacts(options: SelectOptions): Row[] {
  const { users, said, retold, isOutdated, others, lineOf, restTokens, sizeOf } = options;
  const costOf = ({ text }: Row): number => sizeOf(`${text}\n`);
  let left = restTokens;
  const take = (row: Row, limit: number): boolean => {
    const cost = costOf(row);
    if (cost > Math.min(left, limit)) return false;
    left -= cost;
    return true;
  };
  const floor = restTokens * (1 - USER_SHARE);
  const placed = users.flatMap((row) => {
    if (take(row, left - floor)) return [row];
    return shortRow(row).filter((short) => take(short, left - floor));
  });
  const wordsIn = createSaidRows(said, { lineOf, isShort: retold, isOutdated, sizeOf });
  const words = wordsIn(left * (retold ? RETOLD_SHARE : SAID_SHARE));
  left -= words.reduce((sum, row) => sum + costOf(row), 0);
  const chosen = ranked(others, lineOf).filter((row) => take(row, left));
  // what the other facts leave over goes to messages that do not stand whole yet
  const known = new Map(placed.map((row) => [row.fact, row]));
  const upgraded = users.flatMap((row) => {
    const before = known.get(row.fact);
    if (before !== undefined) left += costOf(before);
    if (take(row, left)) return [row];
    const shorter = [...longerCuts(row), ...(before === undefined ? [] : [before])];
    const fits = shorter.find((each) => take(each, left));
    return fits === undefined ? [] : [fits];
  });
  const isAll = words.length === said.length && words.every(({ whole }) => whole);
  if (retold || isAll) return [...upgraded, ...words, ...chosen];
  // and then to what the assistant said
  const room = left + words.reduce((sum, row) => sum + costOf(row), 0);
  return [...upgraded, ...wordsIn(room), ...chosen];
}

/** After so many facts of one type the next weighs half: forty files must not crowd out the only open error. */
const HALF_AFTER = 20;

/** Rows by importance, the highest first: the newer of a type before the older ones. */
function ranked(facts: readonly Fact[], lineOf: (fact: Fact) => string): Row[] {
  const seen = new Map<FactType, number>();
  const newest = facts.toSorted((left, right) => right.position - left.position);
  const rated = newest.map((fact): Row => {
    const { type, weight, position } = fact;
    const index = seen.get(type) ?? 0;
    seen.set(type, index + 1);
    const rank = (weight * HALF_AFTER) / (HALF_AFTER + index);
    return { section: type, text: lineOf(fact), whole: true, rank, position, fact };
  });
  return rated.toSorted((left, right) => right.rank - left.rank);
}
