import type { Ledger } from '../ledger.ts';
import { plain } from '../render/presence.ts';

/** What the person said, for comparing quotes with it. */
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
  const said = [...ledger.words(), ...chosen.map(({ value }) => value)].map(normalise);
  const refusals = ledger.refusals().map(normalise);
  return {
    holds: (words) => stands(words, said),
    maybe: (words) => stands(words, refusals),
    likeness(words) {
      const wanted = wordsOf(words);
      if (wanted.length === 0) return 0;
      return Math.max(0, ...said.map((message) => share(wanted, new Set(wordsOf(message)))));
    },
  };
}

/** Shorter lines are alike by chance. */
const OWN_CHARACTERS = 40;

/** A line of a longer message of the user, which stands there word for word: it is not the summary's claim. */
export function isOwnLine(line: string, spoken: Spoken): boolean {
  const words = line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '');
  return words.length >= OWN_CHARACTERS && spoken.holds(words);
}

/** Punctuation at the ends is the quoting sentence's. */
const normalise = (words: string): string =>
  plain(words).replace(/^[\s"'`.,;:!?…]+|[\s"'`.,;:!?…]+$/g, '');

/** An ellipsis, or words in brackets that whoever quotes put in place of some. */
const GAP = /\s*(?:\[[^\]\n]{0,120}\]|\.\.\.|…)\s*/;

function stands(words: string, messages: readonly string[]): boolean {
  const pieces = words
    .split(GAP)
    .map(normalise)
    .filter((piece) => piece !== '');
  return pieces.length === 0 || messages.some((message) => holdsInOrder(message, pieces));
}

function holdsInOrder(message: string, pieces: readonly string[]): boolean {
  let from = 0;
  for (const piece of pieces) {
    const at = message.indexOf(piece, from);
    if (at === -1) return false;
    from = at + piece.length;
  }
  return true;
}

const wordsOf = (text: string): string[] => normalise(text).match(/[\p{L}\d]{3,}/gu) ?? [];
const share = (wanted: readonly string[], known: ReadonlySet<string>): number =>
  wanted.filter((word) => known.has(word)).length / wanted.length;
