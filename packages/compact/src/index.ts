export {
  CLEAN_UP,
  type CleanUpHandlers,
  type CleanUpItem,
  type CleanUpName,
  type CleanUpResult,
  type CommittedCompaction,
  cleanUpAfter,
  KEPT_AFTER_COMPACTION,
} from './after/clean-up.ts';
export { type CheckedSummary, type CheckSummaryOptions, checkSummary } from './check/check.ts';
export type { Finding, FindingKind } from './check/finding.ts';
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
export { mergeInstructions } from './hooks/instructions.ts';
export {
  type Compacted,
  type CompactionEvent,
  type CompactionFailed,
  type CompactionPipeline,
  type CompactionSteps,
  createCompactionPipeline,
  type PipelineOptions,
} from './hooks/pipeline.ts';
export type { StartTimer } from './hooks/run-hooks.ts';
export type { Fact, FactType, Superseded } from './ledger/fact.ts';
export { createLedger, type Ledger } from './ledger/ledger.ts';
export {
  type RenderedLedger,
  type RenderLedgerOptions,
  renderLedger,
} from './ledger/render/render.ts';
export { RESTORE_LIMITS, type RestoreLimits } from './restore/limits.ts';
export {
  type Restoration,
  type RestoreOptions,
  type RestoreSources,
  restore,
} from './restore/restore.ts';
export type { FileRestoration, ReadFile, RestoredFile } from './restore/restore-files.ts';
export type {
  Compaction,
  CompactionReceipt,
  Engine,
  Summarize,
  SummaryReply,
  Trigger,
} from './types.ts';
