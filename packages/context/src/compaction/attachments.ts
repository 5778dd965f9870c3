import { type RestoredFile, restore } from '@varve/compact';
import type { Message } from '@varve/messages';
import type { Tell } from '../event.ts';
import type { ContextCompaction } from './context-compaction.ts';

export interface Attached {
  readonly messages: readonly Message[];
  readonly restored: readonly RestoredFile[];
}

export interface AttachingOptions {
  readonly restore: ContextCompaction['restore'];
  /** Tokens of a text. */
  readonly textSize: (text: string) => number;
  readonly tell: Tell;
}

export interface Occasion {
  /** Starts ids that no message of the log has. */
  readonly idPrefix: string;
  /** Tokens that what is attached may have, so that the compaction saves enough. */
  readonly roomTokens: number;
  readonly signal: AbortSignal | undefined;
}

/** What follows a summary and the messages that are kept. */
export function createAttaching({ restore: restoreAfter, textSize, tell }: AttachingOptions) {
  return {
    /** What a caller brings back; only an abort of the signal is thrown. */
    async restored(
      kept: readonly Message[],
      { idPrefix, roomTokens, signal }: Occasion,
    ): Promise<Attached> {
      if (restoreAfter === undefined) return NOTHING;
      const messageId = `${idPrefix}-restored`;
      try {
        return await restoreAfter({ kept, messageId, sizeOf: textSize, roomTokens, signal });
      } catch (cause) {
        signal?.throwIfAborted();
        tell({ layer: 'compact', kind: 'failed', reason: 'restore-threw', cause });
        return NOTHING;
      }
    },

    /** What session-start hooks said. */
    async ofHooks(
      sessionContext: readonly string[],
      { idPrefix, roomTokens }: Omit<Occasion, 'signal'>,
    ): Promise<readonly Message[]> {
      const readFile = async () => undefined;
      const options = { readFile, kept: [], sizeOf: textSize, roomTokens };
      const messageId = `${idPrefix}-session-start`;
      const { messages, leftOut } = await restore({ sessionContext }, { ...options, messageId });
      if (leftOut > 0) this.tellNoRoom();
      return messages;
    },

    tellNoRoom(): void {
      tell({ layer: 'compact', kind: 'failed', reason: 'no-room-for-attachments' });
    },
  };
}

export type Attaching = ReturnType<typeof createAttaching>;

const NOTHING: Attached = { messages: [], restored: [] };
