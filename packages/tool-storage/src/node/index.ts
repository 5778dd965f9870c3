export { fileStore } from './file-store.ts';
export { realFiles, type StoreFiles } from './file-system.ts';
