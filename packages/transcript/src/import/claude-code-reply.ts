import { recordOf } from '@varve/guards';
import type { MessageResponse, StopReason, Usage } from '@varve/messages';
import { isProviderStopReason } from '@varve/messages/fit';
import { anthropicUsage } from './anthropic-usage.ts';
import { type ClaudeRecord, contentOf, plainText } from './claude-code-record.ts';
import type { ClaudeThread } from './claude-code-threads.ts';
import type { ImportContext } from './context.ts';
import { countOf, type JsonRecord, textOf, words } from './json.ts';

/** What Claude Code writes as the model of a reply that no model gave. */
const NO_MODEL = '<synthetic>';

/** Rebuilds replies from their lines: one block a line, the same `message.id`; the last usage is the final one. */
export function createReplies(context: ImportContext) {
  let effort: string | undefined;
  const named = new Set<string>();

  /** Ids that were masked in the file name more than one reply, of the message as of the record. */
  function groupOf(message: JsonRecord, { uuid, line }: ClaudeRecord): string {
    const id = textOf(message.id);
    if (id !== undefined && !id.startsWith('REDACTED')) return id;
    const group = named.has(uuid) ? `${uuid}-L${line}` : uuid;
    named.add(uuid);
    return group;
  }

  return {
    add(thread: ClaudeThread, entry: ClaudeRecord): void {
      const { record, line, uuid, at } = entry;
      const message = recordOf(record.message);
      context.unusedFields(record, 'assistant', FIELDS);
      context.unusedFields(message, 'assistant.message', MESSAGE_FIELDS);
      const content = contentOf(message.content);
      if (message.model === NO_MODEL) {
        addSynthetic(thread, entry);
        return;
      }
      const next = textOf(record.effort);
      if (next !== undefined && next !== effort)
        thread.builder.note({ kind: 'thinking-config', effort: next }, at);
      effort = next ?? effort;
      const id = groupOf(message, entry);
      const before = thread.builder.responseOf(id);
      if (before === undefined) noteMiss(thread, message.diagnostics, at);
      const usage = anthropicUsage(message.usage, { context, line });
      const response = mergeResponse(before, message, { id, usage });
      thread.messages.set(
        uuid,
        thread.builder.assistant(content, { id, at, line, group: id, response }),
      );
    },
  };

  function addSynthetic(thread: ClaudeThread, { record, line, uuid, at }: ClaudeRecord): void {
    const content = contentOf(recordOf(record.message).content);
    const text = plainText(content);
    if (record.isApiErrorMessage === true || ERROR.test(text)) {
      const status = Number(/^API Error: (\d{3})\b/.exec(text)?.[1]);
      thread.builder.note({ kind: 'api-error', ...(Number.isNaN(status) ? {} : { status }) }, at);
      context.unused('assistant/error-message');
      return;
    }
    thread.resume('synthetic-reply', at);
    const origin = { kind: 'synthetic' } as const;
    thread.messages.set(uuid, thread.builder.assistant(content, { id: uuid, at, line, origin }));
  }
}

/** The provider says why less was read from the cache than could be; null where nothing was missed. */
function noteMiss(thread: ClaudeThread, diagnostics: unknown, at: string | undefined): void {
  const miss = recordOf(recordOf(diagnostics).cache_miss_reason);
  const reason = textOf(miss.type);
  if (reason === undefined) return;
  const tokens = countOf(miss.cache_missed_input_tokens);
  const missed = tokens === undefined ? {} : { missedTokens: tokens };
  thread.builder.note({ kind: 'cache-miss', reason, ...missed }, at);
}

const ERROR =
  /^(API Error|Prompt is too long|Request timed out|Credit balance is too low|Invalid API key)/;

const FIELDS = words(
  'type uuid parentUuid timestamp message sessionId isSidechain isApiErrorMessage effort',
);
const MESSAGE_FIELDS = words('id type role model content stop_reason usage diagnostics');

function mergeResponse(
  before: MessageResponse | undefined,
  message: JsonRecord,
  { id, usage: billed }: { readonly id: string; readonly usage: Usage | undefined },
): MessageResponse {
  const stopReason = stopReasonOf(message.stop_reason, before?.stopReason);
  const usage = mergeUsage(before?.usage, billed, stopReason === 'unknown');
  const model = textOf(message.model) ?? before?.model ?? '';
  return { id, model, stopReason, ...(usage === undefined ? {} : { usage }) };
}

/** A later line without a stop reason does not take back the one before it. */
export function stopReasonOf(value: unknown, before: StopReason = 'unknown'): StopReason {
  return isProviderStopReason(value) ? value : before;
}

/** `partial`: no line of the reply has a stop reason, so its output count may be that of the first bytes of the stream. */
function mergeUsage(
  before: Usage | undefined,
  usage: Usage | undefined,
  partial: boolean,
): Usage | undefined {
  if (usage === undefined) return before;
  const output_tokens = Math.max(before?.output_tokens ?? 0, usage.output_tokens);
  return { ...usage, output_tokens, ...(partial ? { partial: true } : {}) };
}
