import { isRecord } from '@varve/guards';
import {
  type Block,
  isText,
  isThinking,
  isToolResult,
  isToolUse,
  type Message,
  type ToolResultBlock,
  type ToolUseBlock,
} from '@varve/messages';
import { isMedia } from '@varve/messages/blocks';
import { mediaFault } from '@varve/messages/fit';
import { isBlock } from './block-fields.ts';
import type { ImportContext } from './context.ts';
import { NO_SIGNATURE } from './openai-content.ts';

/** What an empty id is called: in call and result alike, so that they still pair. */
const UNNAMED = 'unnamed';

/**
 * An image or a document that no provider takes: without a source, its data or its type. A type that only some take stays: what
 * the provider of a request lacks is made good in that request.
 */
const isBroken = (block: unknown): boolean =>
  isBlock(block) && mediaFault(block, undefined) !== undefined;

/**
 * Makes blocks that a log takes: no blank text, no media without a source or data, nothing that the role cannot hold, inputs of calls as objects,
 * no empty ids. Counts what it drops; a block that needs nothing keeps its reference.
 */
export function sanitizeBlocks(
  content: readonly Block[],
  role: 'user' | 'assistant',
  context: ImportContext,
): readonly Block[] {
  return content.flatMap((block) => {
    if (!isBlock(block)) context.unused('malformed-block');
    else if (isText(block) && block.text.trim() === '') context.unused('blank-text-block');
    else if (role === 'user' ? isNeverOfUser(block) : isOfUser(block)) {
      context.unused(`${role}-message/${block.type}-block`);
    } else if (isBroken(block)) context.unused('malformed-media');
    else return [isToolUse(block) ? sanitizeCall(block) : signed(block)];
    return [];
  });
}

/** A signature may not be empty. */
const signed = (block: Block): Block =>
  block.type === 'thinking' && block.signature === ''
    ? { ...block, signature: NO_SIGNATURE }
    : block;

const isOfAssistant = (block: Block): boolean => isThinking(block) || isToolUse(block);
const isOfUser = (block: Block): boolean => isToolResult(block) || isMedia(block);
/** A result is a message of its own. */
const isNeverOfUser = (block: Block): boolean => isOfAssistant(block) || isToolResult(block);

function sanitizeCall(block: ToolUseBlock): Block {
  const { id, name, input } = block;
  if (id !== '' && name !== '' && isRecord(input)) return block;
  const named = { ...block, id: id || UNNAMED, name: name || UNNAMED };
  return { ...named, input: isRecord(input) ? input : input === undefined ? {} : { input } };
}

/** What stands for a span stands alone: a call in it would wait for its result. */
export function sanitizeSummary(
  { role, content }: Pick<Message, 'role' | 'content'>,
  context: ImportContext,
): readonly Block[] {
  const alone = content.filter((block) => !isToolUse(block) && !isToolResult(block));
  if (alone.length < content.length)
    context.unused('summary/tool-block', content.length - alone.length);
  return sanitizeBlocks(alone, role === 'assistant' ? 'assistant' : 'user', context);
}

/** A result with an id, and with content that a result can hold: what cannot stand inside it stays as JSON text. */
export function sanitizeResult(block: ToolResultBlock, context: ImportContext): ToolResultBlock {
  const { tool_use_id: id, content, is_error: isError, ...rest } = block;
  const isSound = id !== '' && (isError === undefined || typeof isError === 'boolean');
  const inner = sanitizeInner(content, context);
  if (isSound && inner === content) return block;
  return {
    ...rest,
    tool_use_id: id || UNNAMED,
    ...(inner === undefined ? {} : { content: inner }),
    ...(typeof isError === 'boolean' ? { is_error: isError } : {}),
  };
}

function sanitizeInner(content: unknown, context: ImportContext): ToolResultBlock['content'] {
  if (content === undefined || typeof content === 'string') return content;
  if (!Array.isArray(content)) return JSON.stringify(content);
  const isEmpty = (inner: unknown): boolean =>
    isBlock(inner) && isText(inner) && inner.text.trim() === '';
  const empty = content.filter(isEmpty).length;
  if (empty > 0) context.unused('blank-text-block', empty);
  const broken = content.filter(isBroken).length;
  if (broken > 0) context.unused('malformed-media', broken);
  const fits = (inner: unknown): inner is Block =>
    isBlock(inner) && !isOfAssistant(inner) && !isToolResult(inner);
  if (empty + broken === 0 && content.every(fits)) return content;
  const kept = content.filter((inner) => !isEmpty(inner) && !isBroken(inner));
  return kept.map((inner) => (fits(inner) ? inner : { type: 'text', text: JSON.stringify(inner) }));
}
