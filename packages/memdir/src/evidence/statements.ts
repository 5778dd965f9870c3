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
  const found: Statement[] = [];
  let part: Statement['part'] = 'rule';
  let isCode = false;
  for (const [line, written] of text.split(/\r\n|\n|\r/).entries()) {
    if (/^\s*(?:```|~~~)/.test(written)) isCode = !isCode;
    else if (!isCode && !/^\s*(?:#|[-=*_|: ]{3,}$)/.test(written)) {
      const label = LABEL.exec(written);
      if (label !== null) part = /why|reason/i.test(label[1] ?? '') ? 'why' : 'apply';
      else if (written.trim() === '') part = 'rule';
      for (const sentence of sentencesOf(label === null ? written : written.slice(label[0].length)))
        found.push({ text: sentence, line, part });
    }
  }
  return found;
}

/** A `**Why:**` or `How to apply:`, with what stands before it. */
const LABEL =
  /^\s*(?:[-*+]\s+)?[*_]{0,2}((?:why|reason|how to apply|how|apply|when to apply))[*_]{0,2}\s*:[*_]{0,2}\s*/i;
/** What begins a list item, a quotation or a box to tick. */
const ITEM = /^\s*(?:>\s*)*(?:[-*+•]\s+|\d{1,3}[.)]\s+)?(?:\[[ xX]\]\s+)?/;
const END =
  /(?<=[.!?;]["'”’)\]]?)(?<!\b(?:e\.g|i\.e|etc|vs|cf|no|nr|dr|mr|mrs|z\.b|d\.h|bzw|approx)\.)\s+|(?<=[。！？])/giu;

function sentencesOf(line: string): readonly string[] {
  const text = line.replace(ITEM, '').trim();
  if (/:[*_]*$/.test(text)) return []; // a label of what follows
  return text
    .split(END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => isStatement(statementKey(sentence)));
}

/** Three words, or four characters of a language without blanks. */
const isStatement = (key: string): boolean => /\S \S+ \S|[\u0370-\uFFFF]{4}/.test(key);

/** Statements that differ in case, marks, blanks and forms of characters alone have one key. */
export const statementKey = (statement: string): string =>
  foldText(statement)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
