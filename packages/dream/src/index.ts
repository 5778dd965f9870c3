export { createDream, type Dream, type DreamEvent } from './dream.ts';
export { reportText } from './report.ts';
export type { RunFork } from './run-fork.ts';
export type { Said } from './sessions.ts';
export type { InstructionFile } from './sources.ts';
