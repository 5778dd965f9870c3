import type { Message } from '@varve/messages';

/** What providers limit whatever the tokens. */
export interface Weight {
  /** UTF-16 units of all strings; a request has at least as many bytes. */
  readonly characters: number;
  /** Images and documents. */
  readonly media: number;
}

/** Weighs lists of messages; each message is read once. */
export function createWeights(): (messages: readonly Message[]) => Weight {
  const known = new WeakMap<Message, Weight>();
  return (messages) => {
    let [characters, media] = [0, 0];
    for (const message of messages) {
      const weight = known.get(message) ?? weightOf(message.content);
      known.set(message, weight);
      characters += weight.characters;
      media += weight.media;
    }
    return { characters, media };
  };
}

function weightOf(content: Message['content']): Weight {
  const pending: unknown[] = [content];
  let [characters, media] = [0, 0];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string') characters += next.length;
    if (typeof next !== 'object' || next === null) continue;
    const { type } = next as { readonly type?: unknown };
    if (type === 'image' || type === 'document') media += 1;
    pending.push(...Object.values(next));
  }
  return { characters, media };
}
