/**
 * Units are what is needed later of earlier content: whole lines, code-like identifiers, paths and numbers. This file
 * reads them out of text, the same way for what is shown and for what is demanded.
 */

/** Calls `visit` for each unit in `text`, repeats included: lines of 16 characters and more, identifiers, paths, numbers. */
export function forEachUnit(text: string, visit: (unit: string) => void): void {
  for (const line of text.split('\n')) forEachLine(line, visit);
  forEachName(text, visit, { shown: true });
  forEachNumber(text, visit);
}

/** Numbers of three digits and more, and such with a fraction, as they are written. */
export function forEachNumber(text: string, visit: (unit: string) => void): void {
  for (const [number] of text.matchAll(NUMBER)) visit(number);
}

/** The trimmed line, and the same without a line number or a diff sign in front, if 16 characters or more remain. */
export function forEachLine(line: string, visit: (unit: string) => void): void {
  const trimmed = line.trim();
  if (trimmed.length < MIN_LINE_CHARACTERS) return;
  visit(trimmed);
  const bare = trimmed.replace(LISTING_PREFIX, '').trim();
  if (bare !== trimmed && bare.length >= MIN_LINE_CHARACTERS) visit(bare);
}

/**
 * Paths and identifiers that look like code. A path is the unit of its last two segments; where it is shown, its last one
 * is a unit too, because a call may name the bare file.
 */
export function forEachName(
  text: string,
  visit: (unit: string) => void,
  { shown }: { readonly shown: boolean },
): void {
  for (const [word] of text.matchAll(WORD)) {
    const path = word.includes('/') || word.includes('.') ? pathUnit(word) : undefined;
    if (path !== undefined) visit(path);
    const last = path?.slice(path.indexOf('/') + 1);
    if (shown && last !== undefined && last !== path && FILE_NAME.test(last)) visit(last);
    for (const [name] of word.matchAll(NAME)) if (CODE_LIKE.test(name)) visit(name);
  }
}

/** The unit that stands for a path however it is rooted; undefined for what is no path. */
export function pathUnit(word: string): string | undefined {
  const segments = segmentsOf(word);
  const last = segments.at(-1);
  if (last === undefined) return undefined;
  if (segments.length > 1) return segments.slice(-2).join('/');
  return FILE_NAME.test(last) ? last : undefined;
}

const segmentsOf = (word: string): string[] =>
  word
    .split('/')
    .map(withoutDots)
    .filter((segment) => segment !== '');

const withoutDots = (segment: string): string => segment.replace(/^\.+$|\.+$/g, '');

// edit lines of 16 characters and identifiers of 8 are long enough to be needed as they are
const MIN_LINE_CHARACTERS = 16;
const WORD = /[\w$@~./-]{8,}/g;
const NAME = /[A-Za-z_$][\w$]{7,}/g;
const CODE_LIKE = /[_$\d]|[a-z][A-Z]/;
const NUMBER = /(?<![\w.,-])\d+(?:[.,]\d+)+(?![\w-])|(?<![\w.-])\d{3,15}(?![\w-])/g;
const FILE_NAME = /^[\w$@~-][\w$@~.-]*\.[A-Za-z]\w{0,9}$/;
/** `12→`, `12:`, `12|`, a tab after a number, `src/a.ts:12:`, or the sign of a diff line. */
const LISTING_PREFIX = /^(?:(?:[\w$@~./-]+:)?\d{1,7}\s*[→:|\t-]|[+-])/;
