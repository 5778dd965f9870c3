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
 * a sub-agent's file may begin with its parent's history. Of several records the one that has the whole bill is given, of equal ones that of a
 * session that came from no other, then the first; so what they come to does not depend on the order of the sessions.
 */
export function* uniqueResponses(sessions: Iterable<ImportedSession>): Generator<RecordedResponse> {
  const best = new Map<string, { readonly found: RecordedResponse; readonly rank: number[] }>();
  for (const { name, format, parent, threads } of sessions) {
    for (const { id: threadId, entries } of threads) {
      for (const entry of entries) {
        if (entry.type !== 'message' || entry.message.response === undefined) continue;
        const { response, id: messageId } = entry.message;
        const key = JSON.stringify([format, response.id]);
        const rank = [...billRank(response), parent === undefined ? 1 : 0];
        const before = best.get(key);
        if (before !== undefined && !isHigher(rank, before.rank)) continue;
        best.set(key, { found: { response, session: name, threadId, messageId }, rank });
      }
    }
  }
  for (const { found } of best.values()) yield found;
}

/** A stream that was cut off counts less than its last line would. */
function billRank({ usage }: MessageResponse): number[] {
  if (usage === undefined) return [0, 0, 0];
  return [1, usage.partial === true ? 0 : 1, usage.output_tokens];
}

function isHigher(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, place) => value !== other[place]);
  return at >= 0 && (one[at] ?? 0) > (other[at] ?? 0);
}
