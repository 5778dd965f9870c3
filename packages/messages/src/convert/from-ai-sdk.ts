import { type Fields, isRecord, listOf, recordOf, textOf } from '@varve/guards';
import { orRefuse } from '../stable-json.ts';
import type { Block } from '../types.ts';
import type { AISDKMessageLike } from './ai-sdk-types.ts';
import type { ConvertContext, Lose, PlainMessage } from './conversion.ts';
import { hasOtherFields } from './fields.ts';
import { type MediaSource, sourceOfUrl, writeMedia } from './media.ts';

/** A model message, or a run of tool messages with the user message behind it, as one of ours. */
export function readModelGroup(
  group: readonly AISDKMessageLike[],
  { lose }: ConvertContext<AISDKMessageLike>,
): PlainMessage[] {
  const content = group.flatMap((message, offset) => {
    const fields = recordOf(message);
    const loseHere: Lose = (kind, blockIndex) => lose(kind, blockIndex, offset);
    if (hasOtherFields(fields, ['role', 'content'])) loseHere('message-fields');
    return readContent(fields.content, loseHere);
  });
  if (content.length === 0) {
    lose('message');
    return [];
  }
  const role = group.at(-1)?.role;
  return [{ role: role === 'assistant' || role === 'system' ? role : 'user', content }];
}

function readContent(content: unknown, lose: Lose): Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return listOf(content).flatMap((part, index) =>
    readPart(recordOf(part), (kind) => lose(kind, index)),
  );
}

function readPart(part: Fields, lose: Lose): Block[] {
  const type = textOf(part.type);
  const known = PART_FIELDS.get(type);
  if (known && hasOtherFields(part, known)) lose('block-fields');
  switch (type) {
    case 'text':
      return [{ type: 'text', text: textOf(part.text) }];
    case 'reasoning':
      return readReasoning(part, lose);
    case 'tool-call':
      return [readCall(part)];
    case 'tool-result':
      return [readResult(part, lose)];
    case 'image':
      return readFile({ mediaType: 'image', ...part, data: part.image }, lose);
    case 'file':
      return readFile(part, lose);
    default:
      lose('block');
      return [];
  }
}

const PART_FIELDS = new Map([
  ['text', ['type', 'text']],
  ['tool-call', ['type', 'toolCallId', 'toolName', 'input']],
  ['tool-result', ['type', 'toolCallId', 'toolName', 'output']],
]);

const readCall = ({ toolCallId, toolName, input }: Fields): Block => ({
  type: 'tool_use',
  id: textOf(toolCallId),
  name: textOf(toolName),
  input,
});

/** Thinking of Anthropic's models comes with its seal; that of others cannot be sent back. */
function readReasoning(part: Fields, lose: Lose): Block[] {
  const { signature, redactedData } = recordOf(recordOf(part.providerOptions).anthropic);
  if (typeof redactedData === 'string') return [{ type: 'redacted_thinking', data: redactedData }];
  if (typeof signature === 'string') {
    return [{ type: 'thinking', thinking: textOf(part.text), signature }];
  }
  lose('thinking');
  return [];
}

function readResult(part: Fields, lose: Lose): Block {
  const output = recordOf(part.output);
  if (hasOtherFields(output, ['type', 'value', 'reason'])) lose('block-fields');
  const result = { type: 'tool_result', tool_use_id: textOf(part.toolCallId) };
  const { type, value } = output;
  switch (type) {
    case 'text':
      return { ...result, content: textOf(value) };
    case 'error-text':
      return { ...result, content: textOf(value), is_error: true };
    case 'content':
      return { ...result, content: readContent(value, lose) };
    case 'execution-denied':
      return { ...result, content: textOf(output.reason) || DENIED, is_error: true };
    default:
      lose('block-fields');
      return {
        ...result,
        content: orRefuse(() => JSON.stringify(value) ?? ''),
        ...(type === 'error-json' && { is_error: true }),
      };
  }
}

const DENIED = 'The call was not allowed to run.';

function readFile(part: Fields, lose: Lose): Block[] {
  const { mediaType, filename } = part;
  const source = readData(part.data, textOf(mediaType));
  if (!source) {
    lose('media');
    return [];
  }
  if (hasOtherFields(part, ['type', 'mediaType', 'data', 'image', 'filename']))
    lose('block-fields');
  const type = textOf(mediaType).startsWith('image') ? 'image' : 'document';
  return [writeMedia({ type, source, ...(typeof filename === 'string' && { title: filename }) })];
}

/** Bytes that are not text yet are not read: base64 is what our blocks hold. */
function readData(data: unknown, mediaType: string): MediaSource | undefined {
  if (data instanceof URL) return sourceOfUrl(data.href);
  if (typeof data === 'string') return readText(data, mediaType);
  if (!isRecord(data)) return undefined;
  switch (data.type) {
    case 'data':
      return typeof data.data === 'string' ? readText(data.data, mediaType) : undefined;
    case 'url':
      return data.url instanceof URL ? sourceOfUrl(data.url.href) : undefined;
    case 'text':
      return { kind: 'text', text: textOf(data.text) };
    default:
      return readReference(recordOf(data.type === 'reference' ? data.reference : data));
  }
}

function readText(data: string, mediaType: string): MediaSource {
  const isUrl = /^(data|https?):/.test(data);
  return isUrl ? sourceOfUrl(data) : { kind: 'data', mediaType, data };
}

function readReference({ anthropic }: Fields): MediaSource | undefined {
  return typeof anthropic === 'string' ? { kind: 'file', fileId: anthropic } : undefined;
}
