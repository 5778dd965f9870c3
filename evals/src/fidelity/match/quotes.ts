/** What is there in its own words. */
export interface Quotes {
  has(wanted: string, type: string): boolean;
}

/** White space, signs and case do not count; numbers and negations do, each. */
export function createQuotes(text: string): Quotes {
  const words = normalised(text);
  let known: ReadonlySet<string> | undefined;
  return {
    has(quote, type) {
      const wanted = normalised(quote);
      if (wanted === '' || ` ${words} `.includes(` ${wanted} `)) return true;
      // of a rule, one word less can say the opposite
      if (type !== 'user-message') return false;
      known ??= runsOf(words);
      return coverage(wanted, known) >= QUOTED_SHARE && !isAltered(wanted, known, ` ${words} `);
    },
  };
}

const QUOTED_SHARE = 0.9;
const RUN = 4;

const normalised = (text: string): string =>
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
