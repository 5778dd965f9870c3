import { checkText } from '../check-text.ts';
import { foldText } from '../fold.ts';

/** What a text says in one sentence or list item. */
export interface Statement {
  readonly text: string;
  /** Its line, from 0. */
  readonly line: number;
  /** `why` and `apply`: behind such a label, as memories have them; all else is the rule itself. */
  readonly part: 'rule' | 'why' | 'apply';
}

/**
 * The statements of a text in order: sentences and list items. Headings, labels and lines of code state nothing, and
 * neither does what has fewer than three words.
 */
export function statementsOf(text: string): readonly Statement[] {
  checkText('text', text);
  const found: Statement[] = [];
  let part: Statement['part'] = 'rule';
  let isCode = false;
  for (const [line, written] of text.split(/\r\n|\n|\r/).entries()) {
    if (/^\s*(?:```|~~~)/.test(written)) isCode = !isCode;
    else if (!isCode && !/^\s*(?:#|[-=*_|: ]{3,}$)/.test(written)) {
      const label = LABEL.exec(written);
      if (label !== null) part = /why|reason/i.test(label[1] ?? '') ? 'why' : 'apply';
      else if (written.trim() === '') part = 'rule';
      for (const sentence of statementsIn(
        label === null ? written : written.slice(label[0].length),
      ))
        found.push({ text: sentence, line, part });
    }
  }
  return found;
}

/** A `**Why:**` or `How to apply:`, with what stands before it. */
const LABEL =
  /^\s*(?:[-*+]\s+)?[*_]{0,2}((?:why|reason|how to apply|how|apply|when to apply))[*_]{0,2}\s*:[*_]{0,2}\s*/i;
const ONLY_LABEL =
  /^\s*(?:[-*+]\s+|#{1,6}\s+)?[*_]{0,2}(?:why|reasons?|how to apply(?: it)?|how|apply|when to apply)[*_]{0,2}\s*:?[*_]{0,2}\s*$/i;

/** Whether a line is such a label and nothing else. */
export const isOnlyLabel = (line: string): boolean => ONLY_LABEL.test(line);

/** A text without the label of what does not follow; what is nothing else stays. */
export const withoutEndLabel = (text: string): string =>
  text.replace(/(?<=\S)\s+[*_]{0,2}(?:why|reason|how to apply)[*_]{0,2}\s*:[*_]{0,2}$/i, '');

export const withoutLabel = (text: string): string => text.replace(LABEL, '');

/** What begins a list item, a quotation or a box to tick. */
const ITEM = /^[\s>]*(?:(?:[-*+•‣]|\d{1,3}[.)])\s+)?(?:\[[ xX]\]\s+)?/;

export const withoutItem = (line: string): string => line.replace(ITEM, '');

const END =
  /(?<=[.!?;]["'”’)\]]?)(?<!\b(?:e\.g|i\.e|etc|vs|cf|dr|mr|mrs|z\.b|d\.h|bzw|approx)\.)(?<!\b(?:no|nr)\.(?=\s+\d))\s+|(?<=[。！？])/giu;

/** The sentences of a text, and parts of them up to a semicolon. */
export const sentencesOf = (text: string): readonly string[] =>
  text
    .split(END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

function statementsIn(line: string): readonly string[] {
  const text = withoutItem(line).trim();
  if (/:[*_]*$/.test(text)) return []; // a label of what follows
  const found: { readonly start: number; end: number; key: string; isTold: boolean }[] = [];
  for (const sentence of sentencesOf(text)) {
    const last = found.at(-1);
    const start = text.indexOf(sentence, last?.end);
    const end = start + sentence.length;
    const key = statementKey(sentence);
    const isTold = isStatement(key);
    // what says nothing alone stands with the other side of its semicolon
    if (last !== undefined && text[last.end - 1] === ';' && !(last.isTold && isTold)) {
      last.end = end;
      if (!last.isTold) last.key = `${last.key} ${key}`.trim();
      last.isTold ||= isStatement(last.key);
    } else found.push({ start, end, key, isTold });
  }
  return found.filter(({ isTold }) => isTold).map(({ start, end }) => text.slice(start, end));
}

/** Three words, or four characters of a language without blanks. */
const isStatement = (key: string): boolean => /\S \S+ \S|[\u0370-\uFFFF]{4}/.test(key);

/** Statements that differ in case, marks, blanks and forms of characters alone have one key. */
export function statementKey(statement: string): string {
  checkText('statement', statement);
  return foldText(statement)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
