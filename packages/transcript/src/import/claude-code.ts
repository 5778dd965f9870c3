import { isRecord, recordOf } from '@varve/guards';
import { fingerprint, isToolResult } from '@varve/messages';
import { createBranches } from './claude-code-branches.ts';
import { createCompactions } from './claude-code-compaction.ts';
import { createQueue } from './claude-code-queue.ts';
import { type ClaudeRecord, contentOf, kindOf, laterOf, originOf } from './claude-code-record.ts';
import { createReplies } from './claude-code-reply.ts';
import { RESUME_HOOK, readAttachment, readSystem, readThinking } from './claude-code-signals.ts';
import { type ClaudeThread, createClaudeThreads } from './claude-code-threads.ts';
import type { ImportContext } from './context.ts';
import type { Importer } from './importer.ts';
import { type JsonRecord, textOf, timeOf, words, wordsOf } from './json.ts';

/** Claude Code 1.0 to 2.1: one JSON line a record; the lines of one reply share `message.id`. */
export function createClaudeCode(context: ImportContext): Importer {
  const uuids = new Set<string>();
  const threads = createClaudeThreads(context);
  const replies = createReplies(context);
  const compactions = createCompactions(context);
  const branches = createBranches();
  const queue = createQueue(context);
  let sessionId: string | undefined;
  /** Whether the file begins with a sub-agent's record, and so is that sub-agent's. */
  let isAgentFile: boolean | undefined;

  function addNode(entry: ClaudeRecord): void {
    const { record } = entry;
    if (uuids.has(entry.uuid))
      context.problem('reused-id', entry.line, 'another record has the same uuid; both were kept');
    uuids.add(entry.uuid);
    const thread = threads.of(entry);
    noteSession(record, entry.at);
    if (record.type === 'attachment') readAttachment(thread, entry, context);
    else if (record.subtype === 'compact_boundary') compactions.begin(thread, entry);
    else if (record.type === 'system') readSystem(thread, entry, context);
    else if (record.type === 'user') addUser(thread, entry);
    else {
      compactions.settle(thread, entry);
      replies.add(thread, entry);
    }
  }

  function noteSession(record: JsonRecord, at: string | undefined): void {
    const next = textOf(record.sessionId);
    if (sessionId !== undefined && next !== undefined && next !== sessionId) {
      threads.main.resume('session-id', at);
    }
    sessionId = next ?? sessionId;
    if (sessionId === undefined) return;
    if (isAgentFile === undefined)
      isAgentFile = record.isSidechain === true && textOf(record.agentId) !== undefined;
    if (isAgentFile) context.identify(textOf(record.agentId), { id: sessionId, kind: 'sub-agent' });
    else context.identify(sessionId);
  }

  function addUser(thread: ClaudeThread, entry: ClaudeRecord): void {
    const { record, line, uuid, at } = entry;
    const message = recordOf(record.message);
    context.unusedFields(record, 'user', FIELDS);
    context.unusedFields(message, 'user.message', MESSAGE_FIELDS);
    readThinking(thread, entry, context);
    const content = contentOf(message.content);
    if (compactions.takeSummary(thread, entry, content)) {
      branches.reset();
      return;
    }
    compactions.settle(thread, entry);
    for (const block of content.filter(isToolResult)) {
      const id = thread.builder.result(block, { id: uuid, at, line });
      thread.messages.set(uuid, id);
      thread.results.set(block.tool_use_id, id);
    }
    const rest = content.filter((block) => !isToolResult(block));
    const origin = originOf(record, rest);
    if (rest.length === content.length) branches.take(thread, entry, origin);
    const seenAt = origin === undefined ? at : laterOf(at, thread.builder.lastAt());
    const id = thread.builder.user(rest, { id: uuid, at: seenAt, line, origin });
    if (id !== undefined) thread.messages.set(uuid, id);
  }

  return {
    // its own id may be masked, and its time unreadable
    identityOf({ type, uuid, timestamp, promptId, requestId, agentId, message }, text) {
      if (!NODES.has(type) || textOf(uuid) === undefined) return undefined;
      const body = isRecord(message) ? message : fingerprint(text);
      return { marks: [uuid, timestamp, promptId, requestId, agentId], body };
    },
    add(value, line, text) {
      const uuid = textOf(value.uuid);
      const at = timeOf(value.timestamp);
      queue.see(value.version);
      if (value.type === 'queue-operation') {
        queue.add(threads.main, value, { line, text });
        return;
      }
      if (uuid !== undefined && NODES.has(value.type)) {
        addNode({ record: value, line, uuid, at });
        return;
      }
      if (uuid !== undefined) threads.skip(uuid);
      if (RESUME_HOOK.test(wordsOf(recordOf(value.data).hookName))) threads.main.resume('hook', at);
      context.unused(kindOf(value));
    },
    finish() {
      queue.finish();
      for (const thread of threads.all()) compactions.settle(thread, undefined);
      return threads.all().map((thread) => thread.builder.finish());
    },
  };
}

const NODES = new Set<unknown>(['user', 'assistant', 'attachment', 'system']);

const FIELDS = words(
  'type uuid parentUuid timestamp message sessionId isSidechain isMeta isCompactSummary thinkingMetadata',
);
const MESSAGE_FIELDS = new Set(['role', 'content']);
