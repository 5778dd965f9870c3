import type { Block, Message } from '@varve/messages';

/** What stands for the messages that a compaction took away. */
export function summaryMessage(
  content: readonly Block[],
  { id, at, role = 'user' }: { id: string; at: string | undefined; role?: Message['role'] },
): Message {
  const createdAt = at === undefined ? {} : { createdAt: at };
  return { id, role, content, origin: { kind: 'summary' }, ...createdAt };
}
