import type { Block, Message } from '@varve/messages';
import type { Loss } from '@varve/messages/convert';
import { withObjectInput } from '@varve/messages/fit';

/** Messages whose calls all have an object as input, and where that had to be made. */
export interface WithInputs {
  readonly messages: readonly Message[];
  readonly losses: readonly Loss[];
}

/**
 * The API refuses a call whose input is no object, and with `eager_input_streaming` the model may write one. What it wrote
 * goes back inside of an object, as Anthropic's page on fine-grained tool streaming advises. Each message is read once.
 */
export function createInputWriter(): (messages: readonly Message[]) => WithInputs {
  const known = new WeakMap<Message, Message>();
  return (messages) => {
    const losses: Loss[] = [];
    const written = messages.map((message, messageIndex) => {
      const found = known.get(message) ?? withInputs(message);
      known.set(message, found);
      if (found !== message) losses.push(...lossesOf(message, messageIndex));
      return found;
    });
    return { messages: written, losses };
  };
}

function withInputs(message: Message): Message {
  // without types a content may be a plain text
  if (!Array.isArray(message.content) || !message.content.some(isBroken)) return message;
  const content = message.content.map((block) => {
    if (!isBroken(block)) return block;
    const input = inputOf(block);
    return {
      ...block,
      input: { INVALID_JSON: typeof input === 'string' ? input : JSON.stringify(input) },
    };
  });
  return { ...message, content };
}

const isBroken = (block: Block): boolean =>
  inputOf(block) !== undefined && withObjectInput(block) !== block;

const inputOf = (block: Block): unknown => (block as { readonly input?: unknown }).input;

const lossesOf = ({ content }: Message, messageIndex: number): Loss[] =>
  content.flatMap((block, blockIndex) =>
    isBroken(block) ? [{ kind: 'call-input', messageIndex, blockIndex }] : [],
  );
