import type { Fields } from '@varve/guards';
import { fingerprint } from '../fingerprint.ts';
import { type BlockLike, type MessageLike, safeBlocksOf } from '../like.ts';
import type { Block, Role } from '../types.ts';
import { pairId } from '../validity-pairs.ts';
import type { AnthropicMessage } from './anthropic-types.ts';
import { acceptsAnthropicId, wireId } from './call.ts';
import {
  type Conversion,
  createMemo,
  type Lose,
  type Loss,
  oneByOne,
  type PlainMessage,
} from './conversion.ts';
import { hasOtherFields } from './fields.ts';
import { isPassedItem } from './openai-responses-items.ts';

/** Both directions of one conversion; each remembers what it converted, by reference. */
export interface AnthropicConverter {
  to(messages: readonly MessageLike[]): Conversion<AnthropicMessage>;
  from(messages: readonly MessageLike[]): Conversion<PlainMessage>;
}

/** A converter for a history that grows: each call reads only the messages it has not seen. */
export function createAnthropicConverter(): AnthropicConverter {
  return {
    to: createWriter(),
    from: createMemo({ groupEnd: oneByOne, convert: readMessage }),
  };
}

/** Our messages as Anthropic's API takes them: role and content alone, with ids it accepts. */
export const toAnthropic: AnthropicConverter['to'] = (messages) =>
  createAnthropicConverter().to(messages);

/** Anthropic's messages as ours, without ids: text content becomes a block. */
export const fromAnthropic: AnthropicConverter['from'] = (messages) =>
  createAnthropicConverter().from(messages);

function readMessage(
  [message]: readonly MessageLike[],
  { lose }: { readonly lose: Lose },
): PlainMessage[] {
  if (!message) return [];
  if (hasOtherFields(message, ['role', 'content'])) lose('message-fields');
  const content = safeBlocksOf(message);
  if (content.length === 0) lose('message');
  return content.length === 0
    ? []
    : [{ role: message.role as Role, content: content as readonly Block[] }];
}

interface Written {
  readonly messages: readonly AnthropicMessage[];
  /** Places count from the message. */
  readonly losses: readonly Loss[];
}

/** Ids that an earlier turn used have to change as well, because Anthropic wants them unique in a request. */
function createWriter(): AnthropicConverter['to'] {
  const known = createWrittenMemory();
  const idsOf = createIdReader();
  return (messages) => {
    const uses = new Map<string, number>();
    const converted: AnthropicMessage[] = [];
    const losses: Loss[] = [];
    for (const [messageIndex, message] of messages.entries()) {
      const { calls, all } = idsOf(message);
      for (const id of calls) uses.set(id, (uses.get(id) ?? 0) + 1);
      const written = known(message, renames(all, uses));
      converted.push(...written.messages);
      for (const loss of written.losses) losses.push({ ...loss, messageIndex });
    }
    return { messages: converted, losses };
  };
}

/** By message and new names: the same message may need other ids after an edit before it. */
function createWrittenMemory() {
  const memory = new WeakMap<MessageLike, Map<string, Written>>();
  return (message: MessageLike, names: ReadonlyMap<string, string>): Written => {
    const byNames = memory.get(message) ?? new Map<string, Written>();
    const key = [...names.values()].join();
    const written = byNames.get(key) ?? writeMessage(message, names);
    memory.set(message, byNames.set(key, written));
    return written;
  };
}

/** The ids of calls, and of calls and results, in a message; each message is read once. */
function createIdReader() {
  const known = new WeakMap<
    MessageLike,
    { calls: ReadonlySet<string>; all: ReadonlySet<string> }
  >();
  return (message: MessageLike) => {
    const found = known.get(message) ?? readIds(message);
    known.set(message, found);
    return found;
  };
}

function readIds(message: MessageLike) {
  const calls = new Set<string>();
  const all = new Set<string>();
  for (const block of safeBlocksOf(message)) {
    const call = pairId(block, 'tool_use', 'id');
    if (call !== undefined) calls.add(call);
    const id = call ?? pairId(block, 'tool_result', 'tool_use_id');
    if (id !== undefined) all.add(id);
  }
  return { calls, all };
}

function renames(ids: ReadonlySet<string>, uses: ReadonlyMap<string, number>): Map<string, string> {
  const names = new Map<string, string>();
  for (const id of ids) {
    const use = uses.get(id) ?? 1;
    const name = use > 1 ? `call_${fingerprint(`${id} ${use}`)}` : wireId(id, acceptsAnthropicId);
    if (name !== id) names.set(id, name);
  }
  return names;
}

function writeMessage(message: MessageLike, names: ReadonlyMap<string, string>): Written {
  const losses: Loss[] = [];
  const content = safeBlocksOf(message).flatMap((block, blockIndex) => {
    const lose = (kind: 'block' | 'thinking' | 'call-id') =>
      void losses.push({ kind, messageIndex: 0, blockIndex });
    if (block.type === '' || isPassedItem(block)) {
      lose((block as BlockLike).type === 'reasoning' ? 'thinking' : 'block');
      return [];
    }
    const written = rename(block, names);
    if (written !== block) lose('call-id');
    return [written];
  });
  if (content.length === 0) losses.push({ kind: 'message', messageIndex: 0 });
  const { role } = message;
  const messages = content.length === 0 ? [] : [{ role, content } as unknown as AnthropicMessage];
  return { messages, losses };
}

function rename(block: BlockLike, names: ReadonlyMap<string, string>): BlockLike {
  const call = pairId(block, 'tool_use', 'id');
  const id = call ?? pairId(block, 'tool_result', 'tool_use_id');
  const name = id === undefined ? undefined : names.get(id);
  if (name === undefined) return block;
  const changed: Fields = call === undefined ? { tool_use_id: name } : { id: name };
  return { ...block, ...changed };
}
