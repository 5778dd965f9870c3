import { stripVTControlCharacters } from 'node:util';
import type { Fact } from './facts/fact.ts';

/** What a compaction wrote itself, held against what was there. */
export interface Precision {
  /** Names in it that look like code. */
  readonly entities: number;
  /** Those of them that the session never held. */
  readonly fabricated: readonly string[];
  /** Sentences that say tests pass where the last run failed. */
  readonly wrongClaims: number;
}

/** Everything a session has shown, to look names up in. */
export interface Source {
  add(records: readonly string[]): void;
  has(entity: string): boolean;
}

export function createSource(): Source {
  const words = new Set<string>();
  const texts: string[] = [];
  return {
    add(records) {
      const text = spelling(records.join('\n'));
      texts.push(text);
      for (const [word] of text.matchAll(WORD)) words.add(word);
    },
    has: (entity) =>
      words.has(spelling(entity)) || texts.some((text) => text.includes(spelling(entity))),
  };
}

const spelling = (text: string): string =>
  stripVTControlCharacters(text).toLowerCase().replaceAll('\\', '/');

export function precisionOf(
  synthesised: readonly string[],
  { source, facts }: { readonly source: Source; readonly facts: readonly Fact[] },
): Precision {
  const text = synthesised.join('\n');
  const entities = [...new Set([...text.matchAll(WORD)].map(([word]) => trimmed(word)))].filter(
    isCodeLike,
  );
  const fails = facts.some(
    ({ type, value }) => type === 'test-status' && /, [1-9]/.test(value?.name ?? ''),
  );
  return {
    entities: entities.length,
    fabricated: entities.filter((entity) => !isKnown(entity, source)),
    wrongClaims: fails ? [...text.matchAll(PASSING)].length : 0,
  };
}

/**
 * A name of the session, a folder of it with a path of it behind (what was relative is written out), or a list or compound
 * of its names.
 */
function isKnown(entity: string, source: Source): boolean {
  if (source.has(entity)) return true;
  if (/\.[a-z]\w{0,5}$/i.test(entity)) return isJoined(entity, source);
  const parts = entity.split(/[-/:]/);
  return parts.length > 1 && parts.every((part) => part.length < 3 || source.has(part));
}

function isJoined(path: string, source: Source): boolean {
  const cuts = [...path.matchAll(/\//g)].map(({ index }) => index);
  return cuts.some((at) => source.has(path.slice(0, at)) && source.has(path.slice(at + 1)));
}

const trimmed = (word: string): string => word.replace(/^[.:/-]+|[.:/-]+$/g, '');

/** Plain words with a slash or a full stop between them are no names. */
const isCodeLike = (word: string): boolean =>
  word.length >= 4 &&
  /[a-z]/i.test(word) &&
  (/[_\d]|[a-z][A-Z]/.test(word) || /\/.*\.\w+$|^\w+\.[a-z]{1,4}$/.test(word));

const WORD = /[\w$@./:-]{3,}/g;
const PASSING = /\ball (?:\w+ )?tests? (?:are )?(?:now )?pass/gi;
