export { ForkError } from './error.ts';
export { fanOut } from './fan-out.ts';
export { createFork } from './fork.ts';
export { createWarmUp } from './pool.ts';
export type { ForkResult } from './types.ts';
