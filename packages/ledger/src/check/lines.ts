import type { Finding, Repaired } from './finding.ts';

/** What a check makes of one line; undefined: the line goes. */
export interface CheckedLine {
  readonly text: string | undefined;
  readonly findings: readonly Finding[];
}

/** Checks a text line by line, and tells whether a line stands in a section that lists what the user said. Headings stay. */
export function checkLines(
  text: string,
  check: (line: string, inUserSection: boolean) => CheckedLine,
): Repaired {
  const findings: Finding[] = [];
  const lines = linesOf(text).flatMap(({ line, isHeading, inUserSection }) => {
    if (isHeading) return [line];
    const checked = piecesOf(line).map((piece) => check(piece, inUserSection));
    for (const piece of checked) findings.push(...piece.findings);
    const left = checked.flatMap(({ text: kept }) => (kept === undefined ? [] : [kept]));
    return left.length === 0 ? [] : [left.join('')];
  });
  return { text: lines.join('\n'), findings };
}

interface Line {
  readonly line: string;
  readonly isHeading: boolean;
  /** The section lists what the user said. */
  readonly inUserSection: boolean;
}

/** The lines of a text, each with what kind of section it stands in. */
export function linesOf(text: string): readonly Line[] {
  let inUserSection = false;
  return text.split('\n').map((line) => {
    const isHeading = line.length <= LONGEST_HEADING && HEADING.test(line);
    if (isHeading) inUserSection = USER_HEADING.test(line);
    return { line, isHeading, inUserSection };
  });
}

/** UTF-16 units. */
const LONGEST_HEADING = 300;
/** UTF-16 units; a longer line is checked piece by piece: what looks at a line may cost its square. */
const LONGEST_PIECE = 2_000;

/** A line cut between words; together the pieces are the line. */
function piecesOf(line: string): string[] {
  if (line.length <= LONGEST_PIECE) return [line];
  const pieces: string[] = [];
  for (let from = 0; from < line.length; ) {
    const most = line.slice(from, from + LONGEST_PIECE);
    const space = from + LONGEST_PIECE < line.length ? most.lastIndexOf(' ') + 1 : 0;
    const piece = space > 0 ? most.slice(0, space) : most;
    pieces.push(piece);
    from += piece.length;
  }
  return pieces;
}

const HEADING = /^\s*(?:#{1,6}\s+|\d{1,2}\.\s+(?=[^:]{3,60}:\s*$)|\*\*[^*]+\*\*:?\s*$|<\w+>\s*$)/;
const USER_HEADING =
  /\b(?:user(?:['’]s)?|human)\b.*\b(?:messages?|said|words?|quotes?|requests?|verbatim)\b|\bmessages? (?:of|from|by) the user\b|\bverbatim\b/i;
