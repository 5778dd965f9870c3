export { acquireLock, type FileLock } from './file-lock.ts';
export { type FileInbox, type FileMailboxes, fileMailboxes } from './file-mailboxes.ts';
export type { LockOwner } from './process-owner.ts';
