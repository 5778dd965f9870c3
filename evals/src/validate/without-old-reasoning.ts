import { isThinking, type Message } from '@varve/messages';

/** Drops what the provider leaves out of the prompt: the reasoning of turns that are over. */
export interface OldReasoning {
  /** A turn begins: the reasoning among the messages so far is old from now on. */
  turnStarts(messages: readonly Message[]): void;
  without(messages: readonly Message[]): readonly Message[];
}

/** A message without its reasoning is the same object each time it is asked for. */
export function createOldReasoning(): OldReasoning {
  const stripped = new Map<Message, Message>();
  let old = new Set<Message>();
  return {
    turnStarts(messages) {
      old = new Set(messages);
    },
    without: (messages) =>
      messages
        .map((message) => (old.has(message) ? strip(message, stripped) : message))
        .filter(({ content }) => content.length > 0),
  };
}

function strip(message: Message, stripped: Map<Message, Message>): Message {
  if (message.role !== 'assistant' || !message.content.some(isThinking)) return message;
  const known = stripped.get(message);
  if (known) return known;
  const content = message.content.filter((block) => !isThinking(block));
  const without = { ...message, content };
  stripped.set(message, without);
  return without;
}
