// content.d.ts
import type { BlockLike } from '@varve/messages/blocks';
import type { storedHandleOf } from '@varve/messages/stored';
import { type Mark } from './mark.ts';
type StoredExtension = Parameters<typeof storedHandleOf>[2];
/** What a tool gave: text, blocks of any provider's shape, or the bytes of a process or a file. */
export type OutputContent<B extends BlockLike = BlockLike> = string | readonly B[] | Uint8Array;
/** What may stand in a `tool_result`. Text that we wrote comes as a text block where the result was blocks. */
export type ShownContent<B extends BlockLike = BlockLike> = string | (B | TextPiece)[];
export interface TextPiece {
    readonly type: 'text';
    readonly text: string;
}
/** A result as this package looks at it. */
export interface Material {
    /** What can be read of it, without terminal escapes; empty for binary. */
    readonly text: string;
    /** UTF-16 units of the text that are none of ASCII, where they were counted. */
    readonly beyondAscii?: number | undefined;
    /** The same content without terminal escapes, where it had any: what stands in the context of a result that is kept. */
    readonly clean?: string | readonly BlockLike[] | undefined;
    /** What it is, where it cannot be read. */
    readonly binary?: string | undefined;
    readonly extension: StoredExtension;
    /** Tells equal contents from different ones. */
    readonly mark: Mark;
    /** What is stored; read back by `restoreContent`. */
    encode(): Uint8Array;
}
export declare function materialOf(content: OutputContent): Material;
/** What was stored, as it was given; bytes that were UTF-8 come back as text. */
export declare function restoreContent(bytes: Uint8Array, extension: StoredExtension): OutputContent;
/** What can be read of blocks: their texts, one below the other, media named by kind. */
export declare function textOfBlocks(blocks: readonly BlockLike[]): string;
/** The text of a text block, of a document that is text or text blocks, and of a search result; `undefined` for all else. */
export declare function textOf(block: BlockLike): string | undefined;
/** The blocks with `text` in place of all that is text; media and unknown blocks stay as they are, in their order. */
export declare function withText<B extends BlockLike>(blocks: readonly B[], text: string): (B | TextPiece)[];
export {};

// decisions.d.ts
import { type Json } from '@varve/messages';
import { type Mark } from './mark.ts';
import type { KeptReason, StoredReason, TruncatedReason } from './outcome.ts';
/** What was decided about one result, for good: the model has seen it so. Plain JSON. */
export type Decision = {
    readonly toolUseId: string;
    readonly fingerprint: string;
} & Verdict;
/** The same, without what it is about. */
export type Verdict = {
    readonly kind: 'kept';
    readonly reason: KeptReason;
    /** It stands in the context without its terminal escapes. */
    readonly isClean?: true | undefined;
} | ({
    readonly kind: 'stored';
    readonly reason: StoredReason;
    readonly handle: string;
} & Shown) | ({
    readonly kind: 'truncated';
    readonly reason: TruncatedReason;
} & Shown);
interface Shown {
    /** The text that stands in place of the result's text. */
    readonly shown: string;
    readonly bytes: number;
    readonly lines: number;
    /** `sha256:…` of what was stored. */
    readonly hash: string;
}
/** What a storage writes into the log, and finds there again. */
export declare const NOTE_BY = "tool-storage";
/** Decisions by call id and content: an id that comes again with another result is another decision. */
export declare function createDecisions(initial?: readonly Decision[]): {
    find: (toolUseId: string, mark: Mark) => Verdict | undefined;
    restore: ({ toolUseId, fingerprint: known, ...verdict }: Decision) => void;
    /** What stands in the context already stays as it is, what we put there above all. Its text is held by the log as well. */
    see(toolUseId: string, mark: Mark): void;
    add(toolUseId: string, mark: Mark, verdict: Verdict): void;
    /** Lets go of the texts of a round that no log has shown since: who has no log would keep each of them here. */
    letGo(): void;
    /** Hash of what was stored under a handle, as far as it is known here. */
    hashOf: (handle: string) => string | undefined;
    handles: () => string[];
    all: () => Decision[];
    /** The decisions since the last call that a message alone does not tell. */
    takeFresh: () => Decision[];
};
export type Decisions = ReturnType<typeof createDecisions>;
/** The decisions in a note; what is none is left out. */
export declare function decisionsIn(data: Json): Decision[];
export {};

// envelope.d.ts
/** What the head of an envelope says. */
export interface EnvelopeFacts {
    /** Missing where nothing could be stored. */
    readonly handle?: string | undefined;
    readonly bytes: number;
    readonly lines: number;
    /** `sha256:…` of the whole. */
    readonly hash: string;
    /** One sentence or two for the model. */
    readonly notice: string;
}
/** A preview between tags that say where the whole is. `preview` is escaped already (`escapeTags`). */
export declare function envelope(preview: string, { handle, bytes, lines, hash, notice }: EnvelopeFacts): string;
/** A line that stands for what was left out, e.g. `gap('lines="12-80"')`. */
export declare const gap: (where: string) => string;
/** Takes away the power of our tags in a text that is not ours, in any case and spacing. */
export declare function escapeTags(text: string): string;
/**
 * The handles that a text names, in an envelope or in any words: what a retention sweep has to keep for a transcript that
 * holds it. A text may name a handle that does not exist.
 */
export declare function handlesIn(text: string): string[];
/** `3.1 MB`, in steps of 1000. */
export declare function formatBytes(bytes: number): string;

// error.d.ts
import { VarveError } from '@varve/guards';
/**
 * `unknown-handle`: nothing is stored under it, or it was removed; `invalid-range`: no such page, line or search; `damaged`:
 * stored, but not what was put there; `symbolic-link`: the folder of the session or the result is one, and nothing is written or read through it; `store-failed`: the store could not be asked, which says nothing about the result.
 */
export type ToolStorageErrorCode = 'unknown-handle' | 'invalid-range' | 'damaged' | 'symbolic-link' | 'store-failed';
/** Thrown when a stored result cannot be read or removed. The message says what to do; it holds no content. */
export declare class ToolStorageError extends VarveError<ToolStorageErrorCode> {
    get name(): 'ToolStorageError';
    /** Holds across copies of the package, where `instanceof` does not. */
    static is(value: unknown): value is ToolStorageError;
}

// failure.d.ts
/**
 * Why a result could not be stored. `disk-full`, `read-only` and `folder-gone` by the system's error code; `session-budget`
 * and `total-budget`: our own limits; `store-failed`: all else, see `cause`.
 */
export type StoreFailure = 'disk-full' | 'read-only' | 'folder-gone' | 'session-budget' | 'total-budget' | 'store-failed';
export declare function failureOf(cause: unknown): StoreFailure;
/** Said to the model in place of the whole. */
export declare const FAILURE_TEXT: Readonly<Record<StoreFailure, string>>;

// index.d.ts
export { ToolStorageError } from './error.ts';
export { memoryStore } from './memory-store.ts';
export { offloadMessages } from './offload-messages.ts';
export type { StoredItem, ToolResultStore } from './store.ts';
export { createToolStorage, type ToolStorage } from './tool-storage.ts';

// keys.d.ts
import { type storedHandleOf } from '@varve/messages/stored';
type StoredExtension = Parameters<typeof storedHandleOf>[2];
/** The first part of all keys of a session: safe as a folder name, different for different ids also where case is ignored. */
export declare function sessionKey(sessionId: string): string;
/** The key a handle has in a session's folder. */
export declare function keyOf(sessionId: string, handle: string): string;
export declare const isHandle: (value: string) => boolean;
export declare function extensionOf(handle: string): StoredExtension;
export {};

// logged.d.ts
import type { BlockLike } from '@varve/messages/blocks';
import type { Mark } from './mark.ts';
import type { ResultBlock } from './messages.ts';
type Content = string | readonly BlockLike[];
/** Results that an observed log holds whole. Few are ever asked for, so each handle is worked out where it is. */
export declare function createLogged(isStored: (handle: string) => boolean, isRemoved: (handle: string) => boolean): {
    /** Takes a result as the log has it; one that only stands for what is stored keeps that one's handle. */
    add(block: ResultBlock, mark: Mark): void;
    handleOf(block: object): string | undefined;
    find: (handle: string) => Content | undefined;
    remove(handle: string): void;
};
export type Logged = ReturnType<typeof createLogged>;
export {};

// mark.d.ts
import type { BlockLike } from '@varve/messages/blocks';
/**
 * Tells equal contents from different ones. Texts are compared as they are, so that most are never hashed: a fingerprint is
 * worked out where something is named by it.
 */
export interface Mark {
    /** Left out where the content is no text, or where it is not to be held. */
    readonly text?: string;
    /** The same for equal contents. */
    readonly fingerprint: () => string;
}
/** Of content as it stands in a message; a text is held for as long as the mark is. */
export declare function markOf(content: string | readonly BlockLike[]): Mark;
/** Of content whose fingerprint is known. */
export declare const markBy: (known: string) => Mark;
/** The same, without the text. */
export declare const withoutText: (mark: Mark) => Mark;
export declare const isSame: (one: Mark, other: Mark) => boolean;

// memory-store.d.ts
import type { ToolResultStore } from './store.ts';
export interface MemoryStoreOptions {
    /** Clock for `modifiedMs`, in ms since 1970. @default a counter that starts at 0 */
    readonly now?: (() => number) | undefined;
}
/** A store in memory, for tests and for sessions that need not outlive their process. */
export declare function memoryStore({ now }?: MemoryStoreOptions): ToolResultStore;

// messages.d.ts
import type { BlockLike, MessageLike } from '@varve/messages/blocks';
import type { Offloaded, ToolOutput } from './outcome.ts';
import type { StoreCallOptions } from './store.ts';
export interface OffloadMessagesOptions extends StoreCallOptions {
    /** So many messages were sent before as they are: they are left alone. @default 0 */
    readonly seen?: number | undefined;
}
export interface OffloadMessagesResult<M extends MessageLike> {
    /** The same array when nothing was replaced; the same messages and blocks where nothing was. */
    readonly messages: readonly M[];
    /** What was replaced in this call, in order; not what earlier calls had replaced. */
    readonly outcomes: readonly (Offloaded & {
        readonly toolUseId: string;
    })[];
}
export interface ResultBlock extends BlockLike {
    readonly type: 'tool_result';
    readonly tool_use_id: string;
    readonly content?: string | readonly BlockLike[];
}
type OffloadRound = (outputs: readonly ToolOutput[], options: StoreCallOptions) => Promise<Offloaded[]>;
interface Parts {
    readonly offloadRound: OffloadRound;
    /** Freezes what a message shows. */
    readonly see: (message: MessageLike) => void;
}
/** Puts previews into plain message arrays. What stood at the same place in the call before costs a comparison. */
export declare function createMessageOffloading({ offloadRound, see }: Parts): <M extends MessageLike>(messages: readonly M[], options?: OffloadMessagesOptions) => Promise<OffloadMessagesResult<M>>;
export declare function resultsOf({ content }: MessageLike): ResultBlock[];
export {};

// node/file-store.d.ts
import type { ToolResultStore } from '../store.ts';
import { type StoreFiles } from './file-system.ts';
export interface FileStoreOptions {
    /**
     * Whether a result survives a power loss once `put` resolves: file and folder are flushed. Without it a kill still leaves
     * all of a result or nothing, and putting is several times faster.
     * @default true
     */
    readonly durable?: boolean | undefined;
    /** @default the real file system */
    readonly files?: StoreFiles | undefined;
}
/**
 * A folder of results: `<folder>/<session>/<name>`, files 0600, folders 0700, each file written beside its place and moved
 * there. Several processes may use one folder. The folder of a session that is a symbolic link is refused with
 * `symbolic-link`, to write, to read and to remove; `folder` itself may be one. A result that is one is not read either.
 */
export declare function fileStore(folder: string, options?: FileStoreOptions): ToolResultStore;

// node/file-system.d.ts
/** What `fileStore` asks of the file system; errors carry the system's `code`. Paths are absolute or as the folder was given. */
export interface StoreFiles {
    /** Makes a file that is not there, readable for its owner only, and refuses where one is. */
    create(path: string): Promise<StoreFile>;
    rename(from: string, to: string): Promise<void>;
    remove(path: string): Promise<void>;
    /** Makes the folder and those above it, readable for their owner only. */
    makeFolder(path: string): Promise<void>;
    /** Removes a folder that is empty. */
    removeFolder(path: string): Promise<void>;
    syncFolder(path: string): Promise<void>;
    /** Names in a folder. */
    names(path: string): Promise<readonly string[]>;
    /** Of a link, what it is itself. `atOnce`: it is used right after, so that what the system says of it is at hand. */
    stat(path: string, options?: {
        readonly atOnce?: boolean;
    }): Promise<StoreFileStat>;
    /** Follows no link. */
    read(path: string, range?: {
        readonly start: number;
        readonly end: number;
    }): Promise<Uint8Array>;
}
export interface StoreFileStat {
    readonly isFile: boolean;
    /** A symbolic link. @default false */
    readonly isLink?: boolean | undefined;
    readonly bytes: number;
    readonly modifiedMs: number;
}
export interface StoreFile {
    /** How many bytes were taken. */
    write(bytes: Uint8Array): Promise<number>;
    sync(): Promise<void>;
    close(): Promise<void>;
}
/**
 * Node's files. What takes some microseconds is done at once, since a trip to the thread pool takes longer; flushes, large
 * writes and reads are not.
 */
export declare const realFiles: StoreFiles;

// node/index.d.ts
export { fileStore } from './file-store.ts';
export { realFiles, type StoreFiles } from './file-system.ts';
export { isReplaceLeftover, removeReplaceLeftovers, replaceFile } from './replace-file.ts';

// node/replace-file.d.ts
import type { StoreFile, StoreFiles } from './file-system.ts';
export interface ReplaceFileOptions {
    readonly files: StoreFiles;
    /** Asked once the new file is written and flushed, right before it is moved. What it throws ends the replacing. */
    readonly confirm?: (() => Promise<void>) | undefined;
    /** Asked before each further attempt to move, as `confirm` is. */
    readonly confirmAgain?: (() => void) | undefined;
    readonly signal?: AbortSignal | undefined;
}
/**
 * Writes a file beside its place, readable for its owner only, flushes it, and moves it there in one step: a kill or a power
 * loss leaves all of the old one or all of the new one. The folder has to be there. A reader that holds the file (Windows) is
 * waited for, about two seconds; where it stays, the system's error is thrown and the new file lies beside the old one.
 */
export declare function replaceFile(path: string, bytes: Uint8Array, options: ReplaceFileOptions): Promise<void>;
/** Writes all bytes to a file that is open, and closes it. */
export declare function writeAll(file: StoreFile, bytes: Uint8Array, durable: boolean): Promise<void>;
/** Whether a name is that of a file that `replaceFile` had not moved yet. Who knows that no call runs may remove it. */
export declare const isReplaceLeftover: (name: string) => boolean;
/** Removes what killed calls of `replaceFile` for this path have left beside it. The file itself has to be there. */
export declare function removeReplaceLeftovers(path: string, files: StoreFiles): Promise<void>;

// offload-messages.d.ts
import type { MessageLike } from '@varve/messages/blocks';
import type { OffloadMessagesOptions, OffloadMessagesResult } from './messages.ts';
import type { ToolStorageOptions } from './options.ts';
/**
 * Puts previews in place of large tool results in a plain array, once. A loop that sends again and again keeps a
 * `createToolStorage` and calls its `offloadMessages`: that remembers what was decided.
 */
export declare function offloadMessages<M extends MessageLike>(messages: readonly M[], options: ToolStorageOptions & OffloadMessagesOptions): Promise<OffloadMessagesResult<M>>;

// options.d.ts
import type { Decision } from './decisions.ts';
import { type PreviewOptions } from './preview/preview.ts';
import type { ContentHash, ToolResultStore } from './store.ts';
/** From where on a result is stored: over `chars` UTF-16 units, or over `tokens`. `Infinity` never. */
export interface Threshold {
    /** @default 50000, or 200000 of a user's own text */
    readonly chars?: number | undefined;
    /**
     * Counted only for results that may be over it, with `sizeOf`; the replay did best at 4,000 beside old results being cleared.
     * @default 2 for 5 `chars`: no prose and no code is so dense, but base64, emoji and Chinese are
     */
    readonly tokens?: number | undefined;
}
export interface ToolStorageOptions {
    readonly store: ToolResultStore;
    /** Results of different sessions are kept apart. */
    readonly sessionId: string;
    /** For all tools; a number is characters. @default 50000 characters, or 20000 tokens */
    readonly threshold?: number | Threshold | undefined;
    /** Per tool; `Infinity` leaves a tool's results alone. */
    readonly tools?: Readonly<Record<string, number | Threshold>> | undefined;
    /** Asked at every decision and stronger than `tools`: for thresholds that change while a session runs. */
    readonly thresholdOf?: ((toolName: string) => number | Threshold | undefined) | undefined;
    /** UTF-16 units of all results of one user message together. @default 200000 */
    readonly roundChars?: number | undefined;
    /** Of a user's own text, for `offloadText`. @default 200000 characters, or 80000 tokens */
    readonly textThreshold?: number | Threshold | undefined;
    /** Size and style of previews. */
    readonly preview?: Omit<PreviewOptions, 'query'> | undefined;
    /** The model whose vocabulary texts are counted in. @default that of the newest head observed; else as `o200k` */
    readonly model?: string | undefined;
    /** Tokens of a text. @default the estimate of `@varve/tokens` for the model */
    readonly sizeOf?: ((text: string) => number) | undefined;
    /** @default the store's own hash, else a fingerprint */
    readonly hash?: ContentHash | undefined;
    /** Bytes on disk of this session. @default 500000000 */
    readonly maxSessionBytes?: number | undefined;
    /**
     * Bytes of all sessions of the store; what others write meanwhile is seen when a storage is created.
     * @default Infinity
     */
    readonly maxTotalBytes?: number | undefined;
    /** What one answer of `readTool` and `read` holds at most, in UTF-16 units. @default 8000, about 2,000 tokens */
    readonly readChars?: number | undefined;
    /** @default 'read_stored' */
    readonly readToolName?: string | undefined;
    /** Decisions of an earlier run or of the parent of a fork. */
    readonly decisions?: readonly Decision[] | undefined;
    /** Other sessions whose handles this one's history may name: those it was forked from. */
    readonly bases?: readonly string[] | undefined;
}
/** Options with all defaults filled in. */
export type Settings = ReturnType<typeof settingsOf>;
export declare function settingsOf(options: ToolStorageOptions, modelNow: () => string | undefined): {
    store: ToolResultStore;
    sessionId: string;
    hash: ContentHash | undefined;
    bases: readonly string[];
    roundChars: number;
    textThreshold: {
        chars: number;
        tokens: number;
    };
    preview: {
        maxChars: number;
        style: "by-content" | "head";
    };
    sizeOf: (text: string) => number;
    maxSessionBytes: number;
    maxTotalBytes: number;
    readChars: number;
    readToolName: string;
    limitsOf: (toolName: string) => {
        chars: number;
        tokens: number;
    };
};

// outcome.d.ts
import type { BlockLike } from '@varve/messages/blocks';
import type { OutputContent, ShownContent } from './content.ts';
import type { StoreFailure } from './failure.ts';
/** A tool result before it enters the context. */
export interface ToolOutput<B extends BlockLike = BlockLike> {
    readonly toolUseId: string;
    readonly toolName: string;
    readonly content: OutputContent<B>;
    /** What the tool was asked to find: the preview shows where it stands. */
    readonly query?: string | undefined;
}
/**
 * `below-threshold`, `empty`; `exempt`: the tool's threshold is infinite; `read-back`: an answer of the read tool;
 * `no-text`: media only; `not-smaller`: a preview would be no shorter; `seen`: the model has it so already; `not-json`: it
 * cannot be written at all. A failure: it could not be stored, and cutting would save nothing.
 */
export type KeptReason = 'below-threshold' | 'empty' | 'exempt' | 'read-back' | 'no-text' | 'not-smaller' | 'seen' | 'not-json' | StoreFailure;
/** `over-round-budget`: one of the largest of its message; `binary`: nothing a model can read. */
export type StoredReason = 'over-threshold' | 'over-round-budget' | 'binary';
export type TruncatedReason = StoreFailure;
/** What to put in the message. */
export type Offloaded<B extends BlockLike = BlockLike> = {
    readonly kind: 'kept';
    /** The same reference, but for bytes, which come as text, and for terminal escapes, which are taken out. */
    readonly content: ShownContent<B>;
    readonly reason: KeptReason;
    /** What the store threw, where it failed. */
    readonly cause?: unknown;
} | ({
    readonly kind: 'stored';
    readonly reason: StoredReason;
    /** Name of the whole in the session's folder, for `read` and the read tool. */
    readonly handle: string;
} & Replaced<B>) | ({
    readonly kind: 'truncated';
    readonly reason: TruncatedReason;
    /** What the store threw; missing where a budget refused, and when the decision is an old one. */
    readonly cause?: unknown;
} & Replaced<B>);
interface Replaced<B extends BlockLike> {
    /** A preview, or what could be kept; media blocks as they were. */
    readonly content: ShownContent<B>;
    /** Of the whole as it is stored. */
    readonly bytes: number;
    /** Of the whole's text. */
    readonly lines: number;
    /** Hash of the stored bytes with its name, `sha256:…`. */
    readonly hash: string;
}
export {};

// preview/preview.d.ts
export interface PreviewOptions {
    /**
     * Most UTF-16 units of the preview, 200 at least.
     * @default 2000, about 500 tokens: what a replay of 20 recorded sessions found cheapest
     */
    readonly maxChars?: number | undefined;
    /**
     * `by-content`: the shape of JSON, match counts of a search, else both ends with errors and exit codes; `head`: the first
     * lines, in at most `maxChars` UTF-8 bytes.
     * @default 'by-content'
     */
    readonly style?: 'by-content' | 'head' | undefined;
    /** Text that was sought: its neighbourhood is shown. */
    readonly query?: string | undefined;
}
export interface Preview {
    readonly text: string;
    readonly kind: 'json' | 'search' | 'text';
    /** Line of the original where the text was first cut, from 1; `undefined` where all of it is shown. */
    readonly cutAtLine: number | undefined;
}
/**
 * What stands in the context in place of a long text: without terminal escapes, with our own tags made harmless. Linear in
 * the text, and memory for a few lines of it (a copy where escapes have to go).
 *
 * @throws RangeError when `maxChars` is below 200
 */
export declare function previewOf(text: string, options?: PreviewOptions): Preview;
/** What its options have to be. */
export declare const PREVIEW: {
    maxChars: import("@varve/guards").Expectation;
    style: string[];
};

// read/listing.d.ts
import type { Decisions } from '../decisions.ts';
import type { Logged } from '../logged.ts';
import type { Removals } from '../removals.ts';
/** A result that can be read whole. */
export interface StoredResult {
    readonly handle: string;
    /** UTF-8 bytes. */
    readonly bytes: number;
    readonly lines: number;
}
interface ListingParts {
    readonly decisions: Decisions;
    readonly logged: Logged;
    readonly removals: Removals;
    /** Handles that the log names, the oldest first. */
    readonly named: () => ReadonlySet<string>;
}
/** What can be read back, the newest first: what was stored, and of what the log names that which it holds whole. */
export declare function createListing({ decisions, logged, removals, named }: ListingParts): () => readonly StoredResult[];
/** As the read tool shows it: a line for each. */
export declare const listingText: (results: readonly StoredResult[]) => string;
export {};

// read/page.d.ts
import { ToolStorageError } from '../error.ts';
/**
 * What to read of a stored result: a page of fixed size, lines (both inclusive, from 1), or places with a text (as it
 * stands, no pattern). `column` begins inside the first line; `skip` leaves out so many places.
 */
export type ReadRange = {
    readonly page: number;
} | {
    readonly lines: readonly [number, number];
    readonly column?: number | undefined;
} | {
    readonly search: string;
    readonly ignoreCase?: boolean | undefined;
    readonly skip?: number | undefined;
};
export interface StoredPage {
    /** For a page or lines: exactly that part of the text. For a search: a line per place, `line:column: excerpt`. */
    readonly text: string;
    /** How to read on; `undefined` at the end. */
    readonly next: ReadRange | undefined;
    /** How many pages, lines or places there are in all. */
    readonly total: number;
}
/** The `number`-th piece of at most `maxChars` UTF-16 units, cut between characters; all pages together are the text. */
export declare function readPage(text: string, number: number, maxChars: number): StoredPage;
interface LinesOptions {
    readonly column?: number | undefined;
    readonly maxChars: number;
}
/** Lines in order, at most `maxChars` UTF-16 units of them; `next` goes on at the very next character. */
export declare function readLines(text: string, [first, last]: readonly [number, number], { column, maxChars }: LinesOptions): StoredPage;
/** A count of what to leave out. */
export declare function checkSkip(skip: unknown): number;
export declare const rangeError: (text: string) => ToolStorageError;
export {};

// read/tool.d.ts
import type { JsonObject, Tool } from '@varve/messages';
import { type ReadRange, type StoredPage } from './page.ts';
/** A tool definition as the SDKs of providers want it: nothing in it is optional. */
export interface ReadTool extends Tool {
    readonly name: string;
    readonly description: string;
    readonly input_schema: {
        readonly type: 'object';
        readonly properties: JsonObject;
    };
}
/**
 * The definition of the tool with which a model reads stored results. Every request carries it from the first on, in
 * sessions where nothing is ever stored too: a tool that comes later costs the whole cached prefix once. So it is as short as
 * it can be: what it does not say, an answer or a refusal does.
 */
export declare function readToolDefinition(name: string): ReadTool;
export interface ReadToolInput {
    /** Undefined for the list of handles. */
    readonly handle: string | undefined;
    readonly range: ReadRange;
}
/**
 * What a model asked for; without a range, all from the first line on. Takes what earlier definitions had as well: `page`,
 * `column`, `ignore_case` and `list`. A field that is null is as if it were not there.
 *
 * @throws ToolStorageError `invalid-range`
 */
export declare function parseReadInput(input: unknown): ReadToolInput;
/** The answer: a line that says what it is and how to read on, and then the text as it is. */
export declare function describePage({ range, handle }: ReadToolInput, page: StoredPage): string;

// removals.d.ts
import type { Json } from '@varve/messages';
/** Handles whose results were removed on request: they stay so, whoever else still holds the content. */
export declare function createRemovals(): {
    has: (handle: string) => boolean;
    add(handle: string): void;
    /** Takes over what a note says. */
    restore: (handle: string) => void;
    /** The same result was stored anew. */
    undo(handle: string): void;
    /** What was removed since the last call. */
    takeFresh(): string[];
};
export type Removals = ReturnType<typeof createRemovals>;
/** The removed handles that a note names; what is none is left out. */
export declare function removalsIn(data: Json): string[];

// retention.d.ts
export { handlesIn } from './envelope.ts';
export { keyOf } from './keys.ts';
export { sweep } from './sweep.ts';

// store.d.ts
/**
 * Where whole results are kept: bytes under keys like `session/name.txt`. A key is two names of letters, digits, `-`, `_`
 * and `~`, the second with an extension, so it is a path, an object key and a database key as it stands. Rejections may
 * carry a system error's `code` (`ENOSPC`, `EROFS`, …); it becomes the reason of the outcome.
 */
export interface ToolResultStore {
    /** Stores all of `bytes` or nothing, also when it is killed or aborted. The same key only ever comes with the same bytes. */
    put(key: string, bytes: Uint8Array, options?: StoreCallOptions): Promise<void>;
    /** The bytes, or `undefined` where nothing is; rejects when that cannot be known. */
    get(key: string, options?: GetOptions): Promise<Uint8Array | undefined>;
    /** Removes one result; removing what is not there is no error. */
    delete(key: string, options?: StoreCallOptions): Promise<void>;
    /** What is stored under keys that start with `prefix`, in any order; unfinished writes are not listed. */
    list(prefix: string, options?: StoreCallOptions): Promise<readonly StoredItem[]>;
    /** Removes what interrupted writes left behind, where there can be such a thing; a sweep calls it. */
    tidy?(options: TidyOptions): Promise<void>;
    /** Hash of whole results; without one the 128-bit fingerprint of their text is used, which is no defence against forgery. */
    readonly hash?: ContentHash;
}
export interface StoreCallOptions {
    readonly signal?: AbortSignal | undefined;
}
export interface GetOptions extends StoreCallOptions {
    /** First byte and the byte behind the last one; a store may give the whole where it cannot read a part. @default the whole */
    readonly range?: {
        readonly start: number;
        readonly end: number;
    } | undefined;
}
export interface TidyOptions {
    /** Milliseconds since 1970. */
    readonly nowMs: number;
}
export interface StoredItem {
    readonly key: string;
    readonly bytes: number;
    /** When it was last put, in ms since 1970. */
    readonly modifiedMs: number;
}
/** A hash of bytes as hexadecimal digits, 16 at least. */
export interface ContentHash {
    /** Stands in the preview and in decisions, e.g. `sha256`. */
    readonly name: string;
    of(bytes: Uint8Array): string | Promise<string>;
}

// sweep.d.ts
import type { StoredItem, ToolResultStore } from './store.ts';
/** A stored result, with the two parts of its key. */
export interface SweepItem extends StoredItem {
    /** As in the key: `sessionKey(sessionId)`. */
    readonly session: string;
    readonly handle: string;
}
export interface SweepOptions {
    /**
     * What is referred to and therefore never removed: keys (`keyOf(sessionId, handle)`), or a function that is asked right
     * before a result is removed.
     */
    readonly keep: Iterable<string> | ((item: SweepItem) => boolean);
    /** Milliseconds since 1970. */
    readonly nowMs: number;
    /** Older results go. @default Infinity */
    readonly maxAgeMs?: number | undefined;
    /** The oldest results go until all together have no more bytes than this. @default Infinity */
    readonly maxTotalBytes?: number | undefined;
    /**
     * Younger results stay: the log that refers to them may not be written yet.
     * @default 3600000, one hour
     */
    readonly minAgeMs?: number | undefined;
    /** Only says what would go. @default false */
    readonly dryRun?: boolean | undefined;
    readonly signal?: AbortSignal | undefined;
}
export interface SweepResult {
    readonly removed: readonly SweepItem[];
    /** What the store refused to remove, with what it threw. */
    readonly failed: readonly {
        readonly item: SweepItem;
        readonly cause: unknown;
    }[];
    /** Bytes that are stored afterwards. */
    readonly bytes: number;
}
/**
 * Removes old results, and what interrupted writes have left. Rejects as the store does where it cannot even list; aborted,
 * it has removed whole results only. Rejects with a RangeError or TypeError for options that make no sense.
 */
export declare function sweep(store: ToolResultStore, options: SweepOptions): Promise<SweepResult>;
export declare function keepTest(keep: SweepOptions['keep']): (item: SweepItem) => boolean;

// testing.d.ts
import type { ToolResultStore } from './store.ts';
/** One promise of a store. `run` rejects with what was found instead. */
export interface StoreCheck {
    readonly name: string;
    run(): Promise<void>;
}
/**
 * What every `ToolResultStore` has to do, as plain functions for any test runner. `createStore` gives an empty store each
 * time.
 */
export declare function storeConformance(createStore: () => ToolResultStore | Promise<ToolResultStore>): StoreCheck[];

// tool-storage.d.ts
import type { Entry, Json, ToolResultBlock } from '@varve/messages';
import type { BlockLike, MessageLike } from '@varve/messages/blocks';
import type { OutputContent } from './content.ts';
import { type Decision } from './decisions.ts';
import { type OffloadMessagesOptions, type OffloadMessagesResult } from './messages.ts';
import { type ToolStorageOptions } from './options.ts';
import type { Offloaded, ToolOutput } from './outcome.ts';
import { type StoredResult } from './read/listing.ts';
import type { ReadRange, StoredPage } from './read/page.ts';
import type { ReadTool } from './read/tool.ts';
import type { StoreCallOptions } from './store.ts';
import { type SweepOptions, type SweepResult } from './sweep.ts';
export interface OffloadOptions extends StoreCallOptions {
    /** Room that the request has for it, in tokens, where that is less than the threshold; not for a tool whose threshold is `Infinity`. @default Infinity */
    readonly maxTokens?: number | undefined;
}
export interface ToolStorage {
    /**
     * What to put in the message in place of a tool's result. Never throws but for an abort; what went wrong is in the outcome.
     * The same call with the same result gets the same bytes, whatever has changed since.
     */
    offload<B extends BlockLike = never>(output: ToolOutput<B>, options?: OffloadOptions): Promise<Offloaded<B>>;
    /** The results of one user message together: the largest are stored until the rest fits `roundChars`. */
    offloadRound<B extends BlockLike = never>(outputs: readonly ToolOutput<B>[], options?: StoreCallOptions): Promise<Offloaded<B>[]>;
    /** The same for a huge text of the user's; `id` is its message's. */
    offloadText(text: {
        readonly id: string;
        readonly text: string;
    }, options?: OffloadOptions): Promise<Offloaded>;
    /** The same on a plain array of messages, to be called before each request. */
    offloadMessages<M extends MessageLike>(messages: readonly M[], options?: OffloadMessagesOptions): Promise<OffloadMessagesResult<M>>;
    /** Part of a stored result as text. Rejects with ToolStorageError. */
    read(handle: string, range?: ReadRange, options?: StoreCallOptions): Promise<StoredPage>;
    /** A stored result as it was given; bytes that were UTF-8 come as text. Rejects with ToolStorageError. */
    load(handle: string, options?: StoreCallOptions): Promise<OutputContent>;
    /**
     * Removes one result of this session: the preview stays, and nothing reads the rest under this handle again, even what
     * the log holds whole. After a restart that is so once the next note was logged. Rejects with ToolStorageError.
     */
    remove(handle: string, options?: StoreCallOptions): Promise<void>;
    /** Removes old results of all sessions of the store, never one that this session refers to. */
    sweep(options: SweepOptions): Promise<SweepResult>;
    /** The definition of the read tool, to be put among the tools of the head. */
    readonly readTool: ReadTool;
    /**
     * Answers a call of the read tool, without terminal escapes and half characters, as the preview is; errors are texts for
     * the model. Rejects for an abort only.
     */
    runReadTool(input: unknown, options?: StoreCallOptions): Promise<{
        readonly content: string;
        readonly isError: boolean;
    }>;
    /**
     * Takes the next entry of the log: old decisions are taken over, results that the model saw are frozen, and those that the
     * log holds whole can be read from it.
     */
    observe(entry: Entry): void;
    /**
     * The handle under which a result of an observed message can be read whole, stored or not, whatever becomes of it in the
     * context; `undefined` for any other block, an empty result and a removed one. Fits the option of that name of
     * `@varve/microcompact`.
     */
    handleOf(block: ToolResultBlock): string | undefined;
    /** Data for a note (`by: 'tool-storage'`) with the decisions and removals since the last call; `undefined` where there are none. */
    takeNote(): Json | undefined;
    /** All decisions, for the option of the same name. */
    decisions(): Decision[];
    /**
     * Results that can be read whole, the newest first: what was stored, and what the log names and holds whole. What a
     * compaction takes out of the view is here still: source `stored` of `restore` of `@varve/compact`.
     */
    stored(): readonly StoredResult[];
    /** Handles that the decisions and the observed entries name. */
    handles(): string[];
    /** A storage that starts with these decisions and shares nothing else; it can read what this one has stored. */
    fork(options: {
        readonly sessionId: string;
    }): ToolStorage;
}
/**
 * Keeps large results of a session out of its context.
 *
 * @throws RangeError for a limit that is no number or negative
 */
export declare function createToolStorage(options: ToolStorageOptions): ToolStorage;
