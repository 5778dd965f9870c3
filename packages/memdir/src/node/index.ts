export { type DiskFolderOptions, diskFolder } from './disk-folder.ts';
export { agentMemoryPaths, memoryPath } from './memory-path.ts';
