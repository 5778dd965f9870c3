import {
  type Block,
  isText,
  isThinking,
  isToolResult,
  isToolUse,
  type Request,
} from '@varve/messages';

/** A request as a text that can be read, and answered, by whoever it is given to. */
export function requestText({ head, messages }: Request): string {
  const system = ['=== system ===', ...head.system.map(({ text }) => text)].join('\n');
  return [system, messagesText(messages)].join('\n\n');
}

/** The messages of one, likewise. */
export const messagesText = (messages: Request['messages']): string =>
  messages
    .map(({ role, content }) => [`=== ${role} ===`, ...content.map(blockText)].join('\n'))
    .join('\n\n');

function blockText(block: Block): string {
  if (isText(block)) return block.text;
  if (isThinking(block)) return `[thinking] ${'thinking' in block ? block.thinking : ''}`;
  if (isToolUse(block)) return `[call of ${block.name}] ${JSON.stringify(block.input)}`;
  if (!isToolResult(block)) return `[${block.type}]`;
  const { content = '', is_error: failed } = block;
  const text = typeof content === 'string' ? content : content.map(blockText).join('\n');
  return `[result${failed ? ', failed' : ''}]\n${text}`;
}
