export { createEmulator } from './emulator.ts';
export { EmulatorError } from './error.ts';
export type { Fault } from './faults/fault.ts';
export { extractiveSummary } from './replies/extractive-summary.ts';
export { recorded } from './replies/recorded.ts';
export type { ReplyLike } from './replies/reply.ts';
export { startEmulator } from './server/start.ts';
