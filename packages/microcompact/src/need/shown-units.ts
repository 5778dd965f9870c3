import { type Block, isText, isToolResult, isToolUse } from '@varve/messages';
import { inputTexts } from '@varve/messages/tools';

/** What a block shows, as numbers: whole lines, and names that look like code. */
export interface ShownUnits {
  readonly all: ReadonlySet<number>;
  /** The names among them. */
  readonly names: ReadonlySet<number>;
  /** UTF-16 units of the texts. */
  readonly length: number;
}

/** Not remembered: the sets take ten times what the text does, and a memory of needs reads each block once. */
export const shownUnits = (block: Block): ShownUnits => readTexts(textsOf(block));

function textsOf(block: Block): readonly string[] {
  if (isText(block)) return [block.text];
  if (isToolUse(block)) return inputTexts(block.input);
  if (!isToolResult(block)) return [];
  const { content = '' } = block;
  if (typeof content === 'string') return [content];
  return content.flatMap((part) => (typeof part.text === 'string' ? [part.text] : []));
}

/** UTF-16 units that are read of a text. */
const MOST_READ = 200_000;
const LINE_UNITS = 12;
const NAME_UNITS = 6;

function readTexts(texts: readonly string[]): ShownUnits {
  const [all, names] = [new Set<number>(), new Set<number>()];
  let length = 0;
  for (const text of texts) {
    length += text.length;
    const end = Math.min(text.length, MOST_READ);
    for (let start = 0; start < end; ) {
      const found = text.indexOf('\n', start);
      const stop = found < 0 || found > end ? end : found;
      readLine(text, start, stop, all);
      readNames(text, start, stop, names);
      start = stop + 1;
    }
  }
  for (const name of names) all.add(name);
  return { all, names, length };
}

/** A line without the space around it, and without the number or sign that a listing puts in front. */
function readLine(text: string, from: number, to: number, lines: Set<number>): void {
  let [start, end] = [skipSpace(text, from, to), to];
  while (end > start && text.charCodeAt(end - 1) <= SPACE) end--;
  let digits = start;
  while (digits < end && isDigit(text.charCodeAt(digits))) digits++;
  if (digits > start && digits < end && BEHIND_NUMBER.has(text.charCodeAt(digits))) {
    start = skipSpace(text, digits + 1, end);
  } else if (start < end && SIGNS.has(text.charCodeAt(start))) {
    start = skipSpace(text, start + 1, end);
  }
  if (end - start >= LINE_UNITS) lines.add(hashOf(text, start, end));
}

function readNames(text: string, from: number, to: number, names: Set<number>): void {
  let start = -1;
  let isCode = false;
  for (let at = from; at <= to; at++) {
    const code = at < to ? text.charCodeAt(at) : SPACE;
    if (isWord(code)) {
      if (start < 0) [start, isCode] = [at, false];
      else if (code < LOWER_A || isDigit(code)) isCode = true; // a capital, a digit or a low line inside
    } else if (start >= 0) {
      if (isCode && at - start >= NAME_UNITS) names.add(hashOf(text, start, at));
      start = -1;
    }
  }
}

function skipSpace(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && text.charCodeAt(at) <= SPACE) at++;
  return at;
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash | 0;
}

const SPACE = 32;
const LOWER_A = 97;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isWord = (code: number): boolean =>
  (code >= LOWER_A && code <= 122) ||
  (code >= 65 && code <= 90) ||
  isDigit(code) ||
  code === 95 ||
  code === 36;
const codesOf = (signs: string): ReadonlySet<number> =>
  new Set([...signs].map((sign) => sign.charCodeAt(0)));
const BEHIND_NUMBER = codesOf('→\t|:');
const SIGNS = codesOf('+-');
