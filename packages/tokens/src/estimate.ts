// The estimator alone: a program that wants nothing else of this package starts in a fraction of the time.
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
  createEstimator,
  type Estimator,
  type EstimatorOptions,
  type HeadLike,
  type TextCounter,
} from './estimator.ts';
export type { TokenizerFamily } from './model-info.ts';
