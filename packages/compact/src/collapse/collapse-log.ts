import { isRecord } from '@varve/guards';
import type { Entry, Json, JsonObject, View } from '@varve/messages';
import { logOf } from '@varve/messages/log';

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

/** What a log says of collapsing. All of it is in entries, so a loaded log knows the same. */
export interface CollapseLog {
  observe(entry: Entry, view: View): void;
  /** Not committed yet, in the order in which they were staged. */
  staged(): readonly StagedSpan[];
  /** Ends of spans whose summary failed too often. */
  givenUp(): readonly SpanEnds[];
  /** Ends of spans that somebody expanded again. */
  expanded(): readonly SpanEnds[];
  /** Whether an entry is a collapse in force. */
  isCollapse(entryId: string): boolean;
}

/** A span that failed so often is left alone. */
const MOST_FAILURES = 2;

/** Creates the fold. An entry costs itself. */
export function createCollapseLog(): CollapseLog {
  const spans = new Map<string, StagedSpan>();
  const failures = new Map<string, SpanEnds & { readonly count: number }>();
  let log = logOf({ messages: [], changedFrom: 0 });
  /** The edit that put a summary in place of its span. */
  const commitOf = ({ messageId }: StagedSpan) => log.broughtBy(messageId)?.entryId;
  const committed = () => [...spans.values()].filter(commitOf);
  return {
    staged: () => [...spans.values()].filter((span) => !commitOf(span)),
    givenUp: () => [...failures.values()].filter(({ count }) => count >= MOST_FAILURES),
    expanded: () => committed().filter((span) => !log.isLive(commitOf(span) ?? '')),
    isCollapse: (id) => log.isLive(id) && committed().some((span) => commitOf(span) === id),
    observe(entry, view) {
      log = logOf(view);
      const data = noteOf(entry);
      const failed = data?.kind === 'failed' ? spanOf(data) : undefined;
      if (failed) {
        const { count = 0 } = failures.get(keyOf(failed)) ?? {};
        failures.set(keyOf(failed), { ...failed, count: count + 1 });
      }
      const span = data && stagedOf(data, `${entry.id}-summary`);
      if (span) spans.set(span.messageId, span);
    },
  };
}

/** The `by` of everything that collapsing writes into a log. */
const COLLAPSE = 'collapse';

const keyOf = ({ fromId, toId }: SpanEnds): string => JSON.stringify([fromId, toId]);

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
