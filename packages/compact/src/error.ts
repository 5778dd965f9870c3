import { VarveError } from '@varve/guards';

/** `attach-threw`: the function that brings back messages after a compaction threw; its error is the `cause`. */
export type CompactErrorCode = 'attach-threw';

/** Thrown where a function that was given fails. Nothing has changed then. */
export class CompactError extends VarveError<CompactErrorCode> {
  override get name() {
    return 'CompactError' as const;
  }

  /** Holds across copies of the package, where `instanceof` does not. */
  static override is(value: unknown): value is CompactError {
    return VarveError.is(value, 'CompactError');
  }
}
