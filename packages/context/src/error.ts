import { VarveError } from '@varve/guards';

/**
 * `open-round`: tool calls still wait for their results. `unknown-call`: a result for a call that nobody waits for.
 * `nothing-to-send`: the conversation does not end with something for the model to answer. `no-call`: `send` without the
 * option `call`. `empty-message`, `empty-reply`: there is nothing in it, and no provider takes that.
 * `message-too-large`: a message, or a request, does not fit the window of its model; the text says what takes how many tokens of
 * how many, and what to do.
 * `malformed-message`, `malformed-reply`, `malformed-result`: not of the shape that is asked for; in the log it would have
 * every later request refused. `not-written`: the log refused; what was added stays and is written by the next call.
 * `no-compaction`: `compact` without the option `compaction`. `stale-reply`: the conversation was compacted since the
 * request, and the reply's thinking is bound to what is gone. `edit-refused`: an edit or an undo that cannot stand in the log,
 * or after which a provider would refuse the conversation; `cause` is the `MessagesError`, where there is one.
 */
export type ContextErrorCode =
  | 'edit-refused'
  | 'open-round'
  | 'unknown-call'
  | 'nothing-to-send'
  | 'no-call'
  | 'empty-message'
  | 'empty-reply'
  | 'malformed-message'
  | 'malformed-reply'
  | 'malformed-result'
  | 'message-too-large'
  | 'not-written'
  | 'no-compaction'
  | 'stale-reply';

/** What this package throws; but for `not-written` the conversation is then as it was. */
export class ContextError extends VarveError<ContextErrorCode> {
  override get name() {
    return 'ContextError' as const;
  }

  /** Recognises the error across duplicate copies of the package. */
  static override is(value: unknown): value is ContextError {
    return VarveError.is(value, 'ContextError');
  }
}
