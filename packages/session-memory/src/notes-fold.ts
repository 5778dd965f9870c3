import { type Entry, toolUses, type View } from '@varve/messages';
import { isTokens } from './check-options.ts';
import { type Checkpoint, checkpointOf } from './checkpoint.ts';
import { createExchanges, isCompaction } from './exchanges.ts';

/** What a log says about the notes of its session. Fed at once or entry by entry, it knows the same. */
export interface NotesFold {
  /** Takes the next entry and the view after it, as the projection gave it. O(its size). */
  observe(entry: Entry, view: View): void;
  /** Takes a checkpoint whose note is not in the log yet; the note changes nothing any more. */
  take(checkpoint: Checkpoint): void;
  /** Counts calls from here, and growth where the size is known: after an extraction that came to nothing. */
  pauseAt(contextTokens: number | undefined): void;
  /** Counts growth from here; calls go on. */
  rebase(contextTokens: number): void;
  state(): NotesState;
  /**
   * The last message that notes with this fingerprint cover: that of their own checkpoint, also an older one since the last
   * compaction; for notes nobody knows (edited by hand) that of the newest. Undefined after a compaction, and after the undo
   * of a removal, until the next extraction.
   */
  cursorOf(fingerprint: string): string | undefined;
  view(): View;
}

export interface NotesState {
  readonly checkpoint?: Checkpoint | undefined;
  /** Of the newest checkpoint, as `cursorOf`. */
  readonly cursorId?: string | undefined;
  /** Size of the context at the last extraction or after the last compaction; undefined where it is not known. */
  readonly baselineTokens?: number | undefined;
  /** The baseline is the size of the next request, whatever that is. */
  readonly awaitsBaseline: boolean;
  /** Tool calls in the log. */
  readonly toolCalls: number;
  readonly toolCallsSince: number;
  /** How often what notes cover was exchanged: grows with each compaction and removal, and with the undo of either. */
  readonly exchanges: number;
}

/** Creates a fold over an empty log. */
export function createNotesFold(): NotesFold {
  const exchanges = createExchanges();
  const cursors = new Map<string, string | undefined>();
  let view: View = { messages: [], changedFrom: 0 };
  let checkpoint: Checkpoint | undefined;
  let baseline: { tokens: number | undefined } | undefined;
  let [toolCalls, callsAtLast] = [0, 0];

  function take(next: Checkpoint): void {
    if (checkpoint !== undefined && next.sequence <= checkpoint.sequence) return;
    checkpoint = next;
    baseline = { tokens: next.contextTokens };
    callsAtLast = next.toolCalls;
    if (exchanges.isAny()) for (const print of cursors.keys()) cursors.set(print, undefined);
    exchanges.restart();
    cursors.set(next.fingerprint, next.cursorId);
  }

  const live = (cursorId: string | undefined) => (exchanges.isAny() ? undefined : cursorId);

  return {
    take,
    cursorOf: (print) => live(cursors.has(print) ? cursors.get(print) : checkpoint?.cursorId),
    view: () => view,
    observe(entry, next) {
      view = next;
      if (entry.type === 'message') toolCalls += toolUses(entry.message).length;
      exchanges.observe(entry, next);
      const found = checkpointOf(entry);
      if (found !== undefined) take(found);
      if (isCompaction(entry)) baseline = { tokens: sizeAfter(entry) };
    },
    pauseAt(contextTokens) {
      if (contextTokens !== undefined) baseline = { tokens: contextTokens };
      callsAtLast = toolCalls;
    },
    rebase(contextTokens) {
      baseline = { tokens: contextTokens };
    },
    state: () => ({
      checkpoint,
      cursorId: live(checkpoint?.cursorId),
      baselineTokens: baseline?.tokens,
      awaitsBaseline: baseline !== undefined && baseline.tokens === undefined,
      toolCalls,
      toolCallsSince: toolCalls - callsAtLast,
      exchanges: exchanges.count(),
    }),
  };
}

function sizeAfter(entry: Entry): number | undefined {
  const tokens = entry.type === 'edit' ? entry.receipt?.tokensAfter : undefined;
  return isTokens(tokens) ? tokens : undefined;
}
