import { checkNotes } from './check-notes.ts';
import {
  bodyOf,
  closeFence,
  levelOf,
  type NotesPart,
  notesParts,
  trimBlankLines,
} from './parse-notes.ts';
import type { NotesTemplate } from './template.ts';

/**
 * Brings notes that somebody edited by hand back into the form of the template without losing a line of text: sections in
 * order, foreign headings as lower ones where they stand, text before the first heading into the last section. The same
 * string where nothing is wrong.
 */
export function mendNotes(text: string, template: NotesTemplate): string {
  if (checkNotes(text, text, template).length === 0) return text;
  const bodies = collect(text, template);
  return template.sections
    .map(({ heading, guidance }) => {
      const body = bodies.get(heading)?.filter(Boolean).join('\n\n') ?? '';
      return `${[heading, guidance, body].filter(Boolean).join('\n')}\n`;
    })
    .join('\n');
}

function collect(text: string, template: NotesTemplate): ReadonlyMap<string, string[]> {
  const guidance = new Map(template.sections.map((section) => [section.heading, section.guidance]));
  const last = template.sections.at(-1)?.heading as string;
  const bodies = new Map<string, string[]>(template.sections.map(({ heading }) => [heading, []]));
  let current = last;
  for (const { heading, lines } of wholeParts(text, template)) {
    const isKnown = heading !== undefined && guidance.has(heading);
    if (isKnown) current = heading;
    const body = isKnown
      ? bodyOf(lines, guidance.get(heading) ?? '')
      : trimBlankLines([...lowered(heading, template), ...lines].join('\n'));
    bodies.get(current)?.push(closeFence(body));
  }
  return bodies;
}

/** Headings that an open fence hides are headings all the same. */
function wholeParts(text: string, template: NotesTemplate): readonly NotesPart[] {
  const parts = notesParts(text, template);
  const known = new Set(template.sections.map(({ heading }) => heading));
  const hides = (line: string) => known.has(line.trimEnd());
  const at = parts.findIndex(({ lines }) => lines.some(hides));
  const part = parts[at];
  if (part === undefined) return parts;
  const from = part.lines.findIndex(hides);
  const before = { heading: part.heading, lines: part.lines.slice(0, from) };
  return [...parts.slice(0, at), before, ...wholeParts(restOf(parts, at, from), template)];
}

const restOf = (parts: readonly NotesPart[], at: number, from: number): string => {
  const part = parts[at] as NotesPart;
  return textOf([{ heading: undefined, lines: part.lines.slice(from) }, ...parts.slice(at + 1)]);
};

const textOf = (parts: readonly NotesPart[]): string =>
  parts
    .flatMap(({ heading, lines }) => (heading === undefined ? lines : [heading, ...lines]))
    .join('\n');

function lowered(heading: string | undefined, template: NotesTemplate): readonly string[] {
  if (heading === undefined) return [];
  const level = Math.max(...template.sections.map((section) => levelOf(section.heading)));
  return [`${'#'.repeat(level + 1)}${heading.slice(levelOf(heading))}`];
}
