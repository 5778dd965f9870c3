import { textOf } from '@varve/guards';
import { type BlockLike, field, type MessageLike, safeBlocksOf } from '../like.ts';
import type {
  AISDKAssistantPart,
  AISDKFilePart,
  AISDKMessage,
  AISDKResultPart,
  AISDKTextPart,
  AISDKUserPart,
} from './ai-sdk-types.ts';
import type { ConvertContext, Lose } from './conversion.ts';
import { hasOtherFields } from './fields.ts';
import {
  hasOtherMediaFields,
  type Media,
  type MediaSource,
  mediaPlaceholder,
  readMedia,
} from './media.ts';
import { checkOrder, resultParts } from './results.ts';
import { carriedText } from './text.ts';

/** One of our messages as the AI SDK has it: results become a tool message before what else the user says. */
export function writeModelMessages(
  [message]: readonly MessageLike[],
  context: ConvertContext<MessageLike>,
): AISDKMessage[] {
  if (!message) return [];
  const written = writeByRole(message, context);
  if (written.length === 0) context.lose('message');
  return written;
}

function writeByRole(
  message: MessageLike,
  { lose, caller }: ConvertContext<MessageLike>,
): AISDKMessage[] {
  const blocks = safeBlocksOf(message);
  if (message.role === 'assistant') {
    const parts = blocks.flatMap((block, index) => writeAssistantPart(block, index, lose));
    return parts.length === 0 ? [] : [{ role: 'assistant', content: parts }];
  }
  if (message.role === 'system') return writeSystem(blocks, lose);
  checkOrder(message, (block) => block.type !== 'tool_result', lose);
  const results: AISDKResultPart[] = [];
  const parts: AISDKUserPart[] = [];
  for (const [index, block] of blocks.entries()) {
    if (block.type === 'tool_result') results.push(writeResult(block, index, { lose, caller }));
    else parts.push(...writeUserPart(block, index, lose));
  }
  return [
    ...(results.length > 0 ? [{ role: 'tool' as const, content: results }] : []),
    ...(parts.length > 0 ? [{ role: 'user' as const, content: parts }] : []),
  ];
}

/** The SDK's system messages hold one text. */
function writeSystem(blocks: readonly BlockLike[], lose: Lose): AISDKMessage[] {
  const parts = blocks.flatMap((block, index) => writeText(block, index, lose));
  if (parts.length > 1) lose('block-fields');
  const content = parts.map(({ text }) => text).join('\n\n');
  return parts.length === 0 ? [] : [{ role: 'system', content }];
}

const writeText = (block: BlockLike, index: number, lose: Lose): AISDKTextPart[] =>
  carriedText(block, index, lose).map((text) => ({ type: 'text', text }));

function writeAssistantPart(block: BlockLike, index: number, lose: Lose): AISDKAssistantPart[] {
  const known = PART_FIELDS.get(block.type);
  if (known && hasOtherFields(block, known)) lose('block-fields', index);
  const text = (name: string) => textOf(field(block, name));
  switch (block.type) {
    case 'thinking':
      return [reasoning(text('thinking'), { signature: text('signature') })];
    case 'redacted_thinking':
      return [reasoning('', { redactedData: text('data') })];
    case 'tool_use': {
      const input = field(block, 'input');
      return [{ type: 'tool-call', toolCallId: text('id'), toolName: text('name'), input }];
    }
    default:
      return writeText(block, index, lose);
  }
}

const PART_FIELDS = new Map([
  ['thinking', ['type', 'thinking', 'signature']],
  ['redacted_thinking', ['type', 'data']],
  ['tool_use', ['type', 'id', 'name', 'input']],
]);

const reasoning = (
  text: string,
  anthropic: { signature: string } | { redactedData: string },
): AISDKAssistantPart => ({ type: 'reasoning', text, providerOptions: { anthropic } });

function writeUserPart(block: BlockLike, index: number, lose: Lose): AISDKUserPart[] {
  if (block.type !== 'image' && block.type !== 'document') return writeText(block, index, lose);
  const file = writeFile(block);
  if (!file) lose('media', index);
  else if (losesFile(block, file)) lose('block-fields', index);
  return [file ?? { type: 'text', text: mediaPlaceholder(block) }];
}

interface ResultContext {
  readonly lose: Lose;
  readonly caller: MessageLike | undefined;
}

function writeResult(
  block: BlockLike,
  index: number,
  { lose, caller }: ResultContext,
): AISDKResultPart {
  const toolCallId = textOf(field(block, 'tool_use_id'));
  const call =
    caller &&
    safeBlocksOf(caller).find(
      (each) => each.type === 'tool_use' && field(each, 'id') === toolCallId,
    );
  const toolName = call ? textOf(field(call, 'name')) : '';
  const failed = field(block, 'is_error') === true;
  const isText = typeof field(block, 'content') === 'string';
  // the SDK marks failed texts, so only failed content loses the mark
  const parts = resultParts(failed && isText ? withoutMark(block) : block, index, lose);
  const output: AISDKResultPart['output'] =
    typeof parts === 'string'
      ? { type: failed && isText ? 'error-text' : 'text', value: parts }
      : { type: 'content', value: parts.map((part) => writeResultPart(part, index, lose)) };
  return { type: 'tool-result', toolCallId, toolName, output };
}

const withoutMark = (block: BlockLike): BlockLike =>
  ({ ...block, is_error: undefined }) as BlockLike;

function writeResultPart(
  part: BlockLike,
  index: number,
  lose: Lose,
): AISDKTextPart | AISDKFilePart {
  if (part.type === 'text') return { type: 'text', text: textOf(field(part, 'text')) };
  const file = writeFile(part);
  if (!file) lose('result-media', index);
  else if (losesFile(part, file)) lose('block-fields', index);
  return file ?? { type: 'text', text: mediaPlaceholder(part) };
}

function writeFile(block: BlockLike): AISDKFilePart | undefined {
  const media = readMedia(block);
  const data = media && writeData(media.source);
  if (!data) return undefined;
  const name = media.title === undefined ? {} : { filename: media.title };
  return { type: 'file', mediaType: mediaTypeOf(media), data, ...name };
}

function writeData(source: MediaSource): AISDKFilePart['data'] | undefined {
  switch (source.kind) {
    case 'data':
      return { type: 'data', data: source.data };
    case 'url':
      return URL.canParse(source.url) ? { type: 'url', url: new URL(source.url) } : undefined;
    case 'file':
      return { type: 'reference', reference: { anthropic: source.fileId } };
    case 'text':
      return { type: 'text', text: source.text };
  }
}

function mediaTypeOf({ type, source }: Media): string {
  if (source.kind === 'data') return source.mediaType;
  if (source.kind === 'text') return 'text/plain';
  return type === 'image' ? 'image' : 'application/pdf';
}

/** A URL is written in its normal form, and a picture is told from a document by its media type alone. */
function losesFile(block: BlockLike, { data, mediaType }: AISDKFilePart): boolean {
  const media = readMedia(block);
  const isNormal =
    data.type !== 'url' || (media?.source.kind === 'url' && data.url.href === media.source.url);
  const isTold = mediaType.startsWith('image') === (block.type === 'image');
  return hasOtherMediaFields(block) || !isNormal || !isTold;
}
