import { isRecord, textOf } from '@varve/guards';
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

/**
 * The statements of a text, as hashes: sentences and list items, whatever their case, marks and blanks. Headings, labels and what
 * has fewer than three words state nothing.
 */
export function statementHashes(text: string): readonly string[] {
  const sentences = text
    .split(/\r\n|\n|\r/)
    .filter((line) => !/^\s*#|:[\s*_]*$/.test(line))
    .flatMap((line) => line.split(/(?<=[.!?;])\s+|(?<=[。！？])/))
    .map(normalise)
    .filter((sentence) => /\S \S+ \S|[\u0370-\uFFFF]{4}/.test(sentence));
  return [...new Set(sentences)].map((sentence) => hashOf(sentence));
}

const normalise = (sentence: string): string =>
  sentence
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
