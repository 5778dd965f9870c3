// The estimator alone: a program that wants nothing else of this package starts in a fraction of the time.
export { createEstimator } from './estimator.ts';
