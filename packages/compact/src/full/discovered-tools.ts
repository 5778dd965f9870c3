import { type Block, isToolResult, type Message } from '@varve/messages';

/**
 * Names of deferred tools that a message made known, in order: `tool_reference` blocks in results of a search, one's own or
 * the provider's. With the message they go, and whoever goes on has to announce the tools again.
 */
export const discoveredTools = ({ content }: Pick<Message, 'content'>): readonly string[] =>
  content.flatMap((block) => referencesOf(block).flatMap(nameOf));

function referencesOf(block: Block): readonly unknown[] {
  if (block.type === 'tool_search_tool_result') {
    const { tool_references: found } = (block.content ?? {}) as { tool_references?: unknown };
    return Array.isArray(found) ? found : [];
  }
  return isToolResult(block) && Array.isArray(block.content) ? block.content : [];
}

function nameOf(reference: unknown): string[] {
  const { type, tool_name: name } = (reference ?? {}) as { type?: unknown; tool_name?: unknown };
  return type === 'tool_reference' && typeof name === 'string' ? [name] : [];
}
