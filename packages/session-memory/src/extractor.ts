import type { View } from '@varve/messages';
import { type CheckpointNote, checkpointNote } from './checkpoint.ts';
import { type ExtractionResult, type ExtractionSetting, extract } from './extraction.ts';
import type { NotesFold } from './notes-fold.ts';
import type { NotesText } from './notes-text.ts';
import type { ExtractionReason, SessionMemoryEvent } from './session-memory-event.ts';

export interface ExtractorParts {
  readonly setting: ExtractionSetting;
  readonly fold: NotesFold;
  readonly text: NotesText;
  readonly tell: (event: SessionMemoryEvent) => void;
  readonly appendNote: ((note: CheckpointNote) => void | Promise<void>) | undefined;
}

export interface TakeOptions {
  readonly contextTokens: number | undefined;
  /** @default the newest */
  readonly view?: View | undefined;
  readonly signal: AbortSignal;
}

/** One extraction and what follows from it: the cursor, its note in the log, an event. */
export type TakeNotes = (
  reason: ExtractionReason,
  options: TakeOptions,
) => Promise<ExtractionResult>;

export function createExtractor(parts: ExtractorParts): TakeNotes {
  const { setting, fold, tell } = parts;
  return async (reason, { contextTokens, signal, view = fold.view() }) => {
    tell({ kind: 'extraction-started', reason });
    const state = fold.state();
    const result = await extract(setting, { view, state, contextTokens, signal }).catch(
      (cause: unknown) => {
        tell({ kind: 'aborted', cause });
        throw cause;
      },
    );
    if (result.kind === 'failed') fold.pauseAt(contextTokens);
    const isStale = fold.state().exchanges > state.exchanges;
    const done = result.kind === 'extracted' && isStale ? withoutCursor(result) : result;
    if (done.kind === 'extracted') await commit(done, parts);
    tell(done);
    return done;
  };
}

type Extracted = Extract<ExtractionResult, { readonly kind: 'extracted' }>;

/** What the child saw was exchanged meanwhile: the notes are good, but how much of what is there now they cover is not known. */
function withoutCursor(result: Extracted): Extracted {
  const { cursorId: _, contextTokens: __, ...checkpoint } = result.checkpoint;
  return { ...result, checkpoint };
}

async function commit({ notes, checkpoint }: Extracted, parts: ExtractorParts): Promise<void> {
  const { text, fold, tell, appendNote } = parts;
  text.set(notes);
  fold.take(checkpoint);
  try {
    await appendNote?.(checkpointNote(checkpoint));
  } catch (cause) {
    tell({ kind: 'note-not-appended', cause });
  }
}
