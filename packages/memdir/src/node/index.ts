export {
  type CheckMemoryWriteOptions,
  checkMemoryWrite,
  type MemoryWrite,
} from './check-memory-write.ts';
export { type DiskFolderOptions, diskFolder } from './disk-folder.ts';
export { agentMemoryPaths, memoryPath, strandedMemory } from './memory-path.ts';
