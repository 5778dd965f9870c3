import { MessagesError } from './error.ts';
import { isText, isToolResult, isToolUse } from './guards.ts';
import { isBlank } from './like.ts';
import type { Block, Message, Role } from './types.ts';
import { isAllowed } from './validity-blocks.ts';

/** What a message has to be wherever it stands: ids, blocks its role may hold, no empty content. */
export function checkMessage(message: Message): void {
  if (message.id === '') throw new MessagesError('empty-id', 'A message needs an id.');
  checkContent(message.content, message);
}

/** Throws for content that no provider takes in a message of this role. */
export function checkContent(content: readonly Block[], message: Pick<Message, 'id' | 'role'>) {
  if (content.length === 0) {
    throw new MessagesError('empty-content', `Message ${message.id} has no content; leave it out.`);
  }
  const callIds = new Set<string>();
  for (const [index, block] of content.entries()) {
    checkBlock(block, message.role, `block ${index} of message ${message.id}`);
    if (!isToolUse(block)) continue;
    if (callIds.has(block.id)) {
      throw new MessagesError('duplicate-call', `Message ${message.id} uses a call id twice.`);
    }
    callIds.add(block.id);
  }
}

function checkBlock(block: Block, role: Role, place: string): void {
  if (!isAllowed(block.type, role)) {
    throw new MessagesError('misplaced-block', `The ${role} message cannot hold ${place}.`);
  }
  if ((isToolUse(block) && block.id === '') || (isToolResult(block) && block.tool_use_id === '')) {
    throw new MessagesError('empty-id', `The id that pairs ${place} is empty.`);
  }
  if (hasEmptyText(block)) {
    throw new MessagesError('empty-text', `The text of ${place} is empty; leave the block out.`);
  }
}

function hasEmptyText(block: Block): boolean {
  if (isText(block)) return isBlank(block.text);
  if (!isToolResult(block) || !Array.isArray(block.content)) return false;
  // white space was logged here before providers were known to refuse it; what is sent leaves it out
  return block.content.some((inner) => isText(inner) && inner.text === '');
}
