import { isRecord, textOf } from '@varve/guards';
import { statementKey, statementsOf } from './evidence/statements.ts';
import { hashOf } from './memory-file.ts';

export const TOMBSTONES = '.tombstones.jsonl';

/** A statement that was forgotten, by the hash of its words alone: what it said is not there. */
export interface Tombstone {
  readonly hash: string;
  readonly reason: string;
  readonly at: string;
}

/** Reads tombstones; a line that is none is skipped. */
export function parseTombstones(text: string): readonly Tombstone[] {
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      if (!isRecord(value) || textOf(value.hash) === '') return [];
      return [{ hash: textOf(value.hash), reason: textOf(value.reason), at: textOf(value.at) }];
    } catch {
      return []; // empty, or half of one
    }
  });
}

export const writeTombstones = (tombstones: readonly Tombstone[]): string =>
  tombstones.map((each) => `${JSON.stringify(each)}\n`).join('');

/** The statements of a text, as hashes of their keys. */
export const statementHashes = (text: string): readonly string[] => [
  ...new Set(statementsOf(text).map((statement) => hashOf(statementKey(statement.text)))),
];
