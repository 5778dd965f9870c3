import { cutText } from '@varve/messages/text';
import { joinSpans, renderSpans, type Span } from './spans.ts';

export interface ExcerptOptions {
  /** Most UTF-16 units of the result. */
  readonly maxChars: number;
  /** Places with this text are shown before errors are. */
  readonly query?: string | undefined;
}

/** How the room is shared: what is sought and errors first, as much as there are; the rest to the two ends. */
const HIGHLIGHT_SHARE = 0.35;
const MAX_HIGHLIGHTS = 6;
/** Of a long line, this much on either side of what is sought. */
const NEIGHBOURHOOD = 80;
/** A line that says what was left out takes about this much. */
const GAP_CHARS = 56;

// What a command says when it went wrong or when it ended. One alternation without repetition: linear on any text.
const NOTABLE =
  /\b(?:errors?|fatal|panic(?:ked)?|exception|traceback|failed|failures?|not ok|assertion|segmentation|exit(?:ed with)?(?: code| status)|exit(?:ed)?:)\b/gi;

/** Head and tail in whole lines, the errors, the exit code and what is sought between them; at most `maxChars`. */
export function excerpt(text: string, { maxChars, query }: ExcerptOptions): string {
  if (text.length <= maxChars)
    return shortEnough(renderSpans(text, [{ start: 0, end: text.length }]), maxChars);
  const middle = highlights(text, { room: Math.floor(maxChars * HIGHLIGHT_SHARE), query });
  let room = maxChars - GAP_CHARS * (middle.length + 1);
  for (let attempt = 0; attempt < 6 && room > 0; attempt++) {
    const shown = renderSpans(text, [...middle, ...ends(text, middle, room)]);
    if (shown.length <= maxChars) return shown;
    room -= Math.max(shown.length - maxChars, 40); // escaping and long gap lines
  }
  return shortEnough(renderSpans(text, ends(text, [], maxChars / 3)), maxChars);
}

/** Only where a text is full of our own tags does escaping make it too long for good. */
const shortEnough = (text: string, maxChars: number): string => cutText(text, maxChars);

function ends(text: string, middle: readonly Span[], room: number): Span[] {
  const rest = Math.max(0, room - middle.reduce((sum, { start, end }) => sum + end - start, 0));
  const head = headSpan(text, Math.ceil(rest / 2));
  return [head, tailSpan(text, rest - (head.end - head.start))];
}

/** The first lines that fit; part of a line where half of the room would stay empty otherwise. */
export function headSpan(text: string, room: number): Span {
  const cut = cutText(text, Math.max(0, Math.floor(room))).length;
  const lineEnd = text.lastIndexOf('\n', cut - 1) + 1;
  return { start: 0, end: cut < text.length && lineEnd > cut / 2 ? lineEnd : cut };
}

function tailSpan(text: string, room: number): Span {
  const start = text.length - cutText(text, Math.max(0, Math.floor(room)), { from: 'end' }).length;
  const lineStart = start === 0 ? 0 : text.indexOf('\n', start - 1) + 1;
  const isWorth = lineStart > 0 && text.length - lineStart > (text.length - start) / 2;
  return { start: isWorth ? lineStart : start, end: text.length };
}

interface HighlightOptions {
  readonly room: number;
  readonly query: string | undefined;
}

/** The lines, or the neighbourhoods in long lines, of what is sought and then of errors, until the room is used. */
function highlights(text: string, { room, query }: HighlightOptions): Span[] {
  const found: Span[] = [];
  let left = room;
  for (const place of notablePlaces(text, query)) {
    if (found.some(({ start, end }) => place >= start && place < end)) continue;
    const span = lineAround(text, place);
    left -= span.end - span.start + GAP_CHARS;
    if (left < 0 || found.length >= MAX_HIGHLIGHTS) break;
    found.push(span);
  }
  return joinSpans(found);
}

function* notablePlaces(text: string, query: string | undefined): Generator<number> {
  if (query !== undefined && query !== '') {
    let at = text.indexOf(query);
    for (; at !== -1; at = text.indexOf(query, at + query.length)) yield at;
  }
  for (const match of text.matchAll(NOTABLE)) yield match.index;
}

function lineAround(text: string, place: number): Span {
  const before = text.slice(Math.max(0, place - NEIGHBOURHOOD), place);
  const after = text.slice(place, place + NEIGHBOURHOOD);
  const [lineStart, lineEnd] = [before.lastIndexOf('\n') + 1, after.indexOf('\n')];
  const start = place - before.length + lineStart;
  const end = lineEnd === -1 ? place + after.length : place + lineEnd + 1;
  return { start: start + Number(isLow(text, start)), end: end - Number(isLow(text, end)) };
}

/** The second half of a pair: a cut before it would split a character. */
const isLow = (text: string, index: number): boolean => /[\udc00-\udfff]/.test(text[index] ?? '');
