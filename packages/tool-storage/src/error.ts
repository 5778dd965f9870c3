/**
 * `unknown-handle`: nothing is stored under it, or it was removed; `invalid-range`: no such page, line or search; `damaged`:
 * stored, but not what was put there; `symbolic-link`: the folder of the session is one, and nothing is written or read through it; `store-failed`: the store could not be asked, which says nothing about the result.
 */
export type ToolStorageErrorCode =
  | 'unknown-handle'
  | 'invalid-range'
  | 'damaged'
  | 'symbolic-link'
  | 'store-failed';

const MARK = Symbol.for('@varve/tool-storage/error');

/** Thrown when a stored result cannot be read or removed. The message says what to do; it holds no content. */
export class ToolStorageError extends Error {
  override readonly name = 'ToolStorageError';
  readonly code: ToolStorageErrorCode;
  readonly [MARK] = true;

  constructor(code: ToolStorageErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }

  /** Holds across copies of the package, where `instanceof` does not. */
  static is(value: unknown): value is ToolStorageError {
    return typeof value === 'object' && value !== null && MARK in value;
  }
}
