import { checkNotes } from './check-notes.ts';
import {
  bodyOf,
  closeFence,
  levelOf,
  notesParts,
  plainText,
  trimBlankLines,
} from './parse-notes.ts';
import type { NotesTemplate } from './template.ts';

/**
 * Brings notes that somebody edited by hand back into the form of the template without losing a line of text: sections in
 * order, foreign headings as lower ones where they stand, text before the first heading into the last section. A byte order
 * mark goes, and line ends become those of the template. The same string where nothing is wrong.
 */
export function mendNotes(given: string, template: NotesTemplate): string {
  const text = plainText(given);
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
  // Headings of the template that an open fence hides are headings all the same.
  const endsFence = (line: string) => guidance.has(line.trimEnd());
  for (const { heading, lines } of notesParts(text, template, endsFence)) {
    const isKnown = heading !== undefined && guidance.has(heading);
    if (isKnown) current = heading;
    const body = isKnown
      ? bodyOf(lines, guidance.get(heading) ?? '')
      : trimBlankLines([...lowered(heading, template), ...lines].join('\n'));
    bodies.get(current)?.push(closeFence(body));
  }
  return bodies;
}

function lowered(heading: string | undefined, template: NotesTemplate): readonly string[] {
  if (heading === undefined) return [];
  const level = Math.max(...template.sections.map((section) => levelOf(section.heading)));
  return [`${'#'.repeat(level + 1)}${heading.slice(levelOf(heading))}`];
}
