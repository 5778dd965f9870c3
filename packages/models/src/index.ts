export type { CacheMiss } from './cache-miss.ts';
export {
  type CompareDiagnosisOptions,
  compareDiagnosis,
  type DiagnosisComparison,
} from './compare-diagnosis.ts';
export {
  ModelError,
  type ModelErrorCode,
  type ModelErrorFacts,
  type ModelErrorOptions,
  type RequestDifference,
} from './error.ts';
export { findOverflow, type OverflowNumbers } from './errors/overflow-wordings.ts';
export { type ToModelErrorOptions, toModelError } from './errors/to-model-error.ts';
export {
  type FitCallOptions,
  fitCall,
  MOST_UNSTREAMED_TOKENS,
  thinkingBudget,
} from './fit-call.ts';
export type { RateLimit } from './rate-limits.ts';
export { type RecordClientOptions, recordClient } from './record/record-client.ts';
export {
  memoryRecordStore,
  type RecordedError,
  type RecordedExchange,
  type RecordStore,
} from './record/recording.ts';
export {
  type ReplayClient,
  type ReplayClientOptions,
  replayClient,
} from './record/replay-client.ts';
export { type WithReminderOptions, type WithReminderResult, withReminder } from './reminder.ts';
export type { WrittenRequest } from './request-params.ts';
export type { SdkClientOptions } from './sdk-client.ts';
export { send } from './send.ts';
export { createModelStream, type Exchange } from './stream/model-stream.ts';
export type {
  CountTokensOptions,
  CutCall,
  ModelClient,
  ModelEvent,
  ModelResponse,
  ModelStream,
  SilentOverflow,
  StreamOptions,
} from './types.ts';
