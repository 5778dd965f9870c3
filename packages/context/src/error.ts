/**
 * `open-round`: tool calls still wait for their results. `unknown-call`: a result for a call that nobody waits for.
 * `nothing-to-send`: the conversation does not end with something for the model to answer. `no-call`: `send` without the
 * option `call`. `empty-reply`: a reply without anything in it, which no provider takes back.
 */
export type ContextErrorCode =
  | 'open-round'
  | 'unknown-call'
  | 'nothing-to-send'
  | 'no-call'
  | 'empty-reply';

const MARK = Symbol.for('varve.context.error');

/** What this package throws when it is used against its contract; the conversation is then as it was. */
export class ContextError extends Error {
  readonly code: ContextErrorCode;
  readonly [MARK] = true;

  constructor(code: ContextErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ContextError';
    this.code = code;
  }

  /** Recognises the error across duplicate copies of the package. */
  static is(value: unknown): value is ContextError {
    return typeof value === 'object' && value !== null && MARK in value;
  }
}
