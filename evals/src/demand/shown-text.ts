import { type Block, isText, isToolResult, isToolUse, type Message } from '@varve/messages';
import { forEachString } from './demand.ts';

/** Every text a model reads in a message. */
export function forEachShownText(message: Message, visit: (text: string) => void): void {
  for (const block of message.content) forEachBlockText(block, visit);
}

/**
 * Every text a model reads in a block: words, the arguments of a call, the contents of a result. Thinking is left out,
 * because providers drop that of earlier turns.
 */
export function forEachBlockText(block: Block, visit: (text: string) => void): void {
  if (isText(block)) visit(block.text);
  else if (isToolUse(block)) forEachString(block.input, visit);
  else if (isToolResult(block)) {
    const { content = '' } = block;
    if (typeof content === 'string') visit(content);
    else for (const inner of content) forEachBlockText(inner, visit);
  }
}
