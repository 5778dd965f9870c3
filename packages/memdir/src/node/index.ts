export { checkMemoryWrite } from './check-memory-write.ts';
export { diskFolder } from './disk-folder.ts';
export { agentMemoryPaths, memoryPath, strandedMemory } from './memory-path.ts';
