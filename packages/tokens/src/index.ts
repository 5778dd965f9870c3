export { contextLimits, warningState } from './context-limits.ts';
export { TokensError } from './error.ts';
export { createEstimator, type Estimator } from './estimator.ts';
export { createTokenMeter, type TokenMeter } from './meter.ts';
export type { ModelInfo } from './model-info.ts';
export { MODELS } from './model-table.ts';
export { priceUsage } from './price-usage.ts';
export { resolveModel } from './resolve-model.ts';
