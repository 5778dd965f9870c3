import type { Block, Message } from '@varve/messages';

/** Finds the last compaction block of a growing history; the first `shared` messages are those of the history before. */
export function createCompactionFinder(): (
  messages: readonly Message[],
  shared: number,
) => number | undefined {
  const lastAt: (number | undefined)[] = [];
  return (messages, shared) => {
    lastAt.length = Math.min(lastAt.length, shared);
    for (let index = lastAt.length; index < messages.length; index++) {
      const message = messages[index] as Message;
      lastAt[index] = message.content.some(isCompaction) ? index : lastAt[index - 1];
    }
    return lastAt.at(-1);
  };
}

/** The blocks of a message from its last compaction on: all that comes before is not read. */
export function indexOfCompaction(message: Message): number {
  return message.content.findLastIndex(isCompaction);
}

/** A compaction without content has failed and counts for nothing. */
function isCompaction(block: Block): boolean {
  if (block.type !== 'compaction') return false;
  const { content, encrypted_content } = block as {
    content?: unknown;
    encrypted_content?: unknown;
  };
  return isFilled(content) || isFilled(encrypted_content);
}

const isFilled = (value: unknown): boolean => value !== null && value !== undefined;
