export { compactFromNotes } from './compact-from-notes.ts';
export { SessionMemoryError } from './error.ts';
export { createNotesCompaction } from './notes-compaction.ts';
export { memoryNotes } from './notes-file.ts';
export type { RunFork } from './run-fork.ts';
export { createSessionMemory, type SessionMemory } from './session-memory.ts';
export type { SessionMemoryEvent } from './session-memory-event.ts';
