export { acceptSize } from './accept-size.ts';
export { checkModels } from './check-models.ts';
export {
  contextLimits,
  createThresholdWatch,
  warningState,
} from './context-limits.ts';
export { createCountEndpoint } from './count-endpoint.ts';
export { createCounterFold } from './counter-fold.ts';
export { TokensError } from './error.ts';
export { createEstimator, type Estimator } from './estimator.ts';
export { fitOutput } from './fit-output.ts';
export { createTokenMeter, type TokenMeter } from './meter.ts';
export { createModelEstimators } from './model-estimators.ts';
export type { ModelInfo } from './model-info.ts';
export { findModel, MODELS } from './model-table.ts';
export { priceTier, priceUsage } from './price-usage.ts';
export { providerProfiles } from './provider-profiles.ts';
export { resolveModel } from './resolve-model.ts';
export { createUsageFold } from './usage-fold.ts';
export { contextWindow } from './window.ts';
