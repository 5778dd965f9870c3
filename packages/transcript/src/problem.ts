/**
 * Something a reader met and dealt with without losing an entry:
 * `torn-tail`: the last line was never finished (a kill or a full disk);
 * `missing-line-end`: the last entry is whole, only its line end is missing;
 * `glued-records`: several whole entries on one line;
 * `duplicate-entry`: an entry id came again, the first one counts;
 * `nul-padding`: NUL bytes around an entry or in place of a line;
 * `byte-order-mark`: an editor saved the file;
 * `damaged-line`: a line that is no entry, only where damage is to be reported instead of thrown.
 */
export type LogProblemKind =
  | 'torn-tail'
  | 'missing-line-end'
  | 'glued-records'
  | 'duplicate-entry'
  | 'nul-padding'
  | 'byte-order-mark'
  | 'damaged-line';

export interface LogProblem {
  readonly kind: LogProblemKind;
  /** Counted from 1. */
  readonly line: number;
  /** Offset of the line's first byte in the file. */
  readonly start: number;
  /** Length of the line in bytes. */
  readonly bytes: number;
  readonly text: string;
}
