import type { ViewMessage } from '@varve/messages';
import { type EditReceipt, editReceipt } from '@varve/messages/log';
import type { NotesCompactionResult } from './compact-from-notes.ts';

/** What a compaction from notes leaves behind in the log; fits the receipts of `@varve/compact`. */
export interface NotesReceipt extends EditReceipt {
  readonly trigger: 'auto' | 'manual';
  readonly engine: 'notes';
  /** Id of the last message before the boundary. */
  readonly lastMessageId: string;
  /** First and last kept message and what stands before them; only where something is kept. */
  readonly kept?: { readonly head: string; readonly tail: string; readonly anchor: string };
  /** Tokens of what was to be attached and was left out; only where something was. */
  readonly leftOutTokens?: number;
  /** No model was called. */
  readonly calls: 0;
  /** Which notes, and the headings of sections that were cut. */
  readonly notes: { readonly fingerprint: string; readonly cut: readonly string[] };
  /** How many kept messages lost their thinking. */
  readonly droppedThinking: number;
}

export interface NotesReceiptOptions {
  readonly trigger: 'auto' | 'manual';
  readonly reason: string;
  readonly messages: readonly ViewMessage[];
  /** Id of the last message before what is kept: the summary, or a request that was copied behind it. */
  readonly anchor: string;
  readonly fingerprint: string;
  readonly originals: string | undefined;
  readonly leftOutTokens: number;
}

type Compacted = Extract<NotesCompactionResult<ViewMessage>, { readonly kind: 'compacted' }>;

export function notesReceipt(
  { keepFrom, openRequests, tokensBefore, tokensAfter, dropThinking, cut }: Compacted,
  options: NotesReceiptOptions,
): NotesReceipt {
  const { trigger, reason, messages, anchor, fingerprint, originals, leftOutTokens } = options;
  const kept = messages.slice(keepFrom);
  const [first, last] = [kept.at(0), kept.at(-1)];
  return {
    trigger,
    engine: 'notes',
    ...editReceipt({
      ...{ reason, tokensBefore, tokensAfter, originals },
      dropped: keepFrom - openRequests.length,
      kept: kept.length + openRequests.length,
    }),
    lastMessageId: messages.at(-1)?.id as string,
    ...(first && last && { kept: { head: first.id, tail: last.id, anchor } }),
    ...(leftOutTokens > 0 && { leftOutTokens }),
    calls: 0,
    notes: { fingerprint, cut },
    droppedThinking: dropThinking.length,
  };
}
