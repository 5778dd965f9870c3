import type { Strategy } from '@varve/evals';
import type { Block, Message } from '@varve/messages';

/** Shortens each result to 500 characters before it is first sent; what had to be read again stays whole. */
const shortResults: Strategy = {
  name: 'short-results',
  create({ head }) {
    const messages: Message[] = [];
    return {
      add(message) {
        const isReRead = message.origin?.kind === 're-read';
        messages.push(isReRead ? message : { ...message, content: message.content.map(shorten) });
      },
      request: () => ({ head, messages: [...messages], markers: [], maxOutputTokens: 8_000 }),
    };
  },
};

function shorten(block: Block): Block {
  if (block.type !== 'tool_result' || typeof block.content !== 'string') return block;
  return { ...block, content: block.content.slice(0, 500) };
}

export default shortResults;
