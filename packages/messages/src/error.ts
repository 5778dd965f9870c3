/** Why an entry, an edit or a line was refused; each is explained in the README. */
export type MessagesErrorCode =
  | 'already-undone'
  | 'broken-pairing'
  | 'crossing-span'
  | 'duplicate-call'
  | 'duplicate-entry'
  | 'duplicate-message'
  | 'duplicate-replacement'
  | 'duplicate-result'
  | 'empty-content'
  | 'empty-id'
  | 'empty-text'
  | 'first-not-user'
  | 'incomplete-round'
  | 'invalid-entry'
  | 'invalid-json'
  | 'misplaced-block'
  | 'no-head'
  | 'not-an-edit'
  | 'not-serializable'
  | 'opaque-block'
  | 'orphan-result'
  | 'reversed-span'
  | 'round-open'
  | 'split-group'
  | 'trailing-thinking'
  | 'unknown-block'
  | 'unknown-entry'
  | 'unknown-message';

const MARK = Symbol.for('@varve/messages/error');

/** The one error this package throws. Nothing was changed when it is thrown. */
export class MessagesError extends Error {
  override readonly name = 'MessagesError';
  readonly code: MessagesErrorCode;
  readonly [MARK] = true;

  constructor(code: MessagesErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }

  /** Holds across copies of the package, where `instanceof` does not. */
  static is(value: unknown): value is MessagesError {
    return typeof value === 'object' && value !== null && MARK in value;
  }
}
