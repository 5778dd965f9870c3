import { isRecord, recordOf } from '@varve/guards';
import { type Block, fingerprint } from '@varve/messages';
import { createCodexCopies, parentOf } from './codex-copies.ts';
import {
  ITEM_FIELDS,
  type ItemContent,
  isAnsweredByProvider,
  readItem,
  readReplacement,
} from './codex-items.ts';
import { createCodexReplies } from './codex-replies.ts';
import { createCodexUsage } from './codex-usage.ts';
import type { ImportContext } from './context.ts';
import type { Importer } from './importer.ts';
import { countOf, type JsonRecord, textOf, timeOf, words, wordsOf } from './json.ts';
import { summaryMessage } from './summary-message.ts';
import { createThread, type MessageFacts } from './thread.ts';

/** Codex: `{ timestamp, type, payload }` a line; `response_item` is what the model saw, the rest says when and at what cost. */
export function createCodex(context: ImportContext): Importer {
  const usage = createCodexUsage(context);
  const thread = createThread({ id: 'main', context });
  const replies = createCodexReplies(thread);
  const copies = createCodexCopies();
  let sessionId: string | undefined;
  /** Stands for the session that the file begins with, and all that was said so far: the same in each copy of it. */
  let said = context.name;
  let hasItems = false;
  let isSubAgent = false;
  let begunAt: string | undefined;
  let [model, turnId]: (string | undefined)[] = [];
  const prompts: string[] = [];

  function addMeta(payload: JsonRecord, at: string | undefined): void {
    const id = textOf(payload.id);
    const hasBase = isRecord(payload.history_base);
    if (sessionId === undefined || hasBase) context.identify(id, parentOf(payload));
    if (!hasItems) said = textOf(payload.forked_from_id) ?? id ?? context.name;
    if (sessionId !== undefined) {
      context.unused('session_meta-repeated');
      if (hasBase) usage.disown();
      else if (isSubAgent && id !== sessionId && !hasItems) copies.begin(begunAt);
      return;
    }
    sessionId = id ?? context.name;
    begunAt = at;
    isSubAgent = parentOf(payload)?.kind === 'sub-agent';
    if (hasBase) thread.markMidSession(at);
    // most sub-agents begin with nothing; one that saw its parent's conversation has the parent's first record behind its own
    else if (textOf(payload.forked_from_id) !== undefined) copies.begin(at);
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
    place: MessageFacts,
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
    replies.close();
  }

  function addItem(item: JsonRecord, place: MessageFacts): void {
    const read = readItem(item, place.id);
    hasItems = true;
    said = fingerprint(`${said}${printOf(item)}`);
    const type = textOf(item.type) ?? 'message';
    context.unusedFields(item, `response_item/${type}`, ITEM_FIELDS);
    if (read.kind === 'unknown') context.unused(`response_item/${type}`);
    else if (read.kind === 'assistant') addReply(item, read.content, place);
    else {
      replies.close();
      if (read.kind === 'user') addPrompt(read, place);
      else thread.result(read.block, { ...place, origin: read.origin });
    }
  }

  function addReply(item: JsonRecord, content: readonly Block[], place: MessageFacts): void {
    const responseId = idOf(item) ?? `said-${said}`;
    replies.add({ ...place, content, responseId, model: model ?? '' });
    if (isAnsweredByProvider(item.type)) closeProviderCall(content[0]?.id, place);
  }

  function closeProviderCall(callId: unknown, { id, at, line }: MessageFacts): void {
    const content = '[the provider ran this call itself and its output is not in the file]';
    const origin = { kind: 'synthetic' } as const;
    const block = { type: 'tool_result', tool_use_id: wordsOf(callId), content } as const;
    thread.result(block, { id: `${id}-result`, at, line, origin });
  }

  /** An older version writes the summary as text; a newer one the messages that stand in its place. */
  function addCompaction(payload: JsonRecord, { id, at }: MessageFacts): void {
    replies.close();
    prompts.length = 0;
    context.unusedFields(payload, 'compacted', COMPACTED_FIELDS);
    const replacement = readReplacement(payload.replacement_history, id, context);
    const text = textOf(payload.message);
    if (replacement.length > 0 && text !== undefined) context.unused('compacted.message');
    const summary =
      text === undefined ? [] : [summaryMessage([{ type: 'text', text }], { id, at: undefined })];
    const preTokens = usage.lastTokens();
    const receipt = { source: 'compacted', ...(preTokens === undefined ? {} : { preTokens }) };
    thread.span({ with: replacement.length > 0 ? replacement : summary, receipt, at });
  }

  function addEvent(payload: JsonRecord, place: Pick<MessageFacts, 'at' | 'line'>): void {
    const { at } = place;
    const type = textOf(payload.type) ?? 'unknown';
    if (!EVENTS.has(type)) {
      context.unused(`event_msg/${type}`);
      return;
    }
    context.unusedFields(payload, `event_msg/${type}`, EVENT_FIELDS);
    if (type === 'token_count') addTokens(payload, place);
    else if (type === 'thread_rolled_back') rollBack(payload, at);
    else if (type === 'turn_aborted') {
      replies.abort();
      thread.note({ kind: 'turn-aborted' }, at);
    } else {
      const status =
        countOf(payload.status) ??
        countOf(recordOf(recordOf(payload.codex_error_info).http).status);
      thread.note({ kind: 'api-error', ...(status === undefined ? {} : { status }) }, at);
      if (type === 'stream_error') thread.input(at);
    }
  }

  function addTokens(payload: JsonRecord, { at, line }: Pick<MessageFacts, 'at' | 'line'>): void {
    context.unusedFields(recordOf(payload.info), 'event_msg/token_count.info', INFO_FIELDS);
    const { info } = payload;
    const isCopy = copies.isCopy();
    if (info === undefined || info === null) context.unused('event_msg/token_count-without-info');
    else if (!isRecord(info))
      context.problem('bad-bill', line, 'a bill that is no object: left out');
    else if (usage.add(info, replies.newest(), { at, isCopy, line })) replies.counted();
  }

  return {
    // what a fork copied has one time for all of it
    identityOf({ type, timestamp, payload }) {
      if (timestamp === undefined || !isRecord(payload) || !isUsed(type, payload)) return undefined;
      const mayRepeat = copies.isCopy() && idOf(payload) === undefined;
      return { marks: [timestamp, type], body: payload, mayRepeat };
    },
    add(value, line) {
      const payload = recordOf(value.payload);
      const at = timeOf(value.timestamp);
      context.unusedFields(value, 'record', RECORD_FIELDS);
      copies.see(at);
      if (value.type === 'session_meta') addMeta(payload, at);
      else if (value.type === 'turn_context') addTurn(payload, at);
      else if (value.type === 'response_item') addItem(payload, { id: `L${line}`, at, line });
      else if (value.type === 'compacted') addCompaction(payload, { id: `L${line}`, at, line });
      else if (value.type === 'event_msg') addEvent(payload, { at, line });
      else context.unused(textOf(value.type) ?? 'record-without-type');
    },
    finish() {
      replies.settle(usage);
      return [thread.finish()];
    },
  };
}

/** What tells an item from others: its id where it has one, and all of it where not. */
function printOf(item: JsonRecord): string {
  const id = idOf(item);
  return id === undefined ? JSON.stringify(item) : `${wordsOf(item.type)} ${id}`;
}

const idOf = (item: JsonRecord): string | undefined => textOf(item.id) ?? textOf(item.call_id);

const isUsed = (type: unknown, { type: event }: JsonRecord): boolean =>
  type === 'event_msg' ? EVENTS_READ.has(event) : RECORDS_READ.has(type);

const RECORDS_READ = new Set<unknown>([
  'session_meta',
  'turn_context',
  'response_item',
  'compacted',
]);
const RECORD_FIELDS = words('timestamp type payload');
const META_FIELDS = words(
  'id base_instructions model history_base forked_from_id parent_thread_id source',
);
const EVENTS = words('token_count thread_rolled_back turn_aborted stream_error error');
const EVENTS_READ: ReadonlySet<unknown> = EVENTS;
const EVENT_FIELDS = words('type info num_turns status codex_error_info');
const INFO_FIELDS = words('total_token_usage last_token_usage');
const TURN_FIELDS = words('model effort turn_id collaboration_mode');
const COMPACTED_FIELDS = words('message replacement_history');
