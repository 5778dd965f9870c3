import { checkOptions, integer, isRecord, required } from '@varve/guards';
import {
  type ChangeOptions,
  type ChangeResult,
  changeFiles,
  type FileChange,
} from './change-files.ts';
import { type CheckReport, checkShelf } from './check.ts';
import {
  checkCall,
  checkChange,
  checkForget,
  checkNewMemory,
  checkPathGiven,
  checkUndo,
  checkWaiting,
} from './check-calls.ts';
import { type ChangeRecord, changing, commit, PENDING, readHistory } from './commit.ts';
import { openIndexes } from './edit-index.ts';
import type { Listing, MemoryFolder } from './folder.ts';
import { type ForgetOptions, type ForgetResult, forgetMemory } from './forget.ts';
import {
  type AcceptResult,
  acceptWaiting,
  type DiscardResult,
  discardWaiting,
  type HoldResult,
  holdMemory,
  listWaiting,
  type WaitingMemory,
} from './inbox.ts';
import { indexAt } from './index-lines.ts';
import { createLibrary, listed } from './library.ts';
import {
  cutIndex,
  type LoadedIndex,
  type LoadIndexOptions,
  readIndexText,
  unreadIndex,
} from './load-index.ts';
import { hashOf, type MemoryFile } from './memory-file.ts';
import { findPath, INDEX_NAME } from './path.ts';
import { createRecall, type Recall, type RecallOptions } from './recall.ts';
import { type NewMemory, type SaveResult, saveMemory } from './save.ts';
import { type UndoOptions, type UndoResult, undoChange } from './undo.ts';

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

export type RebuildResult =
  | {
      readonly kind: 'rebuilt';
      /** Of the change, for `undo`. */
      readonly id: string;
      /** Files that have no line: their index is a store, or full. */
      readonly left: readonly string[];
    }
  | { readonly kind: 'unchanged'; readonly left: readonly string[] };

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
  read(
    path: string,
    call?: Call,
  ): Promise<(MemoryFile & { readonly text: string; readonly hash: string }) | undefined>;
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

const FOLDER_CALLS = [
  ...['locate', 'make', 'list', 'names', 'read', 'replace', 'remove', 'exclusive'],
] as const;

const A_FOLDER = {
  what: 'a folder, as `diskFolder(path)` or `inMemoryFolder()` makes it',
  fits: (value: unknown): boolean =>
    isRecord(value) && FOLDER_CALLS.every((name) => typeof value[name] === 'function'),
};

export function createMemdir(options: MemdirOptions): Memdir {
  checkOptions(options, {
    folder: required(A_FOLDER),
    now: required('a function'),
    isShared: 'true or false',
  });
  const { folder, now, isShared = false } = options;
  const library = createLibrary(folder);
  const parts = { folder, library, now, isShared };

  async function readIndexes(paths: readonly string[], signal: AbortSignal | undefined) {
    const texts = new Map<string, string>();
    const unread: string[] = [];
    for (const path of [...paths].sort()) {
      const found = await readIndexText(folder, path, signal);
      if (found === 'refused' || found?.isText === false) unread.push(path);
      texts.set(path, found === 'refused' ? '' : (found?.text ?? ''));
    }
    return { texts, unread };
  }

  return {
    folder,
    isShared,
    async scan(call = {}) {
      checkOptions(call, { maxFiles: integer(1), signal: 'an AbortSignal' });
      const { maxFiles = 200, signal } = call;
      const { items, indexes, ignored, leftOut } = await library.look(signal, maxFiles);
      return {
        files: items.slice(0, maxFiles).map(listed),
        leftOut: leftOut + Math.max(0, items.length - maxFiles),
        indexes: indexes.map(({ path }) => path).sort(),
        ignored,
      };
    },
    async read(path, call = {}) {
      checkPathGiven(path);
      checkCall(call);
      const { signal } = call;
      const { items } = await library.look(signal, undefined, [path]);
      const item = findPath(items, path);
      const found = item === undefined ? undefined : await folder.read(item.path, { signal });
      if (item === undefined || found === undefined) return undefined;
      return { ...listed(item), text: found.text, hash: hashOf(found.text) };
    },
    async loadIndex(call = {}) {
      checkOptions(call, {
        maxLines: integer(1),
        maxBytes: integer(1),
        path: 'a text that is not blank',
        signal: 'an AbortSignal',
      });
      const { path: asked = INDEX_NAME, signal } = call;
      const { items, indexes } = await library.look(signal);
      const path = indexAt(
        asked,
        indexes.map((each) => each.path),
      );
      const found = await readIndexText(folder, path, signal);
      if (found === 'refused') return unreadIndex(path);
      return cutIndex(found?.text ?? '', items, { ...call, path });
    },
    startRecall: (recallOptions) => createRecall(parts, recallOptions),
    async check(call = {}) {
      checkCall(call);
      const { signal } = call;
      const shelf = await library.look(signal, Number.POSITIVE_INFINITY);
      const indexes = await readIndexes(
        shelf.indexes.map(({ path }) => path),
        signal,
      );
      const pending = await readIndexText(folder, PENDING, signal);
      return checkShelf({
        ...shelf,
        ...{ isShared, indexTexts: indexes.texts, unreadIndexes: indexes.unread },
        archive: pending === 'refused' ? 'closed' : pending === undefined ? 'sound' : 'interrupted',
      });
    },
    async rebuild(call = {}) {
      checkCall(call);
      const { signal } = call;
      return changing(
        folder,
        async () => {
          const shelf = await library.look(signal, Number.POSITIVE_INFINITY);
          const index = await openIndexes(
            folder,
            shelf.indexes.map(({ path }) => path),
            signal,
          );
          const left = index.refresh(shelf.items, shelf.standing);
          const changes = index.changes();
          if (changes.length === 0) return { kind: 'unchanged', left };
          const { id } = await commit(folder, changes, {
            kind: 'rebuild',
            reason: 'index rebuilt',
            nowMs: now(),
            signal,
          });
          return { kind: 'rebuilt', id, left };
        },
        signal,
      );
    },
    async save(memory) {
      checkNewMemory(memory);
      return saveMemory(parts, memory);
    },
    async forget(path, call) {
      checkForget(path, call);
      return forgetMemory(parts, path, call);
    },
    async change(files, call) {
      checkChange(files, call);
      return changeFiles(parts, files, call);
    },
    async undo(call = {}) {
      checkUndo(call);
      return undoChange(parts, call);
    },
    async history(call = {}) {
      checkCall(call);
      return readHistory(folder, call.signal);
    },
    async inbox(call = {}) {
      checkCall(call);
      return listWaiting(folder, call.signal);
    },
    async hold(memory, call = {}) {
      checkWaiting(memory);
      checkCall(call);
      return holdMemory(parts, memory, call);
    },
    async accept(path, call = {}) {
      checkPathGiven(path);
      checkCall(call);
      return acceptWaiting(parts, path, call);
    },
    async discard(path, call = {}) {
      checkPathGiven(path);
      checkCall(call);
      return discardWaiting(parts, path, call);
    },
  };
}
