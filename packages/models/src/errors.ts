// Errors of any SDK as one kind.
export { findOverflow } from './errors/overflow-wordings.ts';
export { toModelError } from './errors/to-model-error.ts';
