import {
  type Block,
  isToolResult,
  isToolUse,
  type Message,
  type ToolResultBlock,
} from '@varve/messages';
import type { LangChain, LangChainMessage } from './langchain.ts';

/** One of our messages and what stands for it on the other side. */
export interface LangChainLink {
  readonly source: Message;
  /** One for each result, then one for what else the message says. */
  readonly parts: readonly LangChainMessage[];
}

/** Our messages as LangChain's: a result is a message of its own there. Tool names come from the calls before. */
export function createLangChainWriter(langchain: LangChain): (message: Message) => LangChainLink {
  const names = new Map<string, string>();
  const { AIMessage, HumanMessage, SystemMessage, ToolMessage } = langchain;
  const writeResult = ({ tool_use_id: id, content = '' }: ToolResultBlock): LangChainMessage => {
    const name = names.get(id);
    return new ToolMessage({ content, tool_call_id: id, ...(name !== undefined && { name }) });
  };
  return (source) => {
    const { role, content } = source;
    if (role === 'assistant') {
      for (const { id, name } of content.filter(isToolUse)) names.set(id, name);
      const words = content.filter((block) => !isToolUse(block));
      return { source, parts: [new AIMessage({ content: words, tool_calls: callsOf(content) })] };
    }
    if (role === 'system') return { source, parts: [new SystemMessage({ content })] };
    const words = content.filter((block) => !isToolResult(block));
    const said = words.length > 0 ? [new HumanMessage({ content: words })] : [];
    return { source, parts: [...content.filter(isToolResult).map(writeResult), ...said] };
  };
}

const callsOf = (content: readonly Block[]): readonly object[] =>
  content.filter(isToolUse).map(({ id, name, input }) => {
    const args = typeof input === 'object' && input !== null ? input : { input };
    return { id, name, args, type: 'tool_call' };
  });

/**
 * The message once `parts` stand where its own stood: the same one if they are the same. Only results may have been
 * replaced. Throws an `Error` for anything else.
 */
export function readLangChain(
  { source, parts: own }: LangChainLink,
  parts: readonly LangChainMessage[],
): Message {
  if (parts.every((part, at) => part === own[at])) return source;
  let next = 0;
  const content = source.content.map((block) => {
    if (!isToolResult(block)) return block;
    const at = next++;
    const part = parts[at];
    return part === undefined || part === own[at] ? block : { ...block, content: textOf(part) };
  });
  if (parts.slice(next).every((part, at) => part === own[next + at])) return { ...source, content };
  throw new Error('more than results was changed');
}

function textOf({ content }: LangChainMessage): string {
  if (typeof content === 'string') return content;
  throw new Error('a result was replaced by something that is no text');
}
