// What to do when a request was refused as too long or too large.
export { mediaEdit } from './reactive/media-edit.ts';
export { mediaReceipt } from './reactive/media-receipt.ts';
export { NEW_RECOVERY, recover } from './reactive/recovery.ts';
