import {
  type Block,
  type Entry,
  isText,
  isThinking,
  isToolResult,
  isToolUse,
  type Message,
  stableStringify,
} from '@varve/messages';
import { get_encoding } from 'tiktoken';

/** What the provenance page says about a session and the tests hold. */
export interface SessionFacts {
  readonly messages: number;
  readonly toolCalls: number;
  readonly failedResults: number;
  readonly turns: number;
  /** Everything the messages hold, by o200k; without system prompt and tools. */
  readonly messageTokens: number;
  /** System prompt and tool definitions, by o200k. */
  readonly headTokens: number;
  readonly thinkingBlocks: number;
  /** Times between two messages of five minutes and more, in whole minutes. */
  readonly gapsMinutes: readonly number[];
}

export function sessionFacts(entries: readonly Entry[]): SessionFacts {
  const messages = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
  const blocks = messages.flatMap((message) => message.content);
  const heads = entries.flatMap((entry) => (entry.type === 'head' ? [entry.head] : []));
  return {
    messages: messages.length,
    toolCalls: blocks.filter(isToolUse).length,
    failedResults: blocks.filter((block) => isToolResult(block) && block.is_error === true).length,
    turns: messages.filter((message) => message.response?.stopReason === 'end_turn').length,
    messageTokens: countTokens(blocks.map(blockText)),
    headTokens: countTokens(heads.map(({ system, tools }) => stableStringify({ system, tools }))),
    thinkingBlocks: blocks.filter(isThinking).length,
    gapsMinutes: gaps(messages),
  };
}

function gaps(messages: readonly Message[]): number[] {
  const times = messages.map((message) => Date.parse(message.createdAt ?? ''));
  return times
    .slice(1)
    .map((time, index) => Math.floor((time - (times[index] as number)) / 60_000))
    .filter((minutes) => minutes >= 5);
}

function blockText(block: Block): string {
  if (isText(block)) return block.text;
  if (isToolUse(block)) return `${block.name} ${stableStringify(block.input)}`;
  if (isToolResult(block)) return String(block.content);
  return block.type === 'thinking' ? String(block.thinking) : stableStringify(block);
}

function countTokens(texts: readonly string[]): number {
  const encoding = get_encoding('o200k_base');
  const count = texts.reduce((sum, text) => sum + encoding.encode(text, [], []).length, 0);
  encoding.free();
  return count;
}
