export const LINE = 'a line of a build that says nothing of note\n';

/** Text of so many units, made of lines that are all different. */
export function longText(units: number, name = 'line'): string {
  const lines: string[] = [];
  for (let length = 0; length < units; length += lines.at(-1)?.length ?? 0) {
    lines.push(`${name} ${lines.length}: ${LINE}`);
  }
  return lines.join('').slice(0, units);
}
