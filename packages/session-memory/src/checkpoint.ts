import { isRecord } from '@varve/guards';
import { type Entry, fingerprint, type JsonObject } from '@varve/messages';
import { isTokens } from './check-options.ts';

/** How far notes go: what a note in the log says about one extraction. */
export interface Checkpoint {
  /** 1 for the first extraction of a session. */
  readonly sequence: number;
  /**
   * The last logged message that the notes cover and behind which a cut is clean: the end of a turn, or of a round of calls in
   * the middle of one; undefined where there was neither yet.
   */
  readonly cursorId?: string | undefined;
  /** Of the notes that were written. */
  readonly fingerprint: string;
  /** Size of the context then, where it was known. */
  readonly contextTokens?: number | undefined;
  /** Tool calls in the log when the extraction began. */
  readonly toolCalls: number;
}

/** A checkpoint to be appended to the log. */
export interface CheckpointNote {
  readonly type: 'note';
  readonly by: 'session-memory';
  readonly data: JsonObject;
}

const BY = 'session-memory';
const KIND = 'notes-checkpoint';

/** A checkpoint as a note; what is undefined in it is null there. */
export function checkpointNote(checkpoint: Checkpoint): CheckpointNote {
  const { cursorId = null, contextTokens = null, ...rest } = checkpoint;
  return { type: 'note', by: BY, data: { kind: KIND, ...rest, cursorId, contextTokens } };
}

/** The checkpoint an entry holds, if it is one of ours. */
export function checkpointOf(entry: Entry): Checkpoint | undefined {
  if (entry.type !== 'note' || entry.by !== BY || !isRecord(entry.data)) return undefined;
  const { kind, sequence, cursorId, fingerprint: print, contextTokens, toolCalls } = entry.data;
  if (kind !== KIND || !isTokens(sequence) || typeof print !== 'string') return undefined;
  return {
    sequence,
    fingerprint: print,
    toolCalls: isTokens(toolCalls) ? toolCalls : 0,
    ...(typeof cursorId === 'string' && { cursorId }),
    ...(isTokens(contextTokens) && { contextTokens }),
  };
}

export const notesFingerprint = (text: string): string => fingerprint(text);
