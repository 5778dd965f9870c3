/** Characters of a line in everything that is printed or written for people. */
export const WIDTH = 100;

/** Breaks a paragraph at spaces into lines of at most {@link WIDTH} characters; a longer word stands alone. */
export function wrap(
  text: string,
  { indent = '' }: { readonly indent?: string | undefined } = {},
): readonly string[] {
  const [first = '', ...words] = text.split(' ');
  const lines = [first];
  for (const word of words) {
    const line = lines.at(-1) as string;
    if (line.length + 1 + word.length > WIDTH) lines.push(`${indent}${word}`);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
