import { type Block, isToolResult, type Message } from '@varve/messages';
import { isMedia } from '@varve/messages/blocks';

/**
 * Images and documents of user messages as short texts that say one was there, in tool results as well. Messages without
 * any are the same objects, and so is the list when nothing was found.
 */
export function stripMedia<M extends Pick<Message, 'role' | 'content'>>(
  messages: readonly M[],
): readonly M[] {
  const stripped = messages.map((message) => {
    if (message.role !== 'user') return message;
    const content = stripBlocks(message.content);
    return content === message.content ? message : { ...message, content };
  });
  return stripped.some((message, index) => message !== messages[index]) ? stripped : messages;
}

/** The text in place of an image or a document; the block itself where it is neither and holds neither. */
export function stripBlock(block: Block): Block {
  if (isMedia(block)) return { type: 'text', text: markerOf(block) };
  if (!isToolResult(block) || !Array.isArray(block.content)) return block;
  const content = stripBlocks(block.content);
  return content === block.content ? block : { ...block, content };
}

function stripBlocks(blocks: readonly Block[]): readonly Block[] {
  const stripped = blocks.map(stripBlock);
  return stripped.some((block, index) => block !== blocks[index]) ? stripped : blocks;
}

function markerOf({ type, title }: Block): string {
  const name = typeof title === 'string' && title.trim() !== '' ? ` "${title.trim()}"` : '';
  return `[${type}${name} was here]`;
}
