import { cutMiddle, cutText } from '@varve/messages';
import type { Fact, Superseded } from '../fact.ts';
import type { Row } from './sections.ts';
import { hasWord } from './words.ts';

/** Of a message that does not stand whole, this much of either end does. */
const HEAD_CHARACTERS = 240;
const TAIL_CHARACTERS = 120;

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
    ...(short !== undefined && { short: `[${messageId}] ${short}${note}` }),
  };
}

/** Shorter texts are not worth cutting. */
const CUT_MARK = 60;

function cut(words: string): string {
  return cutMiddle(words, {
    headUnits: HEAD_CHARACTERS,
    tailUnits: TAIL_CHARACTERS,
    marker: (characters) => ` […${characters} characters…] `,
  });
}

/** The row that stands in place of one there is no room for; none where there is none. */
export function shortRow(row: Row): Row[] {
  const { short, ...rest } = row;
  return short === undefined ? [] : [{ ...rest, text: short, whole: false }];
}

/** Says of an old message which of its values and rules no longer hold, so that they are not taken for current. */
export function staleNote(superseded: readonly Superseded[]): (words: string) => string {
  const literals = superseded.filter(({ type, current }) => type === 'literal' && current);
  const rules = superseded.filter(({ type, current }) => type === 'rule' && current === undefined);
  return (words) => {
    const lower = words.toLowerCase();
    const values = literals.filter(
      ({ key, value, current = '' }) =>
        lower.includes(key) && hasWord(words, value) && !hasWord(words, current),
    );
    const notes = [
      ...values.map(({ key, current }) => `${key} is now ${current}`),
      ...rules.filter(({ value }) => words.includes(value)).map(({ value }) => takenBack(value)),
    ];
    return notes.length === 0 ? '' : ` (superseded: ${[...new Set(notes)].join('; ')})`;
  };
}

const takenBack = (rule: string): string => `"${cutText(rule, 60)}" holds no longer`;
