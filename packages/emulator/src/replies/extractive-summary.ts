import { type Block, isText, isToolResult, isToolUse, type Message } from '@varve/messages';
import { cutText } from '@varve/messages/text';
import type { Replies } from './reply.ts';

export interface ExtractiveSummaryOptions {
  /**
   * Characters a summary has at most.
   * @default 4_000
   */
  readonly maxCharacters?: number | undefined;
}

/**
 * Summarises without a model: the first line of what each message says, what each call was named, oldest first, and in
 * full nothing. The same messages give the same words, so what a compaction keeps can be tested.
 */
export function extractiveSummary(options: ExtractiveSummaryOptions = {}): Replies {
  const { maxCharacters = 4_000 } = options;
  return ({ request }) => {
    const lines = request.messages.flatMap(linesOf);
    const perLine = Math.max(20, Math.floor(maxCharacters / Math.max(1, lines.length)) - 1);
    const text = lines.map((line) => cutText(line, perLine)).join('\n');
    return cutText(text, maxCharacters) || 'Nothing was said.';
  };
}

function linesOf({ role, content }: Message): string[] {
  return content.flatMap((block) => {
    const line = lineOf(block);
    return line === undefined ? [] : [`${role}: ${line}`];
  });
}

function lineOf(block: Block): string | undefined {
  if (isText(block)) return firstLine(block.text);
  if (isToolUse(block)) return `called ${block.name}`;
  if (!isToolResult(block)) return undefined;
  const { content } = block;
  const text = typeof content === 'string' ? content : (content ?? []).map(lineOf).join(' ');
  return `result ${firstLine(text)}`;
}

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? '';
