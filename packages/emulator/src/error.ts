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

const MARK = Symbol.for('@varve/emulator/error');

/** What this package throws: used against its contract, or a gate that did not hold. Messages quote no prompt. */
export class EmulatorError extends Error {
  readonly code: EmulatorErrorCode;
  readonly [MARK] = true;

  constructor(code: EmulatorErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EmulatorError';
    this.code = code;
  }

  /** Recognises the error across duplicate copies of the package. */
  static is(value: unknown): value is EmulatorError {
    return typeof value === 'object' && value !== null && MARK in value;
  }
}
