export { acceptSize, type SizeBounds, type SizeVerdict } from './accept-size.ts';
export {
  type Calibration,
  type CalibrationOptions,
  type CalibrationPair,
  type CalibrationState,
  createCalibration,
  type LearnResult,
} from './calibration.ts';
export { checkModels } from './check-models.ts';
export {
  addClasses,
  type ClassTokens,
  CONTENT_CLASSES,
  type ContentClass,
  NO_TOKENS,
  scaleClasses,
  totalTokens,
} from './content-class.ts';
export {
  type AdviceBand,
  type AutocompactOptions,
  adviceBand,
  autocompactThreshold,
  type ContextLimits,
  type ContextLimitsOptions,
  contextLimits,
  createThresholdWatch,
  effectiveWindow,
  type ThresholdWatch,
  type ThresholdWatchOptions,
  type WarningState,
  type WindowOptions,
  warningState,
} from './context-limits.ts';
export { type CountInput, type CountOptions, type CountTokens, countWith } from './count.ts';
export { type CountEndpointOptions, createCountEndpoint, type Fetch } from './count-endpoint.ts';
export {
  type CounterFold,
  type CounterReading,
  createCounterFold,
} from './counter-fold.ts';
export { crudeEstimator, crudeTokens } from './crude-estimator.ts';
export {
  type PriceCaveat,
  type PricedPart,
  type PricedUsage,
  type PricePart,
  type PriceUsageOptions,
  priceTier,
  priceUsage,
} from './dollars.ts';
export { TokensError, type TokensErrorCode } from './error.ts';
export {
  createEstimator,
  type Estimator,
  type EstimatorOptions,
  type HeadLike,
  type TextCounter,
} from './estimator.ts';
export { type FitOutputOptions, type FitOutputResult, fitOutput } from './fit-output.ts';
export { createTokenMeter, type TokenMeter, type TokenMeterOptions } from './meter.ts';
export type { AnchorResult, IgnoredUsage } from './meter-accept.ts';
export type { ModelLearningState } from './meter-learning.ts';
export type { ResponseOptions } from './meter-plain.ts';
export type { OutputDoubt } from './meter-reply.ts';
export type { ContextSize } from './meter-size.ts';
export { createModelEstimators, type EstimatorOf } from './model-estimators.ts';
export type {
  CacheLifetime,
  CacheRules,
  ModelInfo,
  PriceTier,
  ServerFeature,
  ThinkingRule,
  TokenizerFamily,
} from './model-info.ts';
export { findModel, MODELS } from './model-table.ts';
export { providerProfiles } from './provider-profiles.ts';
export type { SurplusState } from './reply-surplus.ts';
export { type ResolvedModel, type ResolveModelOptions, resolveModel } from './resolve-model.ts';
export {
  createUsageFold,
  type FoldedResponse,
  type UsageFold,
  type UsageLine,
  type UsageTotal,
} from './usage-fold.ts';
export { utf8Bytes } from './utf8-bytes.ts';
export {
  type ContextWindow,
  type ContextWindowOptions,
  contextWindow,
  type WindowRule,
} from './window.ts';
