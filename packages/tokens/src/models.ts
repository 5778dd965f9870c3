// The table of models, and what is chosen by it: validity rules, vocabularies, tiers of prices.
export { checkModels } from './check-models.ts';
export { createModelEstimators } from './model-estimators.ts';
export { findModel } from './model-table.ts';
export { priceTier } from './price-usage.ts';
export { providerProfiles } from './provider-profiles.ts';
