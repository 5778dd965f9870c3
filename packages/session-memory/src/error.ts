import { VarveError } from '@varve/guards';

/**
 * `not-read`: the notes are there, or may be, but could not be read; `not-written`: they could not be replaced, the old ones
 * stand; `changed-meanwhile`: somebody else wrote them since they were read, and theirs stand.
 */
export type SessionMemoryErrorCode = 'not-read' | 'not-written' | 'changed-meanwhile';

/** Thrown by files of notes. The message says what to do; it holds no text of the notes. */
export class SessionMemoryError extends VarveError<SessionMemoryErrorCode> {
  override get name() {
    return 'SessionMemoryError' as const;
  }

  /** Holds across copies of the package, where `instanceof` does not. */
  static override is(value: unknown): value is SessionMemoryError {
    return VarveError.is(value, 'SessionMemoryError');
  }
}
