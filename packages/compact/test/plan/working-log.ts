import {
  createProjection,
  type Entry,
  type Message,
  MessagesError,
  type PlanContext,
  type ThinkingRule,
  type View,
} from '@varve/messages';
import { createRequestStamp } from '@varve/messages/stamps';
import type { Compaction, Compactor } from '../../src/index.ts';
import { ESTIMATOR, tokensOf } from '../full/histories.ts';

const AT = '2026-02-01T00:00:00.000Z';

export const HEAD: Entry = {
  id: 'head',
  at: AT,
  type: 'head',
  head: { id: 'h', model: 'claude-opus-5-5', system: [], tools: [{ name: 'read' }], params: {} },
};

/** A log that planners watch. */
export interface WatchedLog {
  readonly view: View;
  readonly entries: readonly Entry[];
  append(entry: Entry): void;
  say(message: Omit<Message, 'id'>): void;
  commit(compaction: Compaction): Entry;
}

export function watchedLog(...planners: readonly Pick<Compactor, 'observe'>[]): WatchedLog {
  const projection = createProjection();
  const entries: Entry[] = [];
  let view: View = { messages: [], changedFrom: 0 };
  const append = (entry: Entry) => {
    view = projection.append(entry);
    entries.push(entry);
    for (const planner of planners) planner.observe(entry, view);
  };
  return {
    get view() {
      return view;
    },
    entries,
    append,
    say(message) {
      const id = `s${entries.length}`;
      append({ id: `e${entries.length}`, at: AT, type: 'message', message: { id, ...message } });
    },
    commit({ edit, receipt }) {
      const entry = { ...editEntry(edit, `e${entries.length}`), reason: receipt.reason, receipt };
      append(entry);
      return entry;
    },
  };
}

export const editEntry = (edit: (Entry & { type: 'edit' })['edit'], id: string) =>
  ({ id, at: AT, type: 'edit', by: 'compact', reason: 'test', edit }) as const;

/** Appends what a projection takes, every reply with a true stamp; what an earlier edit made impossible is left out. */
export function feed(log: WatchedLog, entries: readonly Entry[]): void {
  for (const entry of entries) {
    try {
      log.append(stamped(entry, log.view));
    } catch (error) {
      if (!MessagesError.is(error)) throw error;
    }
  }
}

function stamped(entry: Entry, view: View): Entry {
  if (entry.type !== 'message' || !entry.message.response || !view.head) return entry;
  const response = { ...entry.message.response, request: createRequestStamp(view, 0) };
  return { ...entry, message: { ...entry.message, response } };
}

export interface ContextOptions {
  readonly thinking?: ThinkingRule;
  readonly windowTokens?: number;
  /** What stands beside the messages, in tokens. */
  readonly overheadTokens?: number;
}

/** A context in which the view is over the threshold unless another window is given. */
export function contextFor(view: View, options: ContextOptions = {}): PlanContext {
  const { thinking = 'free', overheadTokens = 0 } = options;
  const contextTokens = tokensOf(view.messages) + overheadTokens;
  const { windowTokens = Math.max(2, Math.ceil(contextTokens * 1.1)) } = options;
  return {
    nowMs: 0,
    atUserTurn: false,
    contextTokens,
    limits: {
      windowTokens,
      effectiveTokens: Math.floor(windowTokens * 0.95),
      autocompactTokens: Math.floor(windowTokens * 0.9),
    },
    sizeOf: ESTIMATOR.message,
    cache: { warm: true, markers: [] },
    prices: { read: 0.1, write: 1.25, output: 5 },
    thinking,
  };
}
