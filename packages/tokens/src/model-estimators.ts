import { createEstimator, type Estimator } from './estimator.ts';
import type { TokenizerFamily } from './model-info.ts';
import { resolveModel } from './resolve-model.ts';

/** The estimator of a model by its id; without one that of `o200k`. */
export type EstimatorOf = (modelId: string | undefined) => Estimator;

/**
 * Creates estimators as models are asked for: models of one tokenizer family share one. For sizes that follow the model of
 * a conversation.
 */
export function createModelEstimators(): EstimatorOf {
  const estimators = new Map<TokenizerFamily, Estimator>();
  return (modelId) => {
    const family = modelId === undefined ? 'o200k' : resolveModel(modelId).model.tokenizer;
    const known = estimators.get(family) ?? createEstimator({ family });
    estimators.set(family, known);
    return known;
  };
}
