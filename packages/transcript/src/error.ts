import { VarveError } from '@varve/guards';

/**
 * Files: `not-found`; `not-a-file`: a folder, or a pipe or device in place of a log; `unreadable`: there, and the system refuses.
 * Logs: `newer-format`: written by a newer version; `damaged-line`; `locked`: another process writes; `many-names`: hard links lead to the file; `lock-lost`: another process has taken over; `closed`: appended to after `close`; `invalid-entry`: could not be
 * read back; `write-failed`: the system refuses; `exists`: nothing is written over; `base-mismatch`: the base of a fork is gone
 * or not what it was.
 * Sessions of other agents: `unknown-format`; `empty`; `not-text`: no JSON in it; `torn-document`: cut
 * off or damaged, and no whole record or message is left; `no-messages`: a known format without any message; `many-sessions`: a
 * database, and not said which of its sessions.
 */
export type TranscriptErrorCode =
  | 'not-found'
  | 'unreadable'
  | 'newer-format'
  | 'damaged-line'
  | 'unknown-format'
  | 'not-a-file'
  | 'empty'
  | 'not-text'
  | 'torn-document'
  | 'no-messages'
  | 'many-sessions'
  | 'locked'
  | 'lock-lost'
  | 'many-names'
  | 'closed'
  | 'invalid-entry'
  | 'write-failed'
  | 'exists'
  | 'base-mismatch';

export interface TranscriptErrorPlace {
  readonly file?: string;
  /** Counted from 1. */
  readonly line?: number;
}

/** Thrown where a log or a foreign session cannot be read or written. The message says what to do; it holds no content. */
export class TranscriptError extends VarveError<TranscriptErrorCode> {
  readonly file: string | undefined;
  readonly line: number | undefined;

  constructor(
    code: TranscriptErrorCode,
    message: string,
    { file, line, cause }: TranscriptErrorPlace & { readonly cause?: unknown } = {},
  ) {
    const place = [file, line].filter((part) => part !== undefined).join(':');
    super(code, place === '' ? message : `${place}: ${message}`, { cause });
    this.file = file;
    this.line = line;
  }

  override get name() {
    return 'TranscriptError' as const;
  }

  /** True for errors of this package, also of another copy of it. */
  static override is(value: unknown): value is TranscriptError {
    return VarveError.is(value, 'TranscriptError');
  }
}
