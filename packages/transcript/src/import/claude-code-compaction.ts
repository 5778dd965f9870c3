import { listOf, recordOf } from '@varve/guards';
import type { Block, JsonObject, Message } from '@varve/messages';
import { type ClaudeRecord, plainText } from './claude-code-record.ts';
import type { ClaudeThread } from './claude-code-threads.ts';
import type { ImportContext } from './context.ts';
import { countOf, type JsonRecord, textOf, words } from './json.ts';
import { summaryMessage } from './summary-message.ts';

/** How a compaction's summary begins in every version; versions 1.0.x have no other mark. */
const CONTINUED = /^\s*This session is being continued from a previous conversation/;

/** Reads compactions: a boundary followed by its summary (2.x), or a summary alone (1.0.x). */
export function createCompactions(context: ImportContext) {
  const pending = new Map<ClaudeThread, ClaudeRecord>();

  function write(thread: ClaudeThread, summary: readonly Message[], at: string | undefined): void {
    const boundary = pending.get(thread);
    pending.delete(thread);
    const metadata = recordOf(boundary?.record.compactMetadata);
    thread.builder.span({
      with: summary,
      keep: keptRun(thread, metadata),
      receipt: receiptOf(metadata, boundary),
      at: boundary?.at ?? at,
    });
  }

  return {
    begin(thread: ClaudeThread, entry: ClaudeRecord): void {
      this.settle(thread, entry);
      const parent = textOf(entry.record.logicalParentUuid);
      if (parent !== undefined && !thread.messages.has(parent) && !thread.known.has(parent)) {
        const text = 'the compaction names a record that is missing; file order was used';
        context.problem('broken-link', entry.line, text);
      }
      const metadata = recordOf(entry.record.compactMetadata);
      context.unusedFields(entry.record, 'system/compact_boundary', BOUNDARY_FIELDS);
      context.unusedFields(metadata, 'compactMetadata', METADATA_FIELDS);
      pending.set(thread, entry);
    },
    /** Takes a user record that is a compaction's summary. */
    takeSummary(thread: ClaudeThread, entry: ClaudeRecord, content: readonly Block[]): boolean {
      const { record, uuid, at, line } = entry;
      const isFlagged = record.isCompactSummary === true;
      if (!isFlagged && (pending.has(thread) || !CONTINUED.test(plainText(content)))) return false;
      if (thread.builder.messageCount() === 0) {
        const origin = { kind: 'summary' } as const;
        thread.builder.markMidSession(at);
        const id = thread.builder.user(content, { id: uuid, at, line, origin });
        if (id !== undefined) thread.messages.set(uuid, id);
        pending.delete(thread);
        return true;
      }
      write(thread, [summaryMessage(content, { id: uuid, at })], at);
      return true;
    },
    /** Called when the conversation goes on, or ends, where a summary was due. */
    settle(thread: ClaudeThread, entry: ClaudeRecord | undefined): void {
      const boundary = pending.get(thread);
      if (boundary === undefined) return;
      context.problem(
        'bad-record',
        boundary.line,
        'a compaction without its summary: what it removed is removed',
      );
      write(thread, [], entry?.at);
    },
  };
}

const BOUNDARY_FIELDS = words(
  'type subtype uuid parentUuid logicalParentUuid timestamp sessionId isSidechain compactMetadata',
);

const METADATA_FIELDS = words(
  'trigger preTokens postTokens durationMs cumulativeDroppedTokens preservedSegment preservedMessages',
);

/** The messages that stay: a segment by its ends, or a list of records. */
function keptRun(thread: ClaudeThread, metadata: JsonRecord) {
  const segment = recordOf(metadata.preservedSegment);
  const uuids = listOf(recordOf(metadata.preservedMessages).uuids);
  const head = textOf(segment.headUuid) ?? textOf(uuids[0]);
  const tail = textOf(segment.tailUuid) ?? textOf(uuids.at(-1));
  const fromId = head === undefined ? undefined : thread.messages.get(head);
  if (fromId === undefined) return undefined;
  return { fromId, toId: tail === undefined ? undefined : thread.messages.get(tail) };
}

function receiptOf(metadata: JsonRecord, boundary: ClaudeRecord | undefined): JsonObject {
  const counts = ['preTokens', 'postTokens', 'durationMs', 'cumulativeDroppedTokens'] as const;
  const trigger = textOf(metadata.trigger);
  const known = counts.flatMap((name) => {
    const count = countOf(metadata[name]);
    return count === undefined ? [] : [[name, count] as const];
  });
  return {
    source: boundary === undefined ? 'continued-text' : 'compact-boundary',
    ...(trigger === undefined ? {} : { trigger }),
    ...Object.fromEntries(known),
  };
}
