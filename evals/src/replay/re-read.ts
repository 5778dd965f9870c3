import {
  isToolResult,
  type Message,
  type ToolResultBlock,
  type ToolUseBlock,
  toolUses,
} from '@varve/messages';

/** A call and its result that the replay puts before a recorded reply, because a strategy lost what the reply needs. */
export interface ReRead {
  readonly call: Message;
  readonly result: Message;
}

export interface ReReadInput {
  /** The recorded message that holds the results. */
  readonly source: Message;
  /** Those of its results that are fetched again. */
  readonly results: readonly ToolResultBlock[];
  /** The recorded calls of these results, in the same order. */
  readonly calls: readonly ToolUseBlock[];
  /** Whether the calls would still give what they gave. */
  readonly reproducible: boolean;
  /** How many re-reads there were before this one: makes ids unique. */
  readonly serial: number;
}

/** The same calls with the same results under new ids, both marked by `origin.kind` `re-read`. */
export function createReRead(input: ReReadInput): ReRead {
  const { source, results, calls, reproducible, serial } = input;
  const origin = { kind: 're-read', of: source.id, reproducible } as const;
  const again = (id: string) => `${id}-reread-${serial}`;
  return {
    call: {
      id: again(`${source.id}-call`),
      role: 'assistant',
      origin,
      content: calls.map(({ id, name, input: args }) => ({
        type: 'tool_use',
        id: again(id),
        name,
        input: args,
      })),
    },
    result: {
      id: again(source.id),
      role: 'user',
      origin,
      content: results.map((result) => ({ ...result, tool_use_id: again(result.tool_use_id) })),
    },
  };
}

/** The calls that the results of `history[messageIndex]` answer, newest first where an id was used twice. */
export function callsAnswered(
  history: readonly Message[],
  messageIndex: number,
  results: readonly ToolResultBlock[],
): readonly ToolUseBlock[] {
  const wanted = new Set(results.map((result) => result.tool_use_id));
  const found = new Map<string, ToolUseBlock>();
  for (let at = messageIndex - 1; at >= 0 && found.size < wanted.size; at--) {
    for (const call of toolUses(history[at] as Message)) {
      if (wanted.has(call.id) && !found.has(call.id)) found.set(call.id, call);
    }
  }
  return results.flatMap((result) => found.get(result.tool_use_id) ?? []);
}

/** The results of a message that hold at least one of the wanted units. */
export function resultsWith(
  message: Message,
  holdsWanted: (part: Message) => boolean,
): readonly ToolResultBlock[] {
  const results = message.content.filter(isToolResult);
  if (results.length === 1) return results;
  return results.filter((result) => holdsWanted({ ...message, content: [result] }));
}
