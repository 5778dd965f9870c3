export {
  createDream,
  type Dream,
  type DreamEvent,
  type DreamOptions,
  type DreamResult,
} from './dream.ts';
export type { DreamLease, DreamLock } from './lock.ts';
export type { ApplyResult, DreamPatch, DreamStep } from './patch.ts';
export { type DreamReport, reportText } from './report.ts';
export type { DreamFork, ForkOutcome, RunFork } from './run-fork.ts';
export type { DreamSessions, Said } from './sessions.ts';
export type { GitLookup, InstructionFile } from './sources.ts';
