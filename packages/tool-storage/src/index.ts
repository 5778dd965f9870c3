export type { OutputContent, ShownContent, TextPiece } from './content.ts';
export type { Decision } from './decisions.ts';
export { handlesIn } from './envelope.ts';
export { ToolStorageError, type ToolStorageErrorCode } from './error.ts';
export { stripEscapes } from './escapes.ts';
export type { StoreFailure } from './failure.ts';
export { keyOf, sessionKey } from './keys.ts';
export { type MemoryStoreOptions, memoryStore } from './memory-store.ts';
export type { OffloadMessagesOptions, OffloadMessagesResult } from './messages.ts';
export { offloadMessages } from './offload-messages.ts';
export type { Threshold, ToolStorageOptions } from './options.ts';
export type {
  KeptReason,
  Offloaded,
  StoredReason,
  ToolOutput,
  TruncatedReason,
} from './outcome.ts';
export { type Preview, type PreviewOptions, previewOf } from './preview/preview.ts';
export type { StoredResult } from './read/listing.ts';
export type { ReadRange, StoredPage } from './read/page.ts';
export type { ReadTool } from './read/tool.ts';
export type {
  ContentHash,
  GetOptions,
  StoreCallOptions,
  StoredItem,
  TidyOptions,
  ToolResultStore,
} from './store.ts';
export { type SweepItem, type SweepOptions, type SweepResult, sweep } from './sweep.ts';
export { createToolStorage, type OffloadOptions, type ToolStorage } from './tool-storage.ts';
