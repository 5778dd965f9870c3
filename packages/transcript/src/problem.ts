/**
 * Something a reader met and dealt with without losing an entry:
 * `torn-tail`: the last line was never finished (a kill or a full disk);
 * `missing-line-end`: the last entry is whole, only its line end is missing;
 * `glued-records`: several whole entries on one line;
 * `duplicate-entry`: an entry id came again, the first one counts;
 * `nul-padding`: NUL bytes around an entry or in place of a line;
 * `byte-order-mark`: an editor saved the file.
 * Only where damage is to be reported instead of thrown:
 * `damaged-line`: a line that is no entry;
 * `bad-utf8`: bytes in an entry that are not UTF-8, read as U+FFFD.
 */
export type LogProblemKind =
  | 'torn-tail'
  | 'missing-line-end'
  | 'glued-records'
  | 'duplicate-entry'
  | 'nul-padding'
  | 'byte-order-mark'
  | 'damaged-line'
  | 'bad-utf8';

export interface LogProblem {
  readonly kind: LogProblemKind;
  /** Counted from 1. */
  readonly line: number;
  /** Offset in the file in bytes of what the problem is about: a line, or what is torn at the end of one. */
  readonly start: number;
  /** Its length in bytes. */
  readonly bytes: number;
  readonly text: string;
}
