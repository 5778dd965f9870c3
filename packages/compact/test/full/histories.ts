import {
  anthropicProfile,
  type Block,
  isToolResult,
  type Message,
  openaiChatProfile,
  openaiResponsesProfile,
  type ProviderProfile,
  type ThinkingRule,
} from '@varve/messages';
import { createEstimator } from '@varve/tokens';

export const ESTIMATOR = createEstimator({ family: 'unknown' });

export const tokensOf = (messages: readonly Pick<Message, 'role' | 'content'>[]): number =>
  messages.reduce((sum, message) => sum + ESTIMATOR.message(message), 0);

const FILLER = 'line of output 12345 ';

/** About so many tokens of text. */
export const textOf = (tokens: number): string => {
  const each = ESTIMATOR.text(FILLER.repeat(100)) / 100;
  return FILLER.repeat(Math.max(1, Math.ceil(tokens / each)));
};

export interface Said {
  readonly role: 'user' | 'assistant';
  readonly content:
    | string
    | readonly { readonly type: string; readonly [field: string]: unknown }[];
}

export const said = (text: string): Said => ({ role: 'user', content: text });
export const replied = (text = 'Done.'): Said => ({ role: 'assistant', content: text });

/** A call and its result of so many tokens. */
export function round(id: string, tokens = 500, name = 'read'): Said[] {
  const input = { path: `src/${id}.ts` };
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: textOf(tokens) }],
    },
  ];
}

/** Turns of a question, two rounds and an answer. */
export function turns(count: number, tokens = 500): Said[] {
  return Array.from({ length: count }, (_, index) => [
    said(`Question ${index} about the parser.`),
    ...round(`a${index}`, tokens),
    ...round(`b${index}`, tokens),
    replied(`Answer ${index}.`),
  ]).flat();
}

/** The same history with its results, or where it has none its texts, grown to so many tokens. */
export function grownTo(messages: readonly Message[], tokens: number): readonly Message[] {
  const missing = tokens - tokensOf(messages);
  const inResults = messages.some(({ content }) => content.some(isToolResult));
  const takes = (block: Block) => (inResults ? isToolResult(block) : block.type === 'text');
  const places = messages
    .slice(0, -1)
    .reduce((sum, { content }) => sum + content.filter(takes).length, 0);
  if (missing <= 0 || places === 0) return messages;
  const more = textOf(missing / places);
  return messages.map((message, index) => {
    if (index === messages.length - 1 || !message.content.some(takes)) return message;
    return { ...message, content: message.content.map((block) => grow(block, more, takes)) };
  });
}

function grow(block: Block, more: string, takes: (block: Block) => boolean): Block {
  if (!takes(block)) return block;
  if (block.type === 'text') return { ...block, text: `${block.text} ${more}` };
  const { content } = block;
  if (Array.isArray(content))
    return { ...block, content: [...content, { type: 'text', text: more }] };
  return { ...block, content: `${content ?? ''} ${more}` };
}

export const RULES: readonly ThinkingRule[] = ['free', 'latest-turn', 'prefix-bound'];

export const profilesFor = (thinking: ThinkingRule): readonly ProviderProfile[] => [
  anthropicProfile({ thinking }),
  openaiChatProfile(),
  openaiResponsesProfile(),
];

/** Whoever changes a part of it throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
