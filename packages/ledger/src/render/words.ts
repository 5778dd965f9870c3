/** Where a value stands in a text as a word of its own, else -1: `8` does not stand in `18`, `8.5` or `5.8`. */
export function wordAt(text: string, value: string): number {
  if (value === '') return -1;
  const isNumber = /^\d/.test(value);
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.slice(at + value.length, at + value.length + 2);
    const begins = !/[\p{L}\d_]$/u.test(before) && !(isNumber && /\d\.$/.test(before));
    if (begins && !/^(?:[\p{L}\d_]|\.\d)/u.test(after)) return at;
  }
  return -1;
}

export const hasWord = (text: string, value: string): boolean => wordAt(text, value) !== -1;
