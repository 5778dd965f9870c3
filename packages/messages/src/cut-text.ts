import { expected, integer } from '@varve/guards';

/**
 * The first `maxUnits` UTF-16 units of a text, or the last ones with `from: 'end'`, one fewer where the cut would fall
 * inside a surrogate pair: cutting a well-formed text keeps it well-formed. Characters of several code points (a flag,
 * a family) may still be cut between them. The same string comes back when it is short enough.
 */
export function cutText(
  text: string,
  maxUnits: number,
  { from = 'start' }: CutTextOptions = {},
): string {
  checkUnits('maxUnits', maxUnits);
  if (text.length <= maxUnits) return text;
  if (from === 'start') return text.slice(0, boundaryBefore(text, maxUnits));
  return text.slice(boundaryAfter(text, text.length - maxUnits));
}

export interface CutTextOptions {
  /** Which end is kept. @default 'start' */
  readonly from?: 'start' | 'end' | undefined;
}

export interface CutMiddleOptions {
  /** UTF-16 units kept of the start. */
  readonly headUnits: number;
  /** UTF-16 units kept of the end. */
  readonly tailUnits: number;
  /** Stands for what was cut; `cutUnits` is how many UTF-16 units that were. */
  readonly marker: string | ((cutUnits: number) => string);
}

/** Head and tail of a text around a marker, cut like `cutText`; the same string when nothing would be cut. */
export function cutMiddle(text: string, options: CutMiddleOptions): string {
  const { headUnits, tailUnits, marker } = options;
  checkUnits('headUnits', headUnits);
  checkUnits('tailUnits', tailUnits);
  if (text.length <= headUnits + tailUnits) return text;
  const head = cutText(text, headUnits);
  const tail = cutText(text, tailUnits, { from: 'end' });
  const cutUnits = text.length - head.length - tail.length;
  return head + (typeof marker === 'string' ? marker : marker(cutUnits)) + tail;
}

const splitsPair = (text: string, index: number): boolean =>
  index > 0 && index < text.length && (text.codePointAt(index - 1) as number) > 0xffff;

const boundaryBefore = (text: string, index: number): number =>
  splitsPair(text, index) ? index - 1 : index;

const boundaryAfter = (text: string, index: number): number =>
  splitsPair(text, index) ? index + 1 : index;

const UNITS = integer(0);

function checkUnits(name: string, units: number): void {
  if (!UNITS.fits(units)) throw expected(name, UNITS, units);
}
