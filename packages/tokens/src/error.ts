import { VarveError } from '@varve/guards';

/**
 * `vocabulary-missing`: the optional package that holds the vocabulary is not installed. `vocabulary-invalid`: what was
 * loaded is not that vocabulary. `count-failed`: a count endpoint could not be reached or refused. `count-unreadable`: it
 * answered without a count.
 */
export type TokensErrorCode =
  | 'vocabulary-missing'
  | 'vocabulary-invalid'
  | 'count-failed'
  | 'count-unreadable';

export interface TokensErrorDetails {
  /** HTTP status of the answer, where there was one. */
  readonly status?: number | undefined;
  readonly cause?: unknown;
}

/** Thrown where a count cannot be had. The message says what to do; it holds no text that was to be counted. */
export class TokensError extends VarveError<TokensErrorCode> {
  readonly status: number | undefined;

  constructor(code: TokensErrorCode, message: string, details: TokensErrorDetails = {}) {
    super(code, message, details);
    this.status = details.status;
  }

  override get name() {
    return 'TokensError' as const;
  }

  /** True for errors of this package, also of another copy of it. */
  static override is(value: unknown): value is TokensError {
    return VarveError.is(value, 'TokensError');
  }
}
