/** Characters of a line in everything that is printed or written for people. */
export const WIDTH = 100;

export interface WrapOptions {
  readonly indent?: string | undefined;
  /** Characters of a line. @default {@link WIDTH} */
  readonly width?: number | undefined;
}

/** Breaks a paragraph at spaces into lines; a word that is longer than a line stands alone. */
export function wrap(
  text: string,
  { indent = '', width = WIDTH }: WrapOptions = {},
): readonly string[] {
  const [first = '', ...words] = text.split(' ');
  const lines = [first];
  for (const word of words) {
    const line = lines.at(-1) as string;
    if (line.length + 1 + word.length > width) lines.push(`${indent}${word}`);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
