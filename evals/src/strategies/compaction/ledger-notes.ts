import { type Ledger, ledgerNotes } from '@varve/ledger';
import {
  DEFAULT_TEMPLATE,
  type NotesTemplate,
  parseTemplate,
} from '@varve/session-memory/template';

export const LEDGER_TEMPLATE: NotesTemplate = parseTemplate(DEFAULT_TEMPLATE);

/** Notes in the form of the template that hold what a ledger knows, each section within its limit. */
export function notesOf(
  ledger: Ledger,
  { sizeOf }: { readonly sizeOf: (text: string) => number },
): string {
  const { sections } = LEDGER_TEMPLATE;
  const bodies = ledgerNotes(ledger, { sections, sizeOf });
  return sections
    .map(({ heading, guidance }, at) => [
      heading,
      guidance,
      ...(bodies[at] ? [bodies[at]] : []),
      '',
    ])
    .map((lines) => lines.join('\n'))
    .join('\n');
}
