import { isRecord } from '@varve/guards';
import { type Entry, isThinking, type Json, type JsonObject, type Message } from '@varve/messages';

/** A span whose summary is written and waits to be committed. */
export interface StagedSpan {
  /** Id that the summary's message will have. */
  readonly messageId: string;
  readonly fromId: string;
  readonly toId: string;
  /** What it held when its summary was written, by `holdsOf`. */
  readonly holds: string;
  readonly summary: string;
  /** Tokens of the span. */
  readonly tokens: number;
  /** Tokens of the summary. */
  readonly summaryTokens: number;
  /** What the check of the summary found, counted by kind. */
  readonly repaired: Json;
}

export interface SpanEnds {
  readonly fromId: string;
  readonly toId: string;
}

/** A logged block that is thinking. */
export interface LoggedThinking {
  readonly messageId: string;
  readonly index: number;
}

/** What a log says of collapsing. All of it is in entries, so a loaded log knows the same. */
export interface CollapseLog {
  observe(entry: Entry): void;
  /** Not committed yet, in the order in which they were staged. */
  staged(): readonly StagedSpan[];
  /** Ends of spans whose summary failed too often. */
  givenUp(): readonly SpanEnds[];
  /** Ends of spans that somebody expanded again. */
  expanded(): readonly SpanEnds[];
  /** Whether an entry is a collapse in force. */
  isCollapse(entryId: string): boolean;
  /** Whether a message stands for a span together with others: a span can hold all of them or none. */
  isPart(messageId: string): boolean;
  readonly thinking: readonly LoggedThinking[];
}

/** A span that failed so often is left alone. */
const MOST_FAILURES = 2;

/** Creates the fold. An entry costs itself. */
export function createCollapseLog(): CollapseLog {
  const staged = new Map<string, StagedSpan>();
  const failures = new Map<string, SpanEnds & { readonly count: number }>();
  const commits = createCommits();
  const thinking: LoggedThinking[] = [];
  const parts = new Set<string>();
  return {
    thinking,
    staged: () => [...staged.values()],
    givenUp: () => [...failures.values()].filter(({ count }) => count >= MOST_FAILURES),
    expanded: commits.expanded,
    isCollapse: commits.isLive,
    isPart: (messageId) => parts.has(messageId),
    observe(entry) {
      for (const message of messagesOf(entry)) thinking.push(...thinkingOf(message));
      commits.observe(entry);
      if (entry.type === 'edit' && entry.edit.kind === 'replace-span') {
        const together = entry.edit.with.length > 1;
        for (const { id } of entry.edit.with) {
          staged.delete(id);
          if (together) parts.add(id);
        }
      }
      const data = noteOf(entry);
      const failed = data?.kind === 'failed' ? spanOf(data) : undefined;
      if (failed) {
        const { count = 0 } = failures.get(keyOf(failed)) ?? {};
        failures.set(keyOf(failed), { ...failed, count: count + 1 });
      }
      const span = data && stagedOf(data, `${entry.id}-summary`);
      if (span) staged.set(span.messageId, span);
    },
  };
}

/** Collapses that were committed, and which of them are undone: an undo of an undo brings one back. */
function createCommits() {
  const spans = new Map<string, SpanEnds>();
  const roots = new Map<string, string>();
  const undone = new Set<string>();
  return {
    observe(entry: Entry) {
      if (entry.type !== 'edit') return;
      const { id, by, edit } = entry;
      if (edit.kind === 'replace-span' && by === COLLAPSE) {
        const { fromId, toId } = edit;
        spans.set(id, { fromId, toId });
        roots.set(id, id);
      }
      const root = edit.kind === 'undo' ? roots.get(edit.entryId) : undefined;
      if (root === undefined) return;
      roots.set(id, root);
      if (!undone.delete(root)) undone.add(root);
    },
    expanded: () => [...undone].map((id) => spans.get(id) as SpanEnds),
    isLive: (id: string) => spans.has(id) && !undone.has(id),
  };
}

/** The `by` of everything that collapsing writes into a log. */
const COLLAPSE = 'collapse';

const keyOf = ({ fromId, toId }: SpanEnds): string => JSON.stringify([fromId, toId]);

function messagesOf(entry: Entry): readonly Message[] {
  if (entry.type === 'message') return [entry.message];
  if (entry.type !== 'edit' || entry.edit.kind !== 'replace-span') return [];
  return [...entry.edit.with, ...entry.edit.then];
}

const thinkingOf = ({ id, content }: Message): LoggedThinking[] =>
  content.flatMap((block, index) => (isThinking(block) ? { messageId: id, index } : []));

function noteOf(entry: Entry): JsonObject | undefined {
  if (entry.type !== 'note' || entry.by !== COLLAPSE) return undefined;
  const { data } = entry;
  return isRecord(data) ? (data as JsonObject) : undefined;
}

function spanOf({ fromId, toId }: JsonObject) {
  return typeof fromId === 'string' && typeof toId === 'string' ? { fromId, toId } : undefined;
}

function stagedOf(data: JsonObject, messageId: string): StagedSpan | undefined {
  const { kind, summary, tokens, holds, summaryTokens = 0, repaired = {} } = data;
  const span = kind === 'staged' ? spanOf(data) : undefined;
  if (!span || typeof tokens !== 'number' || typeof summaryTokens !== 'number') return undefined;
  if (typeof summary !== 'string' || typeof holds !== 'string') return undefined;
  return { ...span, messageId, holds, summary, tokens, summaryTokens, repaired };
}
