export type { ContextCompaction } from './compaction/context-compaction.ts';
export { type Context, createContext } from './create-context.ts';
export { defaultLayers } from './default-layers.ts';
export { ContextError } from './error.ts';
export type { ContextEvent } from './event.ts';
export type { Layer } from './layer.ts';
export type { CallModel, ContextOptions } from './options.ts';
