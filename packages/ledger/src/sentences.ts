/** Past this length a line is no sentence of a person but a pasted blob. */
const MAX_SENTENCE = 600;

/**
 * Sentences and list items of a text, verbatim but for the space around them and list bullets. Fenced code, quoted lines
 * and lines that look like output are left out.
 */
export function sentencesOf(text: string): string[] {
  return proseLines(text).flatMap(splitLine);
}

function proseLines(text: string): string[] {
  let fenced = false;
  const lines: string[] = [];
  let isOpen = false;
  for (const line of text.split('\n')) {
    const before = lines.length - 1;
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    else if (!fenced && !OUTPUT.test(line) && !TITLE.test(line)) {
      const words = line.replace(HEADING, '').replace(BULLET, '').trim();
      const goesOn =
        isOpen &&
        !BULLET.test(line) &&
        /^[\p{Ll}(&`]/u.test(words) &&
        lastSentence(lines[before]).length + words.length < MAX_SENTENCE;
      if (goesOn) lines[before] = `${lines[before]} ${words}`;
      else lines.push(words);
      isOpen =
        !HEADING.test(line) && isWrapped(line.trimEnd().length) && !/[.!?:;。！？]$/.test(words);
      continue;
    }
    isOpen = false;
  }
  return lines.filter((line) => line !== '');
}

/** A line of such a length that has no end was broken by an editor, and goes on in the next. UTF-16 units. */
const isWrapped = (length: number): boolean => length >= 50 && length <= 120;
const lastSentence = (line = ''): string => line.slice(line.lastIndexOf('. ') + 1);
const HEADING = /^\s*#{1,6}\s+/;
/** A heading that only says what stands below it. */
const TITLE = /^\s*#{1,6}\s+(?:\d[\d.)]*\s+)?(?:how|what|why|when|where|who|which)\b/i;
const BULLET = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;
/** A quotation, a log line with its time, JSON, a stack frame, a prompt, a diff, markup. */
const OUTPUT =
  /^\s*(?:>|\$ |\d{4}-\d\d-\d\d[T ]|\d\d:\d\d:\d\d|\[\d|[{}[\]"<]|at \S+ ?\(|File "|\+\+\+|---|@@|\|)/;

function splitLine(line: string): string[] {
  return line
    .split(/(?<=[.!?。！？])(?<!\b(?:e\.g|i\.e|etc|vs)\.)\s+(?=\S)/)
    .filter((sentence) => sentence.length <= MAX_SENTENCE && /[\p{L}]/u.test(sentence));
}
