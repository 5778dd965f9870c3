import { VarveError } from '@varve/guards';

/**
 * `bad-arguments`: an unknown flag or a value it does not take. `not-found`: a path that is not there. `no-sessions`:
 * nothing that can be replayed. `unknown-strategy`, `invalid-strategy`: no strategy by that name, or a file that holds
 * none. `strategy-failed`: it threw, changed what it was given, or returned no request. `missing-peer`: the package of a peer is not installed. `unknown-model`: not in the
 * model table. `not-written`: the report could not be written. `bad-recording`, `stale-recording`: a recorded summary
 * cannot be read, or answers another request than is made now. `bad-chain`: a chain of sessions that cannot be measured by.
 * `bad-questions`, `stale-questions`: questions that cannot be asked or readings that answer none, or questions that were written from another session than is there.
 */
export type EvalsErrorCode =
  | 'bad-arguments'
  | 'not-found'
  | 'no-sessions'
  | 'unknown-strategy'
  | 'invalid-strategy'
  | 'strategy-failed'
  | 'missing-peer'
  | 'unknown-model'
  | 'not-written'
  | 'bad-recording'
  | 'stale-recording'
  | 'bad-chain'
  | 'bad-questions'
  | 'stale-questions';

/** Thrown where a run cannot start or go on. The message says what happened and what to do; it holds no content of a session. */
export class EvalsError extends VarveError<EvalsErrorCode> {
  /** What was known when it failed: the files that were read, passed over and refused, as a report has them. */
  readonly found: Readonly<Record<string, unknown>>;

  constructor(
    code: EvalsErrorCode,
    message: string,
    {
      found = {},
      cause,
    }: { readonly found?: Readonly<Record<string, unknown>>; readonly cause?: unknown } = {},
  ) {
    super(code, message, { cause });
    this.found = found;
  }

  override get name() {
    return 'EvalsError' as const;
  }

  /** Whether `value` is an EvalsError, also of another copy of this package. */
  static override is(value: unknown): value is EvalsError {
    return VarveError.is(value, 'EvalsError');
  }
}
