import { textOf } from '@varve/guards';
import { type BlockLike, field, type MessageLike, safeBlocksOf } from '../like.ts';
import { acceptsResponsesId, writeCallBlock, writeId } from './call.ts';
import type { ConvertContext, Lose } from './conversion.ts';
import {
  hasOtherMediaFields,
  losesTitle,
  mediaPlaceholder,
  readMedia,
  toDataUrl,
  UNTITLED,
} from './media.ts';
import { isPassedItem, isPassedOutput } from './openai-responses-items.ts';
import type { OpenAIResponsesItem, OpenAIResponsesPart } from './openai-responses-types.ts';
import { checkOrder, resultParts } from './results.ts';
import { carriedText } from './text.ts';

/** One of our messages as items: an item for each block of an assistant message, results before what else the user says. */
export function writeResponsesItems(
  [message]: readonly MessageLike[],
  { lose }: ConvertContext<MessageLike>,
): OpenAIResponsesItem[] {
  if (!message) return [];
  const written = writeByRole(message, lose);
  if (written.length === 0) lose('message');
  return written;
}

function writeByRole(message: MessageLike, lose: Lose): OpenAIResponsesItem[] {
  const blocks = safeBlocksOf(message);
  if (message.role === 'assistant') {
    return blocks.flatMap((block, index) => writeAssistantBlock(block, index, lose));
  }
  if (message.role === 'system') {
    const parts = blocks.flatMap((block, index) => writeText(block, index, lose));
    return parts.length === 0
      ? []
      : ([{ role: 'system', content: textOrParts(parts) }] as OpenAIResponsesItem[]);
  }
  checkOrder(message, (block) => !isOutput(block), lose);
  const outputs: OpenAIResponsesItem[] = [];
  const parts: OpenAIResponsesPart[] = [];
  for (const [index, block] of blocks.entries()) {
    if (isOutput(block)) outputs.push(writeOutput(block, index, lose));
    else parts.push(...writePart(block, index, lose));
  }
  if (parts.length === 0) return outputs;
  return [...outputs, { role: 'user', content: textOrParts(parts) } as OpenAIResponsesItem];
}

const isOutput = (block: BlockLike): boolean =>
  block.type === 'tool_result' || isPassedOutput(block);

function textOrParts(parts: OpenAIResponsesPart[]): string | OpenAIResponsesPart[] {
  const [first] = parts;
  return parts.length === 1 && first?.type === 'input_text' ? first.text : parts;
}

function writeAssistantBlock(block: BlockLike, index: number, lose: Lose): OpenAIResponsesItem[] {
  if (isPassedItem(block)) return [block];
  if (block.type === 'tool_use') return [writeCall(block, index, lose)];
  return carriedText(block, index, lose).map((text) => ({ role: 'assistant', content: text }));
}

const writeText = (block: BlockLike, index: number, lose: Lose): OpenAIResponsesPart[] =>
  carriedText(block, index, lose).map((text) => ({ type: 'input_text', text }));

function writeCall(block: BlockLike, index: number, lose: Lose): OpenAIResponsesItem {
  const { id, name, text } = writeCallBlock(block, { index, lose, accepts: acceptsResponsesId });
  return { type: 'function_call', call_id: id, name, arguments: text };
}

function writeOutput(block: BlockLike, index: number, lose: Lose): OpenAIResponsesItem {
  if (isPassedItem(block)) return block;
  const context = { index, lose, accepts: acceptsResponsesId };
  const id = writeId(textOf(field(block, 'tool_use_id')), context);
  const parts = resultParts(block, index, lose);
  return {
    type: 'function_call_output',
    call_id: id,
    output:
      typeof parts === 'string' ? parts : parts.map((part) => writeResultPart(part, index, lose)),
  };
}

function writeResultPart(part: BlockLike, index: number, lose: Lose): OpenAIResponsesPart {
  if (part.type === 'text') return { type: 'input_text', text: textOf(field(part, 'text')) };
  const media = writeMediaPart(part);
  if (!media) lose('result-media', index);
  else if (hasOtherMediaFields(part) || losesTitle(part)) lose('block-fields', index);
  return media ?? { type: 'input_text', text: mediaPlaceholder(part) };
}

function writePart(block: BlockLike, index: number, lose: Lose): OpenAIResponsesPart[] {
  if (block.type !== 'image' && block.type !== 'document') return writeText(block, index, lose);
  const media = writeMediaPart(block);
  if (!media) lose('media', index);
  else if (hasOtherMediaFields(block) || losesTitle(block)) lose('block-fields', index);
  return [media ?? { type: 'input_text', text: mediaPlaceholder(block) }];
}

function writeMediaPart(block: BlockLike): OpenAIResponsesPart | undefined {
  const media = readMedia(block);
  if (!media) return undefined;
  const { type, source, title = UNTITLED } = media;
  switch (source.kind) {
    case 'data': {
      const url = toDataUrl(source.mediaType, source.data);
      if (type === 'image') return { type: 'input_image', detail: 'auto', image_url: url };
      return { type: 'input_file', file_data: url, filename: title };
    }
    case 'url':
      if (type === 'image') return { type: 'input_image', detail: 'auto', image_url: source.url };
      return { type: 'input_file', file_url: source.url };
    case 'file':
      if (type === 'image') return { type: 'input_image', detail: 'auto', file_id: source.fileId };
      return { type: 'input_file', file_id: source.fileId };
    case 'text':
      return undefined;
  }
}
