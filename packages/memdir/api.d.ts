// change-files.d.ts
import { type ChangeFileNote } from './commit.ts';
import { type SaveRefusal, type WriteParts } from './save.ts';
/** A file that is to be changed, made or archived. */
export interface FileChange extends ChangeFileNote {
    readonly path: string;
    /** The hash of what was read; undefined: there was no file. */
    readonly basis: string | undefined;
    /** The whole new file; undefined: it goes to the archive. */
    readonly text: string | undefined;
    /** Of a file that goes: the one whose line stands in place of its line in the index. */
    readonly successor?: string | undefined;
}
export interface ChangeOptions {
    /** For the history. */
    readonly reason: string;
    /** Who changes, for the history. @default 'dream' */
    readonly kind?: 'dream' | 'extraction' | undefined;
    /** Files that may say what was forgotten, because the user said it again: their statements are forgotten no more. @default none */
    readonly lifts?: readonly string[] | undefined;
    readonly signal?: AbortSignal | undefined;
}
export type ChangeResult = {
    readonly kind: 'changed';
    /** Of the change, for `undo`. */
    readonly id: string;
    /** Files that have no line: their index is a store, or full. */
    readonly left: readonly string[];
    /** Indexes whose lines changed with it. */
    readonly indexes: readonly string[];
} | {
    readonly kind: 'unchanged';
    readonly left: readonly string[];
}
/** These files are not what was read; nothing was done. */
 | {
    readonly kind: 'conflict';
    readonly paths: readonly string[];
} | {
    readonly kind: 'refused';
    readonly reason: SaveRefusal;
    readonly path: string;
    /** For the model: what to do. */
    readonly message: string;
};
/** Makes changes to several files as one, with the lines of the indexes that were written here. */
export declare function changeFiles(parts: WriteParts, files: readonly FileChange[], { reason, kind, lifts, signal }: ChangeOptions): Promise<ChangeResult>;

// check.d.ts
import { type Shelf } from './library.ts';
/** What is wrong with a folder. */
export type FindingKind = 'dangling' | 'orphan' | 'outside' | 'pointed-twice' | 'long-line' | 'store-like-index' | 'content-in-index' | 'index-too-long' | 'second-index' | 'header' | 'equal-files' | 'equal-names' | 'dead-link' | 'user-in-shared' | 'not-opened' | 'interrupted' | 'relative-date' | 'long-file';
export interface Finding {
    readonly kind: FindingKind;
    /** Notes are worth a look; only faults make a folder unsound. */
    readonly level: 'fault' | 'note';
    readonly path: string;
    /** From 1. */
    readonly line?: number | undefined;
    /** What it is about: a target, another file, a problem of a header. */
    readonly detail: string;
}
export interface CheckReport {
    /** Whether there is no fault. */
    readonly ok: boolean;
    readonly files: number;
    readonly indexes: number;
    /** Pointers of all indexes. */
    readonly pointers: number;
    readonly findings: readonly Finding[];
    /** How many of each kind. */
    readonly counts: Readonly<Partial<Record<FindingKind, number>>>;
    /** Files that were not looked at because there are too many. */
    readonly leftOut: number;
}
export interface CheckInput extends Shelf {
    readonly indexTexts: ReadonlyMap<string, string>;
    /** Whether all of the folder is shared with a team or a repository. */
    readonly isShared: boolean;
    /** Those of them that a link, the system or their bytes keep from being read. */
    readonly unreadIndexes: readonly string[];
    /** `closed`: it is a link, or may not be read. */
    readonly archive: 'sound' | 'interrupted' | 'closed';
}
/** Looks for what is wrong with a folder, and changes nothing. */
export declare function checkShelf(input: CheckInput): CheckReport;

// command-line.d.ts
/** Where a command writes. */
export interface Output {
    out(text: string): void;
    err(text: string): void;
}
/**
 * The words and flags of a command line; behind `--` all are words. `fail` says why a command cannot run, with `--json` on
 * standard output, too, and gives its exit code.
 */
export declare function readCommandLine(name: string, args: readonly string[], { out, err }: Output): {
    flags: string[];
    words: string[];
    isJson: boolean;
    fail(message: string): number;
};

// commit.d.ts
import type { MemoryFolder } from './folder.ts';
/** A file before and after a change; undefined: it was not, or is not, there. */
export interface Change {
    readonly path: string;
    readonly before: string | undefined;
    readonly after: string | undefined;
}
export type ChangeKind = 'save' | 'forget' | 'rebuild' | 'undo' | 'dream' | 'extraction';
/** Why one of several files changed, where each has its own reason. */
export interface ChangeFileNote {
    readonly reason?: string | undefined;
    readonly quote?: string | undefined;
}
/** What is kept of a change, beside the texts before it. */
export interface ChangeRecord {
    /** `<date>/<number>`, the name of its folder in the archive. A later change has a larger number, whatever its date. */
    readonly id: string;
    readonly at: string;
    readonly kind: ChangeKind;
    readonly reason: string;
    /** What the user said, where that is the reason. */
    readonly quote?: string | undefined;
    /** Of an undo: what it takes back. */
    readonly undoes?: string | undefined;
    /** Hashes of the texts before and after; null: there was none. */
    readonly files: readonly (ChangeFileNote & {
        readonly path: string;
        readonly before: string | null;
        readonly after: string | null;
    })[];
}
export declare const PENDING = ".archive/pending.json";
export interface CommitOptions extends Pick<ChangeRecord, 'kind' | 'reason' | 'quote' | 'undoes'> {
    /** Of single files, by their paths. */
    readonly notes?: ReadonlyMap<string, ChangeFileNote> | undefined;
    readonly nowMs: number;
    readonly signal?: AbortSignal | undefined;
}
/**
 * Makes changes to several files as one: the texts before it go to the archive, then what is going to happen is written down,
 * then it happens, in the order of the changes. A kill in between is taken back by the next writer. It has to run in
 * `changing`.
 *
 * @throws MemdirError `changed-meanwhile` where a file is not `before` any more; what was done until then is taken back
 */
export declare function commit(folder: MemoryFolder, changes: readonly Change[], options: CommitOptions): Promise<ChangeRecord>;
/** Runs work that reads and commits: alone, after mending what was interrupted, and again where a file was changed meanwhile. */
export declare function changing<Value>(folder: MemoryFolder, work: () => Promise<Value>, signal: AbortSignal | undefined): Promise<Value>;
/** The changes that are kept, the newest first. */
export declare function readHistory(folder: MemoryFolder, signal: AbortSignal | undefined): Promise<readonly ChangeRecord[]>;
/** The text of a file before a change; undefined where it is not what the record says. */
export declare function textBefore(folder: MemoryFolder, { id, files }: ChangeRecord, path: string): Promise<string | undefined>;

// edit-index.d.ts
import type { Change } from './commit.ts';
import type { MemoryFolder } from './folder.ts';
import { type IndexSize } from './index-limits.ts';
import { type LineSource } from './index-lines.ts';
/** How much of its limits the index has used. */
export interface IndexRoom extends IndexSize {
    readonly path: string;
    readonly maxLines: number;
    readonly maxBytes: number;
}
/** Edits of the indexes of a folder that belong to one change. */
export interface IndexEdit {
    /** Whether the file has a line, this one or another's. False where the index is full or closed: it is found by search alone then. */
    point(file: LineSource): boolean;
    /**
     * Takes out every line that points to a path and to no other, and of other lines the links to it; the line or the link of
     * `successor`, if it is given, stands in place of the first.
     */
    unpoint(path: string, successor?: LineSource): void;
    /** Gives a file the line that it had in an index: in place of its line of today, if that was written here, else behind the others. */
    restore(indexPath: string, path: string, line: NewLine): void;
    /**
     * Brings lines of ours up to date, drops those of files that are gone, and adds what is missing. Files that stand in the folder
     * and could not be read keep their lines.
     */
    refresh(files: readonly LineSource[], standing?: readonly string[]): readonly string[];
    roomOf(path: string): IndexRoom;
    /** Whether the index of a file is not to be edited: it is no text in UTF-8, a link, or may not be read. */
    isClosed(path: string): boolean;
    changes(): readonly Change[];
}
interface NewLine {
    readonly text: string;
    readonly isOwn: boolean;
}
export declare function openIndexes(folder: MemoryFolder, paths: readonly string[], signal: AbortSignal | undefined): Promise<IndexEdit>;
export {};

// error.d.ts
import { VarveError } from '@varve/guards';
/**
 * `bad-folder`: the folder may not hold memory (a root, a share, a link that leads elsewhere); `bad-path`: a path that leaves the
 * folder, that some system cannot hold, or where a link or a folder stands; `changed-meanwhile`: a file is not what was read any
 * more, and stays as it is; `locked`: another process changes the folder, and did not end in time; `not-read` and `not-written`: the system refused, see `cause`.
 */
export type MemdirErrorCode = 'bad-folder' | 'bad-path' | 'changed-meanwhile' | 'locked' | 'not-read' | 'not-written';
/** Thrown by folders. The message says what to do; it holds no text of a memory and no absolute path. */
export declare class MemdirError extends VarveError<MemdirErrorCode> {
    get name(): 'MemdirError';
    /** Holds across copies of the package, where `instanceof` does not. */
    static is(value: unknown): value is MemdirError;
}

// evidence.d.ts
export { corrects, isDenied } from './evidence/corrections.ts';
export { dateProblem } from './evidence/dates.ts';
export { isPathList } from './evidence/path-list.ts';
export { quoteProblem } from './evidence/quotes.ts';
export { lostSpecifics, specificsOf } from './evidence/specifics.ts';
export { statementKey, statementsOf } from './evidence/statements.ts';

// evidence/corrections.d.ts
/** Words that deny what a statement says; two of them deny nothing. */
export declare const NEGATIONS: RegExp;
/** Whether a statement denies something. */
export declare function isDenied(statement: string): boolean;
/**
 * Whether a statement puts another one right: it is about the same, word for word, and says the opposite (`is allowed`, `is not
 * allowed`; `before`, `after`) or gives one other number. What only resembles another statement, or adds to it, corrects nothing.
 */
export declare function corrects(statement: string, earlier: string): boolean;

// evidence/dates.d.ts
export interface DateProblem {
    /** `relative`: it names no day without the day on which it was written; `unknown`: neither today nor the sources give it. */
    readonly kind: 'relative' | 'unknown';
    /** The words. */
    readonly text: string;
}
/** A text that dates may come from, with the day on which it was written. */
export interface DatedText {
    readonly text: string;
    /** In ms since 1970. @default today; where that is not given, it gives the dates alone that it names in full */
    readonly atMs?: number | undefined;
}
export interface DateProblemOptions {
    /** In ms since 1970. @default today is not given */
    readonly todayMs?: number | undefined;
    readonly sources: readonly DatedText[];
}
/**
 * The first date of a memory that it may not hold; undefined where there is none. A day has to be today, if that is given, or to stand in the
 * sources, or to be what they say relative to the day on which they were written: `on Thursday`, `two weeks ago`, `the 12th`,
 * `since January`. Of what names no day but a month, a day is known only where it begins or ends. Days are those of UTC.
 */
export declare function dateProblem(text: string, options: DateProblemOptions): DateProblem | undefined;
/** Names a day that is not known without the day on which it was written. */
export declare const RELATIVE_DATE: RegExp;
/** A text without the days and months that it names. */
export declare const withoutDates: (text: string) => string;

// evidence/path-list.d.ts
/** Whether a text lists what a repository shows by itself (D9): where its files are. */
export declare function isPathList(text: string): boolean;

// evidence/quotes.d.ts
/** A longer quote is no quote of one statement. */
export declare const MOST_QUOTE_CHARS = 200;
export type QuoteProblem = 'no-quote' | 'quote-too-long' | 'quote-not-found';
/**
 * What is wrong with a quote; undefined where it stands word for word in one of the texts. Forms of characters (NFKC) and blanks
 * do not count, nor do quotation marks around it; case does.
 */
export declare function quoteProblem(quote: string, texts: readonly string[]): QuoteProblem | undefined;

// evidence/specifics.d.ts
/**
 * What a text names that no other words can say: numbers, dates, versions, paths, addresses, identifiers, and names written with
 * a capital inside of a sentence. In lower case, each once.
 */
export declare function specificsOf(text: string): ReadonlySet<string>;
/** Those of some texts that stand nowhere in another one: what a merge of them has lost. */
export declare function lostSpecifics(sources: readonly string[], target: string): readonly string[];
/** As a whole: `12` does not stand in `2012`. */
export declare function holds(text: string, specific: string): boolean;

// evidence/statements.d.ts
/** What a text says in one sentence or list item. */
export interface Statement {
    readonly text: string;
    /** Its line, from 0. */
    readonly line: number;
    /** `why` and `apply`: behind such a label, as memories have them; all else is the rule itself. */
    readonly part: 'rule' | 'why' | 'apply';
}
/**
 * The statements of a text in order: sentences and list items. Headings, labels and lines of code state nothing, and
 * neither does what has fewer than three words.
 */
export declare function statementsOf(text: string): readonly Statement[];
/** Whether a line is such a label and nothing else. */
export declare const isOnlyLabel: (line: string) => boolean;
/** A text without the label of what does not follow; what is nothing else stays. */
export declare const withoutEndLabel: (text: string) => string;
export declare const withoutLabel: (text: string) => string;
export declare const withoutItem: (line: string) => string;
/** The sentences of a text, and parts of them up to a semicolon. */
export declare const sentencesOf: (text: string) => readonly string[];
/** Statements that differ in case, marks, blanks and forms of characters alone have one key. */
export declare function statementKey(statement: string): string;

// extract.d.ts
export type { ExtractionEvent } from './extract/event.ts';
export { createExtraction } from './extract/extraction.ts';
export { extractionPromptHash, extractionTools } from './extract/prompt.ts';
export type { RunFork } from './extract/run-child.ts';

// extract/compose.d.ts
import { type Statement } from '../evidence/statements.ts';
/** A statement to be written. */
export type NewStatement = Pick<Statement, 'part' | 'text'>;
/**
 * The text of a memory with statements out and others in: the rule first, then why, then how to apply it. Lines that are not touched
 * stay as they are.
 */
export declare function composeBody(body: string, { added, removed, }: {
    readonly added: readonly NewStatement[];
    readonly removed: ReadonlySet<string>;
}): string;

// extract/draft.d.ts
import { type ReadMemory } from '../memory-file.ts';
import { type NewStatement } from './compose.ts';
import type { ExtractionNote, ExtractionRefusal, HoldReason } from './event.ts';
import { type JudgeOptions } from './judge.ts';
import { type Proposal } from './proposal.ts';
/** A write that was found to be right, before it is made. */
export interface Staged {
    /** Of the file that is changed; undefined: a new one. */
    readonly path: string | undefined;
    readonly name: string;
    readonly description: string;
    readonly type: Proposal['type'];
    readonly added: readonly (NewStatement & {
        readonly quote: string;
        readonly turn: number;
    })[];
    /** Keys of the statements that go. */
    readonly removed: ReadonlySet<string>;
    /** Words of the user behind the removals. */
    readonly removalQuotes: readonly string[];
    /** The user asked for what was once forgotten. */
    readonly liftsTombstone: boolean;
}
export interface HeldStatement extends ExtractionNote<HoldReason> {
    readonly description: string;
    readonly type: Proposal['type'];
    readonly text: string;
}
export interface DraftOptions extends JudgeOptions {
    readonly files: readonly ReadMemory[];
    readonly isShared: boolean;
    /** Keys of what waits for the user already. */
    readonly waiting: ReadonlySet<string>;
}
export interface ToolOutcome {
    readonly content: string;
    readonly isError: boolean;
}
export interface DraftResult {
    readonly staged: readonly Staged[];
    readonly held: readonly HeldStatement[];
    readonly refused: readonly ExtractionNote<ExtractionRefusal>[];
    /** Calls of which nothing was a memory. */
    readonly malformed: number;
}
/** What one extraction is going to write. Its calls change nothing but it; the folder is changed when all of it is known. */
export interface Draft {
    read(input: unknown): ToolOutcome;
    save(input: unknown): ToolOutcome;
    result(): DraftResult;
}
export declare function createDraft(options: DraftOptions): Draft;

// extract/event.d.ts
import type { Usage } from '@varve/messages';
import type { SaveRefusal } from '../save.ts';
/** Why a turn started no extraction. */
export type SkipReason = 'sub-agent' | 'extraction-off' | 'memory-off' | 'remote' | 'closed'
/** One runs: what is new by then follows it. */
 | 'running' | 'throttled' | 'agent-wrote-memory'
/** The user said nothing since. */
 | 'nothing-new'
/** The conversation could not be read: see the event. */
 | 'failed';
/** Why a statement waits for the user instead of being saved. */
export type HoldReason = 
/** No quote, or one that stands in no message of the user. */
'no-user-quote'
/** The quote stands there and says nothing of the statement. */
 | 'quote-of-something-else'
/** What it says came from the web, a server or another agent, and not from the user. */
 | 'outside-context';
/** Why a statement or a file was not taken. */
export type ExtractionRefusal = SaveRefusal
/** It cannot be read as a memory with its four fields. */
 | 'malformed'
/** A refusal of the model, a piece of JSON, or nothing that is said. */
 | 'not-a-statement' | 'prompt-text' | 'relative-date' | 'unknown-date' | 'path-list' | 'no-rule' | 'asked-to-forget'
/** It says what its quote does not: another value, the opposite, or a part of its own. */
 | 'beyond-quote'
/** The user said otherwise later. */
 | 'said-otherwise' | 'removal-without-quote' | 'changed-meanwhile';
export interface ExtractionWrite {
    readonly path: string;
    readonly kind: 'created' | 'updated' | 'superseded';
    readonly added: number;
    readonly removed: number;
}
export interface ExtractionNote<Reason extends string> {
    /** Of the memory it was meant for. */
    readonly name: string;
    readonly reason: Reason;
    /** What was said about it; no text of the user. */
    readonly message: string;
}
interface Cost {
    readonly mode: 'fresh' | 'fork';
    /** Billed tokens of all requests. */
    readonly usage: Usage;
    /** Requests. */
    readonly turns: number;
}
export type ExtractionEvent = {
    readonly kind: 'skipped';
    readonly reason: SkipReason;
} | {
    readonly kind: 'started';
    readonly texts: number;
    readonly isTrailing: boolean;
} | ({
    readonly kind: 'finished';
    /** Files that were written: what a user may be told. Empty is the normal case. */
    readonly writes: readonly ExtractionWrite[];
    readonly refused: readonly ExtractionNote<ExtractionRefusal>[];
    readonly held: readonly (ExtractionNote<HoldReason> & {
        readonly path: string;
    })[];
    /** Of the change, for `undo`; undefined where nothing was written. */
    readonly id: string | undefined;
} & Cost)
/** Nothing of what the model wrote was a memory; the same messages come again. */
 | ({
    readonly kind: 'dropped';
    readonly reason: string;
    readonly attempt: number;
} & Cost)
/** The messages of three dropped runs are left. */
 | {
    readonly kind: 'cursor-moved';
    readonly reason: 'three-dropped-runs';
} | {
    readonly kind: 'failed';
    readonly cause: unknown;
}
/** The agent said that it saved something, and wrote nothing. */
 | {
    readonly kind: 'claim-without-write';
    readonly turn: number;
};
export {};

// extract/extraction.d.ts
import type { Message } from '@varve/messages';
import type { ToolCall } from '@varve/messages/tools';
import type { ModelClient } from '@varve/models';
import type { CallWindowOptions } from '@varve/models/call';
import type { Memdir } from '../memdir.ts';
import type { ExtractionEvent, SkipReason } from './event.ts';
import { type RunFork } from './run-child.ts';
/** Asked before each turn; what is left out is on. */
export interface ExtractionSwitches {
    /** The background pass alone; the agent may still write memory itself. */
    readonly extraction?: boolean | undefined;
    readonly memory?: boolean | undefined;
    /** A run on another machine, where nothing is kept. */
    readonly isRemote?: boolean | undefined;
}
export interface ExtractionOptions {
    readonly memory: Memdir;
    /** Reads the new messages in a call of its own. Give this and `model`, or `runFork`. */
    readonly client?: ModelClient | undefined;
    readonly model?: string | undefined;
    /** Entries of one's own; they win over the model table, which says how large the window of `model` is. */
    readonly models?: CallWindowOptions['models'];
    /** Reads them in a fork of the conversation, which shares its cached prefix. */
    readonly runFork?: RunFork | undefined;
    readonly switches?: (() => ExtractionSwitches) | undefined;
    /** Runs after every so many turns. @default 1 */
    readonly everyTurns?: number | undefined;
    /** Requests of one run. @default 5 */
    readonly maxTurns?: number | undefined;
    /** How long the model may take for one run, in ms; then the run has failed, and its messages come again. @default 120_000 */
    readonly timeoutMs?: number | undefined;
    /** Id of the last message that an earlier process has looked at. @default everything is new */
    readonly cursor?: string | undefined;
    /** Whether the result of a call comes from outside, beside the web, MCP servers and other agents. @default no other does */
    readonly isOutside?: ((call: ToolCall) => boolean) | undefined;
    /** Told what happens in the background. What it throws is ignored. */
    readonly onEvent?: ((event: ExtractionEvent) => void) | undefined;
    /** Milliseconds since 1970. @default Date.now */
    readonly now?: (() => number) | undefined;
}
export type ExtractionDecision = {
    readonly kind: 'started';
} | {
    readonly kind: 'skipped';
    readonly reason: SkipReason;
};
/** Looks through a conversation, turn by turn, for what later ones should know. */
export interface Extraction {
    /**
     * To be called after each completed turn of the agent (its last answer, no open call), with all messages. Starts a run if it is time
     * for one; never waits, never throws.
     */
    afterTurn(messages: readonly Message[], options?: {
        readonly thread?: 'main' | 'sub-agent' | undefined;
    }): ExtractionDecision;
    /**
     * At the end of a session: looks through what is left, and waits for it. Where the signal is aborted what runs is aborted too, and
     * its messages are left for another time. A run that was out of time is not made again.
     */
    flush(options?: {
        readonly signal?: AbortSignal | undefined;
    }): Promise<void>;
    /** Resolves when nothing runs. */
    settle(): Promise<void>;
    /** Aborts what runs and starts no more; the memory is as it was. */
    close(): Promise<void>;
    /** How often each reason kept a run from starting, and how runs ended. */
    counts(): Readonly<Record<string, number>>;
    /** Id of the last message that was looked at, for the next process. */
    cursor(): string | undefined;
}
/** @throws TypeError, RangeError for options that make no sense */
export declare function createExtraction(options: ExtractionOptions): Extraction;

// extract/judge.d.ts
import type { ReadMemory } from '../memory-file.ts';
import type { ExtractionRefusal, HoldReason } from './event.ts';
import type { SaidText } from './origins.ts';
import type { Claim } from './proposal.ts';
import type { SessionWords } from './session-words.ts';
export type Verdict = {
    readonly kind: 'taken';
    readonly liftsTombstone: boolean;
} | {
    readonly kind: 'held';
    readonly reason: HoldReason;
    readonly message: string;
} | {
    readonly kind: 'refused';
    readonly reason: ExtractionRefusal;
    readonly message: string;
};
export interface JudgeOptions {
    /** The new messages, secrets taken out. */
    readonly said: readonly SaidText[];
    readonly words: SessionWords;
    readonly todayMs: number;
    /** When each was forgotten, by the hashes of their statements. */
    readonly forgotten: ReadonlyMap<string, number>;
    /** All of memory. */
    readonly files: readonly ReadMemory[];
}
/** Decides about statements by the words of the user alone; what a model says about them counts for nothing. */
export declare function createJudge({ said, words, todayMs, forgotten, files }: JudgeOptions): {
    /** `known`: the text of the file it goes to; its dates may stand in the statement too. */
    judge(claim: Claim, known: string): Verdict;
    /** Why a statement may not be removed; undefined where the user's words allow it. */
    removalProblem(claim: Claim): string | undefined;
    /**
     * Whether a name or a description may stand in the index: it needs no quote, but must say nothing that its statements do not. A
     * description also has to be about the same.
     */
    isSoundLabel(label: string, of: 'name' | 'description', statements: string): boolean;
};

// extract/origins.d.ts
import { type Message } from '@varve/messages';
import { type ToolCall } from '@varve/messages/tools';
/** Where a text of a conversation comes from. Only what the user said, and what the user agreed to, may become memory. */
export type TextOrigin = 'user' | 'assistant' | 'tool' | 'recalled' | 'instruction' | 'synthetic';
export interface SaidText {
    readonly origin: TextOrigin;
    /** Which turn of the user it belongs to, from 1. */
    readonly turn: number;
    readonly text: string;
    /** In ms since 1970; undefined: not known. */
    readonly atMs: number | undefined;
    /** Of the assistant: the user agreed to it in the message that follows. */
    readonly isConfirmed?: boolean;
    /** Of a tool: it came from the web, a server, or another agent. */
    readonly isOutside?: boolean;
}
export interface OriginOptions {
    /** Turns before these messages. @default 0 */
    readonly turn?: number | undefined;
    /** The message before them: the user may agree to it. */
    readonly before?: Message | undefined;
    /** Whether the result of a call comes from outside, beside the web, MCP servers and agents. */
    readonly isOutside?: ((call: ToolCall) => boolean) | undefined;
}
/** Takes a conversation apart by who said what. It is a white list: what is not known to be the user's or the model's is neither. */
export declare function readOrigins(messages: readonly Message[], { turn: turnsBefore, before, isOutside }?: OriginOptions): readonly SaidText[];

// extract/prompt.d.ts
import { type Tool } from '@varve/messages';
import type { IndexRoom } from '../edit-index.ts';
import type { MemoryFile } from '../memory-file.ts';
import type { SaidText } from './origins.ts';
/** The names of the tools, for the prompt, for the requests and for what runs them. */
export declare const READ_TOOL = "read_memory";
export declare const SAVE_TOOL = "save_memory";
/** The tools of an extraction. A fork needs the second one, or both, among its parent's. */
export declare const extractionTools: () => readonly Tool[];
/** Changes whenever a word of the prompt or of its tools does: recordings of extractions name it. */
export declare const extractionPromptHash: () => string;
export declare const extractionPrompt: () => string;
/** What the prompt says, for finding it in what a model wrote. */
export declare const promptTexts: () => readonly string[];
export interface ExtractionInput {
    readonly todayMs: number;
    readonly files: readonly MemoryFile[];
    /** Files that are not in the list. */
    readonly leftOut: number;
    readonly index: Pick<IndexRoom, 'lines' | 'maxLines' | 'bytes' | 'maxBytes'>;
    /** Secrets taken out. */
    readonly said: readonly SaidText[];
}
/** Same input, same bytes. Files and messages have to come without secrets. */
export declare function extractionInput({ todayMs, files, leftOut, index, said }: ExtractionInput): string;
/** What may be a source of memory: the user's words, and what the user agreed to. */
export declare const isSource: ({ origin, isConfirmed }: SaidText) => boolean;

// extract/proposal.d.ts
import { type Statement } from '../evidence/statements.ts';
import { type MemoryType } from '../header.ts';
/** A statement that a model would add or remove, and the words of the user that it names for it. */
export interface Claim {
    readonly part: Statement['part'];
    readonly text: string;
    readonly turn: number | undefined;
    readonly quote: string;
}
/** What a model asks to be written. */
export interface Proposal {
    readonly path: string | undefined;
    readonly name: string;
    readonly description: string;
    readonly type: MemoryType;
    readonly statements: readonly Claim[];
    readonly remove: readonly Claim[];
}
/** Reads the input of a save, whatever is in it; a text says what is wrong with it. */
export declare function parseProposal(input: unknown): Proposal | string;

// extract/run-child.d.ts
import { type ToolUseBlock, type Usage } from '@varve/messages';
import { type ModelClient } from '@varve/models';
import { type CallWindowOptions } from '@varve/models/call';
import type { Draft, ToolOutcome } from './draft.ts';
/** What reads the conversation: a call of its own that sees the new messages alone, or a fork that shares the cached prefix. */
export type ChildOptions = {
    readonly client: ModelClient;
    readonly model: string;
    /** Entries of one's own; they win over the model table. */
    readonly models?: CallWindowOptions['models'];
} | {
    readonly runFork: RunFork;
};
/**
 * Runs a child of the conversation that shares its cached prefix, up to a reply without calls. Rejects or answers `failed` where it did
 * not come to its end: nothing is written then. `save_memory` has to be among the tools of the parent.
 */
export type RunFork = (fork: ExtractionFork) => Promise<ForkOutcome>;
export interface ExtractionFork {
    /** For reports of cost. */
    readonly source: 'memory-extraction';
    /** What the child is asked, to be appended as a user message. */
    readonly directive: string;
    /** Asked before every tool call of the child: the tools are those of the parent, whose prefix they are in. */
    readonly canUseTool: (call: ToolUseBlock) => {
        readonly allow: boolean;
        readonly reason: string;
    };
    /** Runs a call that was allowed, in place of the parent's tools. */
    readonly runTool: (call: ToolUseBlock) => ToolOutcome;
    readonly maxTurns: number;
    readonly signal: AbortSignal;
}
export type ForkOutcome = {
    readonly kind: 'done';
    readonly usage?: Usage | undefined;
    /** Requests that were sent. */
    readonly turns?: number | undefined;
} | {
    readonly kind: 'failed';
    readonly reason: string;
    readonly cause?: unknown;
};
export interface ChildResult {
    readonly mode: 'fresh' | 'fork';
    readonly usage: Usage;
    readonly turns: number;
    /** Why nothing of it counts. */
    readonly dropped?: string;
}
export interface ChildCall {
    readonly input: string;
    readonly draft: Draft;
    readonly maxTurns: number;
    readonly signal: AbortSignal;
}
export declare const runChild: (options: ChildOptions, call: ChildCall) => Promise<ChildResult>;

// extract/session-words.d.ts
import type { SaidText } from './origins.ts';
/** Which words of a session are the user's, and which came from outside. It only grows: the mark follows the session. */
export interface SessionWords {
    note(said: SaidText): void;
    /** Whether a statement says what came from outside and the user did not say. */
    isFromOutside(statement: string): boolean;
    /** Whether two texts have a word in common that says something. */
    share(one: string, other: string): boolean;
}
export declare function createSessionWords(): SessionWords;

// files.d.ts
export { readCommandLine } from './command-line.ts';
export { ageOf } from './freshness.ts';
export { formatText, MEMORY_TYPES, parseText } from './header.ts';
export { hashOf } from './memory-file.ts';
export { isDailyLog, isOfTeam } from './path.ts';
export { printable } from './printable.ts';
export { kindsOf, withoutSecrets } from './secrets.ts';
export { linkKey, relink } from './wiki-links.ts';
export { createWordReader } from './words.ts';

// folder.d.ts
/** A folder of memory. `diskFolder(path)` of `@varve/memdir/node` is one on disk. Paths are relative, with `/`. */
export interface MemoryFolder {
    /** What a model has to be told to open a file: the absolute path on disk. */
    locate(path: string): string;
    /** Makes the folder where it is not there yet. */
    make(): Promise<void>;
    /** Files below a folder of it; of the whole folder (`''`) those that stand in no folder whose name begins with a dot. */
    list(below: string, options?: FolderCall): Promise<Listing>;
    /** Names of files and folders right in a folder of it, hidden ones too; none where there is no such folder. */
    names(below: string, options?: FolderCall): Promise<readonly string[]>;
    /** Undefined where there is no such file. */
    read(path: string, options?: ReadCall): Promise<FolderText | undefined>;
    /**
     * Puts a file in place of `basis`, the text that was read (undefined: there was none), in one step, or throws
     * `changed-meanwhile`. To be called in `exclusive`: a list that is made in there removes what other writes had not finished.
     */
    replace(path: string, text: string, options: ReplaceCall): Promise<void>;
    /** Removes a file that is still `basis`; does nothing where there is none. */
    remove(path: string, options: ReplaceCall): Promise<void>;
    /** Runs work while no other writer runs, in this process or another. */
    exclusive<Value>(work: () => Promise<Value>, options?: FolderCall): Promise<Value>;
}
export interface FolderCall {
    readonly signal?: AbortSignal | undefined;
}
export interface ReadCall extends FolderCall {
    /** Reads no more than the beginning. @default all of it */
    readonly maxBytes?: number | undefined;
}
export interface ReplaceCall extends FolderCall {
    readonly basis: string | undefined;
}
export interface Listing {
    readonly files: readonly ListedFile[];
    /** What stands there and is not opened: links, pipes, and what the system does not let us read. */
    readonly ignored: readonly {
        readonly path: string;
        readonly reason: 'link' | 'special' | 'unreadable';
    }[];
}
export interface ListedFile {
    readonly path: string;
    readonly bytes: number;
    readonly modifiedMs: number;
    /** Another one after each change of the file. */
    readonly version: string;
}
export interface FolderText {
    readonly text: string;
    /** False where it was cut at `maxBytes`. */
    readonly isWhole: boolean;
    /** False where the bytes are not UTF-8: characters of `text` stand for what cannot be read then. */
    readonly isText: boolean;
}

// forget.d.ts
import { type Change } from './commit.ts';
import { type WriteParts } from './save.ts';
import { type Stated } from './tombstones.ts';
export interface ForgetOptions {
    /** For the archive and the tombstones. */
    readonly reason: string;
    /** What the user said, for the archive. */
    readonly quote?: string | undefined;
    /** The hash of the file as it was read. @default whatever is there */
    readonly basis?: string | undefined;
    readonly signal?: AbortSignal | undefined;
}
export type ForgetResult = {
    readonly kind: 'forgotten';
    readonly path: string;
    readonly id: string;
} | {
    readonly kind: 'conflict';
    readonly path: string;
    readonly hash: string;
} | {
    readonly kind: 'refused';
    readonly reason: 'bad-path' | 'not-found' | 'not-text' | 'too-large';
    readonly message: string;
};
/** Moves a memory to the archive, takes its lines out of the indexes, and keeps a tombstone of each of its statements. */
export declare function forgetMemory(parts: WriteParts, path: string, options: ForgetOptions): Promise<ForgetResult>;
interface Entombed {
    readonly memory: Stated;
    readonly reason: string;
    readonly nowMs: number;
}
/** The tombstones with those of a memory. */
export declare function entombed({ folder }: Pick<WriteParts, 'folder'>, { memory, reason, nowMs }: Entombed): Promise<Change>;
export {};

// freshness.d.ts
import type { MemoryFile, ReadMemory } from './memory-file.ts';
/**
 * When each file was last changed. The stamp of its writer wins; without one the time of the file system counts, unless more
 * than 80 % of the files have the same one, as after a clone, a copy or a sync: then nothing is known.
 */
export declare function datesOf(files: readonly ReadMemory[]): (file: ReadMemory) => number | undefined;
/** Newest first; of what is not known last; paths break ties. */
export declare const byNewest: (one: Pick<MemoryFile, 'modifiedMs' | 'path'>, other: Pick<MemoryFile, 'modifiedMs' | 'path'>) => number;
/** Days that have passed: whole periods of 24 hours, 0 for what lies in the future. */
export declare function ageInDays(modifiedMs: number | undefined, nowMs: number): number | undefined;
/** `today`, `yesterday`, `12 days ago`: models reason better on these than on dates. */
export declare function ageText(days: number | undefined): string;
/** How old a file is in words, for lists. */
export declare const ageOf: (modifiedMs: number | undefined, nowMs: number) => string;
/** The line above a memory that is shown. It is made once, when the memory is attached, so that its bytes stay. */
export declare function freshnessHeader(place: string, days: number | undefined): string;

// header.d.ts
/** The kinds of memory. */
export declare const MEMORY_TYPES: readonly ['user', 'feedback', 'project', 'reference'];
export type MemoryType = (typeof MEMORY_TYPES)[number];
/** What stands in the header of a memory file. Both shapes in use are read: flat, and with `metadata:` above `type`. */
export interface Header {
    readonly name?: string | undefined;
    readonly description?: string | undefined;
    /** One of the four, or a word that is none, as it stands there. */
    readonly type?: string | undefined;
    /** When the file was written last, as it stands there. */
    readonly modified?: string | undefined;
    /** Nothing but a person changes the file. */
    readonly pinned?: boolean | undefined;
}
export interface ParsedText {
    readonly header: Header;
    /** Why there is no header. */
    readonly headerProblem?: 'no-header' | 'header-not-closed' | undefined;
    /** Undefined without one. */
    readonly shape?: 'flat' | 'metadata' | undefined;
    readonly body: string;
    /** A byte order mark, comments and blank lines before the fence. */
    readonly lead: string;
    /** Lines of the header that are not ours, each with its end. */
    readonly foreign: readonly string[];
    /** The first characters of the file: how lines end there tells how all do. */
    readonly start: string;
}
/** Reads a memory file, whatever is in it. Line ends of all systems count, and a byte order mark. */
export declare function parseText(text: string): ParsedText;
/** What is written of a header. */
export interface NewHeader {
    readonly name: string;
    readonly description: string;
    readonly type: MemoryType;
    /** Left out where the age is not known. */
    readonly modified?: string | undefined;
}
/**
 * A whole file. Of the one it replaces what stands before the fence, its line ends and the lines that are not ours stay. Half a
 * character, which no file can hold, is U+FFFD.
 */
export declare function formatText(header: NewHeader, body: string, old?: ParsedText): string;

// in-memory-folder.d.ts
import { MemdirError } from './error.ts';
import type { MemoryFolder } from './folder.ts';
/** A folder that lives as long as the process: for tests, browsers and agents that leave nothing behind. */
export declare function inMemoryFolder(initial?: Readonly<Record<string, string>>): MemoryFolder;
/** Text of bytes that may end inside of a character. */
export declare const decodeStart: (bytes: Uint8Array) => string;
export declare const changedMeanwhile: (path: string) => MemdirError;

// inbox.d.ts
import { type ChangeResult, type FileChange } from './change-files.ts';
import type { FolderCall, MemoryFolder } from './folder.ts';
import { type MemoryType, type NewHeader, type ParsedText } from './header.ts';
import { type MemoryFile } from './memory-file.ts';
import { type SaveResult, type WriteParts } from './save.ts';
/** Where memories wait that nobody has vouched for. */
export declare const INBOX = ".inbox";
/** A memory that waits for the user. */
export interface WaitingMemory {
    readonly name: string;
    readonly description: string;
    readonly type: MemoryType;
    readonly body: string;
    /** Why it waits. */
    readonly reason: string;
}
export type HoldResult = ChangeResult | {
    readonly kind: 'waiting-already';
};
export type AcceptResult = SaveResult | {
    readonly kind: 'not-found';
};
export type DiscardResult = {
    readonly kind: 'discarded';
    readonly id: string;
} | {
    readonly kind: 'not-found';
};
/** Puts a memory where the user decides about it; what waits there already is not put there twice. */
export declare function holdMemory(parts: WriteParts, memory: WaitingMemory, { signal }: FolderCall): Promise<HoldResult>;
/** Saves what waits, because the user wants it, and takes it out of the inbox. */
export declare function acceptWaiting(parts: WriteParts, path: string, { signal }: FolderCall): Promise<AcceptResult>;
/** Takes out what waits, because the user does not want it: no writer brings it back. */
export declare function discardWaiting(parts: WriteParts, path: string, { signal }: FolderCall): Promise<DiscardResult>;
export declare function listWaiting(folder: MemoryFolder, signal: AbortSignal | undefined): Promise<readonly MemoryFile[]>;
/** The keys of the statements that wait. */
export declare function waitingKeys(folder: MemoryFolder, signal: AbortSignal | undefined): Promise<ReadonlySet<string>>;
/** The file of a memory that waits; its name is free, its secrets are masked. */
export declare function waitingFile({ name, description, type, body, reason }: WaitingMemory, { taken, modified }: {
    readonly taken: readonly string[];
    readonly modified: string;
}): FileChange;
/** A memory file without secrets: where one stood, it says where such things are. */
export declare function maskedText(header: NewHeader, body: string, old?: ParsedText): string;

// index-limits.d.ts
/** An index is loaded up to so many lines, then up to so many bytes. */
export declare const MOST_INDEX_LINES = 200;
export declare const MOST_INDEX_BYTES = 25000;
/** The longest line of an index. */
export declare const MOST_LINE_CHARS = 150;
/** An index as it is loaded and measured: no byte order mark, every line end `\n`, none behind the last line. */
export declare const plainIndex: (text: string) => string;
export interface IndexSize {
    readonly lines: number;
    readonly bytes: number;
}
/** How much of its limits an index uses. */
export declare function sizeOfIndex(text: string): IndexSize;
export declare const isOverLimit: ({ lines, bytes }: IndexSize) => boolean;
export declare const bytesOf: (text: string) => number;

// index-lines.d.ts
import type { MemoryFile } from './memory-file.ts';
/** One line of an index, as a reader sees it. */
export interface IndexLine {
    readonly kind: 'pointer' | 'content' | 'other';
    /** Without its end. */
    readonly text: string;
    /** From 1. */
    readonly line: number;
    /** Of a pointer: where its first link leads; undefined where that leaves the folder. */
    readonly path?: string | undefined;
    /** Of a pointer: the target of its first link as it is written. */
    readonly target?: string | undefined;
    /** All links to Markdown files; a line written here has one. What stands behind the first says more of it. */
    readonly links: readonly IndexLink[];
}
export interface IndexLink {
    /** Undefined where it leaves the folder. */
    readonly path: string | undefined;
    /** As it is written. */
    readonly target: string;
    /** Where the link stands in the line. */
    readonly start: number;
    readonly end: number;
}
/** Reads an index: list items and table rows with a link to a Markdown file are pointers, all other text is content. */
export declare function readIndex(path: string, text: string): readonly IndexLine[];
/** Finds the links of a line that lead to a file, also to one whose name no link can be read back to. */
export declare function linksTo(indexPath: string, path: string): ({ links }: Pick<IndexLine, 'links'>) => readonly IndexLink[];
/** An index that holds memories instead of pointing to them: more lines of content than pointers. */
export declare function isStoreLike(lines: readonly IndexLine[]): boolean;
/** The line of a file in the index of a folder: title, link, dash, hook. */
export declare function lineFor(indexPath: string, file: LineSource): string;
/** The link alone. */
export declare function linkFor(indexPath: string, { path, name }: LineSource): string;
export type LineSource = Pick<MemoryFile, 'path' | 'name' | 'description'>;
/** The index that a file's line belongs in: the nearest one above it, for team memory never the one outside. */
export declare function indexFor(path: string, indexes: readonly string[]): string;
/** The index that stands at a path: the very same, else one of its folder that is spelled in another case, as `memory.md`. */
export declare const indexAt: (path: string, indexes: readonly string[]) => string;

// index.d.ts
export type { FileChange } from './change-files.ts';
export { MemdirError } from './error.ts';
export type { MemoryFolder } from './folder.ts';
export type { MemoryType } from './header.ts';
export { inMemoryFolder } from './in-memory-folder.ts';
export { createMemdir, type Memdir } from './memdir.ts';
export type { MemoryFile } from './memory-file.ts';

// library.d.ts
import type { ListedFile, Listing, MemoryFolder } from './folder.ts';
import { type MemoryFile, type ReadMemory } from './memory-file.ts';
import { type Counted } from './rank.ts';
import { type WordReader } from './words.ts';
/** A memory with what search needs. */
export interface LibraryItem extends MemoryFile, Counted {
    readonly memory: ReadMemory;
}
/** What stands in a folder at one moment. */
export interface Shelf {
    /** Newest first. */
    readonly items: readonly LibraryItem[];
    readonly indexes: readonly ListedFile[];
    /** With files that could not be read. */
    readonly ignored: Listing['ignored'];
    /** Files beyond the limit: the oldest by the file system. */
    readonly leftOut: number;
    /** Paths of all that stands there, read or not. */
    readonly standing: readonly string[];
}
/** The files of a folder, each read again only after it changed. */
export interface Library {
    readonly words: WordReader;
    /** `also`: paths of files that are read whatever their age. */
    look(signal: AbortSignal | undefined, leastFiles?: number, also?: readonly string[]): Promise<Shelf>;
}
export declare function createLibrary(folder: MemoryFolder): Library;
/** Files of one folder whose names a reader cannot tell apart; a name in another folder is another name. */
export declare const isOneName: (one: Named, other: Named) => boolean;
export declare const scopedName: ({ name, path }: Named) => string;
type Named = Pick<MemoryFile, 'name' | 'path'>;
/** A file as lists show it, without its text. */
export declare function listed(item: LibraryItem): MemoryFile;
export {};

// load-index.d.ts
import type { MemoryFolder } from './folder.ts';
import type { LibraryItem } from './library.ts';
export interface LoadIndexOptions {
    /** Applied first; the warning is one of them. @default 200 */
    readonly maxLines?: number | undefined;
    /** Applied to what is left, with the warning. @default 25_000 */
    readonly maxBytes?: number | undefined;
    /** Which one. @default `MEMORY.md` */
    readonly path?: string | undefined;
    readonly signal?: AbortSignal | undefined;
}
/** An index as it is put before a model. */
export interface LoadedIndex {
    /** Empty where there is none. Of an index beyond a limit whole lines, and the warning in front. */
    readonly text: string;
    /** Which limit cut it. */
    readonly cutBy: 'lines' | 'bytes' | undefined;
    /** Says which limit was hit and what is not there, or that the index is not read; undefined where all of it is there. */
    readonly warning: string | undefined;
    /** Lines that were left out. */
    readonly leftOut: number;
    /** Files whose lines were left out; recall finds them all the same. */
    readonly leftOutPaths: readonly string[];
}
/** Undefined where there is none; `refused` where a link or something else stands there, or the system does not give it. */
export declare function readIndexText(folder: MemoryFolder, path: string, signal: AbortSignal | undefined): Promise<{
    readonly text: string;
    readonly isText: boolean;
} | 'refused' | undefined>;
/** For a model, which would take an index that is not read for one that is not there. */
export declare function unreadIndex(path: string): LoadedIndex;
/** Cuts an index: what the user said (`feedback`, `user`) stays before what the project was, the newest before the older. */
export declare function cutIndex(text: string, items: readonly LibraryItem[], options: LoadIndexOptions): LoadedIndex;

// memdir.d.ts
import { type ChangeOptions, type ChangeResult, type FileChange } from './change-files.ts';
import { type CheckReport } from './check.ts';
import { type ChangeRecord } from './commit.ts';
import type { Listing, MemoryFolder } from './folder.ts';
import { type ForgetOptions, type ForgetResult } from './forget.ts';
import { type AcceptResult, type DiscardResult, type HoldResult, type WaitingMemory } from './inbox.ts';
import { type LoadedIndex, type LoadIndexOptions } from './load-index.ts';
import { type MemoryFile } from './memory-file.ts';
import { type Recall, type RecallOptions } from './recall.ts';
import { type NewMemory, type SaveResult } from './save.ts';
import { type UndoOptions, type UndoResult } from './undo.ts';
export interface MemdirOptions {
    readonly folder: MemoryFolder;
    /**
     * Whether others read the folder, as one in a repository: no memory about a person, and a secret refuses the save instead of
     * being masked. `team/` is always shared.
     * @default false
     */
    readonly isShared?: boolean | undefined;
    /** The time in ms since 1970. */
    readonly now: () => number;
}
export interface ScanOptions {
    /** @default 200 */
    readonly maxFiles?: number | undefined;
    readonly signal?: AbortSignal | undefined;
}
export interface ScanResult {
    /** Newest first. Malformed ones are among them, with `problems`. */
    readonly files: readonly MemoryFile[];
    /** Files beyond `maxFiles`. */
    readonly leftOut: number;
    readonly indexes: readonly string[];
    readonly ignored: Listing['ignored'];
}
export type RebuildResult = {
    readonly kind: 'rebuilt';
    /** Of the change, for `undo`. */
    readonly id: string;
    /** Files that have no line: their index is a store, or full. */
    readonly left: readonly string[];
} | {
    readonly kind: 'unchanged';
    readonly left: readonly string[];
};
interface Call {
    readonly signal?: AbortSignal | undefined;
}
/** Long-term memory in one folder. */
export interface Memdir {
    readonly folder: MemoryFolder;
    /** Whether others read all of the folder. */
    readonly isShared: boolean;
    /** What is there, without texts. */
    scan(options?: ScanOptions): Promise<ScanResult>;
    /** A file with its text and the hash that `save` and `forget` compare. Undefined where there is none. */
    read(path: string, call?: Call): Promise<(MemoryFile & {
        readonly text: string;
        readonly hash: string;
    }) | undefined>;
    /** The index for a model, within its limits. */
    loadIndex(options?: LoadIndexOptions): Promise<LoadedIndex>;
    /** Recall for one session. */
    startRecall(options?: RecallOptions): Recall;
    /** Says what is wrong with the folder, and changes nothing. */
    check(call?: Call): Promise<CheckReport>;
    /** Makes the indexes what the files say, in lines that were written here: lines of others, and indexes that hold memories themselves, stay. */
    rebuild(call?: Call): Promise<RebuildResult>;
    save(memory: NewMemory): Promise<SaveResult>;
    forget(path: string, options: ForgetOptions): Promise<ForgetResult>;
    /**
     * Changes, makes and archives files as one change, whole files each, and brings the lines of the indexes that were written here up to
     * date with it. What `save` refuses is refused here too, and pinned files stay.
     */
    change(files: readonly FileChange[], options: ChangeOptions): Promise<ChangeResult>;
    undo(options?: UndoOptions): Promise<UndoResult>;
    /** Changes of the last 90 days, the newest first. */
    history(call?: Call): Promise<readonly ChangeRecord[]>;
    /** What waits for a person to take it or not. It is in no index, and never recalled. */
    inbox(call?: Call): Promise<readonly MemoryFile[]>;
    /** Puts a memory into the inbox. */
    hold(memory: WaitingMemory, call?: Call): Promise<HoldResult>;
    /** Saves what waits at a path of the inbox, as the user wishes it. */
    accept(path: string, call?: Call): Promise<AcceptResult>;
    /** Takes out what waits at a path of the inbox; a tombstone keeps it from coming back. */
    discard(path: string, call?: Call): Promise<DiscardResult>;
}
export declare function createMemdir(options: MemdirOptions): Memdir;
export {};

// memory-file.d.ts
import type { ListedFile, MemoryFolder } from './folder.ts';
import { type MemoryType, type ParsedText } from './header.ts';
/** What is wrong with the header of a file. It is listed, searched and recalled all the same. */
export type HeaderProblem = 'no-header' | 'header-not-closed' | 'no-name' | 'no-description' | 'no-type' | 'unknown-type' | 'not-text' | 'too-large';
/** A memory as a list shows it. */
export interface MemoryFile {
    readonly path: string;
    /** From the header, else from the file name. */
    readonly name: string;
    /** Empty where the header has none. */
    readonly description: string;
    /** Undefined where the header has none of the four. */
    readonly type: MemoryType | undefined;
    /** By the stamp of its writer, else by the file system where that can be trusted; undefined: not known. */
    readonly modifiedMs: number | undefined;
    readonly bytes: number;
    readonly pinned: boolean;
    readonly problems: readonly HeaderProblem[];
}
/** A memory with its text. */
export interface ReadMemory extends Omit<MemoryFile, 'modifiedMs'> {
    /** The stamp of its writer; undefined without one that is a date. */
    readonly stampMs: number | undefined;
    /** By the file system. */
    readonly fileMs: number;
    readonly version: string;
    readonly text: string;
    readonly parsed: ParsedText;
    readonly body: string;
}
/** More of a file is not read for lists, search and checks, and none is written; the largest of real folders has a quarter of it. */
export declare const MOST_READ_BYTES = 262144;
/** Of a file that a hand has made larger nothing is changed or forgotten: each of its statements would be hashed. */
export declare const MOST_CHANGED_BYTES = 1048576;
/** Reads a file for lists and search. Undefined where it is gone. */
export declare function readMemory(folder: MemoryFolder, listed: ListedFile, signal: AbortSignal | undefined): Promise<ReadMemory | undefined>;
/** What a file without a name in its header is called. */
export declare const nameOf: (path: string) => string;
/** For compare-and-swap by a caller who keeps no text. */
export declare function hashOf(text: string): string;
/** Names that a reader cannot tell apart are one. */
export declare const nameKey: (name: string) => string;

// node/check-memory-write.d.ts
export interface CheckMemoryWriteOptions {
    /** The memory folder of this session, as `memoryPath` gave it. */
    readonly folder: string;
    /** The folder of the work: what is relative stands in it, and nothing below it is memory of another project. */
    readonly cwd?: string | undefined;
}
export type MemoryWrite = {
    readonly kind: 'ok';
}
/** The message is for the model: it names the right folder. */
 | {
    readonly kind: 'refused';
    readonly message: string;
};
/**
 * For the write and edit tools of an agent: whether a Markdown file would go into a folder that looks like memory
 * (`…/projects/<name>/memory/`) and is not that of this session, because a model has made up its name. All other paths are `ok`.
 */
export declare function checkMemoryWrite(path: string, options: CheckMemoryWriteOptions): MemoryWrite;

// node/disk-folder.d.ts
import { type StoreFiles } from '@varve/tool-storage/node';
import type { MemoryFolder } from '../folder.ts';
export interface DiskFolderOptions {
    /**
     * How long a change waits for another process that changes the same folder, in ms.
     * @default 10_000
     */
    readonly lockWaitMs?: number | undefined;
    /** What a test puts in place of the disk for writing. @default the real file system */
    readonly files?: StoreFiles | undefined;
}
/**
 * A folder of memory on disk. Files are readable for their owner only, each is written beside its place and moved there in one
 * step, and changes of several processes come one after the other. No link inside of the folder is followed, to read or to
 * write; the folder itself, or one above it, may be a link. Nothing is made before the first change or `make`.
 *
 * @throws MemdirError `bad-folder` for a path that is not absolute, a root or a folder right below it, a share, and what is encoded
 */
export declare function diskFolder(path: string, options?: DiskFolderOptions): MemoryFolder;

// node/index.d.ts
export { checkMemoryWrite } from './check-memory-write.ts';
export { diskFolder } from './disk-folder.ts';
export { agentMemoryPaths, memoryPath, strandedMemory } from './memory-path.ts';

// node/memory-path.d.ts
export interface MemoryPathOptions {
    /** Where the agent works: a folder of the project. */
    readonly cwd: string;
    /** The agent's own folder, for all projects. */
    readonly root: string;
    /** Of a run on another machine: the folder there that is kept between runs, in place of `root`. @default `root` */
    readonly remoteRoot?: string | undefined;
    /**
     * For whom it is: every worktree of the repository, or the one that `cwd` is in alone.
     * @default 'repository'
     */
    readonly scope?: MemoryScope | undefined;
    /** The memory folder itself, in place of the one made of `root` and `cwd`. */
    readonly folder?: string | undefined;
}
declare const SCOPES: readonly ['repository', 'worktree'];
export type MemoryScope = (typeof SCOPES)[number];
/**
 * Where the memory of a project is: `<root>/projects/<project>/memory`. Every folder of a repository and every worktree of it
 * gives the same one; no two projects share one. That of one worktree alone is beside it. Every reader and writer of memory takes
 * the path from here.
 */
export declare function memoryPath(options: MemoryPathOptions): string;
/** Memory folders of single worktrees of a repository that are gone: what they hold can be saved for the repository, or left. */
export declare function strandedMemory(options: Pick<MemoryPathOptions, 'cwd' | 'root' | 'remoteRoot'>): readonly string[];
/** An option that has to be an absolute path. */
export declare const ABSOLUTE: import("@varve/guards").Expectation;
export declare const OPTIONAL: {
    what: string;
    fits: (value: unknown) => boolean;
    error?: typeof RangeError | undefined;
    quotes?: boolean | undefined;
    isRequired: boolean;
};
export interface AgentMemoryPathOptions extends Pick<MemoryPathOptions, 'cwd' | 'root'> {
    /** The name of the agent, from its definition. */
    readonly agent: string;
    /** The folder of the agents' files in a repository, e.g. `.varve`. */
    readonly projectFolder: string;
}
/** The memory folders of one agent: for all projects, for this one and in version control, for this one on this machine. */
export declare function agentMemoryPaths(options: AgentMemoryPathOptions): {
    user: string;
    project: string;
    local: string;
};
export {};

// path.d.ts
/** Why a path is refused. */
export type PathProblem = 'empty' | 'too-long' | 'control-character' | 'absolute' | 'leaves-the-folder' | 'encoded' | 'backslash' | 'reserved-name' | 'hidden' | 'not-markdown' | 'index';
export type CheckedPath = {
    readonly kind: 'ok';
    readonly path: string;
} | {
    readonly kind: 'refused';
    readonly reason: PathProblem;
    readonly message: string;
};
export declare const MOST_NAME_BYTES = 200;
/** Holds a path of a memory file that is to be written to what every system can hold, inside of the folder. */
export declare function checkPath(given: string): CheckedPath;
/** Whether a list leaves out what has this name: nothing is written where nothing is looked for. */
export declare const isPassedOver: (name: string) => boolean;
/** Whether some system cannot hold a file or folder of this name. */
export declare const isReserved: (name: string) => boolean;
export declare const INDEX_NAME = "MEMORY.md";
export declare const TEAM_INDEX = "team/MEMORY.md";
/** Whether a path is that of an index, also on a disk that does not tell cases apart. */
export declare const isIndex: (path: string) => boolean;
/** Whether a file is the log of a day: what consolidation reads, and no memory. */
export declare const isDailyLog: (path: string) => boolean;
/** Whether a file stands in the folder of the team, also on a disk that does not tell cases apart. */
export declare const isOfTeam: (path: string) => boolean;
/** The folder of a path, empty for the top. */
export declare const folderOf: (path: string) => string;
export declare const baseOf: (path: string) => string;
/** Whether two paths are one: names in composed and decomposed form are. */
export declare const isSamePath: (one: string, other: string) => boolean;
/** The one of some files that a path names: the very same, else in the other form. */
export declare const findPath: <Item extends {
    readonly path: string;
}>(items: readonly Item[], path: string) => Item | undefined;
/** Paths that some disk holds to be one have one key. */
export declare const pathKey: (path: string) => string;
/** A file at this path on some disk, one that stands where the path has a folder, or one in a folder of this name. */
export declare function inTheWay(path: string, standing: readonly string[]): string | undefined;
/**
 * Where a link leads that stands in a file of `folder`, as a path; undefined where it leaves the memory folder. Nothing is
 * opened for it.
 */
export declare function resolveLink(folder: string, target: string): string | undefined;

// printable.d.ts
/** A text that may hold names of files, for one line of a terminal: without what ends the line, colours it or turns it round. */
export declare const printable: (text: string) => string;

// rank.d.ts
import type { Counts, WordReader } from './words.ts';
/** What is searched of a memory. */
export interface Searched {
    readonly name: string;
    readonly description: string;
    readonly body: string;
}
/** A memory as the ranking sees it: of each field the numbers of its stems, each once, and how often each stands there. */
export interface Counted {
    readonly fields: readonly Counts[];
}
export interface Ranked<Item> {
    readonly item: Item;
    readonly score: number;
    /** Different words of the turn that it holds. */
    readonly words: number;
    readonly isInName: boolean;
}
export declare function countWords({ name, description, body }: Searched, words: WordReader): Counted;
/** The items that hold a word of the query, the best first. Equal scores keep the order of the items. */
export declare function rank<Item extends Counted>(query: readonly number[], items: readonly Item[], { size }: Pick<WordReader, 'size'>): readonly Ranked<Item>[];

// recall.d.ts
import type { MemoryFolder } from './folder.ts';
import type { MemoryType } from './header.ts';
import { type Library } from './library.ts';
import type { MemoryFile } from './memory-file.ts';
/** A memory that a model may choose. */
export interface Candidate extends Pick<MemoryFile, 'path' | 'name' | 'description' | 'type'> {
    /** `today`, `yesterday`, `12 days ago`, `age not known`. */
    readonly age: string;
}
export interface SelectQuery {
    readonly turn: string;
    /** What was found by words, then the newest others. */
    readonly candidates: readonly Candidate[];
    /** Tools that were used just now: notes on their use are no news. */
    readonly recentTools: readonly string[];
    readonly maxFiles: number;
}
/** Asks a small model which memories a turn needs, and answers with paths of candidates; none is fine. */
export type SelectMemories = (query: SelectQuery, call: {
    readonly signal: AbortSignal;
}) => Promise<readonly string[]>;
export interface RecallOptions {
    /** @default words alone */
    readonly select?: SelectMemories | undefined;
    /**
     * How long `select` may take, in ms; then what was found by words stands. The folder has as long, and never less than the default:
     * one that does not answer is `not-read`.
     * @default 1_500
     */
    readonly budgetMs?: number | undefined;
    /** @default 5 */
    readonly maxFiles?: number | undefined;
    /** Of a memory as it is shown, age and path included. @default 4_096 */
    readonly maxBytes?: number | undefined;
    /** @default 200 */
    readonly maxLines?: number | undefined;
    /** Of all memories of a session. @default 61_440 */
    readonly sessionBytes?: number | undefined;
    /** How many different words of the turn a memory has to hold, unless its name holds one. @default 2 */
    readonly minWords?: number | undefined;
    /** And to reach this share of the best score. @default 0.4 */
    readonly minShare?: number | undefined;
}
export interface RecallCall {
    readonly signal?: AbortSignal | undefined;
    /** Tools that were used just now, for `select`. */
    readonly recentTools?: readonly string[] | undefined;
    /**
     * Takes what was found by words at once, before `select` is asked. What it is given counts as shown, and is not in the result
     * again.
     */
    readonly onFirst?: ((memories: readonly RecalledMemory[]) => void) | undefined;
}
export interface RecalledMemory {
    readonly path: string;
    readonly name: string;
    readonly description: string;
    readonly type: MemoryType | undefined;
    /** Undefined: not known. */
    readonly ageDays: number | undefined;
    /** For the model: age, path and text. */
    readonly text: string;
    /** Whether the text is not all of it. */
    readonly isCut: boolean;
}
export type RecallResult = {
    readonly kind: 'recalled';
    readonly memories: readonly RecalledMemory[];
} | {
    readonly kind: 'none';
    /** `session-full`: what fits the turn does not fit what is left of the session. */
    readonly reason: 'nothing-to-search' | 'nothing-fits' | 'already-shown' | 'session-full';
}
/** The turn asks to forget: no text of a memory is given, only which ones it may mean; the newest, where none has a word of it. */
 | {
    readonly kind: 'forget';
    readonly matches: readonly Pick<MemoryFile, 'path' | 'name'>[];
};
/** Recall of one session. */
export interface Recall {
    recall(turn: string, call?: RecallCall): Promise<RecallResult>;
    /** Memories that were picked for more than a fifth of the last 50 unlike turns: split them. */
    hubs(): readonly {
        readonly path: string;
        readonly share: number;
    }[];
    /** Shows everything again, after a compaction. */
    restart(): void;
}
interface RecallParts {
    readonly folder: MemoryFolder;
    readonly library: Library;
    readonly now: () => number;
}
export declare function createRecall(parts: RecallParts, options?: RecallOptions): Recall;
export {};

// rules.d.ts
import type { LoadedIndex } from './load-index.ts';
/** Whom the memory of an agent is for. */
type AgentScope = 'user' | 'project' | 'local';
interface MemoryRulesOptions {
    /** The absolute path of the folder, as `memoryPath` gave it. */
    readonly folder: string;
    /** False: the one line that says that nothing can be kept. @default true */
    readonly isOn?: boolean | undefined;
    /** False where the files have no index: then saving is one step. @default true */
    readonly hasIndex?: boolean | undefined;
    /** Of an agent with memory of its own: its scope, and its index. @default the memory of the project */
    readonly agent?: {
        readonly scope: AgentScope;
        readonly index: LoadedIndex;
    } | undefined;
}
/**
 * The rules of long-term memory for the end of a system prompt: the same text for every session of a folder. About 2,000 tokens; with
 * an agent the index of its folder follows.
 */
export declare function memoryRules(options: MemoryRulesOptions): string;
interface MemoryStartOptions {
    readonly index: LoadedIndex;
    /** In ms since 1970. */
    readonly todayMs: number;
}
/**
 * What stands in the first message of a session, with the instruction files: the index as it is now, and the date. It is made once
 * and kept until the conversation is compacted or cleared.
 */
export declare function memoryStart(options: MemoryStartOptions): string;
export {};

// save.d.ts
import { type IndexRoom } from './edit-index.ts';
import type { MemoryFolder } from './folder.ts';
import { type MemoryType } from './header.ts';
import { type Library } from './library.ts';
/** A memory to be written. */
export interface NewMemory {
    readonly name: string;
    /** One line: what it says, for the index and for the choice of recall. */
    readonly description: string;
    readonly type: MemoryType;
    /** Of feedback and project memories the rule first, then why, then how to apply it. */
    readonly body: string;
    /** Where: of an existing file with `basis`. @default a name made of type and name */
    readonly path?: string | undefined;
    /** The hash of the file that is replaced, as `read` gave it: another one there now is a conflict. @default there is no file yet */
    readonly basis?: string | undefined;
    /**
     * Files that this one takes the place of: they go to the archive in the same step. With a basis, the hash that `read` gave, only
     * as they were read.
     * @default none
     */
    readonly supersedes?: readonly (string | SupersededFile)[] | undefined;
    /** Whether the user asked for exactly this. It lifts what was forgotten, and opens pinned files. @default false */
    readonly asked?: boolean | undefined;
    /** For the history. @default 'saved' */
    readonly reason?: string | undefined;
    /** What the user said, for the history; not in the memory. */
    readonly quote?: string | undefined;
    readonly signal?: AbortSignal | undefined;
}
export interface SupersededFile {
    readonly path: string;
    /** @default whatever is there */
    readonly basis?: string | undefined;
}
export type SaveRefusal = 'bad-path' | 'no-name' | 'no-body' | 'unknown-type' | 'exists' | 'not-found' | 'not-text' | 'pinned' | 'forgotten' | 'secret' | 'too-large' | 'user-in-shared';
export type SaveResult = {
    readonly kind: 'saved';
    readonly path: string;
    /** For the next save of this file. */
    readonly hash: string;
    /** Of the change, for `undo`. */
    readonly id: string;
    /** False where the index is full; recall finds the file. */
    readonly isIndexed: boolean;
    readonly index: IndexRoom;
    /** What a user should hear: values that were masked, what was forgotten once. */
    readonly notices: readonly string[];
}
/** A file says exactly this already. */
 | {
    readonly kind: 'unchanged';
    readonly path: string;
}
/** The file is not what was read: `hash` is what it is now; undefined: it is gone. */
 | {
    readonly kind: 'conflict';
    readonly path: string;
    readonly hash: string | undefined;
} | {
    readonly kind: 'refused';
    readonly reason: SaveRefusal;
    /** For the model: what to do. */
    readonly message: string;
    /** The file that is in the way. */
    readonly path?: string | undefined;
};
export interface WriteParts {
    readonly folder: MemoryFolder;
    readonly library: Library;
    readonly now: () => number;
    /** Whether all of the folder is read by others. */
    readonly isShared: boolean;
}
/** Writes a topic file and its line in the index as one change. */
export declare function saveMemory(parts: WriteParts, memory: NewMemory): Promise<SaveResult>;
/** What cannot be a memory, whatever it says. */
export declare function bodyProblem(body: string, ...labels: readonly string[]): {
    readonly reason: 'no-body';
    readonly message: "A memory needs a text: say what it is that has to be remembered.";
} | {
    readonly reason: 'too-large';
    readonly message: "A memory has at most 262144 bytes: say it shorter, or in several files.";
} | undefined;
export declare const TOO_LARGE = "A memory has at most 262144 bytes: say it shorter, or in several files.";
export declare const tooLargeToChange: (path: string) => string;
/** Stands below a text that secrets were taken out of. */
export declare const MASKED_NOTE = "Values marked `[redacted: \u2026]` are not kept in memory: look them up where they are kept, in the vault or password manager.";
/** A name of letters and digits of any script; one without any gets a print of itself. A number keeps what is there. */
export declare function freePath({ type, name }: Pick<NewMemory, 'type' | 'name'>, standing: readonly string[]): string;

// secrets.d.ts
/**
 * A text without its secrets, each replaced by a marker that names its kind. Beyond what `redact` finds in plain text it looks
 * through what a memory may have around a secret: characters that are not seen or look like others, marks of Markdown and HTML,
 * tables, a label in the line above, and a password that is only said behind the word. Without a secret it is the same text.
 */
export declare function withoutSecrets(text: string): string;
/** A text without its secrets where a name stands above it, which may say what a word of the text is. */
export declare function withoutSecretsBelow(name: string, text: string): string;
/** The kinds that markers of a text name. */
export declare const kindsOf: (masked: string) => readonly string[];

// tombstones.d.ts
export declare const TOMBSTONES = ".tombstones.jsonl";
/** A statement that was forgotten, by the hash of its words alone: what it said is not there. */
export interface Tombstone {
    readonly hash: string;
    readonly reason: string;
    readonly at: string;
}
/** Reads tombstones; a line that is none is skipped. */
export declare function parseTombstones(text: string): readonly Tombstone[];
export declare const writeTombstones: (tombstones: readonly Tombstone[]) => string;
/** What is hashed of a memory. */
export interface Stated {
    readonly name: string;
    readonly description: string;
    readonly body: string;
    readonly path?: string | undefined;
}
/** Of the text of a file. */
export declare function statedIn(path: string, text: string): Stated;
/**
 * What a memory states, as hashes, whatever its case, marks and blanks: sentences, list items, rows of tables, and headings and
 * names that say more than a subject. What is too short to mean anything alone counts with its label or the name.
 */
export declare function statementHashes({ name, description, body }: Stated): readonly string[];
/** Every form in which a memory may say again what was forgotten. */
export declare function formHashes({ name, description, body, path }: Stated): ReadonlySet<string>;

// undo.d.ts
import { type ChangeRecord } from './commit.ts';
import type { WriteParts } from './save.ts';
export type UndoResult = {
    readonly kind: 'undone';
    readonly record: ChangeRecord;
    readonly id: string;
}
/** These files were changed or forgotten since; nothing was done. */
 | {
    readonly kind: 'conflict';
    readonly paths: readonly string[];
} | {
    readonly kind: 'none';
    readonly reason: 'nothing-to-undo' | 'no-such-change' | 'already-undone';
};
export interface UndoOptions {
    /** @default the last change that is not undone */
    readonly id?: string | undefined;
    readonly signal?: AbortSignal | undefined;
}
/**
 * Takes back a change, also one that others came after: its files have the bytes of before it again. Indexes and tombstones that
 * were changed since keep what came later; only what belongs to this change is taken out of them. An undo is a change too.
 */
export declare function undoChange({ folder, library, now }: WriteParts, { id, signal }: UndoOptions): Promise<UndoResult>;

// wiki-links.d.ts
/** Targets of the `[[links]]` of a text, as they are written. */
export declare const wikiLinks: (text: string) => readonly string[];
/** Links that lead to the same file have one key: they name it, or its file, with or without the ending. */
export declare const linkKey: (name: string) => string;
/** The text with other targets in its links; `targetOf` gives undefined where one stays. */
export declare const relink: (text: string, targetOf: (target: string) => string | undefined) => string;

// words.d.ts
/**
 * Reads texts as numbers of stems: words that say something, without their endings. Written languages without blanks give pairs
 * of characters. It keeps what it learnt of each word, so a word costs something once.
 */
export interface WordReader {
    /** In order, repeated ones too. */
    stemsOf(text: string): readonly number[];
    /** Each stem of a text once, and how often it stands there. */
    count(text: string): Counts;
    /** How many stems there are; their numbers are below. */
    size(): number;
}
export interface Counts {
    readonly stems: Int32Array;
    readonly times: Int32Array;
}
export declare function createWordReader(): WordReader;
/** The words of a text as they are compared. */
export declare const wordsOf: (text: string) => readonly string[];
export declare const isWithoutBlanks: (word: string) => boolean;
export declare const isStopWord: (word: string) => boolean;
