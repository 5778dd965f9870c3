import type { BlockReplacement, Edit, JsonObject, Message, PlanContext } from '@varve/messages';
import { editReceipt } from '@varve/messages/log';

export interface MediaReceiptOptions extends Pick<PlanContext, 'contextTokens' | 'sizeOf'> {
  /** A logged message by its id. */
  readonly find: (id: string) => Message | undefined;
  /** How many messages the conversation has. */
  readonly kept: number;
  /** Where the originals are, in the caller's words. */
  readonly originals?: string | undefined;
}

/** The receipt of a `mediaEdit`: which blocks went, and the size of the request before and after, in tokens. */
export function mediaReceipt(
  { blocks }: Extract<Edit, { readonly kind: 'replace-content' }>,
  { contextTokens, sizeOf, find, kept, originals }: MediaReceiptOptions,
): JsonObject {
  const messages = [...new Set(blocks.map(({ messageId }) => messageId))].flatMap(
    (id) => find(id) ?? [],
  );
  const saved = messages.reduce(
    (sum, message) => sum + sizeOf(message) - sizeOf(replaced(message, blocks)),
    0,
  );
  const stripped = blocks.filter(({ block }) => block !== null);
  return {
    ...editReceipt({
      ...{ reason: 'media-stripped', tokensBefore: contextTokens, originals },
      ...{ tokensAfter: contextTokens - saved, dropped: 0, kept },
    }),
    strippedBlocks: stripped.map(({ messageId, index }) => ({ messageId, index })),
    droppedThinking: blocks.length - stripped.length,
  };
}

function replaced(message: Message, blocks: readonly BlockReplacement[]): Message {
  const content = message.content.flatMap((block, index) => {
    const found = blocks.find((each) => each.messageId === message.id && each.index === index);
    return found ? (found.block ?? []) : [block];
  });
  return { ...message, content };
}
