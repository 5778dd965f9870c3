import type { FactType } from './fact.ts';
import type { Ledger } from './ledger.ts';
import { checkLedger, checkNotesOptions } from './options.ts';
import { renderLedger } from './render/render.ts';

/** A section of notes: its heading line, and the line of guidance under it (empty where there is none). */
export interface NotesPlace {
  readonly heading: string;
  readonly guidance: string;
}

export interface LedgerNotesOptions {
  /** Where facts are put: the sections of `DEFAULT_TEMPLATE` of `@varve/session-memory/template`, or those of them that notes have. */
  readonly sections: readonly NotesPlace[];
  /** Tokens of a text. */
  readonly sizeOf: (text: string) => number;
  /** Tokens that a section may have, heading and guidance aside. @default 1800 */
  readonly sectionTokens?: number | undefined;
}

/** Where facts stand in notes; a section under another heading stays empty. */
const FACTS_UNDER: Readonly<Record<string, readonly FactType[]>> = {
  '# Current state': ['standing', 'todo', 'background-task', 'test-status'],
  '# Task': ['user-message', 'rule', 'choice'],
  '# Files and functions': ['file', 'edit', 'file-read'],
  '# Workflow': ['command', 'skill'],
  '# Errors and corrections': ['failure', 'error', 'failed-approach'],
  '# Key results': ['effect', 'literal'],
  '# Worklog': ['said'],
};

/** Below the 2,000 tokens that a section of notes may have, with room for its heading. */
const SECTION_TOKENS = 1_800;

/**
 * What a ledger knows as the text of each section of notes, in their order; empty where nothing belongs there.
 *
 * @throws RangeError for a number of tokens that is none; TypeError for other options that are not what they have to be.
 */
export function ledgerNotes(ledger: Ledger, options: LedgerNotesOptions): readonly string[] {
  checkNotesOptions(options);
  checkLedger(ledger);
  const { sections, sizeOf, sectionTokens = SECTION_TOKENS } = options;
  const facts = ledger.facts();
  return sections.map(({ heading }) => {
    const types = FACTS_UNDER[heading] ?? [];
    const own = facts.filter(({ type }) => types.includes(type));
    const part: Ledger = { ...ledger, facts: () => own };
    return asBody(renderLedger(part, { budgetTokens: sectionTokens, sizeOf }).text);
  });
}

/** A line of a fact that looks like a heading of the notes or like guidance is none. */
const asBody = (text: string): string => text.trimEnd().replace(/^(?=# |_.*_$)/gm, ' ');
