import { TranscriptError } from '../error.ts';

/** The system's refusal to read as a typed error: a missing file and a folder are told from everything else. */
export function fileError(file: string, cause: unknown): TranscriptError {
  const code = errorCode(cause);
  const place = { file, cause };
  if (code === 'ENOENT') return new TranscriptError('not-found', 'there is no such file', place);
  if (code === 'EISDIR') return new TranscriptError('not-a-file', 'this is a folder', place);
  const text = `the file is there but cannot be read (${code})`;
  return new TranscriptError('unreadable', text, place);
}

/** The system's refusal to write as a typed error. `what` could not be done. */
export function writeError(file: string, what: string, cause: unknown): TranscriptError {
  if (TranscriptError.is(cause)) return cause;
  return new TranscriptError('write-failed', `${what} (${errorCode(cause)})`, { file, cause });
}

/** For `catch`: lets errors with these codes of the system pass as nothing. */
export const ignoring =
  (...codes: readonly string[]) =>
  (error: unknown): undefined => {
    if (!codes.includes(errorCode(error))) throw error;
  };

/** The system's code (`ENOSPC`) of an error, or `unknown`. */
export function errorCode(cause: unknown): string {
  const code = (cause as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : 'unknown';
}
