export { assignmentOf } from './after/assignment.ts';
export {
  CLEAN_UP,
  type CleanUpHandlers,
  type CleanUpItem,
  type CleanUpName,
  type CleanUpResult,
  type CommittedCompaction,
  cleanUpAfter,
} from './after/clean-up.ts';
export {
  type BreakerEvent,
  type BreakerState,
  NEW_BREAKER,
  nextBreaker,
} from './auto/breaker.ts';
export {
  type AutoSwitches,
  type CompactionDecision,
  type DecisionInput,
  decideCompaction,
  type NoCompaction,
} from './auto/decide.ts';
export { largestProducers, type Producer } from './auto/producers.ts';
export {
  type Collapse,
  type CollapseResult,
  type CollapseWork,
  createCollapse,
} from './collapse/collapse.ts';
export type { CollapseOptions } from './collapse/settings.ts';
export type { CollapseSpan } from './collapse/spans.ts';
export { CompactError, type CompactErrorCode } from './error.ts';
export {
  type AcceptOptions,
  type AcceptResult,
  acceptSummary,
  type SummaryRefusal,
} from './full/accept-summary.ts';
export type { Attach, AttachRoom } from './full/attachments.ts';
export type { Wait } from './full/call.ts';
export { type CompactOptions, type CompactResult, compact } from './full/compact.ts';
export type { CompactFailure } from './full/failure.ts';
export { MOST_CALLS, type SummaryAttempt } from './full/next-try.ts';
export type { SituationOptions } from './full/plain-situation.ts';
export {
  SUMMARY_PROMPT_VERSION,
  type SummaryInstructionOptions,
  summaryInstruction,
} from './full/prompt.ts';
export type { FullOptions } from './full/settings.ts';
export type { Situation } from './full/situation.ts';
export { type SoundAttachments, soundAttachments } from './full/sound-attachments.ts';
export { stripMedia } from './full/strip-media.ts';
export { type AttemptNote, settleAttempts } from './hooks/attempts.ts';
export { type CompactedTurn, type CompactionChain, compactionChain } from './hooks/chain.ts';
export type {
  BeforeAnswer,
  CompactionEnd,
  CompactionHooks,
  CompactionStart,
  Hook,
  HookPhase,
  HookWarning,
  SessionStartAnswer,
} from './hooks/hook.ts';
export {
  type CompactionEvent,
  type CompactionPipeline,
  type CompactionSteps,
  checkPipeline,
  createCompactionPipeline,
  type PipelineOptions,
} from './hooks/pipeline.ts';
export type { StartTimer } from './hooks/run-hooks.ts';
export type { PartialDirection } from './partial/split.ts';
export {
  type CompactionOptions,
  type Compactor,
  createCompaction,
  type NowOptions,
  type RunOptions,
} from './plan/compaction.ts';
export { type CompactionWork, isStillCurrent } from './plan/work.ts';
export { billOf } from './provider/bill.ts';
export {
  createProviderCompaction,
  type ProviderOptions,
  type ProviderReply,
  type RunProviderCompaction,
} from './provider/provider-compaction.ts';
export type { ProviderRefusal } from './provider/read-block.ts';
export { createThresholdCompaction, type ThresholdOptions } from './provider/threshold.ts';
export { type MediaEditOptions, mediaEdit } from './reactive/media-edit.ts';
export { type MediaReceiptOptions, mediaReceipt } from './reactive/media-receipt.ts';
export {
  NEW_RECOVERY,
  type NoRecovery,
  type RecoverOptions,
  type Recovery,
  type RecoveryState,
  type RecoverySteps,
  recover,
} from './reactive/recovery.ts';
export type { RestoreLimits } from './restore/limits.ts';
export {
  type Restoration,
  type RestoreOptions,
  type RestoreSources,
  restore,
} from './restore/restore.ts';
export type { FileRestoration, ReadFile, RestoredFile } from './restore/restore-files.ts';
export { createSnip, type SnipPlannerOptions } from './snip/planner.ts';
export { planSnip, type SnipOptions, type SnipPlan, snipEdit } from './snip/snip.ts';
export type {
  Compaction,
  CompactionFailed,
  CompactionReceipt,
  Engine,
  Summarize,
  SummaryReply,
  Trigger,
} from './types.ts';
