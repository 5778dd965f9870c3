const LONGEST_LINE_CHARACTERS = 2_000;

/** Lines with their numbers, counted from 1, as `read` and `edit` show them. */
export function numbered(lines: readonly string[], firstNumber: number): string {
  return lines
    .map((line, index) => `${String(firstNumber + index).padStart(6)}\t${cut(line)}`)
    .join('\n');
}

function cut(line: string): string {
  if (line.length <= LONGEST_LINE_CHARACTERS) return line;
  const dropped = line.length - LONGEST_LINE_CHARACTERS;
  return `${line.slice(0, LONGEST_LINE_CHARACTERS)} [${dropped} characters cut]`;
}
