/**
 * `unknown-model`: the model table has no entry for this id. `invalid-policy`: a policy record contradicts itself.
 * `invalid-marker`: a provider would refuse the request for its cache markers. `invalid-time`: a time is not a number, or a
 * reply begins before its request. `invalid-size`: a number of tokens is negative or no number.
 */
export type PromptCacheErrorCode =
  | 'unknown-model'
  | 'invalid-policy'
  | 'invalid-marker'
  | 'invalid-time'
  | 'invalid-size';

const MARK = Symbol.for('@varve/prompt-cache/error');

/** What this package throws when it is used against its contract. */
export class PromptCacheError extends Error {
  readonly code: PromptCacheErrorCode;
  readonly [MARK] = true;

  constructor(code: PromptCacheErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PromptCacheError';
    this.code = code;
  }

  /** Recognises the error across duplicate copies of the package. */
  static is(value: unknown): value is PromptCacheError {
    return typeof value === 'object' && value !== null && MARK in value;
  }
}
