export { checkSummary } from './check/check.ts';
export { quotedWords } from './check/quotes.ts';
export { createLedger, type Ledger } from './ledger.ts';
export { ledgerNotes } from './notes.ts';
export { isLedger } from './options.ts';
export { renderLedger } from './render/render.ts';
