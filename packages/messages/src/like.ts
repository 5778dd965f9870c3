import { type Fields, isRecord } from '@varve/guards';
import { isThought } from './guards.ts';

/** The least a block has to be for the functions that work on anybody's messages. */
export interface BlockLike {
  readonly type: string;
}

/** The least a message has to be: `Message`, `ViewMessage` and the SDK's `MessageParam` all fit. */
export interface MessageLike {
  readonly role: string;
  readonly content: string | readonly BlockLike[];
}

/** Text content counts as one text block, or as none when empty; anything that is neither text nor a list as none. */
export function blocksOf(message: MessageLike): readonly BlockLike[] {
  const content: unknown = message.content;
  if (content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content } as BlockLike];
  return Array.isArray(content) ? content : [];
}

/** A field of a block whose type is not known here. */
export function field(block: BlockLike, name: string): unknown {
  return (block as unknown as Fields)[name];
}

/** No character that is not white space: providers refuse such a text block like an empty one. */
export const isBlank = (text: string): boolean => !/\S/.test(text);

/** Like `blocksOf`, with a block of no type in place of what is no block. */
export function safeBlocksOf(message: MessageLike): readonly BlockLike[] {
  const blocks: readonly unknown[] = blocksOf(message);
  return blocks.every(isBlock)
    ? blocks
    : blocks.map((block) => (isBlock(block) ? block : NO_BLOCK));
}

const NO_BLOCK: BlockLike = { type: '' };

const isBlock = (value: unknown): value is BlockLike =>
  isRecord(value) && typeof value.type === 'string';

export const isThinkingLike = (block: unknown): boolean =>
  isRecord(block) && isThought(block as unknown as BlockLike);

export const hasThinking = (message: MessageLike): boolean =>
  blocksOf(message).some(isThinkingLike);

export function responseOf(message: MessageLike): Readonly<Record<string, unknown>> {
  const { response } = message as { readonly response?: unknown };
  return isRecord(response) ? response : {};
}
