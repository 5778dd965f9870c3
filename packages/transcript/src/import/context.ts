import { isRecord } from '@varve/guards';
import { itemsOf, type JsonRecord } from './json.ts';
import type { ImportProblem, ProblemKind, SessionParent } from './types.ts';

/** Where an importer says what it did not use and what was wrong. */
export interface ImportContext {
  readonly name: string;
  /** Counts something that the import leaves out. */
  unused(kind: string, count?: number): void;
  /** Counts the fields of a record that are not among `used`, as `kind.field`. */
  unusedFields(record: JsonRecord, kind: string, used: ReadonlySet<string>): void;
  /** The objects in a list; what is none is counted as `kind/not-an-object`. */
  records(list: unknown, kind: string): readonly JsonRecord[];
  problem(kind: ProblemKind, line: number, text: string): void;
  /** A bill was read. */
  hasBill(): void;
  /** A bill is null: a problem where others of the file have one. */
  missesBill(line: number): void;
  /** Says which session this is, and what it came from; a later call replaces an earlier one. */
  identify(id: string | undefined, parent?: SessionParent): void;
  readonly identity: SessionIdentity;
  readonly counts: ReadonlyMap<string, number>;
  readonly problems: readonly ImportProblem[];
  /** How many records so far stood twice. */
  readonly repeats: number;
}

/** What the file calls its session. */
export interface SessionIdentity {
  readonly id?: string;
  readonly parent?: SessionParent;
}

export function createContext(name: string): ImportContext {
  const counts = new Map<string, number>();
  /** Of fields by the kind of their record: their names are put together once, at the end. */
  const fields = new Map<string, Map<string, number>>();
  const problems: ImportProblem[] = [];
  const withoutBill: number[] = [];
  let hasBills = false;
  let repeats = 0;
  let identity: SessionIdentity = {};
  const unused = (kind: string, count = 1): void => {
    if (count > 0) counts.set(kind, (counts.get(kind) ?? 0) + count);
  };
  return {
    name,
    unused,
    unusedFields(record, kind, used) {
      let known = fields.get(kind);
      if (known === undefined) {
        known = new Map();
        fields.set(kind, known);
      }
      for (const field of Object.keys(record))
        if (!used.has(field)) known.set(field, (known.get(field) ?? 0) + 1);
    },
    records(list, kind) {
      const items = itemsOf(list);
      const records = items.filter(isRecord);
      if (records.length < items.length) {
        unused(`${kind}/not-an-object`, items.length - records.length);
      }
      return records;
    },
    problem(kind, line, text) {
      problems.push({ line, kind, text });
      if (kind === 'duplicate-record') repeats += 1;
    },
    hasBill() {
      hasBills = true;
    },
    missesBill(line) {
      withoutBill.push(line);
    },
    identify(id, parent) {
      identity = {
        ...(id === undefined ? {} : { id }),
        ...(parent === undefined ? {} : { parent }),
      };
    },
    get identity() {
      return identity;
    },
    get counts() {
      for (const [kind, known] of fields)
        for (const [field, count] of known) unused(`${kind}.${field}`, count);
      fields.clear();
      return counts;
    },
    get repeats() {
      return repeats;
    },
    get problems() {
      const text = 'a bill that is null, where others have one';
      const missing = hasBills ? withoutBill : [];
      return [...problems, ...missing.map((line) => ({ line, kind: 'bad-bill', text }) as const)];
    },
  };
}
