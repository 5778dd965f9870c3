import { STORED_TAG } from '@varve/messages/stored';

/** What the head of an envelope says. */
export interface EnvelopeFacts {
  /** Missing where nothing could be stored. */
  readonly handle?: string | undefined;
  readonly bytes: number;
  readonly lines: number;
  /** `sha256:…` of the whole. */
  readonly hash: string;
  /** One sentence or two for the model. */
  readonly notice: string;
}

/** A preview between tags that say where the whole is. `preview` is escaped already (`escapeTags`). */
export function envelope(
  preview: string,
  { handle, bytes, lines, hash, notice }: EnvelopeFacts,
): string {
  const place = handle === undefined ? '' : ` handle="${handle}"`;
  const size = `size="${formatBytes(bytes)}" lines="${lines}"`;
  return `<${STORED_TAG}${place} ${size} ${hash.replace(':', '="')}">\n${notice}\n${preview}\n</${STORED_TAG}>`;
}

/** A line that stands for what was left out, e.g. `gap('lines="12-80"')`. */
export const gap = (where: string): string => `<${STORED_TAG}-gap ${where}/>`;

/** Takes away the power of our tags in a text that is not ours, in any case and spacing. */
export function escapeTags(text: string): string {
  return text.replace(TAG_START, '&lt;$1');
}

// Spaces behind `<` are looked at once each, since no `<` is among them: linear on any text.
const TAG_START = /<([\s/]*persisted-output)/gi;

/**
 * The handles that a text names, in an envelope or in any words: what a retention sweep has to keep for a transcript that
 * holds it. A text may name a handle that does not exist.
 */
export function handlesIn(text: string): string[] {
  if (text.length < MIN_HANDLE || text.search(HANDLE_END) === -1) return [];
  return Array.from(text.matchAll(HANDLE_END), ({ 0: end, index }) => {
    const name = NAME_BEFORE.exec(text.slice(Math.max(0, index - MAX_HANDLE), index))?.[0] ?? '';
    return name + end;
  });
}

// Found by the end, which is rare, so that long words cost nothing.
const HANDLE_END = /-[0-9a-f]{16}\.(?:txt|json|bin)\b/g;
const NAME_BEFORE = /[A-Za-z0-9_~-]*$/;
const MIN_HANDLE = 21;
const MAX_HANDLE = 160;

/** `3.1 MB`, in steps of 1000. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  const [unit, size] = bytes < 999_950 ? (['kB', 1e3] as const) : (['MB', 1e6] as const);
  return `${(bytes / size).toFixed(1)} ${unit}`;
}
