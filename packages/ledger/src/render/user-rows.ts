import { cutMiddle, cutText } from '@varve/messages/text';
import type { Fact, Superseded } from '../fact.ts';
import { createPhrases } from '../phrases.ts';

import type { Row } from './sections.ts';
import { hasWord } from './words.ts';

/** Of a message that does not stand whole, at least this much of either end does. */
const HEAD_CHARACTERS = 240;
const TAIL_CHARACTERS = 120;
/** Where there is room for more of it, the largest of these shares. */
const SHARES = [0.8, 0.6, 0.4, 0.2];

/** Messages of the person as rows, the newest first, each with what stands in its place where room is short. */
export function userRows(
  missing: readonly Fact[],
  rules: readonly Fact[],
  noteOf: (words: string) => string,
): Row[] {
  const ruled = new Set(rules.map(({ value }) => value));
  return missing
    .filter(({ type, value }) => type === 'user-message' && !ruled.has(value))
    .toSorted((left, right) => right.position - left.position)
    .map((fact) => toRow(fact, noteOf(fact.value)));
}

function toRow(fact: Fact, note: string): Row {
  const { value: words, messageId, position } = fact;
  const short =
    words.length > HEAD_CHARACTERS + TAIL_CHARACTERS + CUT_MARK ? cut(words) : undefined;
  return {
    section: 'user-message',
    text: `[${position}] ${words}${note}`,
    whole: true,
    rank: 10 + position,
    position,
    fact,
    ...(short !== undefined && {
      short: `[${messageId}] ${short}${note}`,
      cutTo: (share: number) => `[${messageId}] ${cut(words, share)}${note}`,
    }),
  };
}

/** Shorter texts are not worth cutting. */
const CUT_MARK = 60;

/** Encoded data, such as an image that stands in a text, says nothing in pieces. */
const ENCODED = /[A-Za-z0-9+/_=-]{200,}/g;

const isEncoded = (data: string): boolean =>
  [/\d/, /[a-z]/, /[A-Z]/].every((kind) => kind.test(data));

function cut(given: string, share = 0): string {
  const words = given.replace(ENCODED, (data) =>
    isEncoded(data) ? `[${data.length} characters of encoded data]` : data,
  );
  return cutMiddle(words, {
    headUnits: Math.max(HEAD_CHARACTERS, Math.floor((words.length * share * 2) / 3)),
    tailUnits: Math.max(TAIL_CHARACTERS, Math.floor((words.length * share) / 3)),
    marker: (characters) => ` […${characters} characters…] `,
  });
}

/** The row that stands in place of one there is no room for; none where there is none. */
export function shortRow(row: Row): Row[] {
  const { short, ...rest } = row;
  return short === undefined ? [] : [{ ...rest, text: short, whole: false }];
}

/** What more of a message may stand than `short` has, the longest first. */
export function longerCuts(row: Row): Row[] {
  const { cutTo } = row;
  if (cutTo === undefined) return [];
  return SHARES.map((share) => ({ ...row, text: cutTo(share), whole: false })).filter(
    ({ text }) => text.length > (row.short?.length ?? 0),
  );
}

/** Mentions of one name that are looked at. */
const MOST_MENTIONS = 50;
/** A value belongs to a name that stands this near. UTF-16 units. */
const NEAR = 200;

/** Says of an old message which of its values and rules no longer hold, so that they are not taken for current. */
export function staleNote(
  superseded: readonly Superseded[],
  facts: readonly Fact[],
): (words: string) => string {
  const stale = superseded.filter(
    ({ type, current }) =>
      (type === 'literal' && current) || (type === 'rule' && current === undefined),
  );
  if (stale.length === 0) return () => '';
  const texts = [...new Set(facts.flatMap(wordsOfUser))];
  const phrases = createPhrases(texts);
  const notes = new Map<string, Set<string>>();
  for (const { type, key, value, current = '' } of stale) {
    for (const { text, offset } of phrases.places(type === 'rule' ? value : key, MOST_MENTIONS)) {
      const words = texts[text] as string;
      const near = words.slice(Math.max(0, offset - NEAR), offset + key.length + NEAR);
      if (type === 'literal' && (!hasWord(near, value) || hasWord(near, current))) continue;
      const note = type === 'rule' ? takenBack(value) : `${key} is now ${current}`;
      notes.set(words, (notes.get(words) ?? new Set()).add(note));
    }
  }
  return (words) => {
    const own = notes.get(words);
    return own === undefined ? '' : ` (superseded: ${[...own].slice(0, MOST_NOTES).join('; ')})`;
  };
}

/** Notes at one message; who needs more has to read the newer messages. */
const MOST_NOTES = 20;

const wordsOfUser = ({ type, value }: Fact): string[] => (type === 'user-message' ? [value] : []);

const takenBack = (rule: string): string => `"${cutText(rule, 60)}" holds no longer`;
