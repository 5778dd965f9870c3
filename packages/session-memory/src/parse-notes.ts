import type { NotesTemplate, TemplateSection } from './template.ts';

/** Text under a heading of the template, without blank lines around it. */
export interface NotesSection extends TemplateSection {
  readonly body: string;
}

/** A stretch of notes under one heading line, in the order of the file; the first may have none. */
export interface NotesPart {
  readonly heading: string | undefined;
  readonly lines: readonly string[];
}

/** The text as an editor on any system would show it: well-formed, one kind of line end, no byte order mark. */
export const plainText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n');

/**
 * The notes by heading lines as they stand there. Lines inside code fences are no headings unless they end the fence, and
 * neither are headings of a lower level than the template's. O(text).
 */
export function notesParts(
  text: string,
  template: NotesTemplate,
  endsFence: (line: string) => boolean = () => false,
): readonly NotesPart[] {
  const level = Math.max(...template.sections.map(({ heading }) => levelOf(heading)));
  const parts: { heading: string | undefined; lines: string[] }[] = [
    { heading: undefined, lines: [] },
  ];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    if (endsFence(line)) fence = undefined;
    const isOutside = fence === undefined;
    fence = fenceAfter(line, fence);
    const own = isOutside && fence === undefined ? levelOf(line) : 0;
    if (own > 0 && own <= level) parts.push({ heading: line.trimEnd(), lines: [] });
    else parts.at(-1)?.lines.push(line);
  }
  return parts;
}

/** The sections of a template as notes fill them; a section that is missing is empty. */
export function notesSections(text: string, template: NotesTemplate): readonly NotesSection[] {
  const parts = notesParts(text, template);
  return template.sections.map((section) => {
    const found = parts.filter(({ heading }) => heading === section.heading);
    const body = found.map(({ lines }) => bodyOf(lines, section.guidance)).filter(Boolean);
    return { ...section, body: body.join('\n\n') };
  });
}

/** The lines under a heading without its guidance. */
export function bodyOf(lines: readonly string[], guidance: string): string {
  const isGuided = guidance !== '' && lines[0]?.trimEnd() === guidance;
  return trimBlankLines(lines.slice(isGuided ? 1 : 0).join('\n'));
}

/** Indentation of the first line stays. */
export function trimBlankLines(text: string): string {
  const first = text.search(/[^ \t\r\n]/);
  return first < 0 ? '' : text.slice(text.lastIndexOf('\n', first) + 1).trimEnd();
}

/** A text whose last code fence is closed, so that it can stand before other text. */
export function closeFence(text: string): string {
  let fence: string | undefined;
  for (const line of text.split('\n')) fence = fenceAfter(line, fence);
  return fence === undefined ? text : `${text}\n${fence}`;
}

/** Where code fences begin and end: the start of the line behind, and the fence that is open from there on. */
export function fenceChanges(
  text: string,
): readonly { readonly at: number; readonly fence: string | undefined }[] {
  const changes: { at: number; fence: string | undefined }[] = [];
  let [at, fence] = [0, undefined as string | undefined];
  for (const line of text.split('\n')) {
    at += line.length + 1;
    const after = fenceAfter(line, fence);
    if (after !== fence) changes.push({ at, fence: after });
    fence = after;
  }
  return changes;
}

/** 1 to 6 in a heading line, else 0. */
export const levelOf = (line: string): number =>
  line.startsWith('#') ? (/^(#{1,6})\s/.exec(line)?.[1]?.length ?? 0) : 0;

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/s;

/** The fence that is open after a line: its characters, or undefined. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  const found = FENCE.exec(line);
  if (found === null) return open;
  const [, mark = '', rest = ''] = found;
  if (open === undefined) return mark.startsWith('`') && rest.includes('`') ? undefined : mark;
  const closes = mark[0] === open[0] && mark.length >= open.length && rest.trim() === '';
  return closes ? undefined : open;
}
