export { checkSummary } from './check/check.ts';
export { quotedWords } from './check/quotes.ts';
export { createLedger, type Ledger } from './ledger.ts';
export { ledgerNotes } from './notes.ts';
export { findingsIn } from './prose.ts';
export { renderLedger } from './render/render.ts';
