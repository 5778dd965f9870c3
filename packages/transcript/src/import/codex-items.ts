import { recordOf } from '@varve/guards';
import {
  type Block,
  isText,
  type Message,
  type Origin,
  type ToolResultBlock,
} from '@varve/messages';
import type { ImportContext } from './context.ts';
import { argumentsOf, itemsOf, type JsonRecord, textOf, words, wordsOf } from './json.ts';
import { NO_SIGNATURE, outputOf, partsOf } from './openai-content.ts';

/** What one item of OpenAI's Responses format becomes. */
export type ItemContent =
  | { readonly kind: 'user'; readonly content: readonly Block[]; readonly origin?: Origin }
  | { readonly kind: 'assistant'; readonly content: readonly Block[] }
  | { readonly kind: 'result'; readonly block: ToolResultBlock; readonly origin?: Origin }
  | { readonly kind: 'unknown' };

/** The fields of an item that are of use. */
export const ITEM_FIELDS = words(
  'type role content summary encrypted_content name namespace arguments input call_id output tools action',
);

/** `place`: names a call that has no id of its own. */
export function readItem(item: JsonRecord, place: string): ItemContent {
  const type = textOf(item.type) ?? (item.role === undefined ? '' : 'message');
  if (type === 'message') return readMessage(item);
  if (type === 'reasoning') return { kind: 'assistant', content: [readReasoning(item)] };
  if (type === 'compaction') return { kind: 'assistant', content: [{ ...item, type }] };
  if (type.endsWith('_call_output') || type === 'tool_search_output') return readOutput(item, type);
  if (type.endsWith('_call')) return { kind: 'assistant', content: [readCall(item, type, place)] };
  return { kind: 'unknown' };
}

const INJECTED =
  /^\s*(<(environment_context|user_instructions|permissions|turn_aborted|collaboration_mode|skill|personality_spec)\b|# AGENTS\.md instructions)/;

function readMessage(item: JsonRecord): ItemContent {
  const content = partsOf(item.content);
  if (item.role === 'assistant') return { kind: 'assistant', content };
  const [first] = content;
  const isInjected = first !== undefined && isText(first) && INJECTED.test(first.text);
  if (item.role === 'user' && !isInjected) return { kind: 'user', content };
  return { kind: 'user', content, origin: { kind: 'reminder', role: textOf(item.role) ?? 'user' } };
}

/** A summary is all that the provider shows of its reasoning; what counts stands encrypted beside it. */
function readReasoning(item: JsonRecord): Block {
  const parts = [...itemsOf(item.summary), ...itemsOf(item.content)];
  const texts = parts.map((part) => textOf(recordOf(part).text) ?? wordsOf(part));
  const thinking = texts.filter((text) => text !== '').join('\n\n');
  return { type: 'thinking', thinking, signature: textOf(item.encrypted_content) ?? NO_SIGNATURE };
}

const CALL_FIELDS = new Set([
  'type',
  'id',
  'call_id',
  'status',
  'execution',
  'internal_chat_message_metadata_passthrough',
]);

function readCall(item: JsonRecord, type: string, place: string): Block {
  const id = textOf(item.call_id) ?? textOf(item.id) ?? place;
  const name = textOf(item.name) ?? type.slice(0, -'_call'.length);
  const namespace = textOf(item.namespace);
  const rest = Object.entries(item).filter(([field]) => !CALL_FIELDS.has(field));
  const input =
    item.arguments === undefined && item.input === undefined
      ? Object.fromEntries(rest)
      : argumentsOf(item.arguments ?? item.input);
  return { type: 'tool_use', id, name, input, ...(namespace === undefined ? {} : { namespace }) };
}

/** Found tools are no output of a tool: they join the tools of the head, so the result is not counted as recorded. */
function readOutput(item: JsonRecord, type: string): ItemContent {
  const output = type === 'tool_search_output' ? item.tools : item.output;
  const content = type === 'tool_search_output' ? JSON.stringify(output ?? []) : outputOf(output);
  const block = { type: 'tool_result', tool_use_id: textOf(item.call_id) ?? '', content } as const;
  if (type !== 'tool_search_output') return { kind: 'result', block };
  return { kind: 'result', block, origin: { kind: 'synthetic', of: type } };
}

/** Calls that the provider answers itself: no item of the history holds their result. */
export const isAnsweredByProvider = (type: unknown): boolean =>
  type === 'web_search_call' ||
  type === 'image_generation_call' ||
  type === 'code_interpreter_call';

/** The messages that stand for everything before a compaction. */
export function readReplacement(
  history: unknown,
  place: string,
  context: ImportContext,
): Message[] {
  return context.records(history, 'replacement_history').flatMap((item, index): Message[] => {
    const read = readItem(item, `${place}-${index}`);
    if (read.kind === 'unknown' || read.kind === 'result') {
      context.unused(`replacement_history/${textOf(item.type) ?? 'unknown'}`);
      return [];
    }
    const origin = item.type === 'compaction' ? { origin: { kind: 'summary' } as const } : {};
    const ownOrigin =
      read.kind === 'user' && read.origin !== undefined ? { origin: read.origin } : {};
    return [
      { id: `${place}-${index}`, role: read.kind, content: read.content, ...origin, ...ownOrigin },
    ];
  });
}
