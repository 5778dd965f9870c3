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
