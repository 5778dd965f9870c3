import { expected } from '@varve/guards';

/** What notes are made of: sections under fixed headings, each with a line that says what belongs there. */
export interface NotesTemplate {
  /** The empty notes: what the file starts as. */
  readonly text: string;
  readonly sections: readonly TemplateSection[];
}

/** A section as notes begin it. */
export interface TemplateSection {
  /** The whole line, e.g. `# Title`. */
  readonly heading: string;
  /** The whole line under it, e.g. `_What this session is about._`; empty where there is none. */
  readonly guidance: string;
}

/**
 * Reads a template: Markdown with a heading line per section, and under it at most one line in underscores as guidance.
 *
 * @throws TypeError for text that is no template: no heading, the same heading twice, or anything else in it.
 */
export function parseTemplate(text: string): NotesTemplate {
  if (typeof text !== 'string') throw expected('template', TEMPLATE, text);
  const sections: TemplateSection[] = [];
  for (const line of text.split('\n').map((raw) => raw.trimEnd())) {
    if (line === '') continue;
    const last = sections.at(-1);
    if (HEADING.test(line)) sections.push({ heading: line, guidance: '' });
    else if (last?.guidance === '' && GUIDANCE.test(line))
      sections[sections.length - 1] = { ...last, guidance: line };
    else throw expected('template', TEMPLATE, text);
  }
  const headings = new Set(sections.map(({ heading }) => heading));
  if (headings.size === 0 || headings.size < sections.length)
    throw expected('template', TEMPLATE, text);
  return { text: emptyNotes(sections), sections };
}

const HEADING = /^#{1,6} \S/;
const GUIDANCE = /^_.+_$/;
const TEMPLATE = {
  what: 'different headings (`# Name`), each with at most one line of guidance under it (`_What belongs here._`)',
};

const emptyNotes = (sections: readonly TemplateSection[]): string =>
  `${sections.map(({ heading, guidance }) => `${heading}\n${guidance && `${guidance}\n`}`).join('\n')}`;

/** The ten sections that notes have unless a template of one's own is given. */
export const DEFAULT_TEMPLATE = `# Title
_Five to ten telling words by which this session is recognised._

# Current state
_What is in work right now, and what is still to be done. Written anew every time._

# Task
_What the user asked for, and what was decided about the design._

# Files and functions
_The ones that matter, and what is in them._

# Workflow
_Commands that are usually run, in which order, and how to read what they print._

# Errors and corrections
_What went wrong and how it was put right; what the user corrected; what failed and is not to be tried again._

# System
_The parts of the code base and how they work together._

# Learnings
_What worked well, what did not, what to keep away from._

# Key results
_An answer, table or text the user asked for, repeated exactly._

# Worklog
_What was done, step by step, a few words each._
`;
