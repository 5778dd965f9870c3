/**
 * The words and names by which a text is told from others: names of files and words with digits whole, others by their stem, scripts
 * without spaces by pairs of characters. Words that stand in any text, and in any answer that is no summary, are none.
 */
export function tellingWords(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [token] of text.toLowerCase().matchAll(TOKEN)) {
    const parts = token.match(PART) ?? [];
    if (parts.length > 1) found.add(token);
    for (const part of parts) {
      if (WITHOUT_SPACES.test(part)) for (const pair of pairsOf(part)) found.add(pair);
      else if (tells(part)) found.add(/\p{N}/u.test(part) ? part : part.slice(0, STEM));
    }
  }
  return found;
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
 * Whether a long text has so many of some telling words, at the begin of its own. Ends where they are found, so that a summary
 * of a long conversation costs next to nothing; each word that is missing reads the text once.
 */
export function holdsWords(text: string, words: ReadonlySet<string>, least: number): boolean {
  const lower = text.toLowerCase();
  let [found, left] = [0, words.size];
  for (const word of words) {
    if (found >= least || found + left < least) break;
    if (beginsWord(lower, word)) found++;
    left--;
  }
  return found >= least;
}

function beginsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word), tries = 0; at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[a-z\d]/.test(text[at - 1] as string)) return true;
    if (++tries >= MOST_TRIES) return false;
  }
  return false;
}

const MOST_TRIES = 1_000;

/**
 * Whether two texts seem to be in one language: the first has its short words, articles and prepositions, from the second. Of
 * scripts without spaces nothing is known.
 */
export function speakAlike(text: string, other: string): boolean {
  const short = new Set(text.toLowerCase().match(SHORT_WORD));
  if (short.size < LEAST_SHORT) return false;
  const known = new Set(other.toLowerCase().match(SHORT_WORD));
  return sharedWords(short, known) >= Math.max(2, short.size / 4);
}

const SHORT_WORD = /(?<![\p{L}\p{N}_])\p{L}{2,3}(?![\p{L}\p{N}_])/gu;
/** Of a few short words one is shared by any two languages. */
const LEAST_SHORT = 3;

/** Whether a text is a single word, or the same one again and again. */
export const isOneWord = (text: string): boolean =>
  new Set(text.toLowerCase().match(PART)).size < 2 && !WITHOUT_SPACES.test(text);

const TOKEN = /[\p{L}\p{N}]+(?:[._/-]+[\p{L}\p{N}]+)*/gu;
const PART = /[\p{L}\p{M}\p{N}]+/gu;
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** UTF-16 units: `limits`, `limiting` and `limiter` are one word. */
const STEM = 5;

/** UTF-16 units of a word, and of one with digits. */
const [SHORTEST_WORD, SHORTEST_NUMBER] = [4, 2];

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
