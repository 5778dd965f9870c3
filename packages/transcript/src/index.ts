export { TranscriptError, type TranscriptErrorCode } from './error.ts';
export type { LogProblem, LogProblemKind } from './problem.ts';
export { type EntryOnLine, type ReadEntriesOptions, readEntries } from './read-entries.ts';
