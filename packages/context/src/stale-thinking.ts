import { type Edit, type Entry, type Message, stampHolds, type View } from '@varve/messages';
import type { Tell } from './event.ts';
import type { Keeper } from './keeper.ts';
import { loggedMessages } from './logged-messages.ts';
import { isThought } from './messages-of.ts';
import type { ModelFacts } from './model-facts.ts';

export interface StaleThinkingOptions {
  /** Holds the log of an earlier run, if there is one. */
  readonly keeper: Keeper;
  readonly facts: () => ModelFacts;
  readonly now: () => number;
  readonly tell: Tell;
}

/**
 * Takes thinking out that an earlier run left bound to another model, system prompt or tools. It is looked for once: what is
 * added from then on is bound to what is sent.
 */
export function createStaleThinking({ keeper, facts, now, tell }: StaleThinkingOptions) {
  let isDone = keeper.entries.length === 0;
  return (): void => {
    if (isDone || facts().model.thinking !== 'prefix-bound') return;
    isDone = true;
    for (const edit of staleThinkingEdits(keeper.entries, keeper.layered.view())) append(edit);
  };

  function append(edit: Edit): void {
    const id = keeper.layered.nextId('edit');
    const body = { type: 'edit', by: LAYER, reason: 'other-head', edit } as const;
    try {
      const { changedFrom } = keeper.append(body, new Date(now()).toISOString());
      tell({ layer: LAYER, kind: 'edited', reason: 'other-head', entryIds: [id], changedFrom });
    } catch (cause) {
      tell({ layer: LAYER, kind: 'failed', reason: 'edit-refused', cause });
    }
  }
}

const LAYER = 'context';

/**
 * What takes out thinking that is bound to another model, system prompt or tools than those of the next request, and all
 * thinking behind it; nothing where all of it can be sent back. Looks at the whole log.
 */
function staleThinkingEdits(entries: readonly Entry[], view: View): readonly Edit[] {
  const isStale = staleness(entries, view);
  const first = view.messages.findIndex((message) => thinks(message) && isStale(message));
  if (first < 0) return [];
  const logged = loggedMessages(entries);
  const stale = view.messages.slice(first).filter(thinks);
  const sources = stale.flatMap(({ sources: ids }) => ids.flatMap((id) => logged.get(id) ?? []));
  const blocks = sources.filter((message) => !isThoughtOnly(message)).flatMap(dropped);
  const content: Edit[] = blocks.length > 0 ? [{ kind: 'replace-content', blocks }] : [];
  return [...content, ...sources.filter(isThoughtOnly).map(replaced)];
}

const dropped = ({ id: messageId, content }: Message) =>
  content.flatMap((block, index) => (isThought(block) ? { messageId, index, block: null } : []));

/** No message may be empty, so that another one takes its place. */
function replaced({ id }: Message): Edit {
  const content = [{ type: 'text', text: '[Only thought.]' }];
  const message = { id: `${id}-thought`, role: 'assistant', content } as const;
  return { kind: 'replace-span', fromId: id, toId: id, with: [message], then: [] };
}

const isThoughtOnly = ({ content }: Message): boolean => content.every(isThought);

/** Where nobody noted what a reply answered, it answered what the log had before its newest head. */
function staleness(entries: readonly Entry[], view: View): (message: Message) => boolean {
  const newestHead = entries.findLastIndex(({ type }) => type === 'head');
  const older = new Set(
    entries
      .slice(0, newestHead)
      .flatMap((entry) => (entry.type === 'message' ? entry.message.id : [])),
  );
  return ({ id, response }) =>
    response?.request ? !stampHolds(view, response.request) : older.has(id);
}

const thinks = ({ content }: Message): boolean => content.some(isThought);
