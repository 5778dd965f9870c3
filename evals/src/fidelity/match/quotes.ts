import type { Fact } from '../facts/fact.ts';

/** What is there in its own words. */
export interface Quotes {
  has(quote: Pick<Fact, 'key' | 'type'>): boolean;
}

/** Takes the `plainWords` of a text. White space, signs and case do not count; numbers and negations do, each. */
export function createQuotes(words: string): Quotes {
  const text = ` ${words} `;
  let known: ReadonlySet<string> | undefined;
  return {
    has(quote) {
      const wanted = wordsOf(quote);
      if (wanted === '' || text.includes(` ${wanted} `)) return true;
      // of a rule, one word less can say the opposite
      if (quote.type !== 'user-message') return false;
      known ??= runsOf(words);
      return coverage(wanted, known) >= QUOTED_SHARE && !isAltered(wanted, known, text);
    },
  };
}

/** The same facts are looked for in what each compaction leaves. */
function wordsOf(quote: Pick<Fact, 'key'>): string {
  const words = wordsOfQuotes.get(quote) ?? plainWords(quote.key);
  wordsOfQuotes.set(quote, words);
  return words;
}

const wordsOfQuotes = new WeakMap<Pick<Fact, 'key'>, string>();

const QUOTED_SHARE = 0.9;
const RUN = 4;

/** The words of a text with one blank between them, in lower case; of two texts they are those of both. */
export const plainWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/n['’]t\b/g, ' not')
    .replace(/[^\p{N}\p{L}]+/gu, ' ')
    .trim();

/** Runs of four words: nine tenths of them are there when nine tenths of the text are, in order. */
const runsOf = (words: string): ReadonlySet<string> => new Set(runsIn(words.split(' ')));

const runsIn = (list: readonly string[]): readonly string[] =>
  list
    .slice(0, Math.max(1, list.length - RUN + 1))
    .map((_, at) => list.slice(at, at + RUN).join(' '));

function coverage(wanted: string, known: ReadonlySet<string>): number {
  const own = runsIn(wanted.split(' '));
  return own.filter((run) => known.has(run)).length / own.length;
}

/** A number or a negation is gone or another, and the words on both sides of it are there, whatever numbers are among them. */
function isAltered(wanted: string, known: ReadonlySet<string>, words: string): boolean {
  const list = wanted.split(' ');
  const masked = withoutNumbers(words);
  return list.some((word, at) => {
    const isDenial = NEGATION.test(word);
    if (!NUMBER.test(word) && !isDenial) return false;
    const first = Math.max(0, Math.min(at - 1, list.length - RUN));
    if (known.has(list.slice(first, first + RUN).join(' '))) return false;
    // `do not` goes as one
    const from = isDenial && HELPER.test(list[at - 1] ?? '') ? at - 1 : at;
    const before = list.slice(Math.max(0, from - 2), from).join(' ');
    const after = list.slice(at + 1, at + 3).join(' ');
    const has = (part: string): boolean =>
      part === '' || masked.includes(` ${withoutNumbers(part)} `);
    return has(before) && has(after);
  });
}

const NUMBER = /^v?\d/;
const withoutNumbers = (words: string): string => words.replace(/(?<!\S)v?\d\S*/g, '#');

const HELPER = /^(?:do|does|did|should|can|could|must|would)$/;
const NEGATION = /^(?:not|never|no|without|only|cannot)$/;
