import { type Fields, listOf, recordOf, textOf } from '@varve/guards';
import type { Block } from '../types.ts';
import { readArguments } from './call.ts';
import type { ConvertContext, Lose, PlainMessage } from './conversion.ts';
import { hasOtherFields } from './fields.ts';
import { sourceOfUrl, UNTITLED, writeMedia } from './media.ts';
import type { OpenAIChatMessageLike } from './openai-chat-types.ts';

/** A message of Chat Completions, or a run of tool messages with the user message behind it, as one of ours. */
export function readChatGroup(
  group: readonly OpenAIChatMessageLike[],
  { lose }: ConvertContext<OpenAIChatMessageLike>,
): PlainMessage[] {
  const content = group.flatMap((message, offset) =>
    readMessage(message as unknown as Fields, (kind, blockIndex) => lose(kind, blockIndex, offset)),
  );
  if (content.length === 0) {
    lose('message');
    return [];
  }
  return [{ role: roleOf(group.at(-1)?.role), content }];
}

function roleOf(role: string | undefined): PlainMessage['role'] {
  if (role === 'assistant') return 'assistant';
  return role === 'system' || role === 'developer' ? 'system' : 'user';
}

function readMessage(message: Fields, lose: Lose): Block[] {
  const { role } = message;
  const known = ['role', 'content', ...(KNOWN.get(role) ?? [])];
  if (hasOtherFields(message, known)) lose('message-fields');
  if (role === 'tool') return [readResult(message, lose)];
  const parts = readContent(message.content, lose);
  if (role !== 'assistant') return parts;
  const refusal = message.refusal;
  if (typeof refusal === 'string') lose('refusal');
  const calls = listOf(message.tool_calls).map((call) => readCall(recordOf(call), lose));
  return [
    ...parts,
    ...(typeof refusal === 'string' ? [{ type: 'text', text: refusal }] : []),
    ...calls,
  ];
}

const KNOWN = new Map<unknown, readonly string[]>([
  ['assistant', ['tool_calls', 'refusal']],
  ['tool', ['tool_call_id']],
]);

function readResult(message: Fields, lose: Lose): Block {
  const content = message.content;
  return {
    type: 'tool_result',
    tool_use_id: textOf(message.tool_call_id),
    content: typeof content === 'string' ? content : readContent(content, lose),
  };
}

function readContent(content: unknown, lose: Lose): Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return listOf(content).flatMap((part, index) => readPart(recordOf(part), index, lose));
}

function readPart(part: Fields, index: number, lose: Lose): Block[] {
  if (hasOtherFields(part, ['type', textOf(part.type)])) lose('block-fields', index);
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: textOf(part.text) }];
    case 'refusal':
      lose('refusal', index);
      return [{ type: 'text', text: textOf(part.refusal) }];
    case 'image_url': {
      const image = recordOf(part.image_url);
      if (hasOtherFields(image, ['url'])) lose('block-fields', index);
      return [writeMedia({ type: 'image', source: sourceOfUrl(textOf(image.url)) })];
    }
    case 'file':
      return [readFile(recordOf(part.file))];
    default:
      lose('block', index);
      return [];
  }
}

function readFile({ file_id: fileId, file_data: data, filename }: Fields): Block {
  const source =
    typeof fileId === 'string' ? { kind: 'file' as const, fileId } : sourceOfUrl(textOf(data));
  return writeMedia({
    type: 'document',
    source,
    ...(typeof filename === 'string' && filename !== UNTITLED && { title: filename }),
  });
}

function readCall(call: Fields, lose: Lose): Block {
  const isCustom = call.type === 'custom';
  const body = recordOf(isCustom ? call.custom : call.function);
  const text = textOf(isCustom ? body.input : body.arguments);
  if (isCustom || hasOtherFields(call, ['id', 'type', 'function'])) lose('block-fields');
  return {
    type: 'tool_use',
    id: textOf(call.id),
    name: textOf(body.name),
    input: isCustom ? text : readArguments(text),
  };
}
