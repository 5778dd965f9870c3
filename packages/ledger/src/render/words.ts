/** Whether a value stands in a text as a word of its own: `8` does not stand in `18` or `8.5`. */
export function hasWord(text: string, value: string): boolean {
  if (value === '') return false;
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text.slice(at + value.length, at + value.length + 2);
    if (!/[\p{L}\d_]/u.test(before) && !/^(?:[\p{L}\d_]|\.\d)/u.test(after)) return true;
  }
  return false;
}
