export { consolidateLock } from './consolidate-lock.ts';
export { gitLookup } from './git-lookup.ts';
export { sessionFolder } from './session-folder.ts';
