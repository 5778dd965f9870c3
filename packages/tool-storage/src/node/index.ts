export { type FileStoreOptions, fileStore } from './file-store.ts';
export { realFiles, type StoreFile, type StoreFileStat, type StoreFiles } from './file-system.ts';
export { sha256 } from './sha256.ts';
