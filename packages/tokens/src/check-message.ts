import { expected, isRecord } from '@varve/guards';

// Not by `checkMessages` of `messages`: an estimate alone should not load that package.

/** Refuses what is no message at the door of an estimator; an odd block is refused where it is counted. */
export function checkMessage(message: unknown): void {
  if (!isRecord(message)) throw expected('message', { what: 'a message' }, message);
  const { role, content } = message;
  if (typeof content === 'string' || Array.isArray(content)) return;
  if (role === 'system' && content === undefined) return; // of Anthropic's beta API
  throw expected('message.content', { what: 'a text or a list of blocks' }, content);
}

/** Refuses what is no block. */
export function checkBlock(block: unknown): void {
  if (!isRecord(block)) throw expected('block', { what: 'a block' }, block);
}

/** Refuses what is no head. */
export function checkHead(head: unknown): void {
  if (!isRecord(head)) throw expected('head', 'an object', head);
  for (const part of ['system', 'tools']) {
    if (!Array.isArray(head[part])) throw expected(`head.${part}`, { what: 'a list' }, head[part]);
  }
}
