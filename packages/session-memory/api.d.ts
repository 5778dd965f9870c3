// checkpoint.d.ts
import { type Entry, type JsonObject } from '@varve/messages';
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
/** A checkpoint as a note; what is undefined in it is null there. */
export declare function checkpointNote(checkpoint: Checkpoint): CheckpointNote;
/** The checkpoint an entry holds, if it is one of ours. */
export declare function checkpointOf(entry: Entry): Checkpoint | undefined;
export declare const notesFingerprint: (text: string) => string;

// compact-from-notes.d.ts
import type { ThinkingRule } from '@varve/messages';
import type { MessageLike } from '@varve/messages/blocks';
import type { NotesLimits, TextSize } from './limit-notes.ts';
import { type TailLimits } from './tail.ts';
import { type NotesTemplate } from './template.ts';
/**
 * Why notes could not stand in. `disabled`: by the caller; `no-notes`; `empty-template`: nobody wrote anything yet;
 * `cursor-not-found`: it is not known what they cover; `thinking-bound`: thinking in what stays may neither be sent nor
 * dropped now; `still-too-large`: it would not be below the threshold; `not-smaller`: it would save too little; `error`: notes could not be read. Any of them means that
 * another kind of compaction is tried.
 */
export type NoCompactionReason = 'disabled' | 'no-notes' | 'empty-template' | 'cursor-not-found' | 'thinking-bound' | 'still-too-large' | 'not-smaller' | 'error';
/** Sizes in tokens. */
export interface CompactFromNotesOptions<M> extends NotesLimits {
    readonly notes: string | undefined;
    readonly template: NotesTemplate | string;
    /** Index of the last message that the notes cover. */
    readonly cursorIndex: number | undefined;
    /** The result has to be smaller than that, in tokens. */
    readonly thresholdTokens: number;
    /** Tokens of a message. */
    readonly sizeOf: (message: M) => number;
    /** Tokens of a text. */
    readonly textSize: TextSize;
    /** Size of the next request with system prompt and tools. @default that of the messages */
    readonly contextTokens?: number | undefined;
    /** Tokens of what the caller puts behind it. @default 0 */
    readonly attachmentTokens?: number | undefined;
    /** The share of the next request that has to be saved at least, attachments counted, from 0 to 1. @default 0.1 */
    readonly minSavings?: number | undefined;
    readonly tail?: TailLimits | undefined;
    /** Whether the history may be cut before an index, beside what pairs and responses say. @default everywhere */
    readonly mayCut?: ((index: number) => boolean) | undefined;
    readonly thinking: ThinkingRule;
    /** Where the full notes are, as the model is told. @default 'the notes file' */
    readonly where?: string | undefined;
    /** Where the whole conversation is kept, as the model is told. */
    readonly originals?: string | undefined;
    /** Takes secrets out of the notes that stand in. @default true */
    readonly redact?: boolean | undefined;
}
/** What stands in place of the messages that notes cover. */
export interface NotesSummaryMessage {
    readonly role: 'user';
    readonly content: string;
}
/** A history with notes in it, or why there is none. Sizes in tokens. */
export type NotesCompactionResult<M> = {
    readonly kind: 'compacted';
    /** The summary, requests nobody answered yet, and what is kept: the same objects but for those that lost their thinking. */
    readonly messages: readonly (M | NotesSummaryMessage)[];
    readonly summaryText: string;
    /** Index of the first message that is kept; the number of messages where none is. */
    readonly keepFrom: number;
    /** Indexes before `keepFrom` of what a person said and nobody has answered to its end: it stays, behind the summary. */
    readonly openRequests: readonly number[];
    /** Indexes of kept messages whose thinking is dropped. */
    readonly dropThinking: readonly number[];
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    /** Headings of sections that were cut. */
    readonly cut: readonly string[];
} | {
    readonly kind: 'none';
    readonly reason: NoCompactionReason;
};
/**
 * Puts notes in place of the part of a plain history that they cover. No model call; nothing is mutated.
 *
 * @throws TypeError for a template that is none, RangeError and TypeError for numbers that make no sense.
 */
export declare function compactFromNotes<M extends MessageLike>(messages: readonly M[], options: CompactFromNotesOptions<M>): NotesCompactionResult<M>;

// error.d.ts
import { VarveError } from '@varve/guards';
/**
 * `not-read`: the notes are there, or may be, but could not be read; `not-written`: they could not be replaced, the old ones
 * stand; `changed-meanwhile`: somebody else wrote them since they were read, and theirs stand.
 */
export type SessionMemoryErrorCode = 'not-read' | 'not-written' | 'changed-meanwhile';
/** Thrown by files of notes. The message says what to do; it holds no text of the notes. */
export declare class SessionMemoryError extends VarveError<SessionMemoryErrorCode> {
    get name(): 'SessionMemoryError';
    /** Holds across copies of the package, where `instanceof` does not. */
    static is(value: unknown): value is SessionMemoryError;
}

// extraction.d.ts
import type { Usage, View } from '@varve/messages';
import { type Checkpoint } from './checkpoint.ts';
import { type NotesLimits, type TextSize } from './limit-notes.ts';
import type { NotesFile } from './notes-file.ts';
import type { NotesState } from './notes-fold.ts';
import type { RunFork } from './run-fork.ts';
import type { NotesTemplate } from './template.ts';
/**
 * Why notes stayed as they were. `not-read`, `not-written`, `changed-meanwhile`: by the file; `fork-failed`: the child came
 * to no end of its own; `no-edit`: it ended without an edit that could be taken; `facts-lost`: the new notes would hold less
 * than 70 % of the facts of the old ones; `nothing-to-see`: no message yet.
 */
export type ExtractionFailure = 'not-read' | 'not-written' | 'changed-meanwhile' | 'fork-failed' | 'no-edit' | 'facts-lost' | 'nothing-to-see' | 'disabled' | 'closed';
export type ExtractionResult = {
    readonly kind: 'extracted';
    readonly notes: string;
    readonly checkpoint: Checkpoint;
    /** Edits that were taken. */
    readonly edits: number;
    readonly usage?: Usage | undefined;
} | {
    readonly kind: 'failed';
    readonly reason: ExtractionFailure;
    readonly cause?: unknown;
};
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
export declare function extract(setting: ExtractionSetting, basis: ExtractionBasis): Promise<ExtractionResult>;

// extractor.d.ts
import type { View } from '@varve/messages';
import { type CheckpointNote } from './checkpoint.ts';
import { type ExtractionResult, type ExtractionSetting } from './extraction.ts';
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
export type TakeNotes = (reason: ExtractionReason, options: TakeOptions) => Promise<ExtractionResult>;
export declare function createExtractor(parts: ExtractorParts): TakeNotes;

// index.d.ts
export { compactFromNotes } from './compact-from-notes.ts';
export { SessionMemoryError } from './error.ts';
export { createNotesCompaction } from './notes-compaction.ts';
export { memoryNotes } from './notes-file.ts';
export type { RunFork } from './run-fork.ts';
export { createSessionMemory, type SessionMemory } from './session-memory.ts';
export type { SessionMemoryEvent } from './session-memory-event.ts';

// limit-notes.d.ts
import type { NotesTemplate } from './template.ts';
/** Tokens of a text. */
export type TextSize = (text: string) => number;
/** How large notes may be for a model to read. */
export interface NotesLimits {
    /** Tokens of one section, its heading included. @default 2000 */
    readonly sectionTokens?: number | undefined;
    /** Tokens of the whole. @default 12000 */
    readonly totalTokens?: number | undefined;
}
/** Whose form notes have, and how they are measured. */
export interface LimitNotesOptions extends NotesLimits {
    readonly template: NotesTemplate;
    readonly sizeOf: TextSize;
    /** Where the full notes are, as the model is told. @default 'the notes file' */
    readonly where?: string | undefined;
}
/** Notes within their limits. */
export interface LimitedNotes {
    /** Headings and text without guidance lines; sections without text are left out. */
    readonly text: string;
    readonly tokens: number;
    /** Headings of the sections that were cut. */
    readonly cut: readonly string[];
}
export declare const SECTION_TOKENS = 2000;
export declare const TOTAL_TOKENS = 12000;
/**
 * Notes for a model to read, within both limits: a long section is cut at the end of a line, a long line at that of a
 * sentence or a word, and where the whole is too long the longest sections give way first. Of a log, whose guidance line says
 * that it goes step by step, the newest stays, of any other section its start. What was cut says so and where the rest is.
 * Notes out of form are mended first.
 *
 * @throws RangeError and TypeError for options that make no sense.
 */
export declare function limitNotes(text: string, options: LimitNotesOptions): LimitedNotes;
/** A section over its limit, as the note taker is told. */
export interface LongSection {
    readonly heading: string;
    readonly tokens: number;
}
/** Sizes in tokens. */
export interface NotesSize {
    /** Guidance lines included: what the file holds. */
    readonly totalTokens: number;
    readonly longSections: readonly LongSection[];
}
/** How large notes are, and which sections are over their limit. */
export declare function measureNotes(text: string, options: LimitNotesOptions): NotesSize;

// node/index.d.ts
export { notesFile } from './notes-file.ts';
export { notesPath } from './notes-path.ts';

// node/notes-file.d.ts
import { type StoreFiles } from '@varve/tool-storage/node';
import { type NotesFile } from '../notes-file.ts';
export interface NotesFileOnDiskOptions {
    /**
     * How long a write waits for another process that writes the same notes, in ms.
     * @default 10_000
     */
    readonly lockWaitMs?: number | undefined;
    /** What a test puts in place of the disk. @default the real file system */
    readonly files?: StoreFiles | undefined;
}
/**
 * Notes in one file, readable for its owner only. They are written beside it, flushed and moved into place: a kill or a power
 * loss leaves the old ones or the new, whole. Processes that write the same notes do so one after the other, under the lock
 * `<path>.lock`, and each looks again whether its basis is still there. A folder that is a symbolic link is refused, as a file that is
 * one is. Folders are made as needed. A reader that holds the file (Windows) is waited
 * for, about two seconds; where it stays, `not-written` is thrown and the new notes lie beside the old, in a file `.tmp`.
 */
export declare function notesFile(path: string, options?: NotesFileOnDiskOptions): NotesFile;

// node/notes-path.d.ts
/** Whose notes, and where an agent keeps its files. */
export interface NotesPathOptions {
    /** The agent's own folder. */
    readonly root: string;
    /** The project, usually its absolute path: letters and digits of it name its folder, and a print of the whole. */
    readonly project: string;
    readonly sessionId: string;
}
/**
 * Where the notes of a session are: `<root>/projects/<project>/<session>/session-memory/summary.md`.
 *
 * @throws RangeError for a session id that is no plain name, and for a project without a letter or digit; TypeError for
 * what is no text.
 */
export declare function notesPath(options: NotesPathOptions): string;

// notes-compaction.d.ts
import type { Message, Plan, PlanContext, Planner, ViewMessage } from '@varve/messages';
import { type CompactFromNotesOptions, type NoCompactionReason } from './compact-from-notes.ts';
import { type NotesReceipt } from './notes-receipt.ts';
import type { SessionMemory } from './session-memory.ts';
/** Whose notes stand in, how much of them, and what stays beside them. */
export interface NotesCompactionOptions extends Pick<CompactFromNotesOptions<Message>, 'sectionTokens' | 'totalTokens' | 'tail' | 'where' | 'originals' | 'minSavings' | 'redact'> {
    /** Whose notes; it observes through this planner. */
    readonly memory: Pick<SessionMemory, 'observe' | 'snapshot'>;
    /** Whether notes may stand in for a summary; only where the memory is enabled as well. @default true */
    readonly enabled?: boolean | undefined;
    /** The model whose vocabulary texts are counted in. @default that of the log's head; else as `o200k` */
    readonly model?: string | undefined;
    /** Tokens of a text. @default the estimate of `@varve/tokens` for the model */
    readonly textSize?: ((text: string) => number) | undefined;
    /** What is to stand behind what is kept, restored files for example; ids have to be new. @default nothing */
    readonly attachments?: ((kept: readonly ViewMessage[]) => readonly Message[]) | undefined;
    /** Told what was thrown where the reason is `error`. What it throws is ignored. */
    readonly onError?: ((cause: unknown) => void) | undefined;
}
/** `below-threshold`: no need yet; `open-round`: calls wait for results. Every other reason is that of the notes. */
export type NotesPlan = {
    readonly kind: 'none';
    readonly reason: NoCompactionReason | 'below-threshold' | 'open-round';
} | (Extract<Plan, {
    readonly kind: 'edit';
}> & {
    readonly receipt: NotesReceipt;
});
/** A planner whose edit puts notes in place of what they cover. */
export interface NotesCompaction extends Planner {
    plan(context: PlanContext): NotesPlan;
    /** The same whatever the size of the context: somebody asked for it. */
    planManual(context: PlanContext): NotesPlan;
}
/**
 * Creates a planner for one thread. Its edits: where the model's rule demands it, thinking of what stays is dropped first,
 * which is legal by itself; then one `replace-span` with the notes in place of what they cover, and copies of requests in it
 * that nobody has answered yet. `plan` costs nothing below the threshold; above it the size of each message of the view, and a look at those that may stay.
 *
 * @throws RangeError and TypeError for limits that make no sense.
 */
export declare function createNotesCompaction(options: NotesCompactionOptions): NotesCompaction;

// notes-file.d.ts
import { SessionMemoryError } from './error.ts';
/** Where the notes of one session are kept. `notesFile` of `@varve/session-memory/node` is one on disk. */
export interface NotesFile {
    /** Named to the note taker, whose edit tool has to be asked for exactly this path. */
    readonly path: string;
    /** The notes, or undefined where there are none yet. Throws `not-read` when that cannot be told. */
    read(options?: NotesFileOptions): Promise<string | undefined>;
    /**
     * Puts the notes in place of `basis` (undefined: there were none) in one step: whoever reads sees all of the old or all
     * of the new. Throws `changed-meanwhile` where something else than `basis` is there, and `not-written`.
     */
    write(text: string, options: NotesWriteOptions): Promise<void>;
}
/** An abort leaves the file as it was. */
export interface NotesFileOptions {
    readonly signal?: AbortSignal | undefined;
}
/** `basis`: what has to be there still, as it was read. */
export interface NotesWriteOptions extends NotesFileOptions {
    readonly basis: string | undefined;
}
/** Notes in memory, for tests and for sessions that leave nothing behind. */
export declare function memoryNotes(path?: string, initial?: string): NotesFile;
export declare const changedMeanwhile: () => SessionMemoryError;

// notes-fold.d.ts
import { type Entry, type View } from '@varve/messages';
import { type Checkpoint } from './checkpoint.ts';
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
export declare function createNotesFold(): NotesFold;

// notes-receipt.d.ts
import type { ViewMessage } from '@varve/messages';
import { type EditReceipt } from '@varve/messages/log';
import type { NotesCompactionResult } from './compact-from-notes.ts';
/** What a compaction from notes leaves behind in the log; fits the receipts of `@varve/compact`. */
export interface NotesReceipt extends EditReceipt {
    readonly trigger: 'auto' | 'manual';
    readonly engine: 'notes';
    /** Id of the last message before the boundary. */
    readonly lastMessageId: string;
    /** First and last kept message and what stands before them; only where something is kept. */
    readonly kept?: {
        readonly head: string;
        readonly tail: string;
        readonly anchor: string;
    };
    /** Tokens of what was to be attached and was left out; only where something was. */
    readonly leftOutTokens?: number;
    /** No model was called. */
    readonly calls: 0;
    /** Which notes, and the headings of sections that were cut. */
    readonly notes: {
        readonly fingerprint: string;
        readonly cut: readonly string[];
    };
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
type Compacted = Extract<NotesCompactionResult<ViewMessage>, {
    readonly kind: 'compacted';
}>;
export declare function notesReceipt({ keepFrom, openRequests, tokensBefore, tokensAfter, dropThinking, cut }: Compacted, options: NotesReceiptOptions): NotesReceipt;
export {};

// notes-snapshot.d.ts
import type { Checkpoint } from './checkpoint.ts';
import type { NotesTemplate } from './template.ts';
/** What is known about the notes without reading them again. */
export interface NotesSnapshot {
    /** `loading`: not read yet; `unreadable`: see the event; `disabled`: whatever the file holds, it is not to be used. */
    readonly status: 'loading' | 'loaded' | 'unreadable' | 'disabled';
    readonly notes?: string | undefined;
    /** The newest one. */
    readonly checkpoint?: Checkpoint | undefined;
    /** The last logged message these very notes cover, where it is known. */
    readonly cursorId?: string | undefined;
    readonly template: NotesTemplate;
}

// notes-text.d.ts
import type { NotesFile } from './notes-file.ts';
import type { NotesSnapshot } from './notes-snapshot.ts';
/** The newest text that is known of a file of notes. */
export interface NotesText {
    known(): Pick<NotesSnapshot, 'status' | 'notes'>;
    set(notes: string): void;
    read(): Promise<string | undefined>;
    /** Resolves when the first reading is over, well or not. */
    loaded(): Promise<void>;
}
/** Starts reading at once; what fails in that is told, not thrown. */
export declare function createNotesText(file: NotesFile, onError: (cause: unknown) => void): NotesText;

// one-at-a-time.d.ts
/** Runs work strictly one at a time. */
export interface OneAtATime<Value> {
    isBusy(): boolean;
    /**
     * Runs the work when nothing else runs, and answers when it has ended. Whoever asks while something runs shares the one run
     * that follows; an abort ends the wait of the one who asked, and the run once nobody waits for it any more.
     */
    run(work: Work<Value>, signal: AbortSignal): Promise<Value>;
    /** Resolves when nothing runs and nothing waits. */
    idle(): Promise<void>;
}
type Work<Value> = (signal: AbortSignal) => Promise<Value>;
export declare function createOneAtATime<Value>(): OneAtATime<Value>;
export {};

// response-watch.d.ts
import type { View } from '@varve/messages';
import type { TakeNotes } from './extractor.ts';
import type { NotesFold } from './notes-fold.ts';
import type { OneAtATime } from './one-at-a-time.ts';
import { type ExtractionDecision, type ExtractionThresholds } from './should-extract.ts';
/**
 * What became of a response. `folded-in`: an extraction runs, and when it is done it is decided again; `new-baseline`: the
 * first size after a compaction that did not say its own; `unknown-size`: it is no number from 0 up; `disabled`: no notes
 * are taken, or no more.
 */
export type ResponseDecision = ExtractionDecision | {
    readonly kind: 'wait';
    readonly reason: 'disabled' | 'folded-in' | 'new-baseline' | 'unknown-size';
};
/** A response, and what the conversation is after it. */
export interface ResponseFacts {
    /** Size of the context in tokens, the response included. */
    readonly contextTokens: number;
    readonly view: View;
}
export interface ResponseWatchOptions {
    readonly fold: NotesFold;
    readonly runs: OneAtATime<unknown>;
    readonly take: TakeNotes;
    readonly thresholds: ExtractionThresholds | undefined;
    /** Aborted when no more notes are to be taken. */
    readonly closing: AbortSignal;
}
export interface ResponseWatch {
    afterResponse(facts: ResponseFacts): ResponseDecision;
    /** Resolves when nothing it started runs, and nothing is to be decided again. */
    idle(): Promise<void>;
}
/** Decides after each response, and starts what it decides without waiting for it. */
export declare function createResponseWatch(options: ResponseWatchOptions): ResponseWatch;

// run-fork.d.ts
import type { ToolResultBlock, ToolUseBlock, Usage, View } from '@varve/messages';
/**
 * Runs a child of the conversation that shares its cached prefix, up to its end: `isDone`, or a reply without calls; one
 * without content is an end as well. It rejects or answers `failed` where the child did not come to an end; the notes are
 * then left as they were.
 */
export type RunFork = (fork: NotesFork) => Promise<ForkOutcome>;
export interface NotesFork {
    /** For reports of cost. */
    readonly source: 'session-memory';
    /** Everything the child has to see: the conversation up to now, its last turn included. */
    readonly view: View;
    /** What the child is asked, to be appended as a user message. */
    readonly directive: string;
    /** Asked before every tool call of the child; the tools themselves stay those of the parent, whose prefix they are in. */
    readonly canUseTool: (call: ToolCall) => ToolPermission;
    /** Runs a call that was allowed, in place of the parent's tools. */
    readonly runTool: (call: ToolCall) => ToolOutcome;
    /**
     * To be asked after each round of calls, with the results of all calls of the reply: `true` where nothing was refused and
     * notes were changed. The child has then done what it was asked, and another request would only have it say so.
     */
    readonly isDone: (results: readonly CallResult[]) => boolean;
    readonly maxTurns: number;
    readonly signal: AbortSignal;
}
/** A `tool_use` block fits. */
export type ToolCall = Pick<ToolUseBlock, 'id' | 'name' | 'input'>;
/** A `tool_result` block fits. */
export type CallResult = Pick<ToolResultBlock, 'is_error'>;
/** The reason goes to the model as the result of the call. */
export type ToolPermission = {
    readonly allow: true;
} | {
    readonly allow: false;
    readonly reason: string;
};
export interface ToolOutcome {
    readonly content: string;
    readonly isError: boolean;
}
export type ForkOutcome = {
    readonly kind: 'done';
    readonly usage?: Usage | undefined;
} | {
    readonly kind: 'failed';
    readonly reason: string;
    readonly cause?: unknown;
};

// session-memory-event.d.ts
import type { ExtractionResult } from './extraction.ts';
/** What happens in the background. `extraction-started` is followed by one of `extracted`, `failed` and `aborted`. */
export type SessionMemoryEvent = {
    readonly kind: 'extraction-started';
    readonly reason: ExtractionReason;
} | ExtractionResult
/** By a signal, or by `close`: the notes are as they were. */
 | {
    readonly kind: 'aborted';
    readonly cause: unknown;
}
/** The session goes on, but a resumed one will not know how far the notes go. */
 | {
    readonly kind: 'note-not-appended';
    readonly cause: unknown;
}
/** The notes of an earlier run could not be read. */
 | {
    readonly kind: 'unreadable';
    readonly cause: unknown;
};
export type ExtractionReason = 'tool-calls' | 'pause' | 'asked-for';
/** A listener that throws is its own affair. */
export declare function teller(listen: ((event: SessionMemoryEvent) => void) | undefined): (event: SessionMemoryEvent) => void;

// session-memory.d.ts
import type { Entry, View } from '@varve/messages';
import { type CheckpointNote } from './checkpoint.ts';
import type { ExtractionResult } from './extraction.ts';
import type { NotesLimits } from './limit-notes.ts';
import type { NotesFile } from './notes-file.ts';
import type { NotesSnapshot } from './notes-snapshot.ts';
import { type ResponseDecision, type ResponseFacts } from './response-watch.ts';
import type { RunFork } from './run-fork.ts';
import { type SessionMemoryEvent } from './session-memory-event.ts';
import type { ExtractionThresholds } from './should-extract.ts';
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
export declare function createSessionMemory(options: SessionMemoryOptions): SessionMemory;

// should-extract.d.ts
/** What is known after a response. */
export interface ExtractionState {
    /** Size of the context in tokens. */
    readonly contextTokens: number;
    /** Size at the last extraction or after the last compaction, the later of the two; undefined before either. */
    readonly baselineTokens?: number | undefined;
    /** Tool calls since the last extraction. */
    readonly toolCalls: number;
    /** Whether the last assistant turn calls a tool. */
    readonly endsWithCall: boolean;
}
/** When notes are taken; what is left out has its default. */
export interface ExtractionThresholds {
    /** Tokens of context from which notes are taken at all. @default 10000 */
    readonly firstTokens?: number | undefined;
    /** Tokens the context has to grow by between two extractions. @default 5000 */
    readonly growthTokens?: number | undefined;
    /** Tool calls that make up for a pause. @default 3 */
    readonly toolCalls?: number | undefined;
}
/** `tool-calls`: enough of them since the last time; `pause`: the last turn calls no tool. */
export type ExtractionDecision = {
    readonly kind: 'extract';
    readonly reason: 'tool-calls' | 'pause';
} | {
    readonly kind: 'wait';
    readonly reason: 'small-context' | 'little-growth' | 'few-calls';
};
/** Whether it is time to take notes. Both a size and a moment are needed: enough calls since the last time, or a pause. */
export declare function shouldExtract({ contextTokens, baselineTokens, toolCalls, endsWithCall }: ExtractionState, thresholds?: ExtractionThresholds): ExtractionDecision;

// tail.d.ts
import type { MessageLike } from '@varve/messages/blocks';
/** How much stays beside the notes. */
export interface TailLimits {
    /** The tail is widened backwards to so many tokens. @default 10000 */
    readonly minTokens?: number | undefined;
    /** And to so many messages with text. @default 5 */
    readonly minTextMessages?: number | undefined;
    /** It is never widened beyond so many tokens. @default 40000 */
    readonly maxTokens?: number | undefined;
}
/** Whose tail, and how large its messages are. */
export interface TailOptions<M> extends TailLimits {
    /** Tokens of a message. */
    readonly sizeOf: (message: M) => number;
    /** Index of the last message that need not be kept; -1 keeps everything. */
    readonly cursorIndex: number;
    /** Whether the history may be cut before an index, beside what pairs and responses say. @default everywhere */
    readonly mayCut?: ((index: number) => boolean) | undefined;
}
/**
 * Index at which the part of a history starts that stays when the rest gives way to notes. All behind the cursor stays,
 * however large it is; before it the newest request of a person if it fits, and as much as the limits say. The cut parts no
 * call from its result and no response, and an earlier summary is never kept; a round with words of a person beside its
 * results stays until they are answered. 0 where there is no such cut.
 */
export declare function tailStart<M extends MessageLike>(messages: readonly M[], options: TailOptions<M>): number;

// template.d.ts
/** What notes are made of: sections under fixed headings, each with a line that says what belongs there. */
export interface NotesTemplate {
    /** The empty notes: what the file starts as. */
    readonly text: string;
    readonly sections: readonly TemplateSection[];
}
/** A section as notes begin it. */
export interface TemplateSection {
    /** The whole line, e.g. `# Title`. */
    readonly heading: string;
    /** The whole line under it, e.g. `_What this session is about._`; empty where there is none. */
    readonly guidance: string;
}
/**
 * Reads a template: Markdown with a heading line per section, and under it at most one line in underscores as guidance.
 *
 * @throws TypeError for text that is no template: no heading, the same heading twice, or anything else in it.
 */
export declare function parseTemplate(text: string): NotesTemplate;
/** The ten sections that notes have unless a template of one's own is given. */
export declare const DEFAULT_TEMPLATE = "# Title\n_Five to ten telling words by which this session is recognised._\n\n# Current state\n_What is in work right now, and what is still to be done. Written anew every time._\n\n# Task\n_What the user asked for, and what was decided about the design._\n\n# Files and functions\n_The ones that matter, and what is in them._\n\n# Workflow\n_Commands that are usually run, in which order, and how to read what they print._\n\n# Errors and corrections\n_What went wrong and how it was put right; what the user corrected; what failed and is not to be tried again._\n\n# System\n_The parts of the code base and how they work together._\n\n# Learnings\n_What worked well, what did not, what to keep away from._\n\n# Key results\n_An answer, table or text the user asked for, repeated exactly._\n\n# Worklog\n_What was done, step by step, a few words each._\n";
