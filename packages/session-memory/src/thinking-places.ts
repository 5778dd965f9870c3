import type { BlockReplacement, Entry, Message, ViewMessage } from '@varve/messages';
import { isThinking } from '@varve/messages';

/** Where thinking stands in logged messages: a view may have dropped blocks before it. O(new). */
export interface ThinkingPlaces {
  observe(entry: Entry): void;
  /** Drops all thinking of messages of a view. */
  drops(messages: readonly ViewMessage[]): readonly BlockReplacement[];
}

export function createThinkingPlaces(): ThinkingPlaces {
  const places = new Map<string, readonly number[]>();

  function add({ id, content }: Message): void {
    const found = content.flatMap((block, index) => (isThinking(block) ? index : []));
    if (found.length > 0) places.set(id, found);
  }

  return {
    observe(entry) {
      if (entry.type === 'message') add(entry.message);
      if (entry.type !== 'edit' || entry.edit.kind !== 'replace-span') return;
      for (const message of [...entry.edit.with, ...entry.edit.then]) add(message);
    },
    drops: (messages) =>
      messages.flatMap(({ sources }) =>
        sources.flatMap((messageId) =>
          (places.get(messageId) ?? []).map((index) => ({ messageId, index, block: null })),
        ),
      ),
  };
}
