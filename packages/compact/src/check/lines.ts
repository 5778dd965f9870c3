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
  let inUserSection = false;
  const lines = text.split('\n').flatMap((line) => {
    if (HEADING.test(line)) {
      inUserSection = USER_HEADING.test(line);
      return [line];
    }
    const checked = check(line, inUserSection);
    findings.push(...checked.findings);
    return checked.text === undefined ? [] : [checked.text];
  });
  return { text: lines.join('\n'), findings };
}

const HEADING = /^\s*(?:#{1,6}\s+|\d{1,2}\.\s+(?=[^:]{3,60}:\s*$)|\*\*[^*]+\*\*:?\s*$|<\w+>\s*$)/;
const USER_HEADING =
  /\b(?:user(?:['’]s)?|human)\b.*\b(?:messages?|said|words?|quotes?|requests?|verbatim)\b|\bmessages? (?:of|from|by) the user\b|\bverbatim\b/i;
