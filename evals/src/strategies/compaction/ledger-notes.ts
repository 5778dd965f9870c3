import { type FactType, type Ledger, renderLedger } from '@varve/ledger';
import { DEFAULT_TEMPLATE, type NotesTemplate, parseTemplate } from '@varve/session-memory';

export interface LedgerNotesOptions {
  /** Tokens of a text. */
  readonly sizeOf: (text: string) => number;
}

/** Where facts of a ledger stand in the notes; a section that is not named stays empty. */
const SECTIONS: Readonly<Record<string, readonly FactType[]>> = {
  '# Current state': ['todo', 'background-task', 'test-status'],
  '# Task': ['user-message', 'rule', 'choice'],
  '# Files and functions': ['file', 'file-read'],
  '# Workflow': ['command', 'skill'],
  '# Errors and corrections': ['error', 'failed-approach'],
  '# Key results': ['effect', 'literal'],
};

/** Below the 2,000 tokens that a section may have, with room for its heading. */
const SECTION_TOKENS = 1_800;

export const LEDGER_TEMPLATE: NotesTemplate = parseTemplate(DEFAULT_TEMPLATE);

/** Notes in the form of the template that hold what a ledger knows, each section within its limit. */
export function ledgerNotes(ledger: Ledger, { sizeOf }: LedgerNotesOptions): string {
  const facts = ledger.facts();
  const sections = LEDGER_TEMPLATE.sections.map(({ heading, guidance }) => {
    const types = SECTIONS[heading] ?? [];
    const own = facts.filter(({ type }) => types.includes(type));
    const part: Ledger = { ...ledger, facts: () => own };
    const options = { budgetTokens: SECTION_TOKENS, sizeOf };
    const { text } = own.length > 0 ? renderLedger(part, options) : { text: '' };
    return [heading, guidance, ...(text === '' ? [] : [asBody(text)]), ''].join('\n');
  });
  return sections.join('\n');
}

/** A line of a fact that looks like a heading of the notes or like guidance is none. */
const asBody = (text: string): string => text.trimEnd().replace(/^(?=# |_.*_$)/gm, ' ');
