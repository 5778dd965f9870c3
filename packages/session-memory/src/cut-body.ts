import { cutText } from '@varve/messages/text';
import { closeFence, fenceChanges } from './parse-notes.ts';

export interface CutBodyOptions {
  /** Which end stays. */
  readonly keep: 'start' | 'end';
  /** Whether so much of it has room. */
  readonly fits: (kept: string) => boolean;
}

/**
 * As much of a text as fits: whole lines, of a line that is long by itself whole sentences or words, and where there are
 * neither (base64) whole characters. A code fence that the cut parts is closed, or opened again. Reads the text once, and
 * what is kept some times more.
 */
export function cutBody(body: string, { keep, fits }: CutBodyOptions): string {
  const fences = keep === 'end' ? fenceChanges(body) : [];
  const kept = (units: number): string => {
    const piece = cutText(body, units, { from: keep });
    const start = body.length - piece.length;
    const open = fences.findLast(({ at }) => at <= start)?.fence;
    return piece && closeFence(open === undefined ? piece : `${open}\n${piece}`);
  };
  const most = largest(body.length, (units) => fits(kept(units)));
  for (const ends of [endsLine, endsSentence, endsWord]) {
    const units = keep === 'start' ? startUnits(body, most, ends) : endUnits(body, most, ends);
    if (units * 2 >= most && fits(kept(units))) return kept(units);
  }
  return kept(most);
}

/** Whether a text may be parted before a unit. */
type Ends = (text: string, at: number) => boolean;

const endsLine: Ends = (text, at) => (text[at] ?? '\n') === '\n';
const endsSentence: Ends = (text, at) => {
  const last = text[at - 1] ?? '';
  return '。！？；．｡'.includes(last) || ('.!?;'.includes(last) && isSpace(text, at));
};
const endsWord: Ends = (text, at) => isSpace(text, at) || '，、：､'.includes(text[at - 1] ?? '');

const isSpace = (text: string, at: number): boolean => ' \t\n'.includes(text[at] ?? '\n');

/** Units of the longest start that ends well; 0 where none is half as long as it may be. */
function startUnits(text: string, most: number, ends: Ends): number {
  for (let at = most; at * 2 >= most && at > 0; at--) if (ends(text, at)) return at;
  return 0;
}

/** The same from the end; the blanks of the place go, of a line its end alone, since blanks may indent the next one. */
function endUnits(text: string, most: number, ends: Ends): number {
  for (let at = text.length - most; (text.length - at) * 2 >= most && at < text.length; at++) {
    if (at > 0 && text[at - 1] === '\n') return text.length - at;
    if (!ends(text, at)) continue;
    while (text[at] === ' ' || text[at] === '\t') at++;
    return text.length - at - Number(text[at] === '\n');
  }
  return 0;
}

/** The largest number from 0 to `limit` that fits, asked from below, so that a small one costs little. */
function largest(limit: number, fits: (count: number) => boolean): number {
  let [low, high] = [0, Math.min(limit, FIRST)];
  while (high < limit && fits(high)) [low, high] = [high, Math.min(limit, high * 2)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

const FIRST = 256;
