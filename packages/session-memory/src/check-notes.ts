import { bodyOf, type NotesPart, notesParts, plainText } from './parse-notes.ts';
import type { NotesTemplate } from './template.ts';

/**
 * `missing-heading`, `repeated-heading`, `moved-heading`, `unknown-heading`: headings are those of the template, once each
 * and in its order; `changed-guidance`: the line under one differs; `text-before`: something stands before the first;
 * `emptied`: there was text and now there is none.
 */
export type NotesProblemKind =
  | 'missing-heading'
  | 'repeated-heading'
  | 'moved-heading'
  | 'unknown-heading'
  | 'changed-guidance'
  | 'text-before'
  | 'emptied';

/** One thing that is wrong with notes. */
export interface NotesProblem {
  readonly kind: NotesProblemKind;
  /** The heading line it is about. */
  readonly heading?: string;
}

/**
 * What is wrong with notes that are to take the place of `old`; empty where nothing is. Headings and guidance lines belong to
 * the template, only the text under them to the note taker. An open code fence hides the headings after it.
 */
export function checkNotes(
  old: string,
  text: string,
  template: NotesTemplate,
): readonly NotesProblem[] {
  const [before, ...parts] = notesParts(text, template) as [NotesPart, ...NotesPart[]];
  const hasTextBefore = before.lines.join('').trim() !== '';
  const isEmptied = !isEmptyNotes(old, template) && isEmptyNotes(text, template);
  return [
    ...(hasTextBefore ? [{ kind: 'text-before' } as const] : []),
    ...headingProblems(parts, template),
    ...guidanceProblems(parts, template),
    ...(isEmptied ? [{ kind: 'emptied' } as const] : []),
  ];
}

/** Whether nobody has written anything under any heading. */
export function isEmptyNotes(text: string, template: NotesTemplate): boolean {
  const guidance = new Map(template.sections.map((section) => [section.heading, section.guidance]));
  return notesParts(plainText(text), template).every(({ heading, lines }) => {
    const own = heading === undefined ? '' : guidance.get(heading);
    return own !== undefined && bodyOf(lines, own) === '';
  });
}

function headingProblems(parts: readonly NotesPart[], template: NotesTemplate): NotesProblem[] {
  const problems: NotesProblem[] = [];
  const found = parts.map(({ heading = '' }) => heading);
  const wanted = template.sections.map(({ heading }) => heading);
  for (const heading of wanted) {
    const times = found.filter((other) => other === heading).length;
    if (times === 0) problems.push({ kind: 'missing-heading', heading });
    if (times > 1) problems.push({ kind: 'repeated-heading', heading });
  }
  for (const heading of found) {
    if (!wanted.includes(heading)) problems.push({ kind: 'unknown-heading', heading });
  }
  if (problems.length > 0) return problems;
  const moved = wanted.find((heading, index) => found[index] !== heading);
  return moved === undefined ? [] : [{ kind: 'moved-heading', heading: moved }];
}

function guidanceProblems(parts: readonly NotesPart[], template: NotesTemplate): NotesProblem[] {
  return template.sections.flatMap(({ heading, guidance }) => {
    const part = parts.find((other) => other.heading === heading);
    if (part === undefined || guidance === '' || part.lines[0]?.trimEnd() === guidance) return [];
    return [{ kind: 'changed-guidance' as const, heading }];
  });
}
