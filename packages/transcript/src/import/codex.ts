import type { StopReason } from '@varve/messages';
import {
  ITEM_FIELDS,
  type ItemContent,
  isAnsweredByProvider,
  readItem,
  readReplacement,
} from './codex-items.ts';
import { createCodexUsage } from './codex-usage.ts';
import type { ImportContext } from './context.ts';
import type { Importer } from './importer.ts';
import {
  countOf,
  isRecord,
  type JsonRecord,
  recordOf,
  textOf,
  timeOf,
  words,
  wordsOf,
} from './json.ts';
import { createThread } from './thread.ts';

interface Reply {
  readonly id: string;
  readonly model: string;
  stopReason: StopReason;
}

/** Codex: `{ timestamp, type, payload }` a line; `response_item` is what the model saw, the rest says when and at what cost. */
export function createCodex(context: ImportContext): Importer {
  const usage = createCodexUsage(context);
  const replies = new Map<string, Reply>();
  const thread = createThread({ id: 'main', context });
  let sessionId: string | undefined;
  let [model, turnId]: (string | undefined)[] = [];
  /** The reply that model items join: closed by anything the model did not write. */
  let open: string | undefined;
  let newest: string | undefined;
  const prompts: string[] = [];

  function addMeta(payload: JsonRecord, at: string | undefined): void {
    if (sessionId !== undefined) {
      context.unused('session_meta-repeated');
      return;
    }
    sessionId = textOf(payload.id) ?? context.name;
    const text = textOf(recordOf(payload.base_instructions).text);
    const system = text === undefined ? [] : [{ type: 'text', text } as const];
    context.unusedFields(payload, 'session_meta', META_FIELDS);
    model = textOf(payload.model);
    thread.head({ model: '', system, tools: [], params: {} }, at);
  }

  /** A compaction repeats the context of its turn: only another turn is a new one. */
  function addTurn(payload: JsonRecord, at: string | undefined): void {
    const next = textOf(payload.model);
    const effort =
      textOf(payload.effort) ??
      textOf(recordOf(recordOf(payload.collaboration_mode).settings).reasoning_effort);
    context.unusedFields(payload, 'turn_context', TURN_FIELDS);
    model = next ?? model;
    const id = textOf(payload.turn_id);
    if (id !== undefined && id === turnId) {
      context.unused('turn_context-repeated');
      return;
    }
    turnId = id;
    const facts = {
      ...(next === undefined ? {} : { model: next }),
      ...(effort === undefined ? {} : { effort }),
    };
    thread.note({ kind: 'turn-start', ...facts }, at);
  }

  function addPrompt(
    { content, origin }: Extract<ItemContent, { kind: 'user' }>,
    place: { id: string; at: string | undefined; line: number },
  ): void {
    const messageId = thread.user(content, { ...place, origin });
    if (messageId !== undefined && origin === undefined) prompts.push(messageId);
  }

  /** The user took back the last prompts and what came of them. */
  function rollBack(payload: JsonRecord, at: string | undefined): void {
    const [dropFromId] = prompts.splice(
      Math.max(0, prompts.length - (countOf(payload.num_turns) ?? 0)),
    );
    if (dropFromId !== undefined) thread.span({ reason: 'recorded-rewind', dropFromId, at });
    open = undefined;
  }

  function addItem(item: JsonRecord, line: number, at: string | undefined): void {
    const id = `L${line}`;
    const read = readItem(item, id);
    context.unusedFields(item, `response_item/${textOf(item.type) ?? 'message'}`, ITEM_FIELDS);
    if (read.kind === 'unknown') context.unused(`response_item/${textOf(item.type) ?? 'unknown'}`);
    else if (read.kind !== 'assistant') {
      open = undefined;
      if (read.kind === 'user') addPrompt(read, { id, at, line });
      else thread.result(read.block, { id, at, line, origin: read.origin });
    } else {
      if (open === undefined) {
        open = newest = id;
        const itemId = textOf(item.id) ?? textOf(item.call_id) ?? `${sessionId}:${id}`;
        replies.set(id, { id: itemId, model: model ?? '', stopReason: 'end_turn' });
      }
      const reply = replies.get(open);
      if (reply !== undefined && read.content.some(({ type }) => type === 'tool_use'))
        reply.stopReason = 'tool_use';
      thread.assistant(read.content, { id, at, line, group: open });
      if (isAnsweredByProvider(item.type)) closeProviderCall(read.content[0]?.id, id, at, line);
    }
  }

  function closeProviderCall(
    callId: unknown,
    id: string,
    at: string | undefined,
    line: number,
  ): void {
    const content = '[the provider ran this call itself and its output is not in the file]';
    const origin = { kind: 'synthetic' } as const;
    const block = { type: 'tool_result', tool_use_id: wordsOf(callId), content } as const;
    thread.result(block, { id: `${id}-result`, at, line, origin });
  }

  function addCompaction(payload: JsonRecord, line: number, at: string | undefined): void {
    open = undefined;
    prompts.length = 0;
    const replacement = readReplacement(payload.replacement_history, `L${line}`, context);
    const text = textOf(payload.message);
    const summary = { id: `L${line}`, role: 'user', origin: { kind: 'summary' } } as const;
    const summaries = text === undefined ? [] : [{ ...summary, content: [{ type: 'text', text }] }];
    context.unusedFields(payload, 'compacted', COMPACTED_FIELDS);
    const preTokens = usage.lastTokens();
    const receipt = { source: 'compacted', ...(preTokens === undefined ? {} : { preTokens }) };
    thread.span({ with: replacement.length > 0 ? replacement : summaries, receipt, at });
  }

  function addEvent(payload: JsonRecord, at: string | undefined): void {
    const type = textOf(payload.type) ?? 'unknown';
    if (!EVENTS.has(type)) {
      context.unused(`event_msg/${type}`);
      return;
    }
    context.unusedFields(payload, `event_msg/${type}`, EVENT_FIELDS);
    if (type === 'token_count') addTokens(payload, at);
    else if (type === 'thread_rolled_back') rollBack(payload, at);
    else if (type === 'turn_aborted') {
      const reply = open === undefined ? undefined : replies.get(open);
      if (reply !== undefined) reply.stopReason = 'aborted';
      thread.note({ kind: 'turn-aborted' }, at);
    } else {
      const status =
        countOf(payload.status) ??
        countOf(recordOf(recordOf(payload.codex_error_info).http).status);
      thread.note({ kind: 'api-error', ...(status === undefined ? {} : { status }) }, at);
      if (type === 'stream_error') thread.input(at);
    }
  }

  function addTokens(payload: JsonRecord, at: string | undefined): void {
    context.unusedFields(recordOf(payload.info), 'event_msg/token_count.info', INFO_FIELDS);
    if (!isRecord(payload.info)) context.unused('event_msg/token_count-without-info');
    else if (usage.add(payload.info, newest, at)) open = newest = undefined;
  }

  return {
    add(value, line) {
      const payload = recordOf(value.payload);
      const at = timeOf(value.timestamp);
      context.unusedFields(value, 'record', RECORD_FIELDS);
      if (value.type === 'session_meta') addMeta(payload, at);
      else if (value.type === 'turn_context') addTurn(payload, at);
      else if (value.type === 'response_item') addItem(payload, line, at);
      else if (value.type === 'compacted') addCompaction(payload, line, at);
      else if (value.type === 'event_msg') addEvent(payload, at);
      else context.unused(textOf(value.type) ?? 'record-without-type');
    },
    finish() {
      const billed = usage.settle();
      for (const [group, response] of replies) {
        const spent = billed.get(group);
        thread.respond(group, spent === undefined ? response : { ...response, usage: spent });
      }
      return [thread.finish()];
    },
  };
}

const RECORD_FIELDS = words('timestamp type payload');
const META_FIELDS = words('id base_instructions model');
const EVENTS = words('token_count thread_rolled_back turn_aborted stream_error error');
const EVENT_FIELDS = words('type info num_turns status codex_error_info');
const INFO_FIELDS = words('total_token_usage last_token_usage');
const TURN_FIELDS = words('model effort turn_id collaboration_mode');
const COMPACTED_FIELDS = words('message replacement_history');
