/**
 * `not-read`: the notes are there, or may be, but could not be read; `not-written`: they could not be replaced, the old ones
 * stand; `changed-meanwhile`: somebody else wrote them since they were read, and theirs stand.
 */
export type SessionMemoryErrorCode = 'not-read' | 'not-written' | 'changed-meanwhile';

const MARK = Symbol.for('@varve/session-memory/error');

/** Thrown by files of notes. The message says what to do; it holds no text of the notes. */
export class SessionMemoryError extends Error {
  override readonly name = 'SessionMemoryError';
  readonly code: SessionMemoryErrorCode;
  readonly [MARK] = true;

  constructor(code: SessionMemoryErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }

  /** Holds across copies of the package, where `instanceof` does not. */
  static is(value: unknown): value is SessionMemoryError {
    return typeof value === 'object' && value !== null && MARK in value;
  }
}
