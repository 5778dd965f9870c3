import { syntheticResult } from './synthetic-result.ts';
import type { Message, OpenRound } from './types.ts';

export interface CloseRoundOptions {
  /** Why no result came, e.g. `aborted`; it stands in the text the model reads. */
  readonly reason: string;
  /** When it was closed: ISO 8601, UTC. */
  readonly at: string;
}

/**
 * Error results for the calls of an open round that still wait, one message each, in the order of the calls. Append
 * them to the log and the round is complete. Same round, same bytes: ids derive from the assistant message and the call.
 */
export function closeRound(open: OpenRound, { reason, at }: CloseRoundOptions): Message[] {
  return open.waiting.map((callId) => {
    const result = syntheticResult(callId);
    return {
      id: `closed:${open.assistant.id}:${callId}`,
      role: 'user',
      content: [{ ...result, content: `Outcome unknown (${reason}). ${result.content}` }],
      origin: { kind: 'synthetic', reason },
      createdAt: at,
    };
  });
}
