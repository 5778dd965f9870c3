/** Breaks each line at spaces so that none is longer than 100 characters; what follows a break is indented by two. */
export function wrapLines(text: string): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const [first = '', ...words] = line.split(' ');
      const lines = [first];
      for (const word of words) {
        const last = lines.at(-1) as string;
        if (last.length + 1 + word.length > WIDTH) lines.push(`  ${word}`);
        else lines[lines.length - 1] = `${last} ${word}`;
      }
      return lines;
    })
    .join('\n');
}

const WIDTH = 100;
