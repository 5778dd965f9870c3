import type { Message, ToolResultBlock, ToolUseBlock } from '@varve/messages';

/** A call and its result that the replay puts before a recorded reply, because a strategy lost what the reply needs. */
export interface ReRead {
  readonly call: Message;
  readonly result: Message;
}

export interface ReReadInput {
  /** The recorded call, and what it gave. */
  readonly call: ToolUseBlock;
  readonly result: ToolResultBlock;
  /** Whether the call would still give what it gave. */
  readonly reproducible: boolean;
  /** How many re-reads there were before this one: makes ids unique. */
  readonly serial: number;
}

/** The same call with the same result under a new id, both marked by `origin.kind` `re-read`. */
export function createReRead({ call, result, reproducible, serial }: ReReadInput): ReRead {
  const origin = { kind: 're-read', of: call.id, reproducible } as const;
  const id = `${call.id}-reread-${serial}`;
  return {
    call: { id: `${id}-call`, role: 'assistant', origin, content: [{ ...call, id }] },
    result: { id, role: 'user', origin, content: [{ ...result, tool_use_id: id }] },
  };
}
