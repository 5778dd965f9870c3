import { type Fields, isRecord, listOf, recordOf, textOf } from '@varve/guards';
import type { Block } from '../types.ts';
import { readArguments } from './call.ts';
import type { ConvertContext, Lose, PlainMessage } from './conversion.ts';
import { hasOtherFields } from './fields.ts';
import { type MediaSource, sourceOfUrl, UNTITLED, writeMedia } from './media.ts';
import { isPassedItem, isPassedOutput } from './openai-responses-items.ts';
import type { OpenAIResponsesItemLike } from './openai-responses-types.ts';
import { resultGroupEnd } from './results.ts';

/** A run of what the model wrote is one message; so is a run of outputs with the user message behind it. */
export function responsesGroupEnd(
  items: readonly OpenAIResponsesItemLike[],
  start: number,
): number {
  let end = start;
  while (end < items.length && sideOf(items[end]) === 'assistant') end++;
  if (end > start) return end;
  return resultGroupEnd(items, start, {
    isResult: (item) => sideOf(item) === 'output',
    isUser: (item) => sideOf(item) === 'user',
  });
}

type Side = 'assistant' | 'output' | 'user' | 'system';

function sideOf(item: OpenAIResponsesItemLike | undefined): Side {
  const { type, role } = recordOf(item);
  if (type == null || type === 'message') {
    if (role === 'assistant') return 'assistant';
    return role === 'system' || role === 'developer' ? 'system' : 'user';
  }
  if (OUTPUTS.includes(type) || isPassedOutput(item)) return 'output';
  return 'assistant';
}

const OUTPUTS: readonly unknown[] = ['function_call_output', 'custom_tool_call_output'];

export function readResponsesGroup(
  group: readonly OpenAIResponsesItemLike[],
  { lose }: ConvertContext<OpenAIResponsesItemLike>,
): PlainMessage[] {
  const content = group.flatMap((item, offset) =>
    readItem(item, (kind, blockIndex) => lose(kind, blockIndex, offset)),
  );
  if (content.length === 0) {
    lose('message');
    return [];
  }
  const side = sideOf(group.at(-1));
  return [{ role: side === 'output' ? 'user' : side, content }];
}

function readItem(item: OpenAIResponsesItemLike, lose: Lose): Block[] {
  const fields = recordOf(item);
  switch (fields.type) {
    case undefined:
    case null:
    case 'message':
      return readMessage(fields, lose);
    case 'function_call':
      if (hasOtherFields(fields, [...CALL_FIELDS, 'arguments'])) lose('block-fields');
      return [readCall(fields, readArguments(textOf(fields.arguments)))];
    case 'custom_tool_call':
      lose('block-fields');
      return [readCall(fields, textOf(fields.input))];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [readOutput(fields, lose)];
    default:
      if (isPassedItem(item)) return [item as unknown as Block];
      lose('block');
      return [];
  }
}

function readMessage(fields: Fields, lose: Lose): Block[] {
  const isMessage = typeof fields.role === 'string';
  if (!isMessage) lose('block');
  else if (hasOtherFields(fields, MESSAGE_FIELDS)) lose('message-fields');
  return isMessage ? readContent(fields.content, lose) : [];
}

const MESSAGE_FIELDS = ['type', 'id', 'status', 'role', 'content'];

const CALL_FIELDS = ['type', 'id', 'status', 'call_id', 'name'];

function readCall({ call_id: id, name }: Fields, input: unknown): Block {
  return { type: 'tool_use', id: textOf(id), name: textOf(name), input };
}

function readOutput(fields: Fields, lose: Lose): Block {
  const custom = fields.type === 'custom_tool_call_output';
  const others = hasOtherFields(fields, ['type', 'id', 'status', 'call_id', 'output']);
  if (custom || others) lose('block-fields');
  const output = fields.output;
  return {
    type: 'tool_result',
    tool_use_id: textOf(fields.call_id),
    content: typeof output === 'string' ? output : readContent(output, lose),
  };
}

function readContent(content: unknown, lose: Lose): Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return listOf(content).flatMap((part, index) =>
    isRecord(part) ? readPart(part, index, lose) : [],
  );
}

function readPart(part: Fields, index: number, lose: Lose): Block[] {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
      if (hasOtherText(part)) lose('block-fields', index);
      return [{ type: 'text', text: textOf(part.text) }];
    case 'refusal':
      lose('refusal', index);
      return [{ type: 'text', text: textOf(part.refusal) }];
    case 'input_image':
      if (hasOtherFields(part, ['type', 'image_url', 'file_id', 'detail']) || !isAuto(part)) {
        lose('block-fields', index);
      }
      return [writeMedia({ type: 'image', source: sourceOf(part, 'image_url') })];
    case 'input_file':
      if (hasOtherFields(part, FILE_FIELDS) || !isAuto(part)) lose('block-fields', index);
      return [readFile(part)];
    default:
      lose('block', index);
      return [];
  }
}

const FILE_FIELDS = ['type', 'file_data', 'file_url', 'file_id', 'filename', 'detail'];

const isAuto = ({ detail }: Fields): boolean => detail == null || detail === 'auto';

/** Empty lists of annotations come with every output text and say nothing. */
function hasOtherText(part: Fields): boolean {
  const lists = [...listOf(part.annotations), ...listOf(part.logprobs)];
  return lists.length > 0 || hasOtherFields(part, ['type', 'text', 'annotations', 'logprobs']);
}

function sourceOf(part: Fields, urlField: string): MediaSource {
  const { file_id: fileId } = part;
  return typeof fileId === 'string'
    ? { kind: 'file', fileId }
    : sourceOfUrl(textOf(part[urlField]));
}

function readFile(part: Fields): Block {
  const { filename } = part;
  const named = typeof filename === 'string' && filename !== UNTITLED;
  const source = sourceOf(part, typeof part.file_url === 'string' ? 'file_url' : 'file_data');
  return writeMedia({ type: 'document', source, ...(named && { title: filename }) });
}
