import { NOISE, TAIL } from './marks.ts';
import { QUOTE } from './value.ts';

/** What a private key begins with. */
export const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

const BLANK = '(?:[ \\t]|\\\\{1,15}t)';
const BREAK = '(?:\\\\{1,15}r\\\\{1,15}n|\\\\{1,15}[nr]|\\r?\\n|\\r)';
/** What a program puts in front of each line: a number, a mark of a quotation, of a comment or of a difference. */
const PREFIX = `${BLANK}{0,40}(?:\\d{1,6}(?:${BLANK}|[:|→]|-(?!-)){1,4}|(?:[>#*|+]|//|-(?=-----END|[^-])){1,3})?${BLANK}{0,40}`;

/** Between two lines that are texts of their own, in a list or put together. */
const BETWEEN_QUOTES = new RegExp(
  `${BREAK}?(?<quote>${QUOTE})(?:${BLANK}|${BREAK}){0,40}[,+.]?(?:${BLANK}|${BREAK}){0,40}(?:\\d{1,6}[\\t→])?${BLANK}{0,40}\\k<quote>`,
  'y',
);
const BETWEEN_WORDS = new RegExp(` {1,4}${NOISE}`, 'y');
const HEADER =
  /(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID)\s?:[^\r\n\\"'`]{0,200}/y;
const BASE64 = new RegExp(`[A-Za-z0-9+/=]{1,4096}${TAIL}`, 'y');
const END = /-----END [A-Z0-9 ]{0,60}-----/y;
const IS_FIELD = new RegExp(`${QUOTE}\\s{0,8}:`, 'y');
const IS_LAST = / {1,4}-----END /y;
const IS_OVER = new RegExp(`\\s{0,8}(?:$|${QUOTE})`, 'y');

const LONGEST_LEAD = 80;
const MOST_LINES = 2_000;

/**
 * Where a private key ends whose first line stands from `start` to `begun`: behind its last line, or where it was cut off.
 * Between the two stands only what a key is made of; undefined where that is nothing, as in code that reads keys.
 */
export function privateKeyEnd(text: string, start: number, begun: number): number | undefined {
  const nextLine = new RegExp(`(?:${BREAK}(?:${leadOf(text, start)}|${PREFIX})${NOISE}){1,4}`, 'y');
  let at = begun;
  let cut: number | undefined;
  let last: GapKind | undefined;
  for (let line = 0; line < MOST_LINES; line++) {
    const gap = gapAt(text, at, nextLine);
    if (gap === undefined) return cut;
    const end = lengthAt(END, text, gap.end);
    if (end !== 0) return line > 0 ? gap.end + end : undefined;
    const header = lengthAt(HEADER, text, gap.end);
    const length = header || lengthAt(BASE64, text, gap.end);
    const next = gap.end + length;
    const run = text.slice(gap.end, next);
    if (
      length === 0 ||
      !canFollow({ run, kind: gap.kind, last, isLast: isAt(IS_LAST, text, next) })
    )
      return cut;
    last = gap.kind;
    if (gap.kind === 'quotes' && isAt(IS_FIELD, text, next)) return cut;
    at = next;
    if (header !== 0) continue;
    const isOver = isAt(IS_OVER, text, next);
    if (cut !== undefined && (isOver || last === 'quotes')) cut = next;
    else if (length >= 16 && /[\d+/=]/.test(run)) cut = next;
  }
  return cut;
}

type GapKind = 'line' | 'quotes' | 'words';

interface Run {
  readonly run: string;
  readonly kind: GapKind;
  /** How the line before was parted from the one before it. */
  readonly last: GapKind | undefined;
  readonly isLast: boolean;
}

/** Between words only what is as long as a line of a key goes on with it, between quotes what looks like one. */
function canFollow({ run, kind, last, isLast }: Run): boolean {
  if (kind === 'line') return true;
  if (kind === 'words') return run.length >= 16 || isLast;
  return last === kind || run.length >= 40 || /[\d+/=]/.test(run);
}

function gapAt(text: string, at: number, nextLine: RegExp) {
  const kinds = [
    ['quotes', BETWEEN_QUOTES],
    ['line', nextLine],
    ['words', BETWEEN_WORDS],
  ] as const;
  for (const [kind, pattern] of kinds) {
    const length = lengthAt(pattern, text, at);
    if (length > 0) return { kind, end: at + length };
  }
  return undefined;
}

/** What stands before a key in its line, as a pattern: numbers of lines go on, and `:` is `-` behind the name of a file. */
function leadOf(text: string, start: number): string {
  const before = text.slice(Math.max(0, start - LONGEST_LEAD), start);
  const lead = before.slice(before.search(LAST_LINE));
  return lead
    .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replace(/\d{1,80}/g, '\\d{1,6}')
    .replace(/(?<!\\d\{1,6)[:-]/g, '[:-]');
}

const LAST_LINE = /(?:(?!\\{1,15}[nr])[^\r\n"'`]){0,80}$/;

function isAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}
