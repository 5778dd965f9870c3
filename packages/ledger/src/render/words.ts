/**
 * Where a value stands in a text as a word of its own, else -1: `8` does not stand in `18`, `8.5` or `5.8`, nor in a longer
 * number, a date, a time or a range: `1,000`, `-8`, `10:08`, `1/8`, `2026-11-08`.
 */
export function wordAt(text: string, value: string): number {
  if (value === '') return -1;
  const joinedBefore = /^\d/.test(value) ? NUMBER_BEFORE : WORD_BEFORE;
  const joinedAfter = /\d$/.test(value) ? NUMBER_AFTER : WORD_AFTER;
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    const isPart = isAt(joinedBefore, text, at) || isAt(joinedAfter, text, at + value.length);
    if (!isPart) return at;
  }
  return -1;
}

const WORD_BEFORE = /(?<=[\p{L}\d_])/uy;
const WORD_AFTER = /[\p{L}\d_]|\.\d/uy;
/** What stands between the digits of one number, or between numbers that are one value; a sign in front makes another number. */
const NUMBER_BEFORE = /(?<=[\p{L}\d_+±−-]|\d[.,:'’/–\u00a0\u2009\u202f])/uy;
const NUMBER_AFTER = /[\p{L}\d_]|[.,:'’/–−\u00a0\u2009\u202f-]\d/uy;

function isAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

export const hasWord = (text: string, value: string): boolean => wordAt(text, value) !== -1;
