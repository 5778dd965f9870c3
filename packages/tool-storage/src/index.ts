export { ToolStorageError } from './error.ts';
export { memoryStore } from './memory-store.ts';
export { offloadMessages } from './offload-messages.ts';
export type { StoredItem, ToolResultStore } from './store.ts';
export { createToolStorage, type ToolStorage } from './tool-storage.ts';
