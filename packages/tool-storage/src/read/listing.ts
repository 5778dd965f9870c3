import { type OutputContent, textOfBlocks } from '../content.ts';
import type { Decisions } from '../decisions.ts';
import { formatBytes } from '../envelope.ts';
import type { Logged } from '../logged.ts';
import type { Removals } from '../removals.ts';

/** A result that can be read whole. */
export interface StoredResult {
  readonly handle: string;
  /** UTF-8 bytes. */
  readonly bytes: number;
  readonly lines: number;
}

interface ListingParts {
  readonly decisions: Decisions;
  readonly logged: Logged;
  readonly removals: Removals;
  /** Handles that the log names, the oldest first. */
  readonly named: () => ReadonlySet<string>;
}

/** What can be read back, the newest first: what was stored, and of what the log names that which it holds whole. */
export function createListing({ decisions, logged, removals, named }: ListingParts) {
  function inLog(handle: string): StoredResult | undefined {
    const content = logged.find(handle);
    return content === undefined ? undefined : { handle, ...sizeOf(content) };
  }

  return function listing(): readonly StoredResult[] {
    const stored = new Map<string, StoredResult>();
    for (const decision of decisions.all()) {
      if (decision.kind !== 'stored') continue;
      const { handle, bytes, lines } = decision;
      stored.set(handle, { handle, bytes, lines });
    }
    const inWords = named();
    const early = [...stored.keys()].filter((handle) => !inWords.has(handle));
    return [...early, ...inWords]
      .filter((handle) => !removals.has(handle))
      .flatMap((handle) => stored.get(handle) ?? inLog(handle) ?? [])
      .toReversed();
  };
}

function sizeOf(content: Exclude<OutputContent, Uint8Array>): Omit<StoredResult, 'handle'> {
  const text = typeof content === 'string' ? content : textOfBlocks(content);
  return { bytes: new TextEncoder().encode(text).length, lines: text.split('\n').length };
}

/** As the read tool shows it: a line for each. */
export const listingText = (results: readonly StoredResult[]): string =>
  results.length === 0
    ? 'No result is stored.'
    : results
        .map(({ handle, bytes, lines }) => `${handle} ${formatBytes(bytes)}, ${lines} lines`)
        .join('\n');
