import { isToolUse, type Message, toolResults } from '@varve/messages';
import { checkMessages } from '@varve/messages/foreign';

/** A tool and how much of the conversation its results are. */
export interface Producer {
  readonly toolName: string;
  readonly results: number;
  readonly tokens: number;
  /** Tokens of its largest message of results. */
  readonly largestTokens: number;
}

/** Which tools fill a conversation, the largest first: what to say when compaction stops because it does not help. */
export function largestProducers(
  messages: readonly Message[],
  sizeOf: (message: Message) => number,
): readonly Producer[] {
  checkMessages(messages, 'messages');
  const names = new Map<string, string>();
  const producers = new Map<string, Producer>();
  for (const message of messages) {
    for (const call of message.content.filter(isToolUse)) names.set(call.id, call.name);
    const results = toolResults(message);
    if (results.length === 0) continue;
    const tokens = Math.round(sizeOf(message) / results.length);
    for (const { tool_use_id: id } of results) count(names.get(id) ?? 'unknown', tokens);
  }
  return [...producers.values()].sort((a, b) => b.tokens - a.tokens);

  function count(toolName: string, tokens: number): void {
    const { results = 0, tokens: sum = 0, largestTokens = 0 } = producers.get(toolName) ?? {};
    producers.set(toolName, {
      toolName,
      results: results + 1,
      tokens: sum + tokens,
      largestTokens: Math.max(largestTokens, tokens),
    });
  }
}
