// ES2024, in every engine this package runs on; the library the workspace compiles against ends at ES2023.
interface WellFormed {
  isWellFormed(): boolean;
  toWellFormed(): string;
}

const asWellFormed = (text: string): WellFormed => text as unknown as WellFormed;

/** Half surrogates become U+FFFD, which keeps the length; the same string comes back when there are none. */
export function toWellFormed(text: string): string {
  return asWellFormed(text).isWellFormed() ? text : asWellFormed(text).toWellFormed();
}

export const isWellFormed = (text: string): boolean => asWellFormed(text).isWellFormed();

/** How many half surrogates a text holds. */
export function countHalfSurrogates(text: string): number {
  if (isWellFormed(text)) return 0;
  return text.match(HALF_SURROGATES)?.length ?? 0;
}

const HALF_SURROGATES = /\p{Surrogate}/gu;

/** Whether a string or a key anywhere in a JSON value holds half a surrogate pair. Depth does not matter. */
export function hasHalfSurrogate(value: unknown): boolean {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string' && !isWellFormed(next)) return true;
    if (typeof next !== 'object' || next === null) continue;
    for (const key in next) {
      if (!isWellFormed(key)) return true;
      pending.push((next as Record<string, unknown>)[key]);
    }
  }
  return false;
}
