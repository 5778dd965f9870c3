import { type Fields, isRecord, listOf, recordOf, textOf } from '@varve/guards';
import { type Block, fingerprint, type Usage } from '@varve/messages';
import { brokenOff } from '../broken-off.ts';
import { createBlocks } from '../stream/blocks.ts';
import type { Fold } from '../stream/exchange.ts';
import type { ModelEvent } from '../types.ts';
import { chatStopReason } from './stop-reason.ts';
import { argumentsText } from './tools.ts';
import { chatUsage } from './usage.ts';

/**
 * Assembles the chunks of a chat completion. The answer is whole once a finish reason was given. Thinking that compatible
 * servers send becomes a thinking block without a signature.
 */
export function createChatFold(): Fold<unknown> {
  const parts = createParts();
  let id = '';
  let model = '';
  let usage: Usage | undefined;
  let word: string | undefined;
  const start = (chunk: Fields): ModelEvent[] => {
    // Azure sends its check of the prompt first, in a chunk without a name or a choice
    if (id !== '' || (textOf(chunk.id) === '' && listOf(chunk.choices).length === 0)) return [];
    id = textOf(chunk.id) || 'unnamed';
    model = textOf(chunk.model);
    return [{ type: 'response-start', id, model }];
  };
  return {
    get usage() {
      return usage;
    },
    read(event) {
      const chunk = recordOf(event);
      const choice = firstChoice(chunk);
      if (isRecord(chunk.usage)) usage = chatUsage(chunk.usage);
      const events = [...start(chunk), ...parts.read(recordOf(choice.delta), id)];
      const isLast = typeof choice.finish_reason === 'string' && word === undefined;
      if (!isLast) return events;
      word = textOf(choice.finish_reason);
      return [...events, ...parts.settle(chatStopReason(word, parts.hasCalls()))];
    },
    end() {
      if (word === undefined) throw brokenOff();
      return {
        id,
        model,
        stopReason: chatStopReason(word, parts.hasCalls()),
        providerStopReason: word,
        usage: usage ?? { input_tokens: 0, output_tokens: 0, provider_usage: null },
        ...parts.result(),
      };
    },
  };
}

/** Of several answers to one request only the first is read: chunks of all of them come mixed. */
const firstChoice = ({ choices }: Fields): Fields =>
  listOf(choices)
    .map(recordOf)
    .find(({ index }) => index == null || index === 0) ?? {};

/** The parts of a message in the order in which they came; texts end when another part begins, calls at the end. */
function createParts() {
  const blocks = createBlocks();
  const calls = createCallKeys();
  let text: { readonly kind: string; readonly key: string } | undefined;
  let started = 0;
  const closeText = () => {
    const events = text ? blocks.stop(text.key) : [];
    text = undefined;
    return events;
  };
  const readText = (kind: 'text' | 'thinking' | 'refusal', piece: string): ModelEvent[] => {
    if (piece === '') return [];
    const isThinking = kind === 'thinking';
    const delta = isThinking
      ? { type: 'thinking_delta', thinking: piece }
      : { type: 'text_delta', text: piece };
    if (text?.kind === kind) return blocks.delta(text.key, delta);
    const block: Block = isThinking
      ? { type: 'thinking', thinking: '', signature: '' }
      : { type: 'text', text: '' };
    const closed = closeText();
    text = { kind, key: `${kind} ${started++}` };
    return [...closed, ...blocks.start(text.key, block), ...blocks.delta(text.key, delta)];
  };
  const readCall = (call: Fields, answerId: string): ModelEvent[] => {
    const { key, isNew, ordinal } = calls.keyOf(call);
    const { name, arguments: json } = recordOf(call.function);
    const piece = { type: 'input_json_delta', partial_json: argumentsText(json) };
    const delta = () => blocks.delta(key, piece);
    if (!isNew) return delta();
    const id = textOf(call.id) || `call_${fingerprint(`${answerId} ${ordinal}`)}`;
    const block = { type: 'tool_use', id, name: textOf(name), input: {} };
    return [...closeText(), ...blocks.start(key, block), ...delta()];
  };
  return {
    read: (delta: Fields, answerId: string): ModelEvent[] => [
      ...readText('thinking', plainText(delta.reasoning_content ?? delta.reasoning)),
      ...readText('text', plainText(delta.content)),
      ...readText('refusal', plainText(delta.refusal)),
      ...listOf(delta.tool_calls).flatMap((call) => readCall(recordOf(call), answerId)),
    ],
    settle: blocks.settle,
    result: blocks.result,
    hasCalls: () => calls.count() > 0,
  };
}

/** Text as it is, or the texts of a list of parts. */
const plainText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : listOf(value)
        .map((part) => textOf(recordOf(part).text))
        .join('');

/** Servers number the calls, or name each by its id, or send each whole under the same number. */
function createCallKeys() {
  const ids = new Map<
    unknown,
    { readonly id: string; readonly key: string; readonly ordinal: number }
  >();
  let count = 0;
  return {
    count: () => count,
    keyOf(call: Fields) {
      const slot = call.index ?? 'unnumbered';
      const id = textOf(call.id);
      const known = ids.get(slot);
      const isSame =
        known && (id === '' || id === known.id) && !(call.index == null && startsCall(call));
      if (isSame) return { ...known, isNew: false };
      const added = { id, key: `call ${count}`, ordinal: count++ };
      ids.set(slot, added);
      return { ...added, isNew: true };
    },
  };
}

const startsCall = (call: Fields): boolean => textOf(recordOf(call.function).name) !== '';
