/** One line, table row, list item or sentence of a text: what is said at once. */
export interface Statement {
  readonly text: string;
  /** Where it begins in the whole text. */
  readonly from: number;
  /** A row or list item that begins with what it is about; else somebody's words. */
  readonly isRecord: boolean;
  /** Nearest heading above it; empty where there is none. */
  readonly heading: string;
  /** A larger number is newer: the message it stands in, or the number in brackets that its line begins with. */
  readonly time: number;
}

/** Finds the statement around a place of a text. */
export interface StatementFinder {
  /** `about`: how many characters from the place on are the name of what is looked up. */
  at(place: number, about: number): Statement;
}

/** `ends` are the places in the text where its messages end, in order. */
export function createStatementFinder(text: string, ends: readonly number[]): StatementFinder {
  let headings: readonly Heading[] | undefined;
  const headingAt = (place: number): string => {
    headings ??= headingsOf(text);
    return headings[lastBelow(headings, ({ from }) => from <= place)]?.text ?? '';
  };
  return {
    at(place, about) {
      const lineFrom = text.lastIndexOf('\n', place - 1) + 1;
      const end = text.indexOf('\n', place + about);
      const line = text.slice(lineFrom, end === -1 ? text.length : end);
      const item = ITEM.exec(line)?.[0];
      const isRecord = item !== undefined && LEAD.test(line.slice(item.length, place - lineFrom));
      const numbered = NUMBERED.exec(line)?.[1];
      const message = lastBelow(ends, (each) => each <= place) + 1;
      const time = numbered === undefined ? message : message - 1 + below1(Number(numbered));
      const heading = item === undefined ? '' : headingAt(lineFrom);
      if (isRecord) return { text: line, from: lineFrom, isRecord, heading, time };
      const [from, to] = sentenceAt(line, { from: place - lineFrom, to: place - lineFrom + about });
      return { text: line.slice(from, to), from: lineFrom + from, isRecord, heading, time };
    },
  };
}

interface Heading {
  readonly from: number;
  readonly text: string;
}

const headingsOf = (text: string): readonly Heading[] =>
  [...text.matchAll(HEADING)].map((match) => ({ from: match.index, text: match[0] }));

/** The sentence of a line that a stretch of it lies in. */
function sentenceAt(
  line: string,
  { from, to }: { readonly from: number; readonly to: number },
): readonly [number, number] {
  let start = 0;
  for (const { index, 0: gap } of line.matchAll(SENTENCE_END)) {
    const next = index + gap.length;
    if (next <= from) start = next;
    else if (index >= to) return [start, index + 1];
  }
  return [start, line.length];
}

/** Index of the last that holds, where all before it do too; -1 where none does. */
function lastBelow<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(items[middle] as Item)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** What may stand before the name of a record: a box or a state in brackets, a label, marks. */
const LEAD = /^(?:\[[\w -]*\]\s*)?[`*"'\s]*(?:\w+:\s*)?[`*"'\s|]*(?:[\w.@~:-]*\/)*[\w.@~+-]*$/;
/** Grows with a number and stays below 1. */
const below1 = (number: number): number => number / (number + 1);
const ITEM = /^\s*(?:[-*+•]\s|\d{1,3}[.)]\s|\|)\s*/;
const NUMBERED = /^\s*(?:[-*]\s)?\[(\d{1,6})\]\s/;
const HEADING = /^(?:#{1,6} .*|\*\*[^*\n]+\*\*:?\s*|[^\s`|*-][^`|\n]{0,60}:)$/gm;
const SENTENCE_END = /[.!?]["')\]]?\s+(?=["'(`[*]*[\p{Lu}\d/`])/gu;
