import { VarveError } from '@varve/guards';

/**
 * `unknown-model`: the model table has no entry for this id. `invalid-policy`: a policy record contradicts itself.
 * `invalid-marker`: a provider would refuse the request for its cache markers. `invalid-time`: a time is not a number, or a
 * reply begins before its request. `invalid-request`: a request is given without its time. `invalid-size`: a number of tokens is negative or no number.
 */
export type PromptCacheErrorCode =
  | 'unknown-model'
  | 'invalid-policy'
  | 'invalid-marker'
  | 'invalid-request'
  | 'invalid-time'
  | 'invalid-size';

/** What this package throws when it is used against its contract. */
export class PromptCacheError extends VarveError<PromptCacheErrorCode> {
  override get name() {
    return 'PromptCacheError' as const;
  }

  /** Recognises the error across duplicate copies of the package. */
  static override is(value: unknown): value is PromptCacheError {
    return VarveError.is(value, 'PromptCacheError');
  }
}
