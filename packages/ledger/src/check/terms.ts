/** `deploy`, `deploys` and `deployment`. */
export const isAlike = (one: string, other: string): boolean => {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return (
    long.startsWith(short.length > 4 ? short.replace(/(?:e|y|ing|ed)$/, '') : short) &&
    (short.length >= 4 || ENDING.test(long.slice(short.length)))
  );
};

const ENDING = /^(?:e?s|e?d|ing)?$/;

/** Words that say what something is about, those aside that only say of which kind it is. */
export const termsOf = (text: string, kind?: RegExp): readonly string[] => [
  ...new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).filter(
      (word) => !COMMON.has(word) && !kind?.test(word),
    ),
  ),
];

const COMMON: ReadonlySet<string> = new Set(
  'the and that this with for from was were has have had been are its his her their them they then now also already our out you your yes okay sure ahead user human person operator customer said says approved approve approval approvals authorized confirmed permission green light lit greenlit signed sign off clearance blessing thumbs okayed permitted sanctioned cleared consented granted provided obtained secured explicitly explicit clearly verbally fully full prior final confirmation authorization consent agreed allowed given gave granted received after before into onto about will would can could may should shall must not but all any one who what which when where there here want wants please just'.split(
    ' ',
  ),
);

/** The share of the terms of a claim that one message has to hold. */
const TRACED = 0.5;

/** Words with one beginning that are compared with a word; a text holds few that are alike. */
const MOST_ALIKE = 50;

/** Whether one of the texts speaks of what these terms are about. Each term costs a look at each text, however long it is. */
export function createIsTraced(
  texts: readonly string[],
  share = TRACED,
): (about: readonly string[]) => boolean {
  const known = texts.map(byStart);
  const holds = (words: Words, word: string): boolean => {
    const near = words.get(startOf(word));
    return near !== undefined && (near.has(word) || some(near, (term) => isAlike(term, word)));
  };
  return (about) => {
    if (about.length === 0) return texts.length > 0;
    const least = about.length * share;
    return known.some((words) => about.filter((word) => holds(words, word)).length >= least);
  };
}

/** Terms of a text by their beginnings. */
type Words = ReadonlyMap<string, ReadonlySet<string>>;

function byStart(text: string): Words {
  const words = new Map<string, Set<string>>();
  for (const term of termsOf(text)) {
    const start = startOf(term);
    const near = words.get(start);
    if (near === undefined) words.set(start, new Set([term]));
    else near.add(term);
  }
  return words;
}

function some(words: ReadonlySet<string>, test: (word: string) => boolean): boolean {
  let count = 0;
  for (const word of words) {
    if (test(word)) return true;
    if (++count === MOST_ALIKE) return false;
  }
  return false;
}

/** What words that are alike have in common at least. */
const startOf = (word: string): string => word.slice(0, 3);
