// agent.d.ts
import type { JsonObject } from '@varve/messages';
import type { ModelClient } from '@varve/models';
import type { CallWindowOptions } from '@varve/models/call';
import type { RunFork } from './run-fork.ts';
interface AgentForkOptions {
    readonly client: ModelClient;
    readonly model: string;
    /** Tokens of one reply. */
    readonly maxOutputTokens: number;
    /** Thinking configuration and other parameters of its requests. @default {} */
    readonly params?: JsonObject | undefined;
    /** Entries of one's own; they win over the model table, which says how large the window is. */
    readonly models?: CallWindowOptions['models'];
}
/** A child of its own for each dream: no context of the main agent, no transcript, only the tools of the dream. */
export declare function agentFork(options: AgentForkOptions): RunFork;
export {};

// checks/check-change.d.ts
import type { Removal } from '../draft.ts';
import type { FoundQuote, InstructionFile, Sources } from '../sources.ts';
import { type Claims } from './claims.ts';
/** A proposal that code does not take, and what the model may do about it. */
export interface Refusal {
    readonly kind: 'refused';
    readonly reason: string;
    readonly message: string;
}
export declare const refusal: (reason: string, message: string) => Refusal;
export interface TakenInput {
    readonly before: readonly {
        readonly path: string;
        readonly text: string;
        readonly modifiedMs: number | undefined;
    }[];
    /** Where statements have to stand that are not removed. */
    readonly kept: string;
    /** Name and description of what is written, which may hold what those of the files before did. */
    readonly header: string;
    /** Whether nothing is written in place of the files: other files have to say what they say. */
    readonly isArchived: boolean;
    /** Whether what stands was written about something else, it may be: a target that stays as it is, or other files. */
    readonly isElsewhere: boolean;
    readonly removes: readonly Removal[];
    /** Files that are not changed: what they say is not lost. */
    readonly others: readonly {
        readonly path: string;
        readonly body: string;
        readonly modifiedMs: number | undefined;
    }[];
    readonly instructions: readonly InstructionFile[];
    readonly claims: Claims;
    readonly sources: Sources;
}
export interface Taken {
    /** How many statements go with nothing in their place. */
    readonly removed: number;
    /** Files that such a statement was in. */
    readonly from: ReadonlySet<string>;
    /** Statements of which no rule shows that they may go: a person decides. */
    readonly unproven: readonly string[];
    readonly by: readonly FoundQuote[];
}
/** Accounts for every statement of the files before: it is kept, or it goes and quotes of both sides show why. */
export declare function checkTaken(input: TakenInput): Promise<Taken | Refusal>;
/** Of a secret that is cut nothing tells any more that it is one. */
export declare function shorten(text: string): string;
export interface MadeInput {
    readonly header: {
        readonly name: string;
        readonly description: string;
    };
    readonly body: string;
    readonly before: TakenInput['before'];
    readonly evidence: readonly FoundQuote[];
    readonly claims: Claims;
}
/** Nothing is invented: what is new in a text stands in the files before it, or in what is quoted. */
export declare function checkMade(input: MadeInput): Refusal | undefined;

// checks/claims.d.ts
export declare const ISO_DATE: RegExp;
/** What may be said of statements by their words, numbers and names alone. */
export interface Claims {
    /**
     * Whether a text says what a statement does: in one statement with all its words, in its sense and order; without a value also in two
     * that follow each other.
     *
     * @param about what the statement is about, where the text may be about something else: then it names nothing that neither has
     */
    isKept(statement: string, text: string, about?: string): boolean;
    /** Whether a text says it shorter: nothing new, and all names, numbers and dates. */
    isShortened(statement: string, text: string): boolean;
    /** Whether two say the same in other words, as far as can be told: all that the first names, the same sense, and many of its words. */
    isAlike(statement: string, other: string): boolean;
    /** Whether every word of a line stands in a text: what is too short to be a statement is kept whole. */
    holdsWords(line: string, text: string): boolean;
    /** Whether a statement says nothing that files and quoted statements do not. */
    isSupported(statement: string, files: readonly string[], quoted: readonly string[]): boolean;
    /** Whether what was said puts a statement out of date: the same subject, and another value or the opposite. */
    contradicts(said: string, statement: string): boolean;
    /** Whether a text says what took the place of a statement: about the same, with something of what was said since. */
    replaces(text: string, statement: string, said: string): boolean;
    /** Whether what was said names what a newer statement says instead of an older one about the same. */
    isBacked(said: string, news: string, statement: string): boolean;
    /** Whether what was said asks to forget a statement, by a word that stands in no other memory. */
    isForgotten(said: string, statement: string, others: string): boolean;
    /** Whether a user may have said a statement with this: it gives one of its values, or has many of its words. A question says nothing. */
    mayBeOf(said: string, statement: string): boolean;
    /** Whether a file of instructions says a statement, in at most two of its own. */
    standsIn(statement: string, instructions: string): boolean;
    /** Whether the user said, on its day or later, that what a statement has a date for is done. */
    isDone(said: string, atMs: number, statement: string): boolean;
    /** Whether both name the same, or the other points to the one before it. */
    sharesName(one: string, other: string): boolean;
    /** Whether something is asked for in it. */
    isOrder(text: string): boolean;
    /** Whether a statement is by its form of a task, a ticket or a commit, and no rule. */
    isKeptElsewhere(statement: string): boolean;
    /** Whether an assistant or a tool said a statement with this: all its values, many of its words, and the same sense. */
    saysSame(said: string, statement: string): boolean;
    /** Whether it asks to forget what was said with this: they share two words, or all that the wish names. */
    asksToForget(wish: string, said: string): boolean;
    /** The same by a name of both and another word in another form: `die Schließung von Nord`, `Nord wird geschlossen`. */
    namesToForget(wish: string, said: string): boolean;
    /** Whether a statement may come from this: it gives a value of it, has half of its words, or one in another language. */
    mayBeFrom(said: string, statement: string): boolean;
    /** Whether it asks to forget and does not say what: then it means what was said right before. */
    isForgetThat(said: string): boolean;
    /** Whether it gives all values of a statement that tell where it is from, in English or German. */
    givesValues(said: string, statement: string): boolean;
    /** Whether a name is of a day of the week or a month, and a text gives it in English or German. */
    givesDay(text: string, name: string): boolean;
    /** Whether it says yes to what was said before. */
    confirms(said: string): boolean;
    /** Whether what was said may be where a statement is from: it has half of its words, or something that it names. */
    touches(said: string, statement: string): boolean;
}
export declare function createClaims(): Claims;

// draft.d.ts
import { type Memdir } from '@varve/memdir';
import { type Refusal } from './checks/check-change.ts';
import { type DreamStep, type SourcedQuote, type StepKind, type WaitReason } from './patch.ts';
import { type Snapshot } from './snapshot.ts';
import type { InstructionFile, Sources } from './sources.ts';
import type { Spent } from './state.ts';
/** What a child proposes. */
export interface Proposal {
    readonly kind: Exclude<StepKind, 'mask' | 'fold'>;
    readonly reason: string;
    /** What is written; undefined: nothing. */
    readonly target: Target | undefined;
    /** Files that go. */
    readonly goes: readonly string[];
    readonly quotes: readonly SourcedQuote[];
    /** Statements that are out of date, each with what was said since. */
    readonly removes: readonly Removal[];
}
export interface Target {
    readonly path: string;
    /** @default those of the file that is there */
    readonly name?: string | undefined;
    readonly description?: string | undefined;
    readonly type?: string | undefined;
    readonly body?: string | undefined;
}
export interface Removal {
    /** Of the statement that goes. */
    readonly quote: string;
    readonly why: RemovalReason;
    /** What was said since, the memory that says the same, or where an assistant said it. */
    readonly by: SourcedQuote;
}
export declare const REMOVAL_REASONS: readonly ["out-of-date", "said-elsewhere", "not-from-the-user", "no-memory"];
export type RemovalReason = (typeof REMOVAL_REASONS)[number];
export type Proposed = {
    readonly kind: 'taken';
    readonly step: DreamStep;
    readonly waits: WaitReason | undefined;
    /** Statements for which it waits, where others of the same call could go. */
    readonly unproven: readonly string[];
} | Refusal;
/** A copy of the folder that a dream works on. What is proposed is checked at once, and what passes is a step of the patch. */
export interface Draft {
    /** The files as they are after the steps so far. */
    files(): ReadonlyMap<string, string>;
    propose(proposal: Proposal): Promise<Proposed>;
    steps(): readonly DreamStep[];
    /** Files whose secrets could not be masked. */
    secrets(): readonly LeftSecret[];
    room(): Room;
    /** What was removed today, with what this run removes. */
    spent(): Spent;
}
/** A file that holds a secret and stays as it is, and why: a person has to take it out. */
export interface LeftSecret {
    readonly path: string;
    readonly why: string;
}
/** How much of what the runs of a day may remove is used: what goes with nothing in its place. */
export interface Room {
    readonly files: number;
    readonly maxFiles: number;
    readonly statements: number;
    readonly maxStatements: number;
}
export interface DraftInput {
    readonly memory: Pick<Memdir, 'isShared'>;
    readonly snapshot: Snapshot;
    readonly instructions?: readonly InstructionFile[] | undefined;
    readonly sources: Sources;
    readonly nowMs: number;
    /** Of files, and of statements, that a run may remove. */
    readonly mostRemoved: number;
}
export declare function createDraft(input: DraftInput): Promise<Draft>;

// dream.d.ts
import { type Memdir } from '@varve/memdir';
import { type WaitingStep } from './inbox.ts';
import { type DreamLock } from './lock.ts';
import { type ApplyOptions, type ApplyResult, type DreamPatch } from './patch.ts';
import { type DreamProgress } from './progress.ts';
import { type DreamReport } from './report.ts';
import type { RunFork } from './run-fork.ts';
import type { DreamSessions } from './sessions.ts';
import { type GitLookup, type InstructionFile } from './sources.ts';
export interface DreamOptions {
    readonly memory: Memdir;
    /** The time in ms since 1970. */
    readonly now: () => number;
    /** Runs the child that proposes. @default none: equal files are folded, index and links repaired, and the report says so */
    readonly runFork?: RunFork | undefined;
    /** @default none: memory and logs alone are looked at, and no dream starts by itself */
    readonly sessions?: DreamSessions | undefined;
    /** @default one of this process, which forgets with it */
    readonly lock?: DreamLock | undefined;
    /** What became of paths that memories name. @default none is looked up */
    readonly git?: GitLookup | undefined;
    /** Files of instructions that every session is given: what they say is no memory. @default none */
    readonly instructions?: ((options: {
        readonly signal: AbortSignal;
    }) => Promise<readonly InstructionFile[]>) | undefined;
    /** Asked first, each time: why there is no dream now. @default nothing stands against it */
    readonly isOff?: (() => OffReason | undefined) | undefined;
    /** Since the last consolidation. @default 24 */
    readonly minHours?: number | undefined;
    /** Touched since then, the current one not counted. @default 5 */
    readonly minSessions?: number | undefined;
    /** After a look at the sessions that found too few, or a dream that did not end well, in ms. @default 600_000 */
    readonly scanPauseMs?: number | undefined;
    /** Requests of the child. @default 20 */
    readonly maxTurns?: number | undefined;
    /** After which a child that does not end has failed, in ms. @default 900_000 */
    readonly timeoutMs?: number | undefined;
    /** Share of the files, and of the statements, that the dreams of a day may remove with nothing in their place; the rest waits in the inbox. @default 0.2 */
    readonly mostRemoved?: number | undefined;
    /** Leaves the patch to `apply` and changes nothing. @default false */
    readonly isReviewed?: boolean | undefined;
    /** Told what happens. What it throws is ignored. */
    readonly onEvent?: ((event: DreamEvent) => void) | undefined;
}
export type OffReason = 'switched-off' | 'memory-off' | 'remote' | 'daily-logs';
/** Why there was no dream, in the order in which it is asked. */
export type NoDreamReason = 'running' | OffReason | 'too-soon' | 'scanned-lately'
/** None are given, or the place where they are kept is not there. */
 | 'no-sessions' | 'too-few-sessions' | 'locked' | 'nothing-new' | 'closed';
/**
 * `host-failed`: what the host gave threw, as its sessions, lock or lookup of paths, see `cause`; `not-read` and `not-written`: the
 * folder of memory.
 */
export type DreamFailure = 'fork-failed' | 'timed-out' | 'lock-lost' | 'host-failed' | 'not-read' | 'not-written';
export type DreamResult = {
    readonly kind: 'none';
    readonly reason: NoDreamReason;
} | {
    readonly kind: 'completed';
    readonly report: DreamReport;
    /** What was, or with `isReviewed` would be, done. */
    readonly patch: DreamPatch;
}
/** Memory is as it was. */
 | {
    readonly kind: 'failed';
    readonly reason: DreamFailure;
    readonly cause?: unknown;
} | {
    readonly kind: 'killed';
};
export type DreamEvent = DreamResult | {
    readonly kind: 'started';
    readonly sessions: number;
}
/** The first change was taken. */
 | {
    readonly kind: 'updating';
}
/** A turn of the child, or a change: `progress` has more. */
 | {
    readonly kind: 'progress';
    readonly progress: DreamProgress;
};
/** Consolidation of one memory folder. */
export interface Dream {
    /** To be called after each completed loop of the main agent, and not to be waited for: it never rejects. */
    afterLoop(options?: {
        readonly sessionId?: string | undefined;
    }): Promise<DreamResult>;
    /** Dreams whatever the gates say, but for the lock and `nothing-new`. Rejects only with what the signal was aborted with. */
    dreamNow(options?: DreamNowOptions): Promise<DreamResult>;
    /** Applies a patch, or some of its steps, as one change. */
    apply(patch: DreamPatch, options?: ApplyOptions): Promise<ApplyResult>;
    /** What waits in the inbox for a person, and a patch of those that still apply. */
    waiting(options?: {
        readonly signal?: AbortSignal | undefined;
    }): Promise<Waiting>;
    /** Takes back the last dream, or a change by its id: the same bytes again. */
    undo(options?: {
        readonly id?: string | undefined;
    }): ReturnType<Memdir['undo']>;
    progress(): DreamProgress;
    /** Ends what runs; memory is as it was. */
    kill(): void;
    /** Resolves when nothing runs any more. */
    settle(): Promise<void>;
    /** Ends what runs and starts nothing more. */
    close(): Promise<void>;
}
export interface DreamNowOptions {
    /** Of the current session, which is none of the past ones. */
    readonly sessionId?: string | undefined;
    /** Asks the child also where nothing is new since the last dream. @default false */
    readonly isForced?: boolean | undefined;
    readonly signal?: AbortSignal | undefined;
}
export interface Waiting {
    readonly steps: readonly WaitingStep[];
    /** Those that apply. */
    readonly patch: DreamPatch;
}
/**
 * Consolidates memory in the background.
 *
 * @throws TypeError and RangeError for options that make no sense
 */
export declare function createDream(options: DreamOptions): Dream;

// inbox.d.ts
import type { FileChange, Memdir } from '@varve/memdir';
import { type DreamPatch, type DreamStep } from './patch.ts';
/** A step that waits, with whether it still applies to what stands in the folder. */
export interface WaitingStep extends DreamStep {
    /** A file is not what the dream read any more: it can only be thrown away. */
    readonly isBroken: boolean;
}
/** The file in which a step waits: for a person above, for `apply` below. The same step has the same file. */
export declare function waitingFile(step: DreamStep, at: string): FileChange;
/** What waits in the inbox, broken ones too. */
export declare function readWaiting(memory: Memdir, signal: AbortSignal | undefined): Promise<readonly WaitingStep[]>;
/** Steps as a patch that `apply` takes. */
export declare const waitingPatch: (steps: readonly WaitingStep[], at: string) => DreamPatch;

// index.d.ts
export { createDream, type Dream, type DreamEvent } from './dream.ts';
export { reportText } from './report.ts';
export type { RunFork } from './run-fork.ts';
export type { Said } from './sessions.ts';
export type { InstructionFile } from './sources.ts';

// lock.d.ts
/** Holds dreams of all processes apart, and remembers the last one. `consolidateLock(folder)` of `@varve/dream/node` is one on disk. */
export interface DreamLock {
    /** When memory was consolidated last, in ms since 1970; undefined: never. */
    lastMs(): Promise<number | undefined>;
    /** Undefined where another owner has it. */
    take(options: {
        readonly signal?: AbortSignal | undefined;
    }): Promise<DreamLease | undefined>;
}
export interface DreamLease {
    /** Whether nobody has taken it over meanwhile. */
    isHeld(): boolean;
    /** Gives it back; with a time that is when memory was consolidated last, without one that stays as it was. */
    release(consolidatedMs?: number): Promise<void>;
}
/** A lock for one process, which forgets with it. */
export declare function processLock(): DreamLock;

// node/consolidate-lock.d.ts
import { takeLock } from '@varve/transcript/node';
import type { DreamLock } from '../lock.ts';
export interface ConsolidateLockOptions {
    /** What a test puts in place of clocks and timers. */
    readonly clock?: NonNullable<Parameters<typeof takeLock>[1]>['clock'] | undefined;
}
/**
 * The lock `.consolidate-lock` of a memory folder: one owner over processes and hosts, and its modification time is when memory was
 * consolidated last. That time changes when a dream has ended well, and at no other moment: nothing has to be set back after a
 * failure or a kill. The lock of an owner that is proven dead is taken over at once, that of any other 60 minutes after its last
 * sign of life.
 */
export declare function consolidateLock(memoryPath: string, { clock }?: ConsolidateLockOptions): DreamLock;

// node/git-lookup.d.ts
import type { GitLookup } from '../sources.ts';
/**
 * Asks a git repository about a path: `gone` only if it lies inside, some commit of the current branch had it, and nothing stands there
 * now. What cannot be asked is not checkable.
 */
export declare function gitLookup(root: string): GitLookup;

// node/index.d.ts
export { consolidateLock } from './consolidate-lock.ts';
export { gitLookup } from './git-lookup.ts';
export { sessionFolder } from './session-folder.ts';

// node/session-folder.d.ts
import type { DreamSessions } from '../sessions.ts';
/** The sessions in a folder, in any format that `@varve/transcript` reads; the id of one is its path below the folder. */
export declare function sessionFolder(path: string): DreamSessions;

// patch.d.ts
import { type FileChange, type Memdir } from '@varve/memdir';
/** What a dream would do, as data: it can be stored, shown, and applied as a whole or in part. */
export interface DreamPatch {
    /** When it was made, ISO 8601. */
    readonly at: string;
    readonly steps: readonly DreamStep[];
}
declare const STEP_KINDS: readonly ['mask', 'fold', 'merge', 'rewrite', 'retype', 'archive'];
export type StepKind = (typeof STEP_KINDS)[number];
/** One change of one or several files: all of it happens, or nothing. */
export interface DreamStep {
    readonly id: string;
    readonly kind: StepKind;
    readonly reason: string;
    /** What the change rests on. */
    readonly quotes: readonly SourcedQuote[];
    readonly files: readonly StepFile[];
    /** Why it is for a person to decide; such a step is applied only where it is named. */
    readonly waits?: WaitReason | undefined;
    /** Where it waits. */
    readonly waitsAt?: string | undefined;
}
/** `over-limit`: more files or statements would go than a run may remove; `not-proven`: no rule shows that it is out of date. */
export type WaitReason = 'over-limit' | 'not-proven';
export interface SourcedQuote {
    /** A path of memory, the id of a session, or `repository`. */
    readonly source: string;
    readonly quote: string;
}
export interface StepFile {
    readonly path: string;
    /** The hash of what it was, which is what a step applies to; undefined: there was none. */
    readonly basis: string | undefined;
    /** What it was, without its secrets. */
    readonly before: string | undefined;
    /** What it is to be; undefined: it goes to the archive. */
    readonly after: string | undefined;
    /** Of a file that goes: the one that says the same. */
    readonly successor?: string | undefined;
}
/** A file of a step, of its texts. */
export declare const stepFile: (path: string, before: string | undefined, after: string | undefined, successor?: string) => StepFile;
/** A step without the secrets of what it quotes: it is told, stored and shown. */
export declare const safeStep: (step: DreamStep) => DreamStep;
/** Holds what `apply` is given to what it has to be; each throws a TypeError. */
export declare function checkApply(patch: DreamPatch, options: ApplyOptions): void;
/** A step that was not applied. */
export interface SkippedStep {
    readonly id: string;
    /** `changed-meanwhile`: a file is not what the dream read; `waits`: nobody has decided about it; `refused`: memory did not take it, see `message`. */
    readonly reason: 'changed-meanwhile' | 'waits' | 'refused';
    readonly paths: readonly string[];
    readonly message?: string | undefined;
}
export interface ApplyOptions {
    /** Ids of steps; those that wait are applied only if they stand here. @default all that do not wait */
    readonly only?: readonly string[] | undefined;
    readonly signal?: AbortSignal | undefined;
}
export type ApplyResult = {
    readonly kind: 'applied';
    /** Of the change, for `undo`. */
    readonly id: string;
    /** Ids of the steps that took effect. */
    readonly steps: readonly string[];
    readonly skipped: readonly SkippedStep[];
    /** Paths whose bytes changed, links that were repaired among them, indexes not. */
    readonly paths: readonly string[];
    /** Indexes whose lines changed. */
    readonly indexes: readonly string[];
} | {
    readonly kind: 'unchanged';
    readonly skipped: readonly SkippedStep[];
};
/**
 * Applies a patch as one change: each step on exactly the bytes that the dream read, or not at all. Links to files that went lead to
 * what took their place; indexes follow. With it go files for the inbox, where they can be written.
 */
export declare function applyPatch(memory: Memdir, patch: DreamPatch, { only, signal }?: ApplyOptions, waiting?: readonly FileChange[]): Promise<ApplyResult>;
interface StepPlan {
    readonly files: readonly FileChange[];
    /** Those that apply. */
    readonly steps: readonly DreamStep[];
    readonly skipped: readonly SkippedStep[];
}
/** Which steps apply to what stands in the folder now, and what they make of it. What counts and what lists steps asks this. */
export declare function planSteps(memory: Memdir, steps: readonly DreamStep[], { only, signal }: ApplyOptions): Promise<StepPlan>;
export declare const hashIfAny: (text: string | undefined) => string | undefined;
export {};

// progress.d.ts
import type { Message } from '@varve/messages';
/** One turn of the child, as a list of background work shows it. */
export interface DreamTurn {
    readonly text: string;
    /** How many tools it called. */
    readonly toolCalls: number;
    /** Paths its calls name. */
    readonly touched: readonly string[];
}
export interface DreamProgress {
    readonly status: 'idle' | 'running' | 'completed' | 'failed' | 'killed';
    /** `updating` from the first change that was taken. */
    readonly phase: 'starting' | 'updating';
    /** The last 30. */
    readonly turns: readonly DreamTurn[];
    /** Paths of changes that were taken. */
    readonly touched: readonly string[];
}
export declare const IDLE: DreamProgress;
export declare const withTurn: (progress: DreamProgress, turn: DreamTurn) => DreamProgress;
export declare const withTouched: (progress: DreamProgress, paths: readonly string[]) => DreamProgress;
/** Undefined for a message that is none of the model. */
export declare function turnOf({ role, content, }: Pick<Message, 'role' | 'content'>): DreamTurn | undefined;

// report.d.ts
import type { Usage } from '@varve/messages';
import type { LeftSecret } from './draft.ts';
import type { ApplyResult, DreamPatch, SkippedStep, StepKind } from './patch.ts';
import type { StalePath } from './stale-paths.ts';
/** What came of a dream. Counts are of what took effect, or, where it is reviewed first, of what would. */
export interface DreamReport {
    /** `without-model`: only what code does by itself: equal files, index, links. */
    readonly mode: 'model' | 'without-model';
    /** Nothing was changed: the patch waits for `apply`. */
    readonly isReviewed: boolean;
    /** Of the words that the child was asked with: a recording of another one says nothing of this. */
    readonly promptVersion: string;
    readonly startedAt: string;
    readonly endedAt: string;
    /** Sessions since the last dream. */
    readonly sessions: number;
    /** Memory files whose bytes changed or that went. */
    readonly improved: number;
    /** Steps that took effect, by kind. */
    readonly steps: Readonly<Partial<Record<StepKind, number>>>;
    /** Calls of the child that were refused, by reason. */
    readonly refused: Readonly<Record<string, number>>;
    /** Steps in the inbox that still apply. */
    readonly waiting: number;
    readonly skipped: readonly SkippedStep[];
    /** Paths whose bytes changed. */
    readonly paths: readonly string[];
    /** Indexes whose lines changed. */
    readonly indexes: readonly string[];
    /** Files that hold a secret and stay as they are. */
    readonly secrets: readonly LeftSecret[];
    readonly stale: readonly StalePath[];
    /** Of the change, for `undo`; undefined where nothing changed. */
    readonly changeId: string | undefined;
    readonly usage: Usage | undefined;
}
export interface ReportInput extends Pick<DreamReport, 'mode' | 'isReviewed' | 'sessions' | 'refused' | 'waiting' | 'secrets' | 'stale' | 'usage'> {
    readonly startMs: number;
    readonly endMs: number;
    readonly patch: DreamPatch;
    readonly applied: ApplyResult;
}
export declare function reportOf(input: ReportInput): DreamReport;
/**
 * A report for people, a few lines.
 *
 * @throws TypeError for what is no report
 */
export declare function reportText(report: DreamReport): string;
export declare const secretText: ({ path, why }: LeftSecret) => string;

// run-fork.d.ts
import type { Message, Tool, ToolUseBlock, Usage } from '@varve/messages';
/**
 * Runs a child that has these tools and no others, up to its end. It rejects or answers `failed` where the child did not come to an
 * end; the memory is then left as it was. It keeps no transcript of the child anywhere. `agentFork` of `@varve/dream/agent` is one.
 */
export type RunFork = (fork: DreamFork) => Promise<ForkOutcome>;
export interface DreamFork {
    /** For reports of cost, and so that nothing of it is taken for a session. */
    readonly source: 'auto_dream';
    /** What the child is asked: all it has to know. */
    readonly directive: string;
    readonly tools: readonly Tool[];
    /** Asked before every call. */
    readonly canUseTool: (call: ToolCall) => ToolPermission;
    /** Runs a call that was allowed. Calls come one after the other. */
    readonly runTool: (call: ToolCall) => Promise<ToolOutcome>;
    /** To be told each message of the child once it is whole, for progress. */
    readonly onMessage: (message: Pick<Message, 'role' | 'content'>) => void;
    readonly maxTurns: number;
    readonly signal: AbortSignal;
}
/** A `tool_use` block fits. */
export type ToolCall = Pick<ToolUseBlock, 'id' | 'name' | 'input'>;
export interface ToolPermission {
    readonly allow: boolean;
    /** Goes to the model as the result of a call that is not allowed. */
    readonly reason?: string;
}
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

// sessions.d.ts
/** Past sessions of the same project. `sessionFolder(path)` of `@varve/dream/node` is one. Dreams and extractions are none of them. */
export interface DreamSessions {
    /** Where they are kept. */
    readonly path: string;
    /** Whether the place where they are kept is there. @default it is */
    isThere?(): Promise<boolean>;
    /** Those that were touched after a time in ms since 1970, in any order. */
    list(options: {
        readonly sinceMs: number;
        readonly signal?: AbortSignal | undefined;
    }): Promise<readonly ListedSession[]>;
    /** What was said in one, in order, results of tools where there are any: no reminders, summaries or recalled memory. */
    read(id: string, options: {
        readonly signal?: AbortSignal | undefined;
    }): Promise<readonly Said[]>;
}
export interface ListedSession {
    readonly id: string;
    readonly touchedMs: number;
}
/** One message of a session. */
export interface Said {
    /** `tool`: what a tool or another agent answered. It is never a source, and shows where a memory is from that no user asked for. */
    readonly by: 'user' | 'assistant' | 'tool';
    readonly text: string;
    /** When, in ms since 1970. Where it is not known, it proves nothing to be out of date. */
    readonly atMs?: number | undefined;
}

// snapshot.d.ts
import type { Memdir, MemoryFile } from '@varve/memdir';
import { type DreamState, type Spent } from './state.ts';
/** Why a dream changes no byte of a file. */
export type Protection = 'pinned' | 'edited-by-hand' | 'not-text' | 'too-large' | 'writer-not-known';
export interface SnapshotFile extends MemoryFile {
    readonly text: string;
    readonly body: string;
    readonly isProtected: Protection | undefined;
    /** Since the last dream. */
    readonly change: 'new' | 'changed' | 'same';
    /** Statements that the last dream did not see. */
    readonly fresh: readonly string[];
}
export interface DailyLog {
    readonly path: string;
    readonly text: string;
    readonly isNew: boolean;
}
/** The folder at one moment, as a dream sees it. */
export interface Snapshot {
    readonly files: ReadonlyMap<string, SnapshotFile>;
    /** Paths that the last dream saw. */
    readonly removed: readonly string[];
    /** Oldest first. */
    readonly logs: readonly DailyLog[];
    /** Changes of earlier dreams that were taken back: nobody wants them again. */
    readonly takenBack: ReadonlySet<string>;
    /** Every text that belongs to the folder, what is hidden included: what a clone is made of. */
    readonly texts: Readonly<Record<string, string>>;
    /** What the next dream is to know. */
    readonly seen: Omit<DreamState, 'at' | 'spent' | 'sessions'>;
    /** When sessions were touched that the last dream was given, by id. */
    readonly seenSessions: ReadonlyMap<string, number>;
    readonly spent: Spent | undefined;
}
export declare function takeSnapshot(memory: Memdir, signal: AbortSignal | undefined): Promise<Snapshot>;
/** Names a change of a file by the hashes of its texts, to be looked up among those that were taken back. */
export declare const changeKey: (path: string, before: string | null, after: string | null) => string;
/** The end of the day of a log. */
export declare const logEndMs: (path: string) => number;

// sources.d.ts
import type { SourcedQuote } from './patch.ts';
import type { DreamSessions, Said } from './sessions.ts';
import { type Snapshot } from './snapshot.ts';
/** What became of a path that a memory names: `gone` only where the repository had it once. All else proves nothing. */
export type GitLookup = (path: string, options: {
    readonly signal?: AbortSignal | undefined;
}) => Promise<'there' | 'gone' | 'not-checkable'>;
/** The source of what the repository shows. */
export declare const REPOSITORY = "repository";
/** A quote that stands in its source. */
export interface FoundQuote {
    readonly kind: 'found';
    readonly from: 'memory' | 'log' | 'session' | 'repository' | 'instructions';
    /** The whole statement that the quote is of. */
    readonly statement: string;
    /** When it was said or written, where that is known. */
    readonly atMs: number | undefined;
}
export type QuoteRefusal = 'no-quote' | 'quote-too-long' | 'quote-not-found' | 'unknown-source' | 'not-checkable';
export interface Sources {
    /** @param who of a session: the user, which is the default, or all others */
    find(quote: SourcedQuote, who?: Said['by']): Promise<FoundQuote | {
        readonly kind: QuoteRefusal;
    }>;
    /** What a session says; undefined where there is none of that id. */
    read(session: string): Promise<readonly Said[] | undefined>;
    /** A text as a child is shown it: without secrets, and without what sessions show to be one. */
    hide(text: string): Promise<string>;
    /** Statements of all sessions and logs, with who said them and when; of sessions that cannot be read, none. */
    all(): Promise<readonly Said[]>;
}
/** A file of instructions that every session is given anyhow. */
export interface InstructionFile {
    readonly path: string;
    readonly text: string;
}
export interface SourcesInput {
    readonly snapshot: Snapshot;
    readonly instructions?: readonly InstructionFile[] | undefined;
    readonly sessions: DreamSessions | undefined;
    /** Ids that the child was told of. */
    readonly sessionIds: readonly string[];
    readonly git: GitLookup | undefined;
    readonly signal: AbortSignal;
}
/** Where quotes may come from: memory and logs as they stood before the dream, what the user said, and the repository. */
export declare function createSources(input: SourcesInput): Sources;

// stale-paths.d.ts
import type { Snapshot } from './snapshot.ts';
import type { GitLookup } from './sources.ts';
/** A path that a memory names and that the repository had once and has no more. It is told, and is never a reason to remove a file. */
export interface StalePath {
    readonly path: string;
    /** What it names. */
    readonly claim: string;
    /** The statement that names it. */
    readonly statement: string;
}
export declare function stalePaths({ files }: Snapshot, git: GitLookup | undefined, signal: AbortSignal): Promise<readonly StalePath[]>;

// state.d.ts
/** What the last dream saw, so that the next one looks at what is new. It stands in the folder and is in no list. */
export interface DreamState {
    /** ISO 8601. */
    readonly at: string;
    readonly files: Readonly<Record<string, SeenFile>>;
    /** Hashes of the logs of days. */
    readonly logs: Readonly<Record<string, string>>;
    /** When the sessions that it was given were touched last, by id. */
    readonly sessions: Readonly<Record<string, number>>;
    /** What dreams of one day removed by themselves: they share what a day may remove. */
    readonly spent: Spent;
}
export interface Spent {
    /** When the first of them began. */
    readonly sinceMs: number;
    readonly files: number;
    readonly statements: number;
}
export interface SeenFile {
    readonly hash: string;
    /** Short hashes of its statements: which ones are new needs no older text. */
    readonly statements: readonly string[];
}
export declare const STATE = ".dream.json";
export declare const shortHash: (statement: string) => string;
export declare const seenFile: (text: string, body: string) => SeenFile;
/** Undefined where there is none, or what is there is none. */
export declare function parseState(text: string | undefined): DreamState | undefined;
export declare const writeState: (state: DreamState) => string;
