// Mail between agents.
export { mailBlocks } from './mail/mail-blocks.ts';
export { createMailboxes } from './mail/mailbox.ts';
export { createMailRouter } from './mail/router.ts';
