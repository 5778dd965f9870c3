import { untilAborted } from '@varve/guards';
import type { Usage, View } from '@varve/messages';
import { redact } from '@varve/redact';
import { type Checkpoint, notesFingerprint } from './checkpoint.ts';
import { createDraft, type Draft } from './draft.ts';
import { SessionMemoryError } from './error.ts';
import {
  measureNotes,
  type NotesLimits,
  SECTION_TOKENS,
  type TextSize,
  TOTAL_TOKENS,
} from './limit-notes.ts';
import { type LostFacts, lostFacts } from './lost-facts.ts';
import { mendNotes } from './mend-notes.ts';
import { notesEnd } from './notes-end.ts';
import type { NotesFile } from './notes-file.ts';
import type { NotesState } from './notes-fold.ts';
import { onlyNotes } from './only-notes.ts';
import { notesDirective } from './prompt.ts';
import type { ForkOutcome, RunFork } from './run-fork.ts';
import type { NotesTemplate } from './template.ts';

/**
 * Why notes stayed as they were. `not-read`, `not-written`, `changed-meanwhile`: by the file; `fork-failed`: the child came
 * to no end of its own; `no-edit`: it ended without an edit that could be taken; `facts-lost`: the new notes would hold less
 * than 70 % of the facts of the old ones; `nothing-to-see`: no message yet.
 */
export type ExtractionFailure =
  | 'not-read'
  | 'not-written'
  | 'changed-meanwhile'
  | 'fork-failed'
  | 'no-edit'
  | 'facts-lost'
  | 'nothing-to-see'
  | 'disabled'
  | 'closed';

export type ExtractionResult =
  | {
      readonly kind: 'extracted';
      readonly notes: string;
      readonly checkpoint: Checkpoint;
      /** Edits that were taken. */
      readonly edits: number;
      readonly usage?: Usage | undefined;
    }
  | { readonly kind: 'failed'; readonly reason: ExtractionFailure; readonly cause?: unknown };

/** Complete, without defaults. */
export interface ExtractionSetting extends NotesLimits {
  readonly file: NotesFile;
  readonly runFork: RunFork;
  readonly sizeOf: TextSize;
  readonly template: NotesTemplate;
  readonly editTool: string;
  readonly maxTurns: number;
  readonly redact: boolean;
}

/** What was known when the extraction began. */
export interface ExtractionBasis {
  readonly view: View;
  readonly state: NotesState;
  readonly contextTokens: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * One extraction: a child edits a draft in memory, and the file is replaced in one step when the child has ended well. Throws
 * only what the signal was aborted with; the file is then as it was.
 */
export async function extract(
  setting: ExtractionSetting,
  basis: ExtractionBasis,
): Promise<ExtractionResult> {
  const { file } = setting;
  const { signal, view } = basis;
  signal.throwIfAborted();
  if (view.messages.length === 0) return { kind: 'failed', reason: 'nothing-to-see' };
  try {
    const old = await untilAborted(file.read({ signal }), signal);
    const draft = startDraft(old, setting);
    const outcome = await runChild(draft, setting, basis);
    signal.throwIfAborted();
    if (outcome.kind === 'failed') {
      return { kind: 'failed', reason: 'fork-failed', cause: outcome.cause ?? outcome.reason };
    }
    if (draft.edits() === 0) return { kind: 'failed', reason: 'no-edit' };
    const clean = (text: string) => (setting.redact ? redact(text) : text);
    const notes = clean(draft.text());
    const loss = old === undefined ? undefined : lostFacts(clean(old), notes, setting);
    if (loss !== undefined) return { kind: 'failed', reason: 'facts-lost', cause: lossError(loss) };
    await file.write(notes, { basis: old, signal });
    const checkpoint = checkpointAfter(notes, basis);
    return { kind: 'extracted', notes, checkpoint, edits: draft.edits(), usage: outcome.usage };
  } catch (cause) {
    signal.throwIfAborted();
    return { kind: 'failed', reason: failureOf(cause), cause };
  }
}

const lossError = ({ lost, of }: LostFacts): Error =>
  new Error(
    `The new notes would have lost ${lost} of ${of} facts. The last version stays; take notes again.`,
  );

function startDraft(old: string | undefined, setting: ExtractionSetting): Draft {
  const { file, template, totalTokens = TOTAL_TOKENS } = setting;
  const start = mendNotes(old ?? template.text, template);
  return createDraft(start, { ...setting, path: file.path, mostTokens: totalTokens * MOST_OVER });
}

/** Notes may be over their limit until the next extraction condenses them, but not without end. */
const MOST_OVER = 2;

async function runChild(
  draft: Draft,
  setting: ExtractionSetting,
  { view, signal }: ExtractionBasis,
): Promise<ForkOutcome> {
  const { file, editTool, maxTurns } = setting;
  const { path } = file;
  try {
    const child = setting.runFork({
      source: 'session-memory',
      view,
      directive: directiveFor(draft.text(), setting),
      canUseTool: onlyNotes(path, { editTool }),
      runTool: draft.run,
      isDone: (results) => draft.edits() > 0 && results.every(({ is_error }) => is_error !== true),
      maxTurns,
      signal,
    });
    return await untilAborted(child, signal);
  } catch (cause) {
    return { kind: 'failed', reason: 'threw', cause };
  } finally {
    draft.close();
  }
}

function directiveFor(notes: string, setting: ExtractionSetting): string {
  const { file, editTool, sectionTokens = SECTION_TOKENS, totalTokens = TOTAL_TOKENS } = setting;
  const { totalTokens: tokens, longSections } = measureNotes(notes, setting);
  const { path } = file;
  return notesDirective({
    path,
    editTool,
    notes,
    sectionTokens,
    totalTokens,
    tokens,
    longSections,
  });
}

function checkpointAfter(notes: string, basis: ExtractionBasis): Checkpoint {
  const { state, contextTokens, view } = basis;
  const cursorId = notesEnd(view) ?? state.cursorId;
  return {
    sequence: (state.checkpoint?.sequence ?? 0) + 1,
    fingerprint: notesFingerprint(notes),
    toolCalls: state.toolCalls,
    ...(cursorId !== undefined && { cursorId }),
    ...(contextTokens !== undefined && { contextTokens }),
  };
}

function failureOf(cause: unknown): ExtractionFailure {
  return SessionMemoryError.is(cause) ? cause.code : 'not-written';
}
