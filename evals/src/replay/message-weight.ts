import type { Message } from '@varve/messages';
import { createRunningSum } from './running-sum.ts';

/** What providers limit whatever the tokens. */
export interface Weight {
  /** UTF-16 units of all strings; a request has at least as many bytes. */
  readonly characters: number;
  /** Images and documents. */
  readonly media: number;
}

/** Weighs the messages of one request after another; each message is read once. */
export function createWeights(): (messages: readonly Message[]) => Weight {
  const known = new WeakMap<Message, Weight>();
  const weigh = (message: Message): Weight => {
    const weight = known.get(message) ?? weightOf(message.content);
    known.set(message, weight);
    return weight;
  };
  const characters = createRunningSum((message) => weigh(message).characters);
  const media = createRunningSum((message) => weigh(message).media);
  return (messages) => ({ characters: characters(messages), media: media(messages) });
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
