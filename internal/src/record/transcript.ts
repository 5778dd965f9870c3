import type { Block, Entry } from '@varve/messages';
import { isText, isThinking, isToolResult, isToolUse, stableStringify } from '@varve/messages';

/** The messages of a log as a person reads them, for writing and reviewing recordings. */
export function transcript(entries: readonly Entry[]): string {
  return entries
    .filter((entry) => entry.type === 'message')
    .map(({ at, message: { id, role, content } }) => {
      const body = content.map(shownBlock).join('\n');
      return `\n--- ${id} ${role} ${at.slice(11, 19)}\n${body}\n`;
    })
    .join('');
}

function shownBlock(block: Block): string {
  if (isText(block)) return block.text;
  if (isThinking(block)) return `(thinking) ${'thinking' in block ? block.thinking : ''}`;
  if (isToolUse(block)) return `> ${block.id} ${block.name} ${stableStringify(block.input)}`;
  if (isToolResult(block))
    return `< ${block.tool_use_id}${block.is_error ? ' FAILED' : ''}\n${block.content}`;
  return `[${block.type}]`;
}
