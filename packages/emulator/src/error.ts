import { VarveError } from '@varve/guards';

/**
 * `bad-options`: an option is not what it has to be. `not-loopback`: an address other machines can reach was asked for
 * without `allowRemote`. `cannot-listen`: the port is taken or not allowed. `script-ended`: more replies were asked for
 * than the script has. `no-recorded-reply`: a recorded session has no model's replies, or no more of them.
 * `hit-rate-too-low`: less of the prompts was read from the cache than a gate asks for.
 */
export type EmulatorErrorCode =
  | 'bad-options'
  | 'not-loopback'
  | 'cannot-listen'
  | 'script-ended'
  | 'no-recorded-reply'
  | 'hit-rate-too-low';

/** What this package throws: used against its contract, or a gate that did not hold. Messages quote no prompt. */
export class EmulatorError extends VarveError<EmulatorErrorCode> {
  override get name() {
    return 'EmulatorError' as const;
  }

  /** Recognises the error across duplicate copies of the package. */
  static override is(value: unknown): value is EmulatorError {
    return VarveError.is(value, 'EmulatorError');
  }
}
