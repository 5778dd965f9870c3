import { isRecord } from '@varve/guards';
import type { ImportContext } from './context.ts';
import { countOf, type JsonRecord } from './json.ts';

/** The counts in the bills of a format, as paths (`cache.read`). */
export interface BillShape {
  /** Stand in each bill. */
  readonly always: readonly string[];
  /** May be missing: nothing then. */
  readonly others?: readonly string[];
  /** Say more of another count: one that is wrong does not spoil the bill. */
  readonly details?: readonly string[];
  /** A bill without any count is that of a request that came to nothing. */
  readonly mayBeEmpty?: boolean;
}

/** A bill whose counts are counts. */
export interface Bill {
  readonly fields: JsonRecord;
  /** The count at a path; undefined where the bill has none. */
  count(path: string): number | undefined;
}

export interface BillPlace {
  readonly context: ImportContext;
  readonly line: number;
}

/** Reads a bill as it stands in a file; one that cannot be read whole is a problem, and is left out. */
export function readBill(value: unknown, shape: BillShape, place: BillPlace): Bill | undefined {
  const { context, line } = place;
  if (value === undefined) return undefined;
  if (value === null) {
    context.missesBill(line);
    return undefined;
  }
  const { always, others = [], details = [], mayBeEmpty = false } = shape;
  const refuse = (why: string): undefined => {
    context.problem('bad-bill', line, `${why}: left out`);
  };
  if (!isRecord(value)) return refuse('a bill that is no object');
  const needed = [...always, ...others];
  const wrong = [
    ...always.filter((path) => countOf(valueAt(value, path)) === undefined),
    ...others.filter((path) => isWrong(value, path)),
  ];
  if (wrong.length > 0) return refuse(`a bill in which ${wrong.join(', ')} is no count`);
  const isEmpty = needed.every((path) => countOf(valueAt(value, path)) === undefined);
  const strange = strangeCounts(value, [...needed, ...details]);
  for (const path of [...strange, ...details.filter((each) => isWrong(value, each))])
    context.unused(`bill.${path}`);
  if (isEmpty && !mayBeEmpty) return refuse('a bill without a count');
  context.hasBill();
  return { fields: value, count: (path) => countOf(valueAt(value, path)) };
}

/** Undefined where nothing is there, and where what it should stand in is null. */
function valueAt(bill: JsonRecord, path: string): unknown {
  if (!path.includes('.')) return bill[path];
  let value: unknown = bill;
  for (const name of path.split('.')) {
    if (value === undefined || value === null) return undefined;
    if (!isRecord(value)) return WRONG;
    value = value[name];
  }
  return value;
}

const WRONG = 'not an object';

function isWrong(bill: JsonRecord, path: string): boolean {
  const value = valueAt(bill, path);
  return value !== undefined && value !== null && countOf(value) === undefined;
}

/** Numbers of names that are not known, where a count that belongs beside them is missing: it may be one of them. */
function strangeCounts(bill: JsonRecord, paths: readonly string[]): readonly string[] {
  const missing = paths.filter((path) => valueAt(bill, path) === undefined);
  if (missing.length === 0) return [];
  const places = new Set(missing.map((path) => path.slice(0, path.lastIndexOf('.') + 1)));
  return [...places].flatMap((place) => {
    const holder = place === '' ? bill : valueAt(bill, place.slice(0, -1));
    return Object.entries(isRecord(holder) ? holder : {}).flatMap(([name, value]) => {
      const path = `${place}${name}`;
      const isKnown = paths.includes(path) || NO_COUNT.test(name);
      return isKnown || !countOf(value) ? [] : [path];
    });
  });
}

/** Names of sums and of what is not counted in tokens. */
const NO_COUNT = /cost|price|total|time|duration|latency|requests|seconds|ms$/i;
