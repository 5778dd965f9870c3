import {
  isText,
  isToolResult,
  type Message,
  type ToolResultBlock,
  toolUses,
} from '@varve/messages';
import { previewOf } from '@varve/tool-storage';
import type { StrategyContext } from '../strategy.ts';

export interface OffloadingOptions {
  /** Results of fewer tokens stay as they are. */
  readonly fromTokens: number;
  /** Results of these tools stay whole, by name. */
  readonly isExempt: (toolName: string) => boolean;
}

/**
 * Puts a preview in place of each large result before anybody sees it, once and for good. Nothing is written: the replay
 * itself gives back what a reply needs. What was fetched again stays whole, as what a read tool gives does.
 */
export function createOffloading(
  { sizeOf }: Pick<StrategyContext, 'sizeOf'>,
  { fromTokens, isExempt }: OffloadingOptions,
): (message: Message) => Message {
  let names = new Map<string, string>();
  let stored = 0;
  const shown = (message: Message, block: ToolResultBlock): ToolResultBlock => {
    const text = textOf(block);
    if (text === undefined || isExempt(names.get(block.tool_use_id) ?? '')) return block;
    if (sizeOf({ ...message, content: [block] }) < fromTokens) return block;
    const content = storedText(text, `result-${++stored}.txt`);
    return content.length < text.length ? { ...block, content } : block;
  };
  return (message) => {
    if (message.role === 'assistant') {
      names = new Map(toolUses(message).map(({ id, name }) => [id, name]));
    }
    if (message.role !== 'user' || message.origin?.kind === 're-read') return message;
    const content = message.content.map((block) =>
      isToolResult(block) ? shown(message, block) : block,
    );
    return content.every((block, at) => block === message.content[at])
      ? message
      : { ...message, content };
  };
}

/** Only what is text and nothing else is stored. */
function textOf({ content }: ToolResultBlock): string | undefined {
  if (content === undefined || typeof content === 'string') return content;
  return content.every(isText) ? content.map(({ text }) => text).join('\n') : undefined;
}

/** About as long as what `@varve/tool-storage` puts there. */
function storedText(text: string, handle: string): string {
  const { text: preview, cutAtLine = 1 } = previewOf(text);
  const lines = text.split('\n').length;
  return [
    `<persisted-output handle="${handle}" size="${text.length} characters" lines="${lines}">`,
    `The result was stored whole; read it with read_stored. Cut at line ${cutAtLine}.`,
    preview,
    '</persisted-output>',
  ].join('\n');
}
