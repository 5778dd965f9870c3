// error.d.ts
import { VarveError } from '@varve/guards';
/**
 * Files: `not-found`; `not-a-file`: a folder, or a pipe or device in place of a log; `unreadable`: there, and the system refuses.
 * Logs: `newer-format`: written by a newer version; `damaged-line`; `locked`: another process writes; `many-names`: hard links lead to the file; `lock-lost`: another process has taken over; `closed`: appended to after `close`; `invalid-entry`: could not be
 * read back; `write-failed`: the system refuses; `exists`: nothing is written over; `base-mismatch`: the base of a fork is gone
 * or not what it was.
 * Sessions of other agents: `unknown-format`; `empty`; `not-text`: no JSON in it; `torn-document`: cut
 * off or damaged, and no whole record or message is left; `no-messages`: a known format without any message; `many-sessions`: a
 * database, and not said which of its sessions.
 */
export type TranscriptErrorCode = 'not-found' | 'unreadable' | 'newer-format' | 'damaged-line' | 'unknown-format' | 'not-a-file' | 'empty' | 'not-text' | 'torn-document' | 'no-messages' | 'many-sessions' | 'locked' | 'lock-lost' | 'many-names' | 'closed' | 'invalid-entry' | 'write-failed' | 'exists' | 'base-mismatch';
export interface TranscriptErrorPlace {
    readonly file?: string;
    /** Counted from 1. */
    readonly line?: number;
}
/** Thrown where a log or a foreign session cannot be read or written. The message says what to do; it holds no content. */
export declare class TranscriptError extends VarveError<TranscriptErrorCode> {
    readonly file: string | undefined;
    readonly line: number | undefined;
    constructor(code: TranscriptErrorCode, message: string, { file, line, cause }?: TranscriptErrorPlace & {
        readonly cause?: unknown;
    });
    get name(): 'TranscriptError';
    /** True for errors of this package, also of another copy of it. */
    static is(value: unknown): value is TranscriptError;
}

// import.d.ts
export { importSession } from './import/import-session.ts';
export type { ImportedSession, ImportedThread, ImportSignal } from './import/types.ts';
export { uniqueResponses } from './import/unique-responses.ts';

// import/import-session.d.ts
import type { ImportedSession, ImportOptions } from './types.ts';
/**
 * Reads a session that another agent recorded, from the bytes of its file. The format is told from the content. Damage is
 * repaired or left out and listed in `problems`; what the import has no use for is counted in `unused`.
 *
 * @throws TranscriptError where nothing can be made of the file, RangeError or TypeError for an option that does not fit; rejects with what
 * `chunks` throws.
 */
export declare function importSession(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, options: ImportOptions): Promise<ImportedSession>;

// import/types.d.ts
import type { Entry, MessageResponse } from '@varve/messages';
/** The formats that {@link importSession} reads. `varve` is the log of this project. */
export type SessionFormat = 'claude-code' | 'codex' | 'copilot-cli' | 'opencode' | 'pi' | 'gemini-cli' | 'qwen-code' | 'goose' | 'atif' | 'swe-agent' | 'openhands-output' | 'varve' | 'anthropic-messages' | 'openai-chat' | 'openai-responses';
/** Something in the file that was not read as it stands; the rest of the file was. */
export interface ImportProblem {
    /** 1-based; for a file that is one JSON value, the line the value starts on. */
    readonly line: number;
    readonly kind: ProblemKind;
    /** What happened and what was done about it, without content of the file. */
    readonly text: string;
    /** Where the session is spread over several files: the one the line is of, if not the session's own. */
    readonly file?: string;
}
/**
 * `torn-record`: cut off, dropped. `bad-json`: not JSON, dropped. `not-a-record`: JSON, but no object. `line-too-long`:
 * above the limit, dropped. `nul-padding`, `byte-order-mark`, `glued-records`, `raw-newline`, `bad-utf8`, `lone-surrogate`,
 * `too-deep`: read after a repair. `duplicate-record`: the same record again, dropped. `reused-id`: kept under another id.
 * `broken-link`: names a record that is not in the file; file order was used. `orphan-result`: a result without its call,
 * kept as text. `late-result`: a result moved up to its call's round. `missing-result`: a call closed with a synthetic
 * result. `missing-start`: a thread, or what a compaction left of it, begins with a reply; a synthetic message stands before it.
 * `bad-record`: a known kind of record that lacks what it needs, dropped. `bad-bill`:
 * a bill that is no object, or in which a count is missing or is none, left out. `unreadable-file`: another file of the session, left out.
 */
export type ProblemKind = 'torn-record' | 'bad-json' | 'not-a-record' | 'line-too-long' | 'nul-padding' | 'byte-order-mark' | 'glued-records' | 'raw-newline' | 'bad-utf8' | 'lone-surrogate' | 'too-deep' | 'duplicate-record' | 'reused-id' | 'broken-link' | 'orphan-result' | 'late-result' | 'missing-result' | 'missing-start' | 'bad-record' | 'bad-bill' | 'unreadable-file';
/** One conversation of a session, as a log that projects. */
export interface ImportedThread {
    readonly id: string;
    readonly kind: 'main' | 'sub-agent';
    /** The call of another thread that started this one, where the file tells. */
    readonly parentCallId?: string;
    /** The file begins in the middle: what the model saw before is elsewhere. */
    readonly startsMidSession: boolean;
    readonly entries: readonly Entry[];
}
/** Where a session came from: a `fork` begins with a copy of its parent's conversation, a `sub-agent` was started by it. */
export interface SessionParent {
    /** As the parent's own file calls it. */
    readonly id: string;
    readonly kind: 'fork' | 'sub-agent';
}
/** What {@link importSession} makes of a file. */
export interface ImportedSession {
    readonly format: SessionFormat;
    readonly name: string;
    /** What the agent calls the session, where the file tells. */
    readonly id?: string;
    /** The session this one came from, where the file tells. */
    readonly parent?: SessionParent;
    /** At least one; the first is the main thread. A file that holds several tasks has a main thread for each. */
    readonly threads: readonly ImportedThread[];
    /** How often each kind of record, field or block was left unused, by kind (`progress/hook_progress`, `user.cwd`). */
    readonly unused: Readonly<Record<string, number>>;
    readonly problems: readonly ImportProblem[];
}
/**
 * A fact of the recorded session that matters to its cost and is not a message. It is the `data` of a note entry whose
 * `by` is `import`.
 */
export type ImportSignal = 
/** A user turn begins, as the agent itself marks it. */
{
    readonly kind: 'turn-start';
    readonly model?: string;
    readonly effort?: string;
} | {
    readonly kind: 'turn-aborted';
}
/** The agent's process was started again on this session. */
 | {
    readonly kind: 'resume';
    readonly via: 'hook' | 'synthetic-reply' | 'session-id' | 'record';
}
/** A request failed. `retryAt` is ISO 8601 and says when it was sent again. */
 | {
    readonly kind: 'api-error';
    readonly status?: number;
    readonly attempt?: number;
    readonly retryAt?: string;
} | {
    readonly kind: 'thinking-config';
    readonly level?: string;
    readonly disabled?: boolean;
    readonly maxThinkingTokens?: number;
    readonly effort?: string;
}
/** A request on the side re-read the prefix. */
 | {
    readonly kind: 'away-summary';
} | {
    readonly kind: 'agent-change';
    readonly agent: string;
} | {
    readonly kind: 'model-change';
    readonly model: string;
}
/** Tools or instructions of an MCP server came or went: the head changed. */
 | {
    readonly kind: 'mcp-change';
    readonly added: readonly string[];
    readonly removed: readonly string[];
    readonly readded: readonly string[];
}
/** The request of the next assistant message went out at `at` (ISO 8601), not at the time of the last input. */
 | {
    readonly kind: 'request-start';
    readonly at: string;
} | {
    readonly kind: 'starts-mid-session';
}
/** What the provider said of the next reply: why less of its prompt was read from the cache than of the one before (`system_changed`). */
 | {
    readonly kind: 'cache-miss';
    readonly reason: string;
    readonly missedTokens?: number;
}
/** A billed reply without any content. */
 | {
    readonly kind: 'empty-reply';
    readonly response: ReplyFacts;
}
/** The request that wrote a summary, where the agent bills it as a message. */
 | {
    readonly kind: 'compaction-request';
    readonly response: ReplyFacts;
}
/** Output of a reply in tokens, in a format that does not bill the prompt. */
 | {
    readonly kind: 'output-tokens';
    readonly messageId: string;
    readonly outputTokens: number;
}
/**
 * What the agent says that all requests to a model came to since its process began; several add up. As it counts: whether `inputTokens` has those
 * read from the cache among them is the agent's own way.
 */
 | {
    readonly kind: 'usage-total';
    readonly model: string;
    readonly requests?: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly cacheReadTokens: number;
    readonly cacheWriteTokens: number;
}
/** A compaction that the agent recorded as failed. */
 | {
    readonly kind: 'compaction-failed';
};
/** {@link MessageResponse} in the form a note can hold. */
export type ReplyFacts = {
    readonly id: string;
    readonly model: string;
    readonly stopReason: MessageResponse['stopReason'];
    readonly usage?: {
        readonly [field: string]: number;
    };
};
/** Options of {@link importSession}. */
export interface ImportOptions {
    /** How the session is called in the result and in errors, for example its path. */
    readonly name: string;
    /** Read as this format instead of asking the content. @default told from the content */
    readonly format?: SessionFormat | undefined;
    /** A longer line is dropped and reported. At most 536870888, the longest string. @default 268435456 (256 MiB) */
    readonly maxLineBytes?: number | undefined;
    /** Ends the reading with its reason, an `AbortError` unless one was given. @default none */
    readonly signal?: AbortSignal | undefined;
}

// import/unique-responses.d.ts
import type { MessageResponse } from '@varve/messages';
import type { ImportedSession } from './types.ts';
/** A recorded response and where it was found. */
export interface RecordedResponse {
    readonly response: MessageResponse;
    readonly session: string;
    readonly threadId: string;
    readonly messageId: string;
}
/**
 * The responses of several sessions, each once: agents copy a session into a new file when it is branched or resumed, and
 * a sub-agent's file may begin with its parent's history. Of several records the one that has the whole bill is given, of equal ones that of a
 * session that came from no other, then the first; so what they come to does not depend on the order of the sessions.
 */
export declare function uniqueResponses(sessions: Iterable<ImportedSession>): Generator<RecordedResponse>;

// index.d.ts
export { TranscriptError } from './error.ts';
export { readEntries } from './read-entries.ts';

// node/append-queue.d.ts
/** Where bytes go: the end of an open file. */
export interface AppendFile {
    /** Writes at the end of the file and says how many bytes went in: fewer than asked when the disk fills up. */
    write(bytes: Uint8Array): Promise<number>;
    /** Makes what was written survive a power loss. */
    sync(): Promise<void>;
    close(): Promise<void>;
}
export type AppendResult = {
    readonly kind: 'written';
}
/** Kept in memory in order; written before anything newer as soon as the disk takes it. */
 | {
    readonly kind: 'buffered';
    readonly reason: string;
    readonly pendingBytes: number;
}
/**
 * With `durability: 'disk'` only: in the file, but the system could not flush it once, and what it lost then a later flush
 * does not bring back. Stays so until the log is opened again.
 */
 | {
    readonly kind: 'unsynced';
    readonly reason: string;
};
export interface AppendQueue {
    append(bytes: Uint8Array): Promise<AppendResult>;
    /** Tries again to write what is buffered. */
    flush(): Promise<AppendResult>;
}
export interface AppendQueueOptions {
    readonly syncEach: boolean;
    /** The reason of a refusal in a word, e.g. `ENOSPC`. */
    readonly reasonOf: (error: unknown) => string;
}
/**
 * Appends in the order of the calls. What a full disk does not take stays in memory, also the rest of a record that went
 * in by half, and goes first when the next call succeeds. Nothing is lost while the process lives.
 */
export declare function createAppendQueue(file: AppendFile, { syncEach, reasonOf }: AppendQueueOptions): AppendQueue;

// node/find-sessions.d.ts
/**
 * The sessions among `paths`, in their order, a folder's by name. A file is taken as it is; a folder is searched for `.jsonl`, `.jsonl.zst`, `.json`,
 * `.traj`, `.db` and `.sqlite` files and links to such, in whatever case; hidden ones, node_modules and links to other folders aside. A database of OpenCode, Kilo or Goose
 * gives a place for each of its sessions (`opencode.db#ses_…`), which `importFile` takes. What belongs to another session is no session of
 * its own: sub-agents, OpenCode's files of messages and parts, and what Cline and its kin keep beside the messages of a task.
 *
 * @throws TranscriptError `not-found` or `unreadable`
 */
export declare function findSessions(paths: readonly string[]): Promise<string[]>;

// node/fork-log.d.ts
import type { EntryOnLine, ReadEntriesOptions } from '../read-entries.ts';
export interface ForkOptions {
    /** The last entry of the base that the fork shares. */
    readonly entryId: string;
    /** Id and time (ISO 8601, UTC) of the entry that names the base. */
    readonly id: string;
    readonly at: string;
}
/**
 * Begins a log whose past is another log up to an entry. The line after that of the format names the base by a path relative to the fork, the
 * entry, and a hash of the shared bytes; the base is never written to and may grow on. Makes the folder of the fork.
 *
 * @throws TranscriptError `exists` rather than write over a file, `base-mismatch` when the base has no such entry,
 * `invalid-entry` for an id or a time that no entry can have, `write-failed`
 */
export declare function forkLog(basePath: string, path: string, options: ForkOptions): Promise<void>;
/**
 * Reads a log with its past: the shared part of its base first, checked against the hash, then its own entries.
 *
 * @throws TranscriptError as `readLog`, and `base-mismatch` where a base is gone or is not what it was
 */
export declare function readThread(path: string, options?: Omit<ReadEntriesOptions, 'file'>): AsyncGenerator<EntryOnLine>;

// node/import-file.d.ts
import type { ImportedSession, ImportOptions } from '../import/types.ts';
/** Options of {@link importFile}. */
export interface ImportFileOptions extends Omit<ImportOptions, 'name'> {
    /** @default the path */
    readonly name?: string | undefined;
}
/**
 * Reads the session at a place that {@link findSessions} gave, or in any file, as a stream: {@link importSession} over its bytes, with what other files
 * hold of it. These are the sub-agents of Claude Code, the history of a Codex fork, the messages and parts of OpenCode's `storage`, and the bills of a task of Cline.
 * Files in Zstandard are unpacked. A database of OpenCode, Kilo or Goose takes the id of a session behind its path (`opencode.db#ses_…`) where it holds several.
 *
 * @throws TranscriptError also for the file itself: `not-found`, `not-a-file`, `unreadable` are three different things; `many-sessions`
 * for a database without the id of one
 */
export declare function importFile(place: string, options?: ImportFileOptions): Promise<ImportedSession>;

// node/index.d.ts
export { findSessions } from './find-sessions.ts';
export { forkLog, readThread } from './fork-log.ts';
export { importFile } from './import-file.ts';
export { openLog } from './open-log.ts';
export { makeFolder, PRIVATE_FILE } from './private-files.ts';
export { projectSlug } from './project-slug.ts';
export { readLog } from './read-log.ts';
export { salvageLog } from './salvage-log.ts';
export { type Lock, takeLock } from './take-lock.ts';
export { writeSome } from './write-some.ts';

// node/open-log.d.ts
import type { Entry } from '@varve/messages';
import type { LogProblem } from '../problem.ts';
import { type AppendFile, type AppendResult } from './append-queue.ts';
import { type TailRepair } from './repair-tail.ts';
export interface OpenLogOptions {
    /** Called with each entry that the file already holds, in order, before `openLog` resolves. What it throws is passed on. */
    readonly onEntry?: (entry: Entry) => void;
    /**
     * `os`: an entry survives the death of the process; `disk`: also a power loss, at the price of a flush an append.
     * @default 'os'
     */
    readonly durability?: 'os' | 'disk';
    /**
     * How long to wait for another writer of the same file, in ms.
     * @default 0
     */
    readonly lockWaitMs?: number;
    /** Ends the wait and the reading with its reason, an `AbortError` unless one was given; nothing was changed then. */
    readonly signal?: AbortSignal;
    /**
     * Opens the file for appending; replace it to try what a failing disk does.
     * @default the file system
     */
    readonly openFile?: (path: string) => Promise<AppendFile>;
}
export interface Log {
    readonly path: string;
    /** What the file had to be forgiven when it was opened. */
    readonly problems: readonly LogProblem[];
    /** What was done to its end. */
    readonly repair?: TailRepair;
    /**
     * Appends entries in one write. `buffered` means that the disk refused: the entries wait in memory, in order, and are
     * written by the next call that succeeds. Throws `closed` after `close`, `lock-lost` where another process has taken the log
     * over, and `invalid-entry` for an entry that could not be read back or whose id the log has; then none of the entries was
     * appended.
     */
    append(...entries: readonly Entry[]): Promise<AppendResult>;
    /** Tries again to write what is buffered. */
    flush(): Promise<AppendResult>;
    /**
     * Writes what is buffered, closes the file and lets others write; a second call waits for the first. Throws `write-failed`
     * if entries are left over or may not survive a power loss that they should.
     */
    close(): Promise<void>;
}
/**
 * Opens a log for appending, or begins one, its folder included. Only one writer may have a log open: `locked` names the
 * other. A file with hard links is refused with `many-names`: nobody knows where else it may be open. The end of the file is repaired if the last writer was killed; damage elsewhere throws `damaged-line` and nothing is
 * changed.
 *
 * @throws TranscriptError also `lock-lost` where the lock was taken over while it read, and `unreadable`, `not-a-file` and
 * `write-failed` where the system refuses
 */
export declare function openLog(path: string, options?: OpenLogOptions): Promise<Log>;

// node/private-files.d.ts
/** For `writeFile`, `appendFile` and the like: a file that is made is readable for its owner only, whatever the umask. */
export declare const PRIVATE_FILE: {
    readonly mode: 384;
};
/**
 * Makes a folder and those on the way to it, open to their owner only. Not `mkdir` with `recursive`, which never ends where a
 * parent exists and takes no folders, as `/proc` does. Rejects with the error of the system.
 */
export declare function makeFolder(path: string, mode?: number): Promise<void>;

// node/project-slug.d.ts
/**
 * The name of a project's folder: letters and digits of its path, which tell a reader what it is, and a print of the whole,
 * so that no two paths share a folder. Both forms of a character with an accent give one name.
 *
 * Undefined for a path without a letter or digit.
 */
export declare function projectSlug(path: string): string | undefined;

// node/read-log.d.ts
import { type EntryOnLine, type ReadEntriesOptions } from '../read-entries.ts';
/**
 * Reads a log file without changing it, one entry after the other, in memory that does not grow with the file, the ids of
 * the entries aside.
 *
 * @throws TranscriptError `not-found`, `not-a-file` for a folder, a pipe or a device, `unreadable` where the system refuses, `damaged-line` for
 * damage before the last line
 */
export declare function readLog(path: string, options?: Omit<ReadEntriesOptions, 'file'>): AsyncGenerator<EntryOnLine>;
export interface ReadChunksOptions {
    /** Where to stop, in bytes. @default the end of the file */
    readonly end?: number;
    /** How the file is called in errors. @default its path */
    readonly name?: string;
    /** Of a piece, at most; memory of twice as much is taken at once. @default 1 MiB */
    readonly pieceBytes?: number | undefined;
    /** Whether a pipe or a device may be read, which may never end. @default false */
    readonly takesPipes?: boolean;
}
/**
 * The bytes of a file, or where it is asked for of a pipe, in pieces. A piece is only good until the next one is asked for: its memory is used
 * again. The next piece is read while the caller is at work on this one.
 */
export declare function readChunks(path: string, { end, name, pieceBytes, takesPipes, }?: ReadChunksOptions): AsyncGenerator<Uint8Array>;

// node/repair-tail.d.ts
import type { LogProblem } from '../problem.ts';
/** What was done to the end of a log so that it can be appended to again. */
export interface TailRepair {
    readonly kind: 'torn-tail' | 'missing-line-end';
    /** Offset in the file where the repaired record began, in bytes. */
    readonly start: number;
    /** Its length in bytes. */
    readonly bytes: number;
    /** The file that keeps the bytes that were cut off. */
    readonly keptAt?: string;
}
/**
 * Makes the end of a log fit to append to: a whole entry without a line end gets one; the bytes of an unfinished one are
 * copied to a file beside the log, and only then cut off. Rejects with the system's error.
 */
export declare function repairTail(path: string, problems: readonly LogProblem[]): Promise<TailRepair | undefined>;

// node/salvage-log.d.ts
import type { LogProblem } from '../problem.ts';
export interface Salvage {
    /** How many entries the log has now. */
    readonly entries: number;
    /** What was left out or straightened, line by line. */
    readonly problems: readonly LogProblem[];
    /** The file that keeps the bytes as they were. Absent when nothing had to be changed. */
    readonly keptAt?: string;
}
export interface SalvageOptions {
    /** Ends the work with its reason, an `AbortError` unless one was given; nothing was changed then. */
    readonly signal?: AbortSignal;
}
/**
 * Makes a damaged log readable again: puts in its place one with every entry that can be read, in order, and keeps the old
 * file beside it. The file is replaced in one step: whatever fails or is killed, there is the old log or the new one.
 *
 * @throws TranscriptError `not-found`, `unreadable`, `locked`, `lock-lost` or `write-failed`
 */
export declare function salvageLog(path: string, { signal }?: SalvageOptions): Promise<Salvage>;

// node/take-lock.d.ts
import { type Stats } from 'node:fs';
/** A lock that is held. */
export interface Lock {
    readonly path: string;
    /** Of this one holding: no two are the same. It stands in the file. */
    readonly token: string;
    /**
     * Whether the file is still ours: it may have been removed, or taken over while this process was suspended for an hour. Ask
     * right before each write that the lock is to protect.
     */
    isHeld(): boolean;
    /** Gives it back; does nothing to a lock that is no longer ours. A second call does nothing. */
    release(): Promise<void>;
}
export interface LockOptions {
    /**
     * How long to wait for another owner, in ms.
     * @default 0
     */
    readonly waitMs?: number | undefined;
    readonly signal?: AbortSignal | undefined;
    /**
     * Leaves the file in place when the lock is given back, with its modification time.
     * @default false
     */
    readonly keepFile?: boolean | undefined;
    /**
     * The modification time of the file where none stood there, in ms since 1970: it has it from the first moment.
     * @default now
     */
    readonly newFileMs?: number | undefined;
    /** How the locked thing is called in errors. @default its path */
    readonly name?: string | undefined;
    /** What else the caller can do, for the message of `locked`. @default 'close it there or wait' */
    readonly advice?: string | undefined;
    /** @default the clock of the file system and the timers of the process */
    readonly clock?: Partial<LockClock> | undefined;
}
export interface LockClock {
    /**
     * The time in ms since 1970, by a clock that all owners share.
     * @default the time at which this file was changed, which it was just now: the clock of the file system, so that hosts whose clocks differ agree
     */
    now(file: Stats): number;
    /** Calls `run` every so many ms until the function it returns is called. */
    every(ms: number, run: () => void): () => void;
    sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
}
/**
 * Takes the lock at a path, which is a file: whoever makes it has the lock. Its body names the owner (process, start time,
 * PID namespace, boot and host) and the time of its last heartbeat, which the owner makes new each minute; the modification
 * time of the file is left alone and free for the caller's own use. The lock of an owner that is proven dead is taken over at once, by exactly one
 * process; that of any other owner that cannot be asked, and a file that is empty, damaged or foreign, 60 minutes after the
 * last heartbeat or change (of what is not ours the modification time, which its owner renews). So is an empty folder, as other
 * programs make one; a folder with something in it is never taken away. An owner proven alive keeps it.
 *
 * @throws TranscriptError `locked`, naming the owner, when another one keeps it for `waitMs`; `write-failed` where the system
 * refuses. The reason of the signal, an `AbortError` unless one was given; nothing is left behind then.
 */
export declare function takeLock(path: string, options?: LockOptions): Promise<Lock>;

// node/write-some.d.ts
/**
 * Writes to a file that is open and says how many bytes were taken. Few bytes are written at once, which takes some
 * microseconds: a trip to the thread pool takes longer.
 */
export declare function writeSome(file: number, bytes: Uint8Array): Promise<number>;

// problem.d.ts
/**
 * Something a reader met and dealt with without losing an entry:
 * `torn-tail`: the last line was never finished (a kill or a full disk);
 * `missing-line-end`: the last entry is whole, only its line end is missing;
 * `glued-records`: several whole entries on one line;
 * `duplicate-entry`: an entry id came again, the first one counts;
 * `nul-padding`: NUL bytes around an entry or in place of a line;
 * `byte-order-mark`: an editor saved the file.
 * Only where damage is to be reported instead of thrown:
 * `damaged-line`: a line that is no entry;
 * `bad-utf8`: bytes in an entry that are not UTF-8, read as U+FFFD.
 */
export type LogProblemKind = 'torn-tail' | 'missing-line-end' | 'glued-records' | 'duplicate-entry' | 'nul-padding' | 'byte-order-mark' | 'damaged-line' | 'bad-utf8';
export interface LogProblem {
    readonly kind: LogProblemKind;
    /** Counted from 1. */
    readonly line: number;
    /** Offset in the file in bytes of what the problem is about: a line, or what is torn at the end of one. */
    readonly start: number;
    /** Its length in bytes. */
    readonly bytes: number;
    readonly text: string;
}

// read-entries.d.ts
import { type Entry } from '@varve/messages';
import type { LogProblem } from './problem.ts';
export interface ReadEntriesOptions {
    /** Named in errors. */
    readonly file?: string;
    /** Told of everything that was forgiven, in the order of the file. */
    readonly onProblem?: (problem: LogProblem) => void;
    /**
     * What to do with a line that is no entry and not the torn last one.
     * @default 'throw'
     */
    readonly damage?: 'throw' | 'report';
}
/** An entry and where it stands in its file. */
export interface EntryOnLine {
    readonly entry: Entry;
    /** Counted from 1. */
    readonly line: number;
    /** Half-open range in the file in bytes, without the line end. */
    readonly start: number;
    readonly end: number;
}
/**
 * Reads a log from a stream of bytes, one entry after the other, holding one line at a time and the ids of all. A torn
 * last line is left out and reported.
 *
 * @throws TranscriptError `damaged-line` with file and line for damage elsewhere; `newer-format` for a log of a newer version
 */
export declare function readEntries(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, options?: ReadEntriesOptions): AsyncGenerator<EntryOnLine>;
