export type { FileChange } from './change-files.ts';
export type { ChangeRecord } from './commit.ts';
export { MemdirError } from './error.ts';
export type { MemoryFolder } from './folder.ts';
export type { MemoryType } from './header.ts';
export { inMemoryFolder } from './in-memory-folder.ts';
export type { WaitingMemory } from './inbox.ts';
export { createMemdir, type Memdir } from './memdir.ts';
export type { MemoryFile } from './memory-file.ts';
export type {
  Recall,
  RecallOptions,
  RecallResult,
  SelectMemories,
} from './recall.ts';
export type { NewMemory, SaveResult } from './save.ts';
