export {
  type CacheEditContext,
  type CacheEditDecision,
  type CacheEditOptions,
  type CacheEdits,
  decideCacheEdits as experimental_decideCacheEdits,
  pinnedEdits as experimental_pinnedEdits,
} from './cache-edits.ts';
export type { CallFacts } from './call-facts.ts';
export type { Candidate, Candidates, Protection, ThinkingPlace } from './candidate.ts';
export {
  type CandidateFold,
  type CandidateOptions,
  candidatesOf,
  createCandidateFold,
} from './candidates.ts';
export { type CountOptions, decideCount } from './count.ts';
export type { Decide, Decision } from './decision.ts';
export type { ClearingRow } from './explain.ts';
export { isInstructionFile } from './instruction-file.ts';
export { decideLegally, type LegalDecision, type LegalSituation } from './legal.ts';
export {
  type ClearedBlock,
  explainClearing,
  type HistoryMessage,
  type MicrocompactResult,
  microcompact,
} from './microcompact.ts';
export type { Mechanism, MicrocompactOptions } from './options.ts';
export { CLEARED_RESULT, CLEARED_VALUE } from './placeholder.ts';
export type { SituationOptions } from './plain-context.ts';
export { type ClearingPlan, createMicrocompact, type Microcompact } from './planner.ts';
export { type ClearingReceipt, clearingReceipt, type ReceiptOptions } from './receipt.ts';
export { decideRent, type RentOptions } from './rent/rent.ts';
export {
  type AppliedEdit,
  appliedEdits,
  CONTEXT_MANAGEMENT_BETA,
  contextManagement,
  type ServerClearingOptions,
} from './server.ts';
export { decideTime, type TimeOptions } from './time.ts';
export { COMPACTABLE_TOOLS, type ToolClass } from './tool-class.ts';
