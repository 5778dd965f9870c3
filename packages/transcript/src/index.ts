export { TranscriptError } from './error.ts';
export { readEntries } from './read-entries.ts';
