export { assignmentOf } from './after/assignment.ts';
export type { AutoSwitches } from './auto/decide-compaction.ts';
export type { Producer } from './auto/producers.ts';
export { createCollapse } from './collapse/collapse.ts';
export { CompactError } from './error.ts';
export { compact } from './full/compact.ts';
export { SUMMARY_PROMPT_VERSION } from './full/prompt.ts';
export { type CompactionOptions, type Compactor, createCompaction } from './plan/compaction.ts';
export type { CompactionWork } from './plan/work.ts';
export {
  createProviderCompaction,
  type RunProviderCompaction,
} from './provider/provider-compaction.ts';
export { createThresholdCompaction } from './provider/provider-threshold.ts';
export { restore } from './restore/restore.ts';
export type { RestoredFile } from './restore/restore-files.ts';
export { createSnip } from './snip/planner.ts';
export type {
  Compaction,
  CompactionFailed,
  CompactionReceipt,
  Summarize,
  SummaryReply,
} from './types.ts';
