import { type RestoredFile, restore } from '@varve/compact';
import { soundAttachments } from '@varve/compact/pipeline';
import { expected, isRecord, listOf, untilAborted } from '@varve/guards';
import type { Block, Message, ProviderProfile } from '@varve/messages';
import { blocksOf } from '@varve/messages/blocks';
import type { ToolStorage } from '@varve/tool-storage';
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
  readonly sizeOf: (message: Message) => number;
  /** What the providers of the model accept. */
  readonly profiles: () => readonly ProviderProfile[];
  /** What of the conversation is stored outside of it. */
  readonly storage?: Pick<ToolStorage, 'stored' | 'readTool'> | undefined;
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
export function createAttaching(options: AttachingOptions) {
  const { restore: restoreAfter, textSize, sizeOf, profiles, storage, tell } = options;
  const readFile = async () => undefined;

  /** What can still be read whole; beside what a caller brings back at most half of the room. */
  async function listed(
    kept: readonly Message[],
    { idPrefix, roomTokens }: Omit<Occasion, 'signal'>,
  ): Promise<readonly Message[]> {
    const results = storage?.stored?.() ?? [];
    if (storage === undefined || results.length === 0) return [];
    const share = restoreAfter === undefined ? roomTokens : Math.floor(roomTokens / 2);
    const given = { readFile, kept, sizeOf: textSize, roomTokens: share };
    const stored = { tool: storage.readTool.name, results };
    const { messages } = await restore({ stored }, { ...given, messageId: `${idPrefix}-stored` });
    return messages;
  }

  /** Without the list where the storage fails: the compaction goes on. */
  async function listedOrTold(
    kept: readonly Message[],
    occasion: Occasion,
  ): Promise<readonly Message[]> {
    try {
      return await untilAborted(() => listed(kept, occasion), occasion.signal);
    } catch (cause) {
      occasion.signal?.throwIfAborted();
      tell({ layer: 'compact', kind: 'failed', reason: 'restore-threw', cause });
      return [];
    }
  }

  return {
    /** What a caller brings back; only an abort of the signal is thrown. */
    async restored(kept: readonly Message[], occasion: Occasion): Promise<Attached> {
      const { idPrefix, signal } = occasion;
      const stored = await listedOrTold(kept, occasion);
      if (restoreAfter === undefined) return { messages: stored, restored: [] };
      const roomTokens =
        occasion.roomTokens - stored.reduce((sum, message) => sum + sizeOf(message), 0);
      const messageId = `${idPrefix}-restored`;
      try {
        const given = { kept, messageId, sizeOf: textSize, roomTokens, signal };
        const { messages, restored } = await untilAborted(() => restoreAfter(given), signal);
        const brought = asLogged(messages, messageId);
        const { rounds, leftOut } = soundAttachments([...kept, ...stored], brought, profiles());
        if (leftOut.length > 0)
          tell({ layer: 'compact', kind: 'failed', reason: 'restored-unfit' });
        const shown = listOf(restored) as readonly RestoredFile[];
        return {
          messages: [...stored, ...rounds.flat()],
          restored: leftOut.length > 0 ? [] : shown,
        };
      } catch (cause) {
        signal?.throwIfAborted();
        tell({ layer: 'compact', kind: 'failed', reason: 'restore-threw', cause });
        return { messages: stored, restored: [] };
      }
    },

    /** What session-start hooks said. */
    async ofHooks(
      sessionContext: readonly string[],
      { idPrefix, roomTokens }: Omit<Occasion, 'signal'>,
    ): Promise<readonly Message[]> {
      const given = { readFile, kept: [], sizeOf: textSize, roomTokens };
      const messageId = `${idPrefix}-session-start`;
      const { messages, leftOut } = await restore({ sessionContext }, { ...given, messageId });
      if (leftOut > 0) this.tellNoRoom();
      return messages;
    },

    tellNoRoom(): void {
      tell({ layer: 'compact', kind: 'failed', reason: 'no-room-for-attachments' });
    },
  };
}

export type Attaching = ReturnType<typeof createAttaching>;

/**
 * Messages as the log takes them: content in blocks, ids that it does not have yet, and no word of a reply that they were.
 *
 * @throws TypeError for what is no list of messages
 */
function asLogged(messages: readonly Message[], messageId: string): readonly Message[] {
  if (!Array.isArray(messages) || ![...messages].every(isRecord)) {
    throw expected('restore', { what: 'a function that gives a list of messages' }, messages);
  }
  return messages.map((message: Message, index) => {
    const { role, origin } = message;
    const id = index === 0 ? messageId : `${messageId}-${index}`;
    const content = blocksOf(message) as readonly Block[];
    const isReady = message.id === id && content === message.content && !message.response;
    return isReady ? message : { id, role, content, ...(origin && { origin }) };
  });
}
