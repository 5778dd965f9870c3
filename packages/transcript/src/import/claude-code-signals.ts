import { isRecord, listOf, recordOf } from '@varve/guards';
import type { Origin } from '@varve/messages';
import { type ClaudeRecord, contentOf, kindOf, laterOf } from './claude-code-record.ts';
import type { ClaudeThread } from './claude-code-threads.ts';
import type { ImportContext } from './context.ts';
import { countOf, type JsonRecord, textOf, timeOf, words, wordsOf } from './json.ts';

/** System records: what the model saw of them becomes a message, what moves the cost a note, the rest is counted. */
export function readSystem(
  thread: ClaudeThread,
  entry: ClaudeRecord,
  context: ImportContext,
): void {
  const { record, uuid, line, at } = entry;
  const used = SYSTEM_FIELDS.get(record.subtype);
  if (used === undefined) {
    context.unused(kindOf(record));
    return;
  }
  context.unusedFields(record, kindOf(record), used);
  if (record.subtype === 'away_summary') thread.builder.note({ kind: 'away-summary' }, at);
  else if (record.subtype === 'api_error') readApiError(thread, entry);
  else if (record.subtype === 'microcompact_boundary') readPruning(thread, entry, context);
  else {
    const content = contentOf(record.content);
    const origin = { kind: 'command' } as const;
    const id = thread.builder.user(content, { id: uuid, at, line, origin });
    if (id !== undefined) thread.messages.set(uuid, id);
  }
}

const ENVELOPE = 'type subtype uuid parentUuid timestamp sessionId isSidechain';

/** The kinds of system records that are of use, and what is used of them. */
const SYSTEM_FIELDS: ReadonlyMap<unknown, ReadonlySet<string>> = new Map([
  ['away_summary', words(ENVELOPE)],
  ['api_error', words(`${ENVELOPE} error cause retryInMs retryAttempt`)],
  ['microcompact_boundary', words(`${ENVELOPE} microcompactMetadata`)],
  ['local_command', words(`${ENVELOPE} content`)],
]);

/** What the model is shown in place of a result that was cleared. */
const CLEARED = '[old tool result cleared]';

function readPruning(
  thread: ClaudeThread,
  { record, at }: ClaudeRecord,
  context: ImportContext,
): void {
  const metadata = recordOf(record.microcompactMetadata);
  context.unusedFields(metadata, 'microcompactMetadata', PRUNING_FIELDS);
  const replacements = listOf(metadata.compactedToolIds).flatMap((toolUseId) => {
    const messageId = thread.results.get(wordsOf(toolUseId));
    const block = { type: 'tool_result', tool_use_id: toolUseId, content: CLEARED };
    if (messageId !== undefined) return [{ messageId, block }];
    context.unused('microcompactMetadata/unknown-call');
    return [];
  });
  const preTokens = countOf(metadata.preTokens);
  const counts = preTokens === undefined ? {} : { preTokens };
  thread.builder.content({
    replacements,
    receipt: { source: 'microcompact-boundary', ...counts },
    at,
  });
}

const PRUNING_FIELDS = words('preTokens compactedToolIds');

/** A failed request is sent again after a wait: that is when the request of the next reply went out. */
function readApiError(thread: ClaudeThread, { record, at }: ClaudeRecord): void {
  const waitMs = countOf(record.retryInMs) ?? 0;
  const retryAt = at === undefined ? undefined : timeOf(Date.parse(at) + waitMs);
  const error = isRecord(record.error) ? record.error : recordOf(record.cause);
  const status = countOf(error.status);
  const attempt = countOf(record.retryAttempt);
  thread.builder.note(
    {
      kind: 'api-error',
      ...(status === undefined ? {} : { status }),
      ...(attempt === undefined ? {} : { attempt }),
      ...(retryAt === undefined ? {} : { retryAt }),
    },
    at,
  );
  thread.builder.input(retryAt);
}

/** Thinking settings stand on the user records that they hold for. */
export function readThinking(
  thread: ClaudeThread,
  { record, at }: ClaudeRecord,
  context: ImportContext,
): void {
  const metadata = record.thinkingMetadata;
  if (!isRecord(metadata)) return;
  context.unusedFields(metadata, 'thinkingMetadata', THINKING_FIELDS);
  const level = textOf(metadata.level);
  const maxThinkingTokens = countOf(metadata.maxThinkingTokens);
  thread.builder.note(
    {
      kind: 'thinking-config',
      ...(level === undefined ? {} : { level }),
      ...(typeof metadata.disabled === 'boolean' ? { disabled: metadata.disabled } : {}),
      ...(maxThinkingTokens === undefined ? {} : { maxThinkingTokens }),
    },
    at,
  );
}

const THINKING_FIELDS = words('level disabled maxThinkingTokens');

/**
 * Attachments: what Claude Code puts before the model beside the messages. They may be older than the record before them (a
 * prompt that waited for a tool); the model gets them with it.
 */
export function readAttachment(
  thread: ClaudeThread,
  entry: ClaudeRecord,
  context: ImportContext,
): void {
  const { record, uuid, line, at } = entry;
  const attachment = recordOf(record.attachment);
  const type = textOf(attachment.type) ?? 'unknown';
  context.unusedFields(record, 'attachment', FIELDS);
  if (RESUME_HOOK.test(wordsOf(attachment.hookName))) thread.resume('hook', at);
  if (type.endsWith('_delta')) noteDelta(thread, attachment, at);
  const content =
    type === 'queued_command' ? contentOf(attachment.prompt) : contentOf(textIn(attachment));
  const origin: Origin | undefined =
    type === 'queued_command' ? undefined : { kind: 'reminder', attachment: type };
  const seenAt = laterOf(at, thread.builder.lastAt());
  const id = thread.builder.user(content, { id: uuid, at: seenAt, line, origin });
  if (id === undefined) context.unused(kindOf(record));
  else {
    context.unusedFields(attachment, kindOf(record), ATTACHMENT_FIELDS);
    thread.messages.set(uuid, id);
  }
}

export const RESUME_HOOK = /^SessionStart:resume\b/;

const FIELDS = words(`${ENVELOPE} attachment`);
const ATTACHMENT_FIELDS = words(
  'type prompt content snippet hookName addedLines addedBlocks addedNames removedNames readdedNames',
);

function noteDelta(thread: ClaudeThread, attachment: JsonRecord, at: string | undefined): void {
  if (attachment.type === 'agent_listing_delta') return;
  const [added, removed, readded] = ['addedNames', 'removedNames', 'readdedNames'].map((name) =>
    listOf(attachment[name]).map(wordsOf),
  );
  const signal = { added: added ?? [], removed: removed ?? [], readded: readded ?? [] };
  thread.builder.note({ kind: 'mcp-change', ...signal }, at);
}

/** Kinds whose text the model sees, and where it stands. Of other kinds it is not known that they reach the model. */
function textIn(attachment: JsonRecord): string {
  switch (attachment.type) {
    case 'hook_success':
    case 'hook_additional_context':
    case 'skill_listing':
    case 'task_reminder':
      return joined(attachment.content);
    case 'nested_memory':
      return joined(recordOf(attachment.content).content);
    case 'file':
      return joined(recordOf(recordOf(attachment.content).file).content);
    case 'edited_text_file':
      return joined(attachment.snippet);
    case 'agent_listing_delta':
    case 'deferred_tools_delta':
      return joined(attachment.addedLines);
    case 'mcp_instructions_delta':
      return joined(attachment.addedBlocks);
    default:
      return '';
  }
}

function joined(value: unknown): string {
  if (typeof value === 'string') return value;
  return listOf(value)
    .map((item) => (typeof item === 'string' ? item : isRecord(item) ? JSON.stringify(item) : ''))
    .join('\n');
}
