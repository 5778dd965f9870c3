import type { Fields } from '@varve/guards';
import { type Block, isText, isThinking, isToolUse } from '@varve/messages';
import type { NewId } from '../core/ids.ts';

export interface ItemOptions {
  readonly newId: NewId;
  /** Whether reasoning carries what a client without storage has to send back. */
  readonly encryptsReasoning: boolean;
}

/** A reply's blocks as output items; texts in a row are parts of one message. */
export function outputItems(content: readonly Block[], options: ItemOptions): readonly Fields[] {
  const items: Fields[] = [];
  let parts: Fields[] | undefined;
  for (const block of content) {
    if (isText(block)) {
      if (parts === undefined) {
        parts = [];
        items.push(messageItem(parts, options));
      }
      parts.push({ type: 'output_text', text: block.text, annotations: [], logprobs: [] });
      continue;
    }
    parts = undefined;
    const item = otherItem(block, options);
    if (item) items.push(item);
  }
  return items;
}

const messageItem = (content: Fields[], { newId }: ItemOptions): Fields => ({
  id: newId('msg'),
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content,
});

function otherItem(block: Block, { newId, encryptsReasoning }: ItemOptions): Fields | undefined {
  if (isToolUse(block)) {
    const { id, name, input } = block;
    const text = typeof input === 'string' ? input : JSON.stringify(input);
    return {
      id: newId('fc'),
      type: 'function_call',
      status: 'completed',
      call_id: id,
      name,
      arguments: text,
    };
  }
  if (!isThinking(block)) return undefined;
  const { thinking } = block as { thinking?: string };
  return {
    id: newId('rs'),
    type: 'reasoning',
    summary: thinking ? [{ type: 'summary_text', text: thinking }] : [],
    ...(encryptsReasoning && { encrypted_content: `emulated.${newId('enc')}` }),
  };
}

/** A compaction: opaque to the client, and what stands before it is not read any more. */
export const compactionItem = (summary: string, newId: NewId): Fields => ({
  id: newId('cmp'),
  type: 'compaction',
  encrypted_content: summary,
});
