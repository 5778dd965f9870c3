import { walk } from './plain-value.ts';

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

/**
 * Whether a string or a key anywhere in a JSON value holds half a surrogate pair.
 *
 * @throws MessagesError `not-serializable` for what is no JSON
 */
export function hasHalfSurrogate(value: unknown): boolean {
  return walk(value, (each) => typeof each === 'string' && !isWellFormed(each));
}
