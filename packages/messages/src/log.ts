// What is known of the log behind a view, what its entries bring, how they are written, and the receipt of an edit.
export { broughtMessages, logOf, partsSpan } from './log-index.ts';
export { type EditReceipt, editReceipt } from './receipt.ts';
export { writtenForm } from './written-form.ts';
