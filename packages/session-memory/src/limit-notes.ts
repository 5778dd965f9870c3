import { checkOptions, required } from '@varve/guards';
import { LIMITS } from './check-options.ts';
import { cutBody } from './cut-body.ts';
import { mendNotes } from './mend-notes.ts';
import { type NotesSection, notesSections } from './parse-notes.ts';
import type { NotesTemplate } from './template.ts';

/** Tokens of a text. */
export type TextSize = (text: string) => number;

/** How large notes may be for a model to read. */
export interface NotesLimits {
  /** Tokens of one section, its heading included. @default 2000 */
  readonly sectionTokens?: number | undefined;
  /** Tokens of the whole. @default 12000 */
  readonly totalTokens?: number | undefined;
}

/** Whose form notes have, and how they are measured. */
export interface LimitNotesOptions extends NotesLimits {
  readonly template: NotesTemplate;
  readonly sizeOf: TextSize;
  /** Where the full notes are, as the model is told. @default 'the notes file' */
  readonly where?: string | undefined;
}

/** Notes within their limits. */
export interface LimitedNotes {
  /** Headings and text without guidance lines; sections without text are left out. */
  readonly text: string;
  readonly tokens: number;
  /** Headings of the sections that were cut. */
  readonly cut: readonly string[];
}

export const SECTION_TOKENS = 2_000;
export const TOTAL_TOKENS = 12_000;

/**
 * Notes for a model to read, within both limits: a long section is cut at the end of a line, a long line at that of a
 * sentence or a word, and where the whole is too long the longest sections give way first. Of a log, whose guidance line says
 * that it goes step by step, the newest stays, of any other section its start. What was cut says so and where the rest is.
 * Notes out of form are mended first.
 *
 * @throws RangeError and TypeError for options that make no sense.
 */
export function limitNotes(text: string, options: LimitNotesOptions): LimitedNotes {
  checkOptions(options, EXPECTED);
  const { template, sizeOf, sectionTokens = SECTION_TOKENS, totalTokens = TOTAL_TOKENS } = options;
  const mended = mendNotes(text, template);
  const sections = notesSections(mended, template).filter(({ body }) => body !== '');
  const measured = sections.map((section) => measure(section, sizeOf));
  const sizes = measured.map(({ tokens }) => tokens);
  let level = Math.min(sectionTokens, levelFor(sizes, totalTokens), Math.max(0, ...sizes));
  for (;;) {
    const limited = cutTo(measured, level, options);
    if (limited.tokens <= totalTokens || level <= 0) return limited;
    level = Math.floor(level * SHRINK);
  }
}

interface Measured {
  readonly section: NotesSection;
  readonly whole: string;
  readonly tokens: number;
}

function measure(section: NotesSection, sizeOf: TextSize): Measured {
  const whole = shown(section);
  return { section, whole, tokens: sizeOf(whole) };
}

const EXPECTED = {
  ...LIMITS,
  template: required('an object'),
  sizeOf: required('a function'),
} as const;

/** Estimates of parts need not add up to that of the whole. */
const SHRINK = 0.95;

/** The largest size of a section at which all of them fit. */
function levelFor(sizes: readonly number[], total: number): number {
  let left = total;
  const ascending = sizes.toSorted((one, other) => one - other);
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

function cutTo(
  sections: readonly Measured[],
  level: number,
  { sizeOf, where = 'the notes file' }: LimitNotesOptions,
): LimitedNotes {
  const marker = `[cut here; the full notes are in ${where}]`;
  const parts = sections.map(({ section, whole, tokens }) =>
    tokens <= level ? whole : cutSection(section, { level, sizeOf, marker }),
  );
  const text = parts.filter(Boolean).join('\n\n');
  const cut = sections.filter(({ tokens }) => tokens > level);
  return { text, tokens: sizeOf(text), cut: cut.map(({ section }) => section.heading) };
}

const shown = ({ heading, body }: NotesSection): string => `${heading}\n${body}`;

interface CutOptions {
  readonly level: number;
  readonly sizeOf: TextSize;
  readonly marker: string;
}

function cutSection(section: NotesSection, { level, sizeOf, marker }: CutOptions): string {
  const { heading, guidance, body } = section;
  const isLog = IN_ORDER.test(guidance) || A_LOG.test(heading);
  const written = (kept: string) =>
    [heading, ...(isLog ? [marker, kept] : [kept, marker])].filter(Boolean).join('\n');
  if (sizeOf(written('')) > level) return '';
  const fits = (kept: string) => sizeOf(written(kept)) <= level;
  return written(cutBody(body, { keep: isLog ? 'end' : 'start', fits }));
}

/** What is written at the end of a section day by day, so that its newest stands last. */
const IN_ORDER = /step by step|(?<![a-z])in the order|chronolog|newest (?:last|at the end)/i;
const A_LOG = /\b(?:\w*log|history|journal|diary|timeline|progress)\b/i;

/** A section over its limit, as the note taker is told. */
export interface LongSection {
  readonly heading: string;
  readonly tokens: number;
}

/** Sizes in tokens. */
export interface NotesSize {
  /** Guidance lines included: what the file holds. */
  readonly totalTokens: number;
  readonly longSections: readonly LongSection[];
}

/** How large notes are, and which sections are over their limit. */
export function measureNotes(text: string, options: LimitNotesOptions): NotesSize {
  checkOptions(options, EXPECTED);
  const { template, sizeOf, sectionTokens = SECTION_TOKENS } = options;
  const sections = notesSections(text, template).map((section) => ({
    heading: section.heading,
    tokens: sizeOf(shown(section)),
  }));
  return {
    totalTokens: sizeOf(text),
    longSections: sections.filter(({ tokens }) => tokens > sectionTokens),
  };
}
