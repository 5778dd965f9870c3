export type { CleanUp, CleanUpOccasion } from './clean-up.ts';
export type {
  CompactionOutcome,
  CompactNowOptions,
  ContextCompaction,
  ContextNotes,
  RestoreAfter,
} from './compaction/context-compaction.ts';
export { type Context, createContext } from './create-context.ts';
export { type DefaultLayersOptions, defaultLayers } from './default-layers.ts';
export type { EditOptions, EditOutcome, UndoOptions } from './editing.ts';
export { ContextError, type ContextErrorCode } from './error.ts';
export type {
  BillNews,
  BreakFigures,
  CacheNews,
  CompactionNews,
  ContextEvent,
  RepairNews,
} from './event.ts';
export type { HeadChange } from './head.ts';
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
  UserOptions,
} from './options.ts';
export type { SentRequest } from './sending.ts';
export type { AddedUsage, Bill, ContextUsage, SummedUsage } from './usage.ts';
