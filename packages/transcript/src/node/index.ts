export type { AppendFile, AppendResult } from './append-queue.ts';
export { type ForkOptions, forkLog, readThread } from './fork-log.ts';
export { findSessions, type ImportFileOptions, importFile } from './import-file.ts';
export { type Lock, type LockClock, type LockOptions, takeLock } from './lock.ts';
export { type Log, type OpenLogOptions, openLog } from './open-log.ts';
export { PRIVATE_FILE, PRIVATE_FOLDER } from './private-files.ts';
export { readLog } from './read-log.ts';
export type { TailRepair } from './repair-tail.ts';
export { type Salvage, type SalvageOptions, salvageLog } from './salvage-log.ts';
