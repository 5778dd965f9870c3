import { TranscriptError } from '../error.ts';

/** The system's refusal as a typed error: only a missing file is `not-found`, everything else is `unreadable`. */
export function fileError(file: string, cause: unknown): TranscriptError {
  const code = errorCode(cause);
  return code === 'ENOENT'
    ? new TranscriptError('not-found', 'there is no such file', { file, cause })
    : new TranscriptError('unreadable', `the file is there but cannot be read (${code})`, {
        file,
        cause,
      });
}

/** The system's code (`ENOSPC`) of an error, or `unknown`. */
export function errorCode(cause: unknown): string {
  const code = (cause as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : 'unknown';
}
