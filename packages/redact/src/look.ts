import { COMMAND_KINDS } from './commands.ts';
import { CONTEXT_KINDS } from './contexts.ts';
import { ENCODED_KIND } from './encoded.ts';
import { wordFinder } from './finder.ts';
import type { SecretKind } from './kind.ts';
import { NAMED_KINDS } from './named.ts';
import { PAIR_KINDS } from './pairs.ts';
import { TOKEN_KINDS } from './tokens.ts';
import { SAID_KINDS } from './words.ts';

const KINDS_IN_CONTEXT: readonly SecretKind[] = [...CONTEXT_KINDS, ...COMMAND_KINDS];

/** All kinds, in the order in which they are looked for. What begins with a word is tried where one stands, and nowhere else. */
export const KINDS: readonly SecretKind[] = [
  ...TOKEN_KINDS,
  ENCODED_KIND,
  ...KINDS_IN_CONTEXT,
  ...PAIR_KINDS,
  ...NAMED_KINDS,
  ...SAID_KINDS,
];

/** Numbers of kinds: from the first on, up to the last and without it. */
export type KindRange = readonly [from: number, to: number];

const tokensEnd = TOKEN_KINDS.length + 1;
export const TOKENS: KindRange = [0, tokensEnd];
export const COMMANDS: KindRange = [tokensEnd, tokensEnd + KINDS_IN_CONTEXT.length];
export const ALL_BUT_TOKENS: KindRange = [tokensEnd, KINDS.length];

/** A kind that a text may hold. */
export interface Candidate {
  /** Its number. */
  readonly kind: number;
  /** Where a match may begin, in order; undefined: anywhere. */
  readonly starts: readonly number[] | undefined;
}

/** What a word says: of which kinds a match may begin with it, and which of the lists of words it stands in. */
interface Use {
  readonly kinds: number[];
  /** A bit for each. */
  lists: number;
}

/** The lists of words, and the bit of each. */
const LISTS = new Map(
  [...new Set(KINDS.flatMap(({ needs = [] }) => needs))].map((list, index) => [list, 2 ** index]),
);

/** The lists that each kind needs, a bit for each, and the kinds of which a match may begin anywhere. */
const NEEDS = KINDS.map(({ needs = [] }) =>
  needs.reduce((bits, list) => bits | (LISTS.get(list) as number), 0),
);
const ANYWHERE = [...KINDS.keys()].filter((kind) => KINDS[kind]?.starts === undefined);

const hasNeeds = (kind: number, seen: number): boolean => ((NEEDS[kind] as number) & ~seen) === 0;

interface Words {
  /** Calls back with the number of each word that stands in a text. */
  readonly find: ReturnType<typeof wordFinder>;
  readonly uses: readonly Use[];
}

function readWords(): Words {
  const uses = new Map<string, Use>();
  const useOf = (word: string): Use => {
    const use = uses.get(word) ?? { kinds: [], lists: 0 };
    uses.set(word, use);
    return use;
  };
  for (const [kind, { starts = [] }] of KINDS.entries())
    for (const word of new Set(starts)) useOf(word).kinds.push(kind);
  for (const [words, bit] of LISTS) for (const word of words) useOf(word).lists |= bit;
  return { find: wordFinder([...uses.keys()]), uses: [...uses.values()] };
}

/** Read when the first text is: it takes some milliseconds. */
let allWords: Words | undefined;

/** The kinds that a text may hold, in their order. It is read once for the words of all of them. */
export function candidatesIn(text: string): readonly Candidate[] {
  allWords ??= readWords();
  const { find, uses } = allWords;
  let seen = 0;
  const startsOf: number[][] = [];
  const kinds: number[] = [];
  find(text, (word, at) => {
    const use = uses[word] as Use;
    seen |= use.lists;
    for (const kind of use.kinds) {
      const starts = startsOf[kind];
      if (starts !== undefined) starts.push(at);
      else {
        startsOf[kind] = [at];
        kinds.push(kind);
      }
    }
  });
  for (const kind of ANYWHERE) if (hasNeeds(kind, seen)) kinds.push(kind);
  const candidates: Candidate[] = [];
  for (const kind of kinds.sort((a, b) => a - b)) {
    if (!hasNeeds(kind, seen) || KINDS[kind]?.sign?.test(text) === false) continue;
    candidates.push({ kind, starts: startsOf[kind] });
  }
  return candidates;
}
