export { fileMailboxes } from './file-mailboxes.ts';
