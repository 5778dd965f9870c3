import type { Ledger } from '../ledger.ts';
import { createPhrases } from '../phrases.ts';

/** What the person said, for comparing quotes with it. Each question costs about what its words are long. */
export interface Spoken {
  /** Somebody said exactly this, case, white space and the kind of quotation marks aside; gaps may be left out. */
  holds(words: string): boolean;
  /** It stands in the result of a call that was refused: probably what the person said to it. */
  maybe(words: string): boolean;
  /** The largest share of its words that one message holds, from 0 to 1. */
  likeness(words: string): number;
}

export function createSpoken(ledger: Ledger): Spoken {
  const chosen = ledger.facts().filter(({ type }) => type === 'choice');
  const said = [...ledger.words(), ...chosen.map(({ value }) => value)];
  return {
    holds: holder(said),
    maybe: holder(ledger.refusals()),
    likeness: remembered(createLikeness(said)),
  };
}

/** Shorter lines are alike by chance. */
const OWN_CHARACTERS = 40;

/** A line of a longer message of the user, which stands there word for word: it is not the summary's claim. */
export function isOwnLine(line: string, spoken: Spoken): boolean {
  const words = line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '');
  return words.length >= OWN_CHARACTERS && spoken.holds(words);
}

/** An ellipsis, or words in brackets that whoever quotes put in place of some. */
const GAP = /\[[^\]\n]{0,120}\]|\.\.\.|…/;

function holder(texts: readonly string[]): (words: string) => boolean {
  const phrases = createPhrases(texts);
  return remembered((words) => {
    const pieces = words.split(GAP);
    if (phrases.holds(pieces)) return true;
    // a gap may stand in the middle of a word
    return pieces.length > 1 && phrases.holds(pieces.map(withoutCutWords));
  });
}

function withoutCutWords(piece: string, index: number, pieces: readonly string[]): string {
  const last = index < pieces.length - 1 ? piece.replace(/[\p{L}\p{N}_]+$/u, '') : piece;
  return index > 0 ? last.replace(/^[\p{L}\p{N}_]+/u, '') : last;
}

/** Messages that are compared with one line, the newest of those that share its rarest words. */
const MOST_COMPARED = 200;

/** A message that holds most of the words of a line holds one of the rarest of them. */
function createLikeness(said: readonly string[]): (words: string) => number {
  const messages = said.map((text) => new Set(wordsOf(text)));
  const holding = new Map<string, number[]>();
  for (const [index, words] of messages.entries()) {
    for (const word of words) {
      const known = holding.get(word);
      if (known === undefined) holding.set(word, [index]);
      else known.push(index);
    }
  }
  return (line) => {
    const wanted = wordsOf(line);
    const rarest = [...new Set(wanted)]
      .map((word) => holding.get(word) ?? [])
      .toSorted((left, right) => left.length - right.length)
      .slice(0, Math.floor(wanted.length / 2) + 1);
    const compared = new Set(rarest.flatMap((indexes) => indexes.slice(-MOST_COMPARED)));
    let best = 0;
    for (const index of [...compared].slice(0, MOST_COMPARED)) {
      const known = messages[index] as ReadonlySet<string>;
      best = Math.max(best, wanted.filter((word) => known.has(word)).length / wanted.length);
    }
    return best;
  };
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\d]{3,}/gu) ?? [];

function remembered<Value>(work: (words: string) => Value): (words: string) => Value {
  const known = new Map<string, Value>();
  return (words) => {
    const found = known.get(words);
    if (found !== undefined) return found;
    const value = work(words);
    known.set(words, value);
    return value;
  };
}
