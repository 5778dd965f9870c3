import type { Block, Edit, Entry, Message, ThinkingRule, View, ViewMessage } from '@varve/messages';
import { isThought } from '@varve/messages/blocks';
import { broughtMessages, logOf } from '@varve/messages/log';
import { prefixFingerprint } from '@varve/messages/stamps';
import { bindsPrefix, thinkingDrops } from '@varve/messages/thinking';
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
export function createStaleThinkingDropper({ keeper, facts, now, tell }: StaleThinkingOptions) {
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
      if (!isDue) return;
      if (view().open) return; // its thinking is looked at once the round is closed
      const { thinking: rule } = facts().model;
      isDue = view().messages.some((message) => bindsPrefix(message, rule));
      if (!isDue) return; // another model, which binds some, comes with another head
      const newId = () => nextId('message');
      const { edits, reason } = staleThinkingEdits(keeper.entries, view(), { rule, newId });
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
 * What takes out the thinking that the provider would refuse behind the next request's head and messages, be its turn open
 * or not: the first that is bound to others, and all behind it. Looks at the whole log.
 */
function staleThinkingEdits(
  entries: readonly Entry[],
  view: View,
  { rule, newId }: { readonly rule: ThinkingRule; readonly newId: () => string },
): { readonly edits: readonly (() => Edit)[]; readonly reason: string } {
  const older = idsBeforeHead(entries);
  const isOlder = ({ id, response }: Message) => !response?.request && older.has(id);
  const firstOlder = view.messages.findIndex((message) => thinks(message) && isOlder(message));
  const { drop } = thinkingDrops(view.messages, {
    rule,
    changedFrom: firstOlder < 0 ? undefined : firstOlder,
    fingerprintAt: (count) => prefixFingerprint(view, count),
    closedTurns: 'keep',
  });
  const stale = drop.map((index) => view.messages[index] as ViewMessage);
  const { logged } = logOf(view);
  const sources = stale.flatMap(({ sources: ids }) => ids.flatMap((id) => logged(id) ?? []));
  const { headId = '' } = stale[0]?.response?.request ?? {};
  const reason = headId === view.head?.id ? 'stale-thinking' : 'other-head';
  return { edits: withoutBlocks(sources, isThought, newId), reason };
}

/** Where nobody noted what a reply answered, it answered what the log had before its newest head. */
function idsBeforeHead(entries: readonly Entry[]): ReadonlySet<string> {
  const newestHead = entries.findLastIndex(({ type }) => type === 'head');
  return new Set(
    entries
      .slice(0, newestHead)
      .flatMap(broughtMessages)
      .map(({ id }) => id),
  );
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

const thinks = ({ content }: Message): boolean => content.some(isThought);
