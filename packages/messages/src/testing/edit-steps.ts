import { isText, isThinking, isToolResult, isToolUse, toolResults, toolUses } from '../guards.ts';
import type { Block, Message } from '../types.ts';
import type { Digits } from './digits.ts';
import type { LogWriter } from './log-writer.ts';

/** Puts placeholders in place of a few blocks anywhere in the log, or drops them. */
export function tryContentEdit(writer: LogWriter, digits: Digits): void {
  const { messages } = writer;
  const blocks = Array.from({ length: 1 + digits.below(3) }, () => {
    const message = messages[messages.length - 1 - digits.below(messages.length)];
    if (!message) return [];
    const index = digits.below(message.content.length);
    return [{ messageId: message.id, index, block: instead(message.content[index], digits) }];
  });
  writer.tryEdit({ kind: 'replace-content', blocks: blocks.flat() });
}

function instead(block: Block | undefined, digits: Digits): Block | null {
  if (!block || isThinking(block)) return null;
  const text = digits.once(2) ? '[cleared]' : '[cleared again]';
  if (isToolResult(block)) return { ...block, content: text };
  if (isToolUse(block)) return { ...block, input: { cleared: digits.once(2) } };
  return digits.once(3) ? null : { type: 'text', text: isText(block) ? text : '[media]' };
}

/** Replaces a stretch of the view, or one between any two messages of the log, visible or not. */
export function trySpan(writer: LogWriter, digits: Digits): void {
  const ends = digits.once(4) ? anyEnds(writer, digits) : visibleEnds(writer, digits);
  if (!ends || !writer.spans) return;
  writer.tryEdit({
    kind: 'replace-span',
    ...ends,
    with: replacement(writer, digits),
    then: digits.once(3) ? replacement(writer, digits) : [],
  });
}

interface Ends {
  readonly fromId: string;
  readonly toId: string;
}

function anyEnds({ messages }: LogWriter, digits: Digits): Ends | undefined {
  const from = digits.below(messages.length);
  const to = from + digits.below(messages.length - from);
  return messages[to] && { fromId: (messages[from] as Message).id, toId: messages[to].id };
}

function visibleEnds(writer: LogWriter, digits: Digits): Ends | undefined {
  const { messages } = writer.view();
  const start = digits.below(messages.length);
  const end = Math.min(messages.length - 1, start + digits.below(9));
  const startsInside = toolResults(messages[start] ?? NOTHING).length > 0;
  const endsInside = toolUses(messages[end] ?? NOTHING).length > 0;
  const fromId = messages[startsInside ? start - 1 : start]?.sources[0];
  const toId = messages[endsInside ? end + 1 : end]?.sources.at(-1);
  return fromId === undefined || toId === undefined ? undefined : { fromId, toId };
}

const NOTHING = { content: [] };

/** Nothing, a summary, or a summary with a whole round behind it. */
function replacement(writer: LogWriter, digits: Digits): Message[] {
  const size = digits.below(4);
  if (size === 3) return [];
  const summary = writer.message('user', [{ type: 'text', text: writer.text(digits.below(4)) }], {
    origin: { kind: 'summary' },
  });
  if (size < 2) return [summary];
  const call: Block = { type: 'tool_use', id: 'call-0', name: 'read', input: {} };
  const result: Block = { type: 'tool_result', tool_use_id: 'call-0', content: 'again' };
  return [summary, writer.message('assistant', [call]), writer.message('user', [result])];
}

/** Takes back any edit, undos included, the newest most often. */
export function tryUndo(writer: LogWriter, digits: Digits): void {
  const { editIds } = writer;
  const entryId = editIds[editIds.length - 1 - digits.below(Math.min(editIds.length, 4))];
  if (entryId !== undefined) writer.tryEdit({ kind: 'undo', entryId });
}
