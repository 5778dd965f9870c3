import type { MessageResponse } from '@varve/messages';
import type { ImportedSession } from './types.ts';

/** A recorded response and where it was found. */
export interface RecordedResponse {
  readonly response: MessageResponse;
  readonly session: string;
  readonly threadId: string;
  readonly messageId: string;
}

/**
 * The responses of several sessions, each once: agents copy a session into a new file when it is branched or resumed, and
 * a sub-agent's file may begin with its parent's history. The first session that holds a response keeps it.
 */
export function* uniqueResponses(sessions: Iterable<ImportedSession>): Generator<RecordedResponse> {
  const seen = new Set<string>();
  for (const { name, format, threads } of sessions) {
    for (const { id: threadId, entries } of threads) {
      for (const entry of entries) {
        if (entry.type !== 'message' || entry.message.response === undefined) continue;
        const { response, id: messageId } = entry.message;
        const key = JSON.stringify([format, response.id]);
        if (seen.has(key)) continue;
        seen.add(key);
        yield { response, session: name, threadId, messageId };
      }
    }
  }
}
