// What stands around a compaction: hooks and events, attempts that a crash cut, whether a result still holds, what may follow it and what it resets.
export { cleanUpAfter } from './after/clean-up.ts';
export { soundAttachments } from './full/sound-attachments.ts';
export { settleAttempts } from './hooks/attempts.ts';
export { compactionChain } from './hooks/chain.ts';
export {
  type CompactionEvent,
  type CompactionSteps,
  checkPipeline,
  createCompactionPipeline,
} from './hooks/pipeline.ts';
export { isStillCurrent } from './plan/work.ts';
