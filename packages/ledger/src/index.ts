export { type CheckedSummary, type CheckSummaryOptions, checkSummary } from './check/check.ts';
export type { Finding, FindingKind } from './check/finding.ts';
export { quotedWords } from './check/quotes.ts';
export type { Fact, FactType, Superseded } from './fact.ts';
export { type Approval, createLedger, type Ledger, type LedgerOptions } from './ledger.ts';
export { type LedgerNotesOptions, ledgerNotes, type NotesPlace } from './notes.ts';
export { isLedger } from './options.ts';
export {
  type RenderedLedger,
  type RenderLedgerOptions,
  renderLedger,
} from './render/render.ts';
