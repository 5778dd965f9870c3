import { isRecord, listOf, recordOf } from '@varve/guards';
import type { Block, JsonObject, Marker, Message, Request, TextBlock, Tool } from '@varve/messages';

/**
 * Reads a body of the Messages API. `cache_control` leaves the blocks, because it is no part of the prefix, and becomes
 * markers.
 */
export function readRequest(body: JsonObject): Request {
  const tools = unmark(listOf(body.tools).filter(isRecord));
  const system = unmark(systemBlocks(body.system));
  const messages = listOf(body.messages).filter(isRecord).map(readMessage);
  const { cache_control: _automatic, context_management, compaction } = body;
  const server = {
    ...(context_management != null && { context_management }),
    ...(compaction != null && { compaction }),
  };
  return {
    head: {
      id: 'head',
      model: String(body.model),
      system: system.parts as unknown as TextBlock[],
      tools: tools.parts as unknown as Tool[],
      params: paramsOf(body),
    },
    messages: messages.map(({ message }) => message),
    markers: [
      ...headMarkers('tools', tools),
      ...headMarkers('system', system),
      ...messages.flatMap(({ marks }, messageIndex) =>
        marks.map(
          ({ index, ttl }): Marker => ({ at: 'message', messageIndex, blockIndex: index, ...ttl }),
        ),
      ),
    ],
    ...(Object.keys(server).length > 0 && { server }),
    maxOutputTokens: typeof body.max_tokens === 'number' ? Math.max(1, body.max_tokens) : 1,
  };
}

interface Marked {
  readonly parts: readonly Record<string, unknown>[];
  readonly marks: readonly { readonly index: number; readonly ttl: { ttl?: '5m' | '1h' } }[];
}

function unmark(parts: readonly Readonly<Record<string, unknown>>[]): Marked {
  const marks: Marked['marks'][number][] = [];
  const bare = parts.map((part, index) => {
    if (part.cache_control == null) return part;
    const { cache_control: control, ...rest } = part;
    marks.push({ index, ttl: ttlOf(control) });
    return rest;
  });
  return { parts: bare, marks };
}

function ttlOf(control: unknown): { ttl?: '5m' | '1h' } {
  const { ttl } = recordOf(control);
  return ttl === '1h' || ttl === '5m' ? { ttl } : {};
}

function systemBlocks(system: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof system === 'string') return system === '' ? [] : [{ type: 'text', text: system }];
  return listOf(system).filter(isRecord);
}

function readMessage(message: Readonly<Record<string, unknown>>) {
  const { role, content } = message;
  const blocks =
    typeof content === 'string'
      ? content === ''
        ? []
        : [{ type: 'text', text: content }]
      : listOf(content).map((block) => (isRecord(block) ? block : { type: '' }));
  const { parts, marks } = unmark(blocks.map(withoutInnerMarkers));
  const plain = { id: '', role, content: parts as unknown as readonly Block[] };
  return { message: plain as unknown as Message, marks };
}

/** What stands inside of a result carries markers that write nothing here, and that are no part of the prefix either. */
function withoutInnerMarkers(block: Readonly<Record<string, unknown>>) {
  if (block.type !== 'tool_result') return block;
  const content = listOf(block.content).filter(isRecord);
  if (!content.some((part) => part.cache_control != null)) return block;
  return { ...block, content: unmark(content).parts };
}

const headMarkers = (at: 'tools' | 'system', { parts, marks }: Marked): Marker[] =>
  marks.map(({ index, ttl }) => ({
    at,
    ...(index < parts.length - 1 && { blockIndex: index }),
    ...ttl,
  }));

/** Everything beside the prompt that the prefix may depend on. */
function paramsOf(body: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => value !== undefined && !OUTSIDE.includes(name)),
  );
}

const OUTSIDE = [
  'model',
  'max_tokens',
  'messages',
  'system',
  'tools',
  'stream',
  'stop_sequences',
  'diagnostics',
  'metadata',
  'context_management',
  'compaction',
];

/** Consecutive messages of one role are one turn to the provider; markers are not carried over. An empty one stays. */
export function mergeTurns(messages: readonly Message[]): readonly Message[] {
  const merges = (message: Message, before: Message | undefined) =>
    message.role === before?.role &&
    message.role !== 'system' &&
    message.content.length > 0 &&
    before.content.length > 0;
  if (!messages.some((message, index) => merges(message, messages[index - 1]))) return messages;
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last && merges(message, last)) {
      merged[merged.length - 1] = { ...last, content: [...last.content, ...message.content] };
    } else merged.push(message);
  }
  return merged;
}
