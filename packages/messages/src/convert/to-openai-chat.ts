import { textOf } from '@varve/guards';
import { type BlockLike, field, type MessageLike, safeBlocksOf } from '../like.ts';
import { acceptsChatId, writeCallBlock, writeId } from './call.ts';
import type { ConvertContext, Lose } from './conversion.ts';
import {
  hasOtherMediaFields,
  losesTitle,
  mediaPlaceholder,
  readMedia,
  toDataUrl,
  UNTITLED,
} from './media.ts';
import type {
  OpenAIChatCall,
  OpenAIChatMessage,
  OpenAIChatPart,
  OpenAIChatTextPart,
  OpenAIChatToolMessage,
} from './openai-chat-types.ts';
import { checkOrder, resultParts } from './results.ts';
import { carriedText } from './text.ts';

/** One of our messages as Chat Completions has it: results become messages of their own, before what else it holds. */
export function writeChatMessage(
  [message]: readonly MessageLike[],
  { lose }: ConvertContext<MessageLike>,
): OpenAIChatMessage[] {
  if (!message) return [];
  const written = writeByRole(message, lose);
  if (written.length === 0) lose('message');
  return written;
}

function writeByRole(message: MessageLike, lose: Lose): OpenAIChatMessage[] {
  if (message.role === 'assistant') return writeAssistant(message, lose);
  if (message.role === 'system') return writeSystem(message, lose);
  checkOrder(message, (block) => block.type !== 'tool_result', lose);
  const results: OpenAIChatToolMessage[] = [];
  const parts: OpenAIChatPart[] = [];
  for (const [index, block] of safeBlocksOf(message).entries()) {
    if (block.type === 'tool_result') results.push(writeResult(block, index, lose));
    else parts.push(...writePart(block, index, lose));
  }
  if (parts.length === 0) return results;
  return [...results, { role: 'user', content: textOrParts(parts) }];
}

function writeSystem(message: MessageLike, lose: Lose): OpenAIChatMessage[] {
  const parts = safeBlocksOf(message).flatMap((block, index) => writeText(block, index, lose));
  return parts.length === 0 ? [] : [{ role: 'system', content: textOrParts(parts) }];
}

function writeAssistant(message: MessageLike, lose: Lose): OpenAIChatMessage[] {
  checkOrder(message, (block) => block.type === 'tool_use', lose);
  const parts: OpenAIChatTextPart[] = [];
  const calls: OpenAIChatCall[] = [];
  for (const [index, block] of safeBlocksOf(message).entries()) {
    if (block.type === 'tool_use') calls.push(writeCall(block, index, lose));
    else parts.push(...writeText(block, index, lose));
  }
  if (parts.length === 0 && calls.length === 0) return [];
  const content = parts.length === 0 ? null : textOrParts(parts);
  return [{ role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) }];
}

/** One text stands as a string, several as parts, so that they read back as they were. */
function textOrParts<Part extends { type: string }>(parts: Part[]): string | Part[] {
  const [first] = parts;
  return parts.length === 1 && first?.type === 'text'
    ? ((first as { text?: string }).text ?? '')
    : parts;
}

const writeText = (block: BlockLike, index: number, lose: Lose): OpenAIChatTextPart[] =>
  carriedText(block, index, lose).map((text) => ({ type: 'text', text }));

function writePart(block: BlockLike, index: number, lose: Lose): OpenAIChatPart[] {
  if (block.type !== 'image' && block.type !== 'document') return writeText(block, index, lose);
  const part = writeMediaPart(block);
  if (!part) {
    lose('media', index);
    return [{ type: 'text', text: mediaPlaceholder(block) }];
  }
  if (hasOtherMediaFields(block) || losesTitle(block)) lose('block-fields', index);
  return [part];
}

function writeMediaPart(block: BlockLike): OpenAIChatPart | undefined {
  const media = readMedia(block);
  if (!media) return undefined;
  const { type, source, title } = media;
  if (type === 'image') {
    if (source.kind === 'url') return { type: 'image_url', image_url: { url: source.url } };
    if (source.kind !== 'data') return undefined;
    return { type: 'image_url', image_url: { url: toDataUrl(source.mediaType, source.data) } };
  }
  if (source.kind === 'file') return { type: 'file', file: { file_id: source.fileId } };
  if (source.kind !== 'data') return undefined;
  const data = toDataUrl(source.mediaType, source.data);
  return { type: 'file', file: { file_data: data, filename: title ?? UNTITLED } };
}

function writeCall(block: BlockLike, index: number, lose: Lose): OpenAIChatCall {
  const { id, name, text } = writeCallBlock(block, { index, lose, accepts: acceptsChatId });
  return { id, type: 'function', function: { name, arguments: text } };
}

function writeResult(block: BlockLike, index: number, lose: Lose): OpenAIChatToolMessage {
  const context = { index, lose, accepts: acceptsChatId };
  const id = writeId(textOf(field(block, 'tool_use_id')), context);
  const parts = resultParts(block, index, lose);
  const content =
    typeof parts === 'string'
      ? parts
      : parts.flatMap((part): OpenAIChatTextPart[] => {
          if (part.type === 'text') return [{ type: 'text', text: textOf(field(part, 'text')) }];
          lose('result-media', index);
          return [{ type: 'text', text: mediaPlaceholder(part) }];
        });
  return { role: 'tool', tool_call_id: id, content };
}
