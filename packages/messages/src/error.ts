import { VarveError } from '@varve/guards';

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
  | 'foreign-messages'
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

/** The one error this package throws. Nothing was changed when it is thrown. */
export class MessagesError extends VarveError<MessagesErrorCode> {
  override get name() {
    return 'MessagesError' as const;
  }

  /** Holds across copies of the package, where `instanceof` does not. */
  static override is(value: unknown): value is MessagesError {
    return VarveError.is(value, 'MessagesError');
  }
}
