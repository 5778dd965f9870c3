import type { FactType } from '../fact.ts';
import type { Row } from './sections.ts';
import { longerCuts, shortRow } from './user-rows.ts';

interface SelectOptions {
  /** Messages of the person, the newest first. */
  readonly users: readonly Row[];
  readonly others: readonly Row[];
  readonly restTokens: number;
  readonly sizeOf: (text: string) => number;
}

/** The share of the room that the person's messages may take before anything else is placed. */
const USER_SHARE = 0.5;

/** Chooses what stands in the room that rules and pins leave, and gives what is chosen its rank. */
export function chooseFacts({ users, others, restTokens, sizeOf }: SelectOptions): Row[] {
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
  const chosen = ranked(others).filter((row) => take(row, left));
  // what the other facts leave over goes to messages that do not stand whole yet
  const known = new Map(placed.map((row) => [row.fact, row]));
  const upgraded = users.flatMap((row) => {
    const before = known.get(row.fact);
    if (before?.whole) return [row];
    left += before === undefined ? 0 : costOf(before);
    const fits = [row, ...longerCuts(row)].find((each) => take(each, left));
    if (fits !== undefined) return [fits];
    left -= before === undefined ? 0 : costOf(before);
    return before === undefined ? [] : [before];
  });
  return [...upgraded, ...chosen];
}

/** After so many facts of one type the next weighs half: forty files must not crowd out the only open error. */
const HALF_AFTER = 20;

/** Rows by importance, the highest first: the newer of a type before the older ones. */
function ranked(rows: readonly Row[]): Row[] {
  const seen = new Map<FactType, number>();
  const newest = rows.toSorted((left, right) => right.position - left.position);
  const rated = newest.flatMap((row) => {
    if (row.fact === undefined) return [];
    const index = seen.get(row.fact.type) ?? 0;
    seen.set(row.fact.type, index + 1);
    return [{ ...row, rank: (row.fact.weight * HALF_AFTER) / (HALF_AFTER + index) }];
  });
  return rated.toSorted((left, right) => right.rank - left.rank);
}
