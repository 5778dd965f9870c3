import type {
  Block,
  DocumentBlock,
  ImageBlock,
  RedactedThinkingBlock,
  TextBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
  Usage,
} from './types.ts';

export const isText = (block: Block): block is TextBlock => block.type === 'text';

export const isToolUse = (block: Block): block is ToolUseBlock => block.type === 'tool_use';

/** A call of any kind: one that the caller runs, and those that the provider runs itself or on an MCP server. All have an input. */
export const isCallLike = ({ type }: { readonly type: string }): boolean => CALLS.includes(type);

const CALLS: readonly string[] = ['tool_use', 'server_tool_use', 'mcp_tool_use'];

export const isToolResult = (block: Block): block is ToolResultBlock =>
  block.type === 'tool_result';

/** Thinking that carries a signature or is redacted: both are opaque and live or die whole. */
export const isThinking = (block: Block): block is ThinkingBlock | RedactedThinkingBlock =>
  block.type === 'thinking' || block.type === 'redacted_thinking';

/** Thinking of any provider: Anthropic's two, and the reasoning items of OpenAI's Responses, which travel as a block of that type. */
export const isThought = ({ type }: { readonly type: string }): boolean => THOUGHTS.includes(type);

const THOUGHTS: readonly string[] = ['thinking', 'redacted_thinking', 'reasoning'];

export const isMedia = (block: Block): block is ImageBlock | DocumentBlock =>
  block.type === 'image' || block.type === 'document';

/** The tool calls of a message, in order. */
export function toolUses(message: { readonly content: readonly Block[] }): ToolUseBlock[] {
  return message.content.filter(isToolUse);
}

/** The tool results of a message, in order. */
export function toolResults(message: { readonly content: readonly Block[] }): ToolResultBlock[] {
  return message.content.filter(isToolResult);
}

/** The whole prompt of a response in tokens: read, written and plain. */
export function promptTokens(usage: Usage): number {
  return (
    usage.input_tokens +
    (usage.cache_creation_input_tokens ?? 0) +
    (usage.cache_read_input_tokens ?? 0)
  );
}
