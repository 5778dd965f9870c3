import { type NotesLimits, SECTION_TOKENS, type TextSize, TOTAL_TOKENS } from './limit-notes.ts';
import { notesSections } from './parse-notes.ts';
import type { NotesTemplate } from './template.ts';

/** What new notes lost of the old ones. */
export interface LostFacts {
  readonly lost: number;
  readonly of: number;
}

export interface LostFactsOptions extends NotesLimits {
  readonly template: NotesTemplate;
  readonly sizeOf: TextSize;
}

/** The share of its facts that notes may lose at once. */
const MOST_LOST = 0.3;
/** Notes with fewer facts are still being begun: one of them rewritten is most of them. */
const FEWEST_FACTS = 5;

/**
 * Facts that new notes lost, where that is more than they may: 30 %, and what has to go because the old ones were over their
 * limits. A fact is a sentence of the old notes, or a line; it is still there if the words that only it had are, wherever they
 * stand now.
 * A section that is written anew every time counts only where nothing is left of it. Undefined where nothing is wrong.
 */
export function lostFacts(
  old: string,
  text: string,
  options: LostFactsOptions,
): LostFacts | undefined {
  const facts = factsOf(old, text, options.template);
  if (facts.length < FEWEST_FACTS) return undefined;
  const holders = new Map<string, number>();
  for (const word of facts.flat()) holders.set(word, (holders.get(word) ?? 0) + 1);
  const there = new Set(wordsOf(text));
  const isKept = (words: readonly string[]): boolean => {
    const telling = words.filter((word) => holders.get(word) === 1);
    const asked = telling.length > 0 ? telling : words;
    return asked.filter((word) => there.has(word)).length * 2 >= asked.length;
  };
  const lost = facts.filter((words) => !isKept(words)).length;
  const most = 1 - (1 - MOST_LOST) * shareThatFits(old, options);
  return lost > facts.length * most ? { lost, of: facts.length } : undefined;
}

/** The words of each sentence that says something, each once; equal ones are one fact. */
function factsOf(
  old: string,
  text: string,
  template: NotesTemplate,
): readonly (readonly string[])[] {
  const after = notesSections(text, template);
  const bodies = notesSections(old, template)
    .filter(({ guidance }, at) => !WRITTEN_ANEW.test(guidance) || after[at]?.body === '')
    .map(({ body }) => body);
  const facts = new Set(bodies.flatMap((body) => body.split(SENTENCE_END).flatMap(clausesOf)));
  return [...facts].map(wordsOf).filter((words) => words.length > 0);
}

const SENTENCE_END = /\n|(?<=[.!?;])\s+|(?<=[。！？；．｡])/;
const CLAUSE_END = /(?<=,)\s+|(?<=[，、])/;

/** A paragraph may go on for long without an end of a sentence. In UTF-16 units. */
const LONG_SENTENCE = 200;

const clausesOf = (sentence: string): readonly string[] =>
  (sentence.length > LONG_SENTENCE ? sentence.split(CLAUSE_END) : [sentence]).map((part) =>
    part.trim(),
  );

const WRITTEN_ANEW = /\b(?:anew|rewrit\w+|every time|each time)\b/i;

/** Words, each once; of scripts that put no blanks between them, pairs of characters. */
const wordsOf = (text: string): readonly string[] => [
  ...new Set((text.toLowerCase().match(WORD) ?? []).flatMap(pairsOf)),
];

const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const WORD = new RegExp(`[${UNSPACED}]+|(?:(?![${UNSPACED}])[\\p{L}\\p{N}_])+`, 'gu');
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');

function pairsOf(word: string): readonly string[] {
  if (!IS_UNSPACED.test(word)) return [word];
  const characters = [...word];
  if (characters.length < 3) return [word];
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

/** The share of old notes that fits into their limits. */
function shareThatFits(old: string, options: LostFactsOptions): number {
  const { template, sizeOf, sectionTokens = SECTION_TOKENS, totalTokens = TOTAL_TOKENS } = options;
  const sizes = notesSections(old, template).map(({ body }) => sizeOf(body));
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const fitting = sizes.reduce((sum, size) => sum + Math.min(size, sectionTokens), 0);
  return all === 0 ? 1 : Math.min(1, Math.min(fitting, totalTokens) / all);
}
