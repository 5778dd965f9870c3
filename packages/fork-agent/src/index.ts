export { onlyTools } from './definitions/tools-of.ts';
export { ForkError } from './error.ts';
export { fanOut } from './fan-out.ts';
export { createFork, type Fork } from './fork.ts';
export { forkNotification, forkResultBlock } from './hand-back.ts';
export type { ForkResult } from './types.ts';
