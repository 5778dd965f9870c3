import { withoutEnvelope } from './summary-text.ts';

/** What of an answer is its summary, as far as its form says. */
export type Found =
  | { readonly kind: 'found'; readonly text: string; readonly isTagged: boolean }
  /** A tag was opened and not closed. */
  | { readonly kind: 'cut' };

/**
 * Cuts the summary free: of thoughts and the scratchpad, of what stands around its tags, of a code fence. Of several summaries
 * one after the other all are taken, without what stands between them. An answer without tags is taken whole.
 */
export function summaryIn(answer: string, { isStopped = false } = {}): Found {
  const text = withoutScratchpads(withoutThoughts(answer));
  const opened = OPENING_TAG.exec(text);
  const closed = text.toLowerCase().lastIndexOf('</summary>');
  const start = opened ? opened.index + opened[0].length : 0;
  const isOpen = opened !== null && closed < start;
  if (text.includes(OPENED) || THOUGHT.test(text) || (isOpen && !isStopped)) return { kind: 'cut' };
  const inner = opened ? text.slice(start, isOpen ? undefined : closed) : text;
  const parts = [...new Set(inner.split(BETWEEN).map((part) => unfenced(withoutEnvelope(part))))];
  return { kind: 'found', text: parts.join('\n\n').trim(), isTagged: opened !== null };
}

const OPENING_TAG = /<summary(?:\s[^>\n]{0,200})?>/i;

/** From the end of one summary to the begin of the next, each tag at the edge of its line. */
const BETWEEN = /<\/summary>[ \t]*\n(?:(?!<\/?summary)[\s\S]){0,2000}?(?<=\n)[ \t]*<summary>/i;

const THOUGHT = /^\s*<(think|thinking|thought|analysis|reasoning)>/i;

/** Some models put what they think in front of the answer as text; the tag that opens it may be missing. */
function withoutThoughts(answer: string): string {
  let text = answer;
  for (;;) {
    const name = THOUGHT.exec(text)?.[1]?.toLowerCase() ?? 'think';
    const end = text.toLowerCase().indexOf(`</${name}>`);
    const first = text.search(OPENING_TAG);
    const isThought =
      end >= 0 && (THOUGHT.test(text) || first < 0 || first > end || isNested(text, end));
    if (!isThought) return text;
    text = text.slice(end + name.length + '</>'.length);
  }
}

/** Whether a summary that is opened before a thought ends is only spoken of there. */
const isNested = (text: string, end: number): boolean =>
  !text.slice(0, end).includes('<think>') && text.slice(end).search(OPENING_TAG) >= 0;

const OPENED = '<scratchpad>';
const CLOSED = '</scratchpad>';

/** One that is not closed stays. Each character is looked at once, whatever an answer repeats. */
function withoutScratchpads(answer: string): string {
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    const start = answer.indexOf(OPENED, from);
    const end = start < 0 ? -1 : answer.indexOf(CLOSED, start);
    if (end < 0) return [...kept, answer.slice(from)].join('');
    kept.push(answer.slice(from, start));
    from = end + CLOSED.length;
  }
}

/** The text inside of a code fence that stands around all of it. */
function unfenced(text: string): string {
  const trimmed = text.trim();
  const lines = trimmed.split('\n');
  const isFenced = lines.length > 2 && /^(`{3,}|~{3,})[\w-]*\s*$/.test(lines[0] as string);
  if (!isFenced || !/^(`{3,}|~{3,})\s*$/.test(lines.at(-1) as string)) return trimmed;
  return lines.slice(1, -1).join('\n').trim();
}

/** Headings of a summary, in any style: Markdown, numbered, bold, or a line that ends in a colon. */
const HEADING_LINE =
  /^\s{0,3}(?:#{1,6}\s+\S|\*\*[^*\n]{2,80}\*\*:?\s*$|\d{1,2}[.)]\s+(?:\*\*)?[^\n]{2,80}:(?:\*\*)?\s*$|[\p{Lu}\p{Lo}][^.!?\n]{1,60}:\s*$)/u;

const isHeading = (line: string): boolean =>
  line.length <= LONGEST_HEADING && HEADING_LINE.test(line);

/** UTF-16 units. */
const LONGEST_HEADING = 200;

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

/** Whether text stands under headings: two that a summary has, or three of any kind. */
export function hasSections(text: string): boolean {
  const headings: string[] = [];
  let heading: string | undefined;
  for (const line of linesOf(text)) {
    const isOne = isHeading(line);
    if (!isOne && heading !== undefined) headings.push(heading);
    heading = isOne ? line : undefined;
  }
  return headings.length >= 3 || headings.filter((line) => TOPIC.test(line)).length >= 2;
}

const TOPIC =
  /\b(?:summary|request|intent|goal|objective|task|context|concept|file|code|error|fix|problem|user|message|pending|current|work|state|status|next|step|progress|decision|done|completed|open|learned|finding|change|constraint|rule|background)s?\b/i;

/** Whether text stands under one heading at least. */
export const hasHeading = (text: string): boolean => hasSections(text) || MARKED_HEADING.test(text);

/** A heading in Markdown, numbered or bold, and text behind it. */
const MARKED_HEADING =
  /^\s{0,3}(?:#{1,6}\s+\S[^\n]{0,200}|\*\*[^*\n]{2,80}\*\*:?[ \t]*|\d{1,2}[.)]\s+[^\n]{2,80}:(?:\*\*)?[ \t]*)\n\s*\S/m;

/** What stands under the headings. */
export const withoutHeadings = (text: string): string =>
  linesOf(text)
    .filter((line) => !isHeading(line))
    .join('\n');

/**
 * Nothing but headings, words that say there is nothing under them, places of a template that nobody filled in, and lines of
 * the instruction itself.
 */
export function isEmptySummary(text: string, asked: string): boolean {
  const told = new Set(linesOf(asked).map(bare));
  return linesOf(text).every((line) => {
    if (told.has(bare(line)) || ORNAMENT.test(line)) return true;
    if (line.length > LONGEST_HEADING) return false;
    const filled = line.replace(PLACEHOLDER, '');
    return isHeading(filled) || ORNAMENT.test(filled) || NOTHING.test(filled);
  });
}

/** `[Detailed description]`, `<what was asked>`, `{{task}}`, `{the goal}`, `...` */
const PLACEHOLDER = /(?:\[[^\][\n]*\]|<[^<>\n]*>|\{\{[^{}\n]*\}\}|\{[\p{L} ,'-]*\}|\.{3}|…):?/gu;

/** A line without the marks and brackets around it. */
function bare(line: string): string {
  const begun = line.replace(/^[\s>*+\-#\d.)_`[(<{]+/, '');
  // A pattern that ends in `$` would begin anew at each mark of a long row.
  let end = begun.length;
  while (end > 0 && MARK.test(begun[end - 1] as string)) end--;
  return begun.slice(0, end).toLowerCase();
}

const MARK = /[\s.;:,*_`\])>}]/;

/** A line of nothing but marks or tags, of whatever length; the other patterns are for short lines, because they look back. */
const ORNAMENT = /^(?:[\s>*+\-#\d.)(_`!|:~\][…]*|\s*<\/?[\w-]{1,40}>\s*(?:<\/[\w-]{1,40}>\s*)?)$/;

/** A line that says there is nothing, under a heading or behind a label. */
const NOTHING =
  /^[\s>*+\-#\d.)_`|]*(?:[^:\n]{1,60}:[\s*_`]*)?[[(<"'_*]*(?:(?:none|nothing|n\/?a|nil|null|empty|not (?:applicable|available|provided|specified|mentioned)|unknown|tbd|todo|ninguno|ninguna|nada|aucune?|rien|keine?s?|nichts|nenhum|nessuno|нет|无|没有|なし|없음)(?: (?:yet|so far|known|noted|at this (?:time|point)|to (?:report|hold|add)))?|no (?:\w+ )?(?:items?|entries|content|data|information|errors?|files?|tasks?|messages?|changes?|steps?|concepts?|requests?|problems?)(?: (?:yet|so far|known|noted|found|were \w+|was \w+|to report))?|-+)?[\])>"']*[\s.!*_`|。]*$/i;
