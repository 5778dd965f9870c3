import { checkOptions, required } from '@varve/guards';
import type { Entry, View } from '@varve/messages';
import { createModelEstimators } from '@varve/tokens/models';
import { checkGroup, isTokens, LIMITS, THRESHOLDS, TURNS } from './check-options.ts';
import { type CheckpointNote, notesFingerprint } from './checkpoint.ts';
import type { ExtractionResult, ExtractionSetting } from './extraction.ts';
import { createExtractor } from './extractor.ts';
import type { NotesLimits } from './limit-notes.ts';
import type { NotesFile } from './notes-file.ts';
import { createNotesFold, type NotesFold } from './notes-fold.ts';
import type { NotesSnapshot } from './notes-snapshot.ts';
import { createNotesText } from './notes-text.ts';
import { createOneAtATime } from './one-at-a-time.ts';
import {
  createResponseWatch,
  type ResponseDecision,
  type ResponseFacts,
} from './response-watch.ts';
import type { RunFork } from './run-fork.ts';
import { type SessionMemoryEvent, teller } from './session-memory-event.ts';
import type { ExtractionThresholds } from './should-extract.ts';
import { DEFAULT_TEMPLATE, parseTemplate } from './template.ts';

/** Where notes are kept, who takes them, and when. */
export interface SessionMemoryOptions {
  /** Where the notes are kept: `notesFile(path)` of `@varve/session-memory/node`, or `memoryNotes()`. */
  readonly file: NotesFile;
  /** Runs the child that takes notes. */
  readonly runFork: RunFork;
  /** Whether notes are taken at all, and those that are there may be used. @default true */
  readonly enabled?: boolean | undefined;
  /** Markdown: a heading for each section, under it a line of guidance in underscores. @default DEFAULT_TEMPLATE */
  readonly template?: string | undefined;
  /** Name of the parent's edit tool. @default 'Edit' */
  readonly editTool?: string | undefined;
  /** When notes are taken. */
  readonly thresholds?: ExtractionThresholds | undefined;
  /** How large they may become. */
  readonly limits?: NotesLimits | undefined;
  /** Requests of one child. @default 5 */
  readonly maxTurns?: number | undefined;
  /** The model whose vocabulary notes are counted in. @default that of the log's head; else as `o200k` */
  readonly model?: string | undefined;
  /** Tokens of a text. @default the estimate of `@varve/tokens` for the model */
  readonly sizeOf?: ((text: string) => number) | undefined;
  /** Takes secrets out of the notes before they are written. @default true */
  readonly redact?: boolean | undefined;
  /** Appends a note to the log, so that a resumed session knows how far the notes go. @default it does not */
  readonly appendNote?: ((note: CheckpointNote) => void | Promise<void>) | undefined;
  /** Told what happens in the background. What it throws is ignored. */
  readonly onEvent?: ((event: SessionMemoryEvent) => void) | undefined;
}

/** The notes of one session while it goes on. */
export interface SessionMemory {
  /** Takes the next entry of the log and the view after it, as the projection gave it: a copy of a view knows nothing of its log. */
  observe(entry: Entry, view: View): void;
  /** To be called after every response. Starts an extraction if it is time for one; never waits, never throws. */
  afterResponse(facts: ResponseFacts): ResponseDecision;
  /**
   * Takes notes now, whatever the thresholds say; after the one that runs, if one does. Rejects only with what the signal
   * was aborted with. The notes are then as they were, unless somebody else waits for the same run; an abort that comes when
   * the new ones are already being put in place comes too late.
   */
  extractNow(options?: ExtractNowOptions): Promise<ExtractionResult>;
  /** Reads the notes; undefined where there are none. Throws `not-read`. */
  notes(): Promise<string | undefined>;
  /** What is known without waiting. */
  snapshot(): NotesSnapshot;
  /** Resolves when nothing is being read or extracted any more. */
  settle(): Promise<void>;
  /** Aborts what runs and takes no more notes. */
  close(): Promise<void>;
}

/** What is known about the moment. */
export interface ExtractNowOptions {
  /** Size of the context in tokens. @default not known; the growth is counted from the next response */
  readonly contextTokens?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Keeps the notes of one session.
 *
 * @throws TypeError for a template that is none, RangeError and TypeError for options that make no sense.
 */
export function createSessionMemory(options: SessionMemoryOptions): SessionMemory {
  const parts = createParts(options);
  const { fold, text, enabled } = parts;
  const runs = createOneAtATime<ExtractionResult>();
  const take = createExtractor(parts);
  const closing = new AbortController();
  if (!enabled) closing.abort(closed());
  const { thresholds } = options;
  const watch = createResponseWatch({ ...parts, runs, take, thresholds, closing: closing.signal });
  const idle = async () => {
    await watch.idle();
    await runs.idle();
  };
  return {
    observe: fold.observe,
    afterResponse: watch.afterResponse,
    async extractNow({ contextTokens: given, signal } = {}) {
      signal?.throwIfAborted();
      if (closing.signal.aborted) {
        return { kind: 'failed', reason: enabled ? 'closed' : 'disabled' };
      }
      const contextTokens = isTokens(given) ? given : undefined;
      const either = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      return runs.run((linked) => take('asked-for', { contextTokens, signal: linked }), either);
    },
    notes: text.read,
    snapshot: () => snapshotOf(parts),
    async settle() {
      await text.loaded();
      await idle();
    },
    async close() {
      if (!closing.signal.aborted) closing.abort(closed());
      await idle();
    },
  };
}

const closed = (): DOMException => new DOMException('The notes were closed.', 'AbortError');

const EXPECTED = {
  file: required('an object'),
  runFork: required('a function'),
  editTool: 'a text that is not blank',
  maxTurns: TURNS,
  model: 'a text that is not blank',
  sizeOf: 'a function',
  appendNote: 'a function',
  onEvent: 'a function',
} as const;

function createParts(options: SessionMemoryOptions) {
  checkOptions(options, EXPECTED);
  const { file, onEvent, appendNote, enabled = true } = options;
  const fold = createNotesFold();
  const setting = completeSetting(options, fold);
  const tell = teller(onEvent);
  const text = createNotesText(file, (cause) => tell({ kind: 'unreadable', cause }));
  return { setting, tell, text, appendNote, enabled, fold };
}

function completeSetting(options: SessionMemoryOptions, fold: NotesFold): ExtractionSetting {
  const { model } = options;
  const estimatorOf = createModelEstimators();
  const estimate = (text: string) => estimatorOf(model ?? fold.view().head?.model).text(text);
  const { file, runFork, template = DEFAULT_TEMPLATE, editTool = 'Edit', maxTurns = 5 } = options;
  const { sizeOf = estimate, limits = {}, thresholds, redact = true } = options;
  checkGroup(thresholds, 'thresholds', THRESHOLDS);
  checkGroup(limits, 'limits', LIMITS);
  const parsed = parseTemplate(template);
  return { ...limits, file, runFork, sizeOf, template: parsed, editTool, maxTurns, redact };
}

function snapshotOf({
  text,
  fold,
  setting,
  enabled,
}: ReturnType<typeof createParts>): NotesSnapshot {
  const { status, notes } = text.known();
  const { checkpoint } = fold.state();
  const { template } = setting;
  const cursorId = notes === undefined ? undefined : fold.cursorOf(notesFingerprint(notes));
  return { status: enabled ? status : 'disabled', notes, checkpoint, cursorId, template };
}
