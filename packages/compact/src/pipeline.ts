// What stands around a compaction: hooks and events, attempts that a crash cut, whether a result still holds, what may follow it and what it resets.
export { type CleanUpHandlers, type CommittedCompaction, cleanUpAfter } from './after/clean-up.ts';
export { soundAttachments } from './full/sound-attachments.ts';
export { settleAttempts } from './hooks/attempts.ts';
export { compactionChain } from './hooks/chain.ts';
export type { CompactionStart } from './hooks/hook.ts';
export {
  type CompactionEvent,
  type CompactionPipeline,
  type CompactionSteps,
  checkPipeline,
  createCompactionPipeline,
  type PipelineOptions,
} from './hooks/pipeline.ts';
export type { StartTimer } from './hooks/run-hooks.ts';
export { isStillCurrent } from './plan/work.ts';
