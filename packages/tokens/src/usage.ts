// Usage of transcripts, each response once.
export { createCounterFold } from './counter-fold.ts';
export { createUsageFold } from './usage-fold.ts';
