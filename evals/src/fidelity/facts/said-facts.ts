import { isText, type Message } from '@varve/messages';
import { forEachString } from '../../demand/demand.ts';
import type { Fact } from './fact.ts';
import { sentencesOf } from './person-text.ts';

/** Stands among the terms of a sentence that says that something is not so. */
export const DENIAL = '(not)';

export const isDenial = (text: string): boolean =>
  /\b(?:not|never|no|none|without|cannot|nothing|neither|rejected|ruled out)\b|n['’]t\b/i.test(
    text,
  );

/** Whether a word stands in what the assistant says or does at or behind a message of the recorded session. */
export type Returns = (word: string, from: number) => boolean;

/** Reads the words of the assistant in the whole session. */
export function createReturns(history: readonly Message[]): Returns {
  const last = new Map<string, number>();
  for (const [at, message] of history.entries()) {
    if (message.role !== 'assistant') continue;
    for (const block of message.content) {
      if (isText(block)) for (const word of wordsIn(block.text)) last.set(word, at);
      else if ('input' in block)
        forEachString(block.input, (text) => {
          for (const word of wordsIn(text)) last.set(word, at);
        });
    }
  }
  return (word, from) => (last.get(word) ?? -1) >= from;
}

/**
 * What the assistant found, decided, gave up or meant to do next, as words that have to stand together: sentences with a cue of
 * that, and those whose rare words the recorded session comes back to.
 */
export interface SaidFacts {
  add(message: Message, index: number): void;
  /** Of those said before a message, the ones that what follows comes back to. */
  facts(cut: number, returns: Returns): readonly Fact[];
}

export function createSaidFacts(): SaidFacts {
  const sentences: Sentence[] = [];
  const holders = new Map<string, number>();
  let texts = 0;
  const isRare = (word: string): boolean =>
    !COMMON.has(word) && (holders.get(word) ?? 0) <= Math.max(RARE, texts * RARE_SHARE);
  return {
    add(message, index) {
      const said = message.content.flatMap((block) => (isText(block) ? [block.text] : []));
      if (said.length === 0) return;
      texts++;
      for (const word of new Set(wordsIn(said.join('\n'))))
        holders.set(word, (holders.get(word) ?? 0) + 1);
      if (message.role !== 'assistant' || message.origin !== undefined) return;
      for (const text of said.flatMap((each) => sentencesOf(withoutCode(each)))) {
        if (text.length < SHORTEST || text.length > LONGEST) continue;
        sentences.push({ text, index, messageId: message.id });
      }
    },
    facts(cut, returns) {
      const found = new Map<string, Fact>();
      for (const { text, index, messageId } of sentences) {
        const rare = [...new Set(wordsIn(text))].filter(isRare);
        const exact = new Set(exactIn(text));
        const isExact = (word: string): boolean => exact.has(word);
        const back = rare.filter((word) => returns(word, cut));
        // a cue and a word that is used again; or, without a cue, names and numbers that are
        const terms = CUE.test(text) ? [...back, ...rare.filter(isExact)] : back.filter(isExact);
        const isTaken = back.length > 1 || (back.length === 1 && terms.some(isExact));
        if (!isTaken || new Set(terms).size < FEWEST_TERMS) continue;
        const kept = [...new Set(terms)]
          .toSorted(
            (one, other) =>
              Number(isExact(other)) - Number(isExact(one)) || other.length - one.length,
          )
          .slice(0, MOST_TERMS);
        const all = isDenial(text) ? [...kept, DENIAL] : kept;
        const key = all.toSorted().join(' ');
        if (found.has(key)) continue;
        const fact = { type: 'said', key: text, value: undefined, stale: [] } as const;
        found.set(key, { ...fact, messageId, born: index, terms: all });
      }
      return [...found.values()];
    },
  };
}

interface Sentence {
  readonly text: string;
  readonly index: number;
  readonly messageId: string;
}

const SHORTEST = 24;
const LONGEST = 400;
/** Messages that may hold a rare word. */
const RARE = 4;
const RARE_SHARE = 0.03;
const FEWEST_TERMS = 2;
const MOST_TERMS = 3;

const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '');

/** Names, paths and numbers, and longer words; in small letters. */
export const wordsIn = (text: string): readonly string[] =>
  [...text.matchAll(WORD)].map(([word]) => bare(word).toLowerCase());

/** Those that are no words of the language: names, paths and numbers. */
const exactIn = (text: string): readonly string[] =>
  [...text.matchAll(WORD)]
    .map(([word]) => bare(word))
    .filter((word) => /[\d_$/.]|[a-z][A-Z]/.test(word))
    .map((word) => word.toLowerCase());

const bare = (word: string): string => word.replace(/[./:-]+$/, '');

const WORD = /(?<!\w)(?:[A-Za-z_$@][\w$./:-]{5,80}|\d[\d.,]*\d|[A-Za-z]\w*[\d_]\w*)(?!\w)/g;

/** Longer words that every session uses. */
const COMMON: ReadonlySet<string> = new Set(
  'because before after between without within nothing something anything everything instead rather should really another through against already always another around behind beside cannot change changes changed during either enough exactly first following however itself likely little matter mostly neither number otherwise people perhaps possible probably problem question reason remain remaining result second simply since single still though together toward unless usually whether working would writes yesterday actually almost although'.split(
    ' ',
  ),
);

const CUE = new RegExp(
  [
    String.raw`\b(?:because|root cause|caused by|due to|turns out|the (?:problem|issue|bug|reason|cause|culprit|fix) (?:is|was)|that(?:'s| is) why|explains)\b`,
    String.raw`\b(?:decided|chose|instead of|rather than|go(?:ing)? with|settled on|I(?:'ll| will) (?:use|keep))\b`,
    String.raw`\b(?:(?:does|did|will|wo|do)(?: not|n't) work|rejected|ruled out|reverted|gave up|not an option)\b`,
    String.raw`\b(?:next step|next,|remaining|still (?:need|have) to|left to do|the plan is)\b`,
    String.raw`\b(?:goal|target|aim|at least|at most|no more than|within|budget)\b.*\d`,
  ].join('|'),
  'i',
);
