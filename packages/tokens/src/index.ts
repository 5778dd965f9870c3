export { acceptSize, type SizeBounds, type SizeVerdict } from './accept-size.ts';
export { createCalibration } from './calibration.ts';
export { checkModels } from './check-models.ts';
export {
  addClasses,
  CONTENT_CLASSES,
  NO_TOKENS,
  scaleClasses,
  totalTokens,
} from './content-class.ts';
export {
  adviceBand,
  autocompactThreshold,
  contextLimits,
  createThresholdWatch,
  effectiveWindow,
  warningState,
} from './context-limits.ts';
export { countWith } from './count.ts';
export { createCountEndpoint } from './count-endpoint.ts';
export { createCounterFold } from './counter-fold.ts';
export { crudeEstimator, crudeTokens } from './crude-estimator.ts';
export { priceTier, priceUsage } from './dollars.ts';
export { TokensError } from './error.ts';
export { createEstimator, type Estimator } from './estimator.ts';
export { fitOutput } from './fit-output.ts';
export { createTokenMeter, type TokenMeter } from './meter.ts';
export { createModelEstimators } from './model-estimators.ts';
export type { ModelInfo } from './model-info.ts';
export { findModel, MODELS } from './model-table.ts';
export { providerProfiles } from './provider-profiles.ts';
export { resolveModel } from './resolve-model.ts';
export { createUsageFold } from './usage-fold.ts';
export { utf8Bytes } from './utf8-bytes.ts';
export { contextWindow } from './window.ts';
