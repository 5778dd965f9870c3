export { fileStore } from './file-store.ts';
export { realFiles, type StoreFiles } from './file-system.ts';
export { isReplaceLeftover, removeReplaceLeftovers, replaceFile } from './replace-file.ts';
