import { createEstimator, type Estimator } from './estimator.ts';
import type { TokenizerFamily } from './model-info.ts';
import { type ResolveModelOptions, resolveModel } from './resolve-model.ts';

/** The estimator of a model by its id; without one that of `o200k`. */
export type EstimatorOf = (modelId: string | undefined) => Estimator;

/**
 * Creates estimators as models are asked for. For sizes that follow the model of a conversation: models of one tokenizer family
 * share one, and so does everyone who asks here, so that layers around one conversation count a block once.
 */
export function createModelEstimators(options: ResolveModelOptions = {}): EstimatorOf {
  return (modelId) =>
    ofFamily(modelId === undefined ? 'o200k' : resolveModel(modelId, options).model.tokenizer);
}

function ofFamily(family: TokenizerFamily): Estimator {
  const known = estimators.get(family) ?? createEstimator({ family });
  estimators.set(family, known);
  return known;
}

// Memory of pure functions of objects that live as long as somebody has them: dropping it changes nothing but time.
const estimators = new Map<TokenizerFamily, Estimator>();
