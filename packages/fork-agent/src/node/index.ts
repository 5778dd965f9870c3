export { type FileInbox, type FileMailboxes, fileMailboxes } from './file-mailboxes.ts';
