export type {
  CompactionOutcome,
  CompactNowOptions,
  ContextCompaction,
  ContextNotes,
  RestoreAfter,
} from './compaction/context-compaction.ts';
export { type Context, createContext } from './create-context.ts';
export { type DefaultLayersOptions, defaultLayers } from './default-layers.ts';
export { ContextError, type ContextErrorCode } from './error.ts';
export type { CompactionNews, ContextEvent } from './event.ts';
export type { Layer, LayerEvent } from './layer.ts';
export {
  createLayeredLog,
  type EditContext,
  type Edited,
  type LayeredLog,
  type LayeredLogOptions,
} from './layered-log.ts';
export type {
  CallModel,
  CallOptions,
  ContextOptions,
  EntryLog,
  Reply,
  ToolOutput,
} from './options.ts';
