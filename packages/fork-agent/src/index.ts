export { ForkError, type ForkErrorCode, type ForkErrorOptions } from './error.ts';
export { type FanOutOptions, type FanOutResult, fanOut } from './fan-out.ts';
export { createFork, type Fork, type ForkOptions, type PriceOptions } from './fork.ts';
