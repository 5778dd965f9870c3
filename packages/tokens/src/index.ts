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
  type PriceCaveat,
  type PricedPart,
  type PricedUsage,
  type PricePart,
  type PriceUsageOptions,
  priceTier,
  priceUsage,
} from './dollars.ts';
export {
  type BlockLike,
  createEstimator,
  type Estimator,
  type EstimatorOptions,
  type HeadLike,
  type MessageLike,
} from './estimator.ts';
export { type FitOutputOptions, type FitOutputResult, fitOutput } from './fit-output.ts';
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
export { type ResolvedModel, type ResolveModelOptions, resolveModel } from './resolve-model.ts';
export {
  type AutocompactOptions,
  autocompactThreshold,
  type ContextLimits,
  type ContextLimitsOptions,
  contextLimits,
  effectiveWindow,
  type WindowOptions,
} from './thresholds.ts';
export { type AdviceBand, adviceBand, type WarningState, warningState } from './warning-state.ts';
export {
  type ContextWindow,
  type ContextWindowOptions,
  contextWindow,
  type WindowRule,
} from './window.ts';
