// check.d.ts
import type { Shelf } from './library.ts';
/** What is wrong with a folder. */
export type FindingKind = 'dangling' | 'orphan' | 'outside' | 'pointed-twice' | 'long-line' | 'store-like-index' | 'content-in-index' | 'index-too-long' | 'header' | 'equal-files' | 'equal-names' | 'dead-link' | 'user-in-shared' | 'not-opened' | 'interrupted' | 'relative-date' | 'long-file';
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
    readonly isInterrupted: boolean;
}
/** Looks for what is wrong with a folder, and changes nothing. */
export declare function checkShelf(input: CheckInput): CheckReport;

// commit.d.ts
import type { MemoryFolder } from './folder.ts';
/** A file before and after a change; undefined: it was not, or is not, there. */
export interface Change {
    readonly path: string;
    readonly before: string | undefined;
    readonly after: string | undefined;
}
export type ChangeKind = 'save' | 'forget' | 'rebuild' | 'undo';
/** What is kept of a change, beside the texts before it. */
export interface ChangeRecord {
    /** `<date>/<number>`, the name of its folder in the archive. */
    readonly id: string;
    readonly at: string;
    readonly kind: ChangeKind;
    readonly reason: string;
    /** What the user said, where that is the reason. */
    readonly quote?: string | undefined;
    /** Of an undo: what it takes back. */
    readonly undoes?: string | undefined;
    /** Hashes of the texts before and after; null: there was none. */
    readonly files: readonly {
        readonly path: string;
        readonly before: string | null;
        readonly after: string | null;
    }[];
}
export declare const PENDING = ".archive/pending.json";
export interface CommitOptions extends Pick<ChangeRecord, 'kind' | 'reason' | 'quote' | 'undoes'> {
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
/** The text of a file before a change. */
export declare const textBefore: (folder: MemoryFolder, record: ChangeRecord, path: string) => Promise<string | undefined>;

// edit-index.d.ts
import type { Change } from './commit.ts';
import type { MemoryFolder } from './folder.ts';
import { type LineSource } from './index-lines.ts';
/** How much of its limits the index has used. */
export interface IndexRoom {
    readonly path: string;
    readonly lines: number;
    readonly maxLines: number;
    readonly bytes: number;
    readonly maxBytes: number;
}
/** Edits of the indexes of a folder that belong to one change. */
export interface IndexEdit {
    /** Whether the file has a line, this one or another's. False where the index is full: it is found by search alone then. */
    point(file: LineSource): boolean;
    /** Takes out every line that points to a path; the line of `successor`, if it is given, stands in place of the first. */
    unpoint(path: string, successor?: LineSource): void;
    /** Brings lines of ours up to date, drops those of files that are gone, and adds what is missing. */
    refresh(files: readonly LineSource[]): readonly string[];
    roomOf(path: string): IndexRoom;
    changes(): readonly Change[];
}
export declare function openIndexes(folder: MemoryFolder, paths: readonly string[], signal: AbortSignal | undefined): Promise<IndexEdit>;

// error.d.ts
import { VarveError } from '@varve/guards';
/**
 * `bad-folder`: the folder may not hold memory (a root, a share, a link that leads elsewhere); `bad-path`: a path that leaves the
 * folder or that some system cannot hold; `changed-meanwhile`: a file is not what was read any more, and stays as it is;
 * `not-read` and `not-written`: the system refused, see `cause`.
 */
export type MemdirErrorCode = 'bad-folder' | 'bad-path' | 'changed-meanwhile' | 'not-read' | 'not-written';
/** Thrown by folders. The message says what to do; it holds no text of a memory and no absolute path. */
export declare class MemdirError extends VarveError<MemdirErrorCode> {
    get name(): 'MemdirError';
    /** Holds across copies of the package, where `instanceof` does not. */
    static is(value: unknown): value is MemdirError;
}

// folder.d.ts
/** A folder of memory. `diskFolder(path)` of `@varve/memdir/node` is one on disk. Paths are relative, with `/`. */
export interface MemoryFolder {
    /** What a model has to be told to open a file: the absolute path on disk. */
    locate(path: string): string;
    /** Files below a folder of it; of the whole folder (`''`) those that stand in no folder whose name begins with a dot. */
    list(below: string, options?: FolderCall): Promise<Listing>;
    /** Undefined where there is no such file. */
    read(path: string, options?: ReadCall): Promise<FolderText | undefined>;
    /** Puts a file in place of `basis`, the text that was read (undefined: there was none), in one step, or throws `changed-meanwhile`. */
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
    /** What stands there and is not opened: links, pipes, folders that cannot be read. */
    readonly ignored: readonly {
        readonly path: string;
        readonly reason: 'link' | 'special';
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
import { type ChangeRecord } from './commit.ts';
import type { WriteParts } from './save.ts';
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
    readonly reason: 'bad-path' | 'not-found' | 'not-text';
    readonly message: string;
};
/** Moves a memory to the archive, takes its lines out of the indexes, and keeps a tombstone of each of its statements. */
export declare function forgetMemory(parts: WriteParts, path: string, options: ForgetOptions): Promise<ForgetResult>;
export type UndoResult = {
    readonly kind: 'undone';
    readonly record: ChangeRecord;
    readonly id: string;
}
/** These files were changed since; nothing was done. */
 | {
    readonly kind: 'conflict';
    readonly paths: readonly string[];
} | {
    readonly kind: 'none';
    readonly reason: 'nothing-to-undo' | 'no-such-change';
};
export interface UndoOptions {
    /** @default the last change that is not undone */
    readonly id?: string | undefined;
    readonly signal?: AbortSignal | undefined;
}
/** Takes back a change: every file has the bytes of before it again. An undo is a change too. */
export declare function undoChange({ folder, now }: WriteParts, { id, signal }?: UndoOptions): Promise<UndoResult>;

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
    /** Lines between the fences. */
    readonly lines: readonly string[];
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
    readonly modified: string;
}
/** A whole file. Of the one it replaces what stands before the fence, its line ends and keys that are not ours stay. */
export declare function formatText(header: NewHeader, body: string, old?: ParsedText): string;

// in-memory-folder.d.ts
import { MemdirError } from './error.ts';
import type { MemoryFolder } from './folder.ts';
/** A folder that lives as long as the process: for tests, browsers and agents that leave nothing behind. */
export declare function inMemoryFolder(initial?: Readonly<Record<string, string>>): MemoryFolder;
/** Text of bytes that may end inside of a character. */
export declare const decodeStart: (bytes: Uint8Array) => string;
/** Whether a path leads through a folder, or to a file, whose name begins with a dot. */
export declare const isHidden: (path: string) => boolean;
export declare const changedMeanwhile: (path: string) => MemdirError;

// index-lines.d.ts
import type { MemoryFile } from './memory-file.ts';
/** One line of an index, as a reader sees it. */
export interface IndexLine {
    readonly kind: 'pointer' | 'content' | 'other';
    /** Without its end. */
    readonly text: string;
    /** From 1. */
    readonly line: number;
    /** Of a pointer: the path it leads to; undefined where it leaves the folder. */
    readonly path?: string | undefined;
    /** Of a pointer: its target as it is written. */
    readonly target?: string | undefined;
}
/** Reads an index: list items and table rows with a link to a Markdown file are pointers, all other text is content. */
export declare function readIndex(path: string, text: string): readonly IndexLine[];
/** An index that holds memories instead of pointing to them: more lines of content than pointers. */
export declare function isStoreLike(lines: readonly IndexLine[]): boolean;
/** The longest line of an index. */
export declare const MOST_LINE_CHARS = 150;
/** The line of a file in the index of a folder: title, link, dash, hook. */
export declare function lineFor(indexPath: string, { path, name, description }: LineSource): string;
export type LineSource = Pick<MemoryFile, 'path' | 'name' | 'description'>;
/** The index that a file's line belongs in: the nearest one above it, for team memory never the one outside. */
export declare function indexFor(path: string, indexes: readonly string[]): string;

// index.d.ts
export type { CheckReport, Finding, FindingKind } from './check.ts';
export type { ChangeRecord } from './commit.ts';
export { MemdirError } from './error.ts';
export type { MemoryFolder } from './folder.ts';
export type { MemoryType } from './header.ts';
export { inMemoryFolder } from './in-memory-folder.ts';
export type { LoadedIndex } from './load-index.ts';
export { createMemdir, type Memdir, type MemdirOptions, type ScanResult } from './memdir.ts';
export type { MemoryFile } from './memory-file.ts';
export type { Recall, RecalledMemory, RecallOptions, RecallResult, SelectMemories, } from './recall.ts';
export type { NewMemory, SaveResult } from './save.ts';

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
    readonly ignored: Listing['ignored'];
    /** Files beyond the limit: the oldest by the file system. */
    readonly leftOut: number;
}
/** The files of a folder, each read again only after it changed. */
export interface Library {
    readonly words: WordReader;
    look(signal: AbortSignal | undefined, mostFiles?: number): Promise<Shelf>;
}
export declare function createLibrary(folder: MemoryFolder): Library;
/** A file as lists show it, without its text. */
export declare function listed(item: LibraryItem): MemoryFile;

// load-index.d.ts
import type { MemoryFolder } from './folder.ts';
import type { LibraryItem } from './library.ts';
export interface LoadIndexOptions {
    /** Applied first. @default 200 */
    readonly maxLines?: number | undefined;
    /** Applied to what is left. @default 25_000 */
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
    /** Says which limit was hit and what is not there; undefined where nothing was cut. */
    readonly warning: string | undefined;
    /** Lines that were left out. */
    readonly leftOut: number;
    /** Files whose lines were left out; recall finds them all the same. */
    readonly leftOutPaths: readonly string[];
}
export declare const readIndexText: (folder: MemoryFolder, path: string, signal: AbortSignal | undefined) => Promise<string | undefined>;
/** Cuts an index: what the user said (`feedback`, `user`) stays before what the project was, the newest before the older. */
export declare function cutIndex(text: string, items: readonly LibraryItem[], { maxLines, maxBytes, path }: LoadIndexOptions): LoadedIndex;

// memdir.d.ts
import { type CheckReport } from './check.ts';
import { type ChangeRecord } from './commit.ts';
import type { Listing, MemoryFolder } from './folder.ts';
import { type ForgetOptions, type ForgetResult, type UndoOptions, type UndoResult } from './forget.ts';
import { type LoadedIndex, type LoadIndexOptions } from './load-index.ts';
import { type MemoryFile } from './memory-file.ts';
import { type Recall, type RecallOptions } from './recall.ts';
import { type NewMemory, type SaveResult } from './save.ts';
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
    undo(options?: UndoOptions): Promise<UndoResult>;
    /** Changes of the last 90 days, the newest first. */
    history(call?: Call): Promise<readonly ChangeRecord[]>;
    /** What waits for a person to take it or not. It is in no index, and never recalled. */
    inbox(call?: Call): Promise<readonly MemoryFile[]>;
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
/** Reads a file for lists and search. Undefined where it is gone. */
export declare function readMemory(folder: MemoryFolder, listed: ListedFile, signal: AbortSignal | undefined): Promise<ReadMemory | undefined>;
/** For compare-and-swap by a caller who keeps no text. */
export declare const hashOf: (text: string) => string;
/** Names that a reader cannot tell apart are one. */
export declare const nameKey: (name: string) => string;

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
 * write; the folder itself, or one above it, may be a link. Nothing is made before the first change.
 *
 * @throws MemdirError `bad-folder` for a path that is not absolute, a root or a folder right below it, a share, and what is encoded
 */
export declare function diskFolder(path: string, options?: DiskFolderOptions): MemoryFolder;

// node/index.d.ts
export { type DiskFolderOptions, diskFolder } from './disk-folder.ts';
export { agentMemoryPaths, memoryPath } from './memory-path.ts';

// node/memory-path.d.ts
export interface MemoryPathOptions {
    /** Where the agent works: a folder of the project. */
    readonly cwd: string;
    /** The agent's own folder, for all projects. */
    readonly root: string;
    /** Of a run on another machine: the folder there that is kept between runs, in place of `root`. @default `root` */
    readonly remoteRoot?: string | undefined;
    /** The memory folder itself, in place of the one made of `root` and `cwd`. */
    readonly folder?: string | undefined;
}
/**
 * Where the memory of a project is: `<root>/projects/<project>/memory`. Every folder of a repository and every worktree of it
 * gives the same one; no two projects share one. Every reader and writer of memory takes the path from here.
 */
export declare function memoryPath(options: MemoryPathOptions): string;
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
import type { Library } from './library.ts';
import { type MemoryFile } from './memory-file.ts';
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
    /** How long `select` may take, in ms; then what was found by words stands. @default 1_500 */
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
/** The turn asks to forget: no text of a memory is given, only which ones it may mean. */
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

// save.d.ts
import { type IndexRoom } from './edit-index.ts';
import type { MemoryFolder } from './folder.ts';
import { type MemoryType } from './header.ts';
import type { Library } from './library.ts';
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
    /** Files that this one takes the place of: they go to the archive in the same step. @default none */
    readonly supersedes?: readonly string[] | undefined;
    /** Whether the user asked for exactly this. It lifts what was forgotten, and opens pinned files. @default false */
    readonly asked?: boolean | undefined;
    /** For the history. @default 'saved' */
    readonly reason?: string | undefined;
    /** What the user said, for the history; not in the memory. */
    readonly quote?: string | undefined;
    readonly signal?: AbortSignal | undefined;
}
export type SaveRefusal = 'bad-path' | 'no-name' | 'unknown-type' | 'exists' | 'not-found' | 'not-text' | 'pinned' | 'forgotten' | 'secret' | 'user-in-shared';
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
