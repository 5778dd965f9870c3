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
  readonly range?: { readonly start: number; readonly end: number } | undefined;
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
