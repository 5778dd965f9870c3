export {
  type BilledRequest,
  type BreakDetector,
  type BreakDetectorOptions,
  type BreakObservation,
  createBreakDetector,
} from './break-detector.ts';
export type { BreakMeasures } from './break-measures.ts';
export type { BreakCause, CacheBreak } from './cache-break.ts';
export type { BlockPlace, PrefixChange } from './cache-change.ts';
export { type CachePolicyOptions, cachePolicy } from './cache-policy.ts';
export type { CacheMessage, CacheRequest } from './cache-request.ts';
export type { BilledSizes, CacheResult, SendOptions } from './cache-result.ts';
export { definePolicy } from './define-policy.ts';
export {
  type AnthropicDiagnosis,
  diagnosedCause,
  type OpenAiDiagnosis,
  toAnthropicDiagnosis,
  toOpenAiDiagnosis,
} from './diagnosis.ts';
export { PromptCacheError, type PromptCacheErrorCode } from './error.ts';
export {
  type BreakExplanation,
  type ExplainBreakOptions,
  explainBreak,
  type SentRequest,
} from './explain-break.ts';
export { checkMarkers, type MarkerProblem, type MarkerProblemCode } from './marker-check.ts';
export { type Marked, type PlaceMarkersOptions, placeMarkers } from './markers.ts';
export {
  ANTHROPIC,
  BLOCK_CACHE,
  DEEPSEEK,
  GEMINI_IMPLICIT,
  NO_CACHE,
  OPENAI_BREAKPOINTS,
  OPENAI_IMPLICIT,
} from './policies.ts';
export type {
  CachePolicy,
  Invalidators,
  Lifetime,
  Lookback,
  ParamRule,
  Section,
  UsageStyle,
} from './policy.ts';
export type { PromptSizes } from './prompt-sizes.ts';
export { renderPrefix } from './render.ts';
export {
  type AppliedEdit,
  createServerView,
  type ServerView,
  type ServerViewOptions,
  serverView,
} from './server-view.ts';
export {
  type CacheSimulator,
  type CacheSimulatorOptions,
  createCacheSimulator,
} from './simulator.ts';
export { type SteadyTools, steadyTools } from './steady-tools.ts';
export type { CacheTokens, ProviderUsage } from './usage-fields.ts';
