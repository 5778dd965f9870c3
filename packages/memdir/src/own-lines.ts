import { isRecord, listOf, textOf } from '@varve/guards';
import { hashOf } from './memory-file.ts';

export const OWN_LINES = '.index-lines.json';

/** Which lines of indexes were written here: the others were written by hand, and are never changed. */
export interface OwnLines {
  has(indexPath: string, line: string): boolean;
  /** The list with a line more, or one in place of another. */
  with(indexPath: string, added: readonly string[], removed: readonly string[]): OwnLines;
  /** As it is stored. */
  readonly text: string;
}

export function parseOwnLines(text: string | undefined): OwnLines {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return ownLines(new Set(isRecord(value) ? listOf(value.lines).map(textOf) : []));
  } catch {
    return ownLines(new Set()); // lost: earlier lines count as written by hand
  }
}

function ownLines(hashes: ReadonlySet<string>): OwnLines {
  return {
    has: (indexPath, line) => hashes.has(keyOf(indexPath, line)),
    with(indexPath, added, removed) {
      const next = new Set(hashes);
      for (const line of removed) next.delete(keyOf(indexPath, line));
      for (const line of added) next.add(keyOf(indexPath, line));
      return ownLines(next);
    },
    text: `${JSON.stringify({ lines: [...hashes].sort() }, undefined, 1)}\n`,
  };
}

const keyOf = (indexPath: string, line: string): string =>
  hashOf(`${indexPath}\n${line.trimEnd()}`).slice(0, 16);
