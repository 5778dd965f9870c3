import type { Fact } from '../fact.ts';
import { nameOfFile } from '../names.ts';
import { createPhrases } from '../phrases.ts';
import { hasWord, wordAt } from './words.ts';

/** A value belongs to a key that stands this near, or on its line. UTF-16 units. */
const NEAR = 200;
/** Of a longer line this much on either side of the key is read. */
const LONGEST_LINE = 2_000;
/** Of a long key its beginning is looked for. */
const KEY_CHARACTERS = 60;
/** Places of one key that are looked at. */
const MOST_PLACES = 50;

/**
 * Tells whether a text already holds a fact: the words of the person word for word, of other facts key and current value
 * together. A file's state has to follow its name: a sentence that only has both words in it says something else.
 */
export function createIsPresent(
  text: string,
  { retold = false }: { readonly retold?: boolean } = {},
): (fact: Fact) => boolean {
  if (text.trim() === '') return () => false;
  const phrases = createPhrases([text]);
  const saidIn = createIsRetold(text, retold ? RETOLD : RETOLD_WHOLE);
  return ({ type, key, value }) => {
    if (type === 'user-message' || type === 'rule') return phrases.holds([value]);
    if (type === 'said') return saidIn(value);
    if (type === 'standing') return phrases.holds([value]);
    const isFile = type === 'file' || type === 'file-read';
    const spellings =
      isFile || type === 'edit' ? [key, endOf(key), nameOfFile(key)] : [beginningOf(key)];
    return spellings.some((spelling) =>
      phrases.places(spelling, MOST_PLACES).some(({ offset }) => {
        const end = offset + spelling.length;
        return isFile ? follows(text, end, value) : isNear(text, { offset, end }, value);
      }),
    );
  };
}

/** Tells whether a text retells what somebody said: most of its names, numbers and longer words stand there. */
function createIsRetold(text: string, share: number): (words: string) => boolean {
  const known = new Set(termsIn(text));
  return (words) => {
    const terms = new Set(termsIn(words));
    let shared = 0;
    for (const term of terms) if (known.has(term)) shared++;
    return shared >= terms.size * share;
  };
}

/** A summary tells in fewer words what was said; a list of messages has to hold nearly all of them. */
const RETOLD = 0.5;
const RETOLD_WHOLE = 0.75;
const termsIn = (text: string): string[] =>
  text.toLowerCase().match(/[\p{L}\d_]{5,}|\d[\d.,]*\d|\d/gu) ?? [];

const endOf = (path: string): string => path.split('/').slice(-2).join('/');

/** Without the word in which it is cut. */
function beginningOf(key: string): string {
  if (key.length <= KEY_CHARACTERS) return key;
  return key.slice(0, KEY_CHARACTERS).replace(LAST_WORD, '');
}

// From the start of a word only: else each of its letters would be tried as one.
const LAST_WORD = /(?<![\p{L}\p{M}\p{N}_])[\p{L}\p{M}\p{N}_]+$/u;

/** Only marks stand between: `a.ts: edited`, `a.ts (edited)`. */
function follows(text: string, end: number, value: string): boolean {
  const after = text.slice(end, end + MOST_MARKS + value.length + 2);
  const behind = after.replace(/^[^\p{L}\p{N}\n]*/u, '');
  return after.length - behind.length <= MOST_MARKS && wordAt(behind, value) === 0;
}

const MOST_MARKS = 12;

function isNear(
  text: string,
  { offset, end }: { readonly offset: number; readonly end: number },
  value: string,
): boolean {
  const near = text.slice(Math.max(0, offset - NEAR), end + NEAR + value.length);
  if (hasWord(near, value)) return true;
  const before = text.slice(Math.max(0, offset - LONGEST_LINE), offset);
  const after = text.slice(end, end + LONGEST_LINE);
  const lineEnd = after.indexOf('\n');
  const line = [
    before.slice(before.lastIndexOf('\n') + 1),
    text.slice(offset, end),
    lineEnd < 0 ? after : after.slice(0, lineEnd),
  ];
  return hasWord(line.join(''), value);
}
