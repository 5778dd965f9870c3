import { fingerprint } from '@varve/messages';

/** What tells a record from all others of its file. */
export interface RecordIdentity {
  /** Its ids and its time, as they stand. */
  readonly marks: readonly unknown[];
  /** What it says: a value that is kept anyway, or a fingerprint. */
  readonly body: unknown;
  /** Its marks are those of others as well, so it is a repeat only directly behind itself. */
  readonly mayRepeat?: boolean;
}

/** Tells records that stand in a file for a second time. */
export function createRepeats() {
  const seen = new Map<string, { body: unknown; prints?: Set<string> }>();
  let last: { readonly key: string; readonly print?: string } | undefined;

  return {
    /** Whether the same stood before; `length` is that of its text. */
    has(identity: RecordIdentity | undefined, length: number): boolean {
      const before = last;
      last = undefined;
      if (identity === undefined) return false;
      const { marks, body, mayRepeat = false } = identity;
      const key = keyOf(marks, length);
      const known = seen.get(key);
      last = { key };
      if (known === undefined) {
        seen.set(key, { body });
        return false;
      }
      known.prints ??= new Set([printOf(known.body)]);
      known.body = undefined;
      const print = printOf(body);
      const isKnown = known.prints.has(print);
      known.prints.add(print);
      last = { key, print };
      const isBehindItself = before?.key === key && (before.print ?? print) === print;
      return isKnown && (!mayRepeat || isBehindItself);
    },
  };
}

/** By hand: this is asked of each record. A mark that is an object tells nothing by itself. */
function keyOf(marks: readonly unknown[], length: number): string {
  let key = `${length}`;
  for (const mark of marks)
    key += ` ${typeof mark === 'string' || typeof mark === 'number' ? mark : typeof mark}`;
  return key;
}

const printOf = (body: unknown): string => fingerprint(JSON.stringify(body) ?? '');

/** For a record that holds a session or a list, and is told from others by all of it. */
export const identityOfAll = (value: unknown): RecordIdentity => ({ marks: [], body: value });
