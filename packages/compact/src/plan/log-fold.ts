import { type Entry, type JsonObject, legalCuts, type Message, type View } from '@varve/messages';
import { partsSpan } from '@varve/messages/log';
import { isPerson } from '@varve/messages/persons';
import { type BreakerState, NEW_BREAKER, nextBreaker } from '../auto/breaker.ts';
import { discoveredTools } from '../full/discovered-tools.ts';
import { openMessages } from '../full/open-messages.ts';
import { createSums } from './sums.ts';

/** What a log says that its view does not. */
export interface LogFold {
  observe(entry: Entry, view: View): void;
  view(): View;
  breaker(): BreakerState;
  /** Positions in a view of this log up to which a span may reach, ascending. */
  cuts(view: View): readonly number[];
  /** Tokens of all messages of the view; costs what is new. */
  tokens(sizeOf: (message: Message) => number): number;
  /**
   * Sizes and reads what is new, some entries at a time, so that the plan that finds the threshold reached costs hardly more
   * than the ones before.
   */
  readNew(sizeOf: (message: Message) => number): void;
  lastEntryId(): string | undefined;
  /** Deferred tools that were found so far, by name, whatever was compacted since. */
  discovered(): readonly string[];
  /** Starts ids that no message of the log has. */
  idPrefix(): string;
}

/** A fold over a log; fed at once it is what it is when fed stepwise. */
export function createLogFold(): LogFold {
  let view: View = { messages: [], changedFrom: 0 };
  let breaker = NEW_BREAKER;
  let entries = 0;
  let lastEntryId: string | undefined;
  const discovered = new Set<string>();
  const sums = createSums();
  let unread = 0;
  return {
    observe(entry, next) {
      view = next;
      unread++;
      sums.changed(next.changedFrom);
      entries++;
      lastEntryId = entry.id;
      breaker = breakerAfter(breaker, entry);
      if (entry.type !== 'message') return;
      for (const name of discoveredTools(entry.message)) discovered.add(name);
    },
    view: () => view,
    breaker: () => breaker,
    cuts: (of) =>
      legalCuts(of.messages, { behindSummary: true }).filter((cut) => !partsSpan(of, cut)),
    tokens: (sizeOf) => sums.total(view.messages, sizeOf),
    readNew(sizeOf) {
      if (unread < READ_AT_ONCE) return;
      unread = 0;
      sums.total(view.messages, sizeOf);
      openMessages(view.messages);
    },
    lastEntryId: () => lastEntryId,
    discovered: () => [...discovered],
    idPrefix: () => `compact-${entries}-${lastEntryId ?? ''}`,
  };
}

const READ_AT_ONCE = 8;

function breakerAfter(state: BreakerState, entry: Entry): BreakerState {
  switch (entry.type) {
    case 'message':
      if (entry.message.role === 'assistant') return nextBreaker(state, { kind: 'request' });
      return isPerson(entry.message) ? nextBreaker(state, { kind: 'user-turn' }) : state;
    case 'edit': {
      const { engine, trigger } = entry.receipt ?? {};
      if (typeof engine !== 'string' || entry.edit.kind !== 'replace-span') return state;
      if (trigger !== 'auto' && trigger !== 'manual') return state; // a stretch that was folded
      return nextBreaker(state, { kind: 'compacted', trigger });
    }
    case 'note':
      return breakerAfterNote(state, entry);
    default:
      return state;
  }
}

/** The end of an automatic attempt, as an attempt's note says it, and the note of a pause. */
function breakerAfterNote(
  state: BreakerState,
  { by, data }: Entry & { readonly type: 'note' },
): BreakerState {
  if (by !== 'compact' || typeof data !== 'object' || data === null) return state;
  const { kind, outcome, trigger } = data as JsonObject;
  if (kind === 'compaction-paused') return nextBreaker(state, { kind: 'paused' });
  const failed = kind === 'compaction-ended' && outcome === 'failed' && trigger !== 'manual';
  return failed ? nextBreaker(state, { kind: 'failed', trigger: 'auto' }) : state;
}
