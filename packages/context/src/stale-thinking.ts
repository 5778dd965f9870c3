import {
  type Block,
  type Edit,
  type Entry,
  isThought,
  logOf,
  type Message,
  stampHolds,
  type View,
} from '@varve/messages';
import type { Tell } from './event.ts';
import type { Keeper } from './keeper.ts';
import type { ModelFacts } from './model-facts.ts';

export interface StaleThinkingOptions {
  /** Holds the log of an earlier run, if there is one. */
  readonly keeper: Keeper;
  readonly facts: () => ModelFacts;
  readonly now: () => number;
  readonly tell: Tell;
}

/**
 * Takes thinking out that is bound to another model, system prompt or tools, or to other messages, than the next request
 * will carry. It is looked for where something came in between since it was last looked for: another head, an edit, a reply to a
 * request with another head, a message that stands before a reply although the reply's request did not carry it.
 */
export function createStaleThinking({ keeper, facts, now, tell }: StaleThinkingOptions) {
  let isDue = false;
  return {
    observe(entry: Entry, { head, messages, open }: View): void {
      if (entry.type === 'head' || entry.type === 'edit') isDue = true;
      if (entry.type !== 'message') return;
      const { id, response } = entry.message;
      const place = open?.assistant.id === id ? messages.length : messages.length - 1;
      const { request } = response ?? {};
      if (request && (request.messageCount !== place || request.headId !== head?.id)) isDue = true;
    },
    drop(): void {
      const { nextId, view } = keeper.layered;
      if (!isDue || facts().model.thinking !== 'prefix-bound') return;
      if (view().open) return; // its thinking is looked at once the round is closed
      const newId = () => nextId('message');
      const { edits, reason } = staleThinkingEdits(keeper.entries, view(), newId);
      for (const make of edits) append(make(), reason);
      isDue = false;
    },
  };

  function append(edit: Edit, reason: string): void {
    const id = keeper.layered.nextId('edit');
    try {
      const body = { type: 'edit', by: LAYER, reason, edit } as const;
      const { changedFrom } = keeper.append(body, new Date(now()).toISOString());
      tell({ layer: LAYER, kind: 'edited', reason, entryIds: [id], changedFrom });
    } catch (cause) {
      tell({ layer: LAYER, kind: 'failed', reason: 'edit-refused', cause });
    }
  }
}

const LAYER = 'context';

/**
 * What takes out the first thinking that is bound to another head or other messages than those of the next request, and all
 * thinking behind it; nothing where all of it can be sent back. Looks at the whole log.
 */
function staleThinkingEdits(
  entries: readonly Entry[],
  view: View,
  newId: () => string,
): { readonly edits: readonly (() => Edit)[]; readonly reason: string } {
  const isStale = staleness(entries, view);
  const first = view.messages.findIndex((message, index) => isStale(message, index));
  if (first < 0) return { edits: [], reason: 'none' };
  const { logged } = logOf(view);
  const stale = view.messages.slice(first).filter(thinks);
  const sources = stale.flatMap(({ sources: ids }) => ids.flatMap((id) => logged(id) ?? []));
  const { headId = '' } = view.messages[first]?.response?.request ?? {};
  const reason = headId === view.head?.id ? 'stale-thinking' : 'other-head';
  return { edits: withoutBlocks(sources, isThought, newId), reason };
}

/** Edits that take blocks out of logged messages, each made when the ones before it are in the log. */
export function withoutBlocks(
  messages: readonly Message[],
  isGone: (block: Block) => boolean,
  newId: () => string,
): readonly (() => Edit)[] {
  const [whole, partly] = [true, false].map((isWhole) =>
    messages.filter(({ content }) => content.every(isGone) === isWhole),
  ) as [Message[], Message[]];
  const blocks = partly.flatMap(({ id: messageId, content }) =>
    content.flatMap((block, index) => (isGone(block) ? { messageId, index, block: null } : [])),
  );
  const content = blocks.length > 0 ? [(): Edit => ({ kind: 'replace-content', blocks })] : [];
  return [...content, ...whole.map((message) => () => replaced(message, newId()))];
}

/** No message may be empty, so that another one takes its place. */
function replaced({ id }: Message, newId: string): Edit {
  const content = [{ type: 'text', text: '[Only thought.]' }];
  const message = { id: newId, role: 'assistant', content } as const;
  return { kind: 'replace-span', fromId: id, toId: id, with: [message], then: [] };
}

/**
 * A reply has to stand right behind what its request carried. Where nobody noted what a reply answered, it answered what the
 * log had before its newest head.
 */
function staleness(
  entries: readonly Entry[],
  view: View,
): (message: Message, index: number) => boolean {
  const newestHead = entries.findLastIndex(({ type }) => type === 'head');
  const older = new Set(
    entries
      .slice(0, newestHead)
      .flatMap((entry) => (entry.type === 'message' ? entry.message.id : [])),
  );
  return (message, index) => {
    if (!thinks(message)) return false;
    const { id, response } = message;
    if (!response?.request) return older.has(id);
    const between = view.messages.slice(response.request.messageCount, index);
    return !stampHolds(view, response.request) || between.some(({ role }) => role !== 'assistant');
  };
}

const thinks = ({ content }: Message): boolean => content.some(isThought);
