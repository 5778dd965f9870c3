/**
 * The words and names by which a text is told from others: names of files and words with digits whole, others by their stem, scripts
 * without spaces by pairs of characters. Words that stand in any text, and in any answer that is no summary, are none.
 */
export function tellingWords(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  readWords([text], (word) => {
    found.add(word);
    return false;
  });
  return found;
}

/** Whether texts have so many different telling words. Reads no further than to the last of them. */
export function hasTellingWords(texts: Iterable<string>, least: number): boolean {
  const found = new Set<string>();
  return readWords(texts, (word) => found.add(word).size >= least);
}

/**
 * How many of some telling words texts have, at most so many. A name stands in each path that ends with it, too. Reads them
 * once, and no further than to the last of them, so that a summary of a long conversation costs next to nothing.
 */
export function countWords(
  texts: Iterable<string>,
  words: ReadonlySet<string>,
  most: number,
): number {
  const found = new Set<string>();
  const isLast = (word: string): boolean => words.has(word) && found.add(word).size >= most;
  readWords(texts, (word, isName) => isLast(word) || (isName && endsOf(word).some(isLast)));
  return found.size;
}

/** Names that a longer one ends with: so many, so that a long one costs what it is long. */
const MOST_ENDS = 6;

function endsOf(name: string): string[] {
  const ends: string[] = [];
  for (let at = name.length; ends.length < MOST_ENDS; ) {
    at = name.lastIndexOf('/', at - 1);
    if (at <= 0) break;
    ends.push(name.slice(at + 1));
  }
  return ends;
}

type IsLast = (word: string, isName: boolean) => boolean;

/** Hands out the telling words of texts in order, until one is the last; whether one was. */
function readWords(texts: Iterable<string>, isLast: IsLast): boolean {
  for (const text of texts) if (readText(text, isLast)) return true;
  return false;
}

function readText(text: string, isLast: IsLast): boolean {
  for (const [found] of text.matchAll(TOKEN)) {
    const token = found.toLowerCase();
    const parts = SEPARATOR.test(token) ? (token.match(PART) ?? []) : [token];
    if (parts.length > 1 && isLast(token, true)) return true;
    for (const part of parts) {
      if (WITHOUT_SPACES.test(part)) {
        for (const pair of pairsOf(part)) if (isLast(pair, false)) return true;
      } else if (tells(part)) {
        if (isLast(/\p{N}/u.test(part) ? part : part.slice(0, STEM), false)) return true;
      }
    }
  }
  return false;
}

/**
 * The names of a text: paths, files, identifiers, numbers of several digits. Texts about other things share hardly any, while
 * they share a fifth of their telling words.
 */
export function namesIn(text: string): ReadonlySet<string> {
  const found = text.match(TOKEN) ?? [];
  const names = found.filter((token) => token.length >= SHORTEST_WORD && NAME.test(token));
  return new Set(names.map((name) => name.toLowerCase()));
}

const NAME = /[._/]|\p{Ll}\p{Lu}|\d\d/u;

/** How many of some words a text has. */
export const sharedWords = (words: ReadonlySet<string>, others: ReadonlySet<string>): number =>
  [...words].filter((word) => others.has(word)).length;

/**
 * Whether two texts seem to be in one language: the first has its short words, articles and prepositions, from the second; in
 * Chinese and Japanese its particles.
 */
export function speakAlike(text: string, other: string): boolean {
  const short = shortWords(text);
  return (
    short.size >= LEAST_SHORT &&
    sharedWords(short, shortWords(other)) >= Math.max(2, short.size / 4)
  );
}

const shortWords = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(SHORT_WORD));

/** Of the particles only 的 stands in texts of both languages. */
const SHORT_WORD =
  /(?<![\p{L}\p{N}_])\p{L}{2,3}(?![\p{L}\p{N}_])|[的是这這们們没沒还還也很吗嗎]|[のをにはがでとも]/gu;
/** Of a few short words one is shared by any two languages. */
const LEAST_SHORT = 3;

/** Whether a text is a single word, or the same one again and again. */
export const isOneWord = (text: string): boolean =>
  new Set(text.toLowerCase().match(PART)).size < 2 && !WITHOUT_SPACES.test(text);

const TOKEN = /[\p{L}\p{N}]+(?:[._/-]+[\p{L}\p{N}]+)*/gu;
/** Between the parts of a name. */
const SEPARATOR = /[._/-]/;
const PART = /[\p{L}\p{M}\p{N}]+/gu;
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** UTF-16 units: `limits`, `limiting` and `limiter` are one word. */
const STEM = 5;

/** UTF-16 units of a word, and of one with digits. */
const SHORTEST_WORD = 4;
const SHORTEST_NUMBER = 2;

const tells = (word: string): boolean =>
  word.length >= (/\p{N}/u.test(word) ? SHORTEST_NUMBER : SHORTEST_WORD) && !COMMON.has(word);

function* pairsOf(text: string): Generator<string> {
  for (let at = 0; at + 1 < text.length; at++) yield text.slice(at, at + 2);
}

const COMMON: ReadonlySet<string> = new Set(
  `able about above after again also although always another anything apologies around because been before being between
  both cannot could does doing done down during each either else even ever every everything from further give given goes
  going gone have having help here high however instead into itself just kind know last later least less like made make
  many maybe more most much must myself need never next none nothing once only other over please provide same shall should
  since some something soon sorry still such sure than thank thanks that their them then there these they thing this those
  through today together under understood unfortunately unless until very want wants well were what when where whether
  which while whom whose will with within without would your yours yourself
  assist assistance assistant continue conversation error errors fail failed failure false invalid list message messages object okay previous
  request requests respond response shared summaries summarise summarize summarized summary text transcript true unable
  undefined user`
    .trim()
    .split(/\s+/),
);
