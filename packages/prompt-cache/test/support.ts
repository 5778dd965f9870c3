import type { Block, Head, Marker, Message, Request } from '@varve/messages';
import type { createCacheSimulator } from '../src/index.ts';

type PromptSizes = NonNullable<NonNullable<Parameters<typeof createCacheSimulator>[1]>['sizeOf']>;

/** One token for each character of text, input or result content; nothing for framing: sums can be checked by hand. */
export const characters: PromptSizes = {
  block: sizeOfBlock,
  message: ({ content }) => content.reduce((sum, block) => sum + sizeOfBlock(block), 0),
  head: ({ system, tools }) =>
    system.reduce((sum, block) => sum + block.text.length, 0) +
    tools.reduce((sum, tool) => sum + (tool.description ?? '').length, 0),
};

function sizeOfBlock(block: Block): number {
  if (block.type === 'text') return String(block.text).length;
  if (block.type === 'thinking') return String(block.thinking).length;
  if (block.type === 'tool_use') return JSON.stringify(block.input ?? {}).length;
  if (block.type !== 'tool_result') return 100;
  const { content = '' } = block as { content?: string | readonly Block[] };
  return typeof content === 'string'
    ? content.length
    : content.reduce((sum, inner) => sum + sizeOfBlock(inner), 0);
}

export const text = (tokens: number, fill = 'x'): Block => ({
  type: 'text',
  text: fill.repeat(tokens).slice(0, tokens),
});

let count = 0;

export const message = (role: Message['role'], ...content: readonly Block[]): Message => ({
  id: `m${count++}`,
  role,
  content,
});

export const user = (tokens: number, fill = 'u'): Message => message('user', text(tokens, fill));

export const assistant = (tokens: number, fill = 'a'): Message =>
  message('assistant', text(tokens, fill));

export const call = (id: string): Block => ({ type: 'tool_use', id, name: 'grep', input: { id } });

export const result = (id: string, tokens: number): Block => ({
  type: 'tool_result',
  tool_use_id: id,
  content: id.padEnd(tokens, 'r').slice(0, tokens),
});

export interface HeadShape {
  readonly model?: string;
  readonly systemTokens?: number;
  readonly tools?: Head['tools'];
  readonly params?: Head['params'];
}

export function head(shape: HeadShape = {}): Head {
  const { model = 'claude-opus-5-5', systemTokens = 1_000, tools = [], params = {} } = shape;
  const system =
    systemTokens === 0 ? [] : [{ type: 'text' as const, text: 's'.repeat(systemTokens) }];
  return { id: 'h', model, system, tools, params };
}

/** A marker on the last block of the last message. */
function tail(messages: readonly Message[], ttl?: '5m' | '1h'): Marker {
  const messageIndex = messages.length - 1;
  const blockIndex = (messages[messageIndex] as Message).content.length - 1;
  return { at: 'message', messageIndex, blockIndex, ...(ttl && { ttl }) };
}

export const onBlock = (messageIndex: number, blockIndex = 0, ttl?: '5m' | '1h'): Marker => ({
  at: 'message',
  messageIndex,
  blockIndex,
  ...(ttl && { ttl }),
});

export function request(
  messages: readonly Message[],
  options: { readonly head?: Head; readonly markers?: readonly Marker[] } = {},
): Request {
  const { head: ownHead = head(), markers = messages.length > 0 ? [tail(messages)] : [] } = options;
  return { head: ownHead, messages, markers, maxOutputTokens: 1_000 };
}
