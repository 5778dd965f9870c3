import { VarveError } from '@varve/guards';

/**
 * `unknown-handle`: nothing is stored under it, or it was removed; `invalid-range`: no such page, line or search; `damaged`:
 * stored, but not what was put there; `symbolic-link`: the folder of the session or the result is one, and nothing is written or read through it; `store-failed`: the store could not be asked, which says nothing about the result.
 */
export type ToolStorageErrorCode =
  | 'unknown-handle'
  | 'invalid-range'
  | 'damaged'
  | 'symbolic-link'
  | 'store-failed';

/** Thrown when a stored result cannot be read or removed. The message says what to do; it holds no content. */
export class ToolStorageError extends VarveError<ToolStorageErrorCode> {
  override get name() {
    return 'ToolStorageError' as const;
  }

  /** Holds across copies of the package, where `instanceof` does not. */
  static override is(value: unknown): value is ToolStorageError {
    return VarveError.is(value, 'ToolStorageError');
  }
}
