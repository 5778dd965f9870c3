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
  type BlockLike,
  createEstimator,
  type Estimator,
  type EstimatorOptions,
  type HeadLike,
  type MessageLike,
} from './estimator.ts';
