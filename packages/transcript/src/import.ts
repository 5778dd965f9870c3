export { importSession } from './import/import-session.ts';
export type { ImportedSession, ImportedThread, ImportSignal } from './import/types.ts';
export { uniqueResponses } from './import/unique-responses.ts';
