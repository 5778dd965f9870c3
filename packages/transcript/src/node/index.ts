export { findSessions } from './find-sessions.ts';
export { forkLog, readThread } from './fork-log.ts';
export { importFile } from './import-file.ts';
export { type Log, openLog } from './open-log.ts';
export { PRIVATE_FILE, PRIVATE_FOLDER } from './private-files.ts';
export { projectSlug } from './project-slug.ts';
export { readLog } from './read-log.ts';
export { salvageLog } from './salvage-log.ts';
export { type Lock, takeLock } from './take-lock.ts';
