export type { FileChange } from './change-files.ts';
export { MemdirError } from './error.ts';
export type { MemoryFolder } from './folder.ts';
export type { MemoryType } from './header.ts';
export { inMemoryFolder } from './in-memory-folder.ts';
export { createMemdir, type Memdir } from './memdir.ts';
export type { MemoryFile } from './memory-file.ts';
