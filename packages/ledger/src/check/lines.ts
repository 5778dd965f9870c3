import type { Finding, Repaired } from './finding.ts';

/** What a check makes of one line; undefined: the line goes. */
export interface CheckedLine {
  readonly text: string | undefined;
  readonly findings: readonly Finding[];
}

/**
 * What a section lists: `said`: what the user said, word for word; `ruled`: rules, whoever they are put down to; `other`:
 * anything else.
 */
export type SectionKind = 'said' | 'ruled' | 'other';

/** Checks a text line by line, and tells what kind of section a line stands in. Headings stay. */
export function checkLines(
  text: string,
  check: (line: string, section: SectionKind) => CheckedLine,
): Repaired {
  const findings: Finding[] = [];
  const lines = linesOf(text).flatMap(({ line, isHeading, section }) => {
    if (isHeading) return [line];
    const checked = piecesOf(line).map((piece) => check(piece, section));
    for (const piece of checked) findings.push(...piece.findings);
    const left = checked.flatMap(({ text: kept }) => (kept === undefined ? [] : [kept]));
    return left.length === 0 ? [] : [left.join('')];
  });
  return { text: lines.join('\n'), findings };
}

interface Line {
  readonly line: string;
  readonly isHeading: boolean;
  readonly section: SectionKind;
}

/** The lines of a text, each with what kind of section it stands in. */
export function linesOf(text: string): readonly Line[] {
  const lines = text.split('\n');
  let section: SectionKind = 'other';
  /** What the section goes on to when a list under a line that only ends with a colon is over. */
  let around: SectionKind | undefined;
  let level = 0;
  return lines.map((line, at) => {
    if (line.length > LONGEST_HEADING) return { line, isHeading: false, section };
    const isHeading = HEADING.test(line) || isUnderlined(line, lines[at + 1]);
    if (isHeading) {
      const own = levelOf(line);
      // what stands under a section of the user's words is the user's, too
      if (section === 'other' || around !== undefined || own <= level) {
        section = kindOf(line);
        level = own;
      }
      around = undefined;
      return { line, isHeading, section };
    }
    if (LEADS.test(line)) {
      const kind = kindOf(line);
      if (kind !== 'other' && section !== 'said') {
        around ??= section;
        section = kind;
        return { line, isHeading: true, section };
      }
      if (around !== undefined) [section, around] = [around, undefined];
    }
    return { line, isHeading: false, section };
  });
}

/** 1 to 6 for a heading of Markdown; others have no level. */
const levelOf = (line: string): number => /^\s*(#{1,6})\s/.exec(line)?.[1]?.length ?? 0;

/** A heading of Markdown that is underlined. */
const isUnderlined = (line: string, next: string | undefined): boolean =>
  /^\s*[\p{L}\d]/u.test(line) && next !== undefined && /^\s*(?:={3,}|-{3,})\s*$/.test(next);

function kindOf(line: string): SectionKind {
  const heading = line.replaceAll('_', ' ');
  if (SAID_HEADING.test(heading)) return 'said';
  return RULE_HEADING.test(heading) ? 'ruled' : 'other';
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
/** A line that leads to a list: `User rules:`. */
const LEADS = /^\s*(?:\*\*|__)?[\p{L}][^.!?:]{1,80}:(?:\*\*|__)?\s*$/u;
const SAID_HEADING =
  /\b(?:user(?:['’]s)?|human(?:['’]s)?)\b.*\b(?:messages?|said|words?|quotes?|requests?|verbatim)\b|\bmessages? (?:of|from|by) the (?:user|human)\b|\bverbatim\b/i;
/** Whoever the heading puts them down to: rules are the user's, or nobody's. */
const RULE_HEADING =
  /\b(?:rules?|instructions?|directives?|orders?|demands?|corrections?|preferences?|constraints?|prohibitions?|guidelines|guidance|policies|wishes|mandates?|non-negotiables?|do['’]?s and don['’]?ts)\b|\b(?:user|human)(?:['’]s)?\s+(?:\w+\s+)?(?:requirements?|decisions?|choices?|expectations?|feedback|approvals?|answers?)\b|\b(?:user|human)\s+(?:\w+\s+)?(?:wants?|asked|demands?|insists?|decided|approved|told|wrote|stated)\b/i;
