export {
  checkNotes,
  isEmptyNotes,
  type NotesProblem,
  type NotesProblemKind,
} from './check-notes.ts';
export {
  type Checkpoint,
  type CheckpointNote,
  checkpointNote,
  checkpointOf,
} from './checkpoint.ts';
export {
  type CompactFromNotesOptions,
  compactFromNotes,
  type NoCompactionReason,
  type NotesCompactionResult,
  type NotesSummaryMessage,
} from './compact-from-notes.ts';
export { SessionMemoryError, type SessionMemoryErrorCode } from './error.ts';
export type { ExtractionFailure, ExtractionResult } from './extraction.ts';
export {
  type LimitedNotes,
  type LimitNotesOptions,
  type LongSection,
  limitNotes,
  measureNotes,
  type NotesLimits,
  type NotesSize,
  type TextSize,
} from './limit-notes.ts';
export { mendNotes } from './mend-notes.ts';
export {
  createNotesCompaction,
  type NotesCompaction,
  type NotesCompactionOptions,
  type NotesPlan,
} from './notes-compaction.ts';
export {
  memoryNotes,
  type NotesFile,
  type NotesFileOptions,
  type NotesWriteOptions,
} from './notes-file.ts';
export type { NotesReceipt } from './notes-receipt.ts';
export type { NotesSnapshot } from './notes-snapshot.ts';
export { type OnlyNotesOptions, onlyNotes } from './only-notes.ts';
export { NOTES_PROMPT_VERSION } from './prompt.ts';
export type { ResponseDecision, ResponseFacts } from './response-watch.ts';
export type {
  ForkOutcome,
  NotesFork,
  RunFork,
  ToolCall,
  ToolOutcome,
  ToolPermission,
} from './run-fork.ts';
export {
  createSessionMemory,
  type ExtractNowOptions,
  type SessionMemory,
  type SessionMemoryOptions,
} from './session-memory.ts';
export type { ExtractionReason, SessionMemoryEvent } from './session-memory-event.ts';
export {
  type ExtractionDecision,
  type ExtractionState,
  type ExtractionThresholds,
  shouldExtract,
} from './should-extract.ts';
export { type TailLimits, type TailOptions, tailStart } from './tail.ts';
export {
  DEFAULT_TEMPLATE,
  type NotesTemplate,
  parseTemplate,
  type TemplateSection,
} from './template.ts';
