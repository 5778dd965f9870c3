import type { ExtractionResult } from './extraction.ts';

/** What happens in the background. `extraction-started` is followed by one of `extracted`, `failed` and `aborted`. */
export type SessionMemoryEvent =
  | { readonly kind: 'extraction-started'; readonly reason: ExtractionReason }
  | ExtractionResult
  /** By a signal, or by `close`: the notes are as they were. */
  | { readonly kind: 'aborted'; readonly cause: unknown }
  /** The session goes on, but a resumed one will not know how far the notes go. */
  | { readonly kind: 'note-not-appended'; readonly cause: unknown }
  /** The notes of an earlier run could not be read. */
  | { readonly kind: 'unreadable'; readonly cause: unknown };

export type ExtractionReason = 'tool-calls' | 'pause' | 'asked-for';

/** A listener that throws is its own affair. */
export function teller(
  listen: ((event: SessionMemoryEvent) => void) | undefined,
): (event: SessionMemoryEvent) => void {
  return (event) => {
    try {
      listen?.(event);
    } catch {
      // told above
    }
  };
}
