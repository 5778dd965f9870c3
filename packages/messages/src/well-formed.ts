import { walk } from './plain-value.ts';

/** How many half surrogates a text holds. */
export function countHalfSurrogates(text: string): number {
  if (text.isWellFormed()) return 0;
  return text.match(HALF_SURROGATES)?.length ?? 0;
}

const HALF_SURROGATES = /\p{Surrogate}/gu;

/**
 * Whether a string or a key anywhere in a JSON value holds half a surrogate pair.
 *
 * @throws MessagesError `not-serializable` for what is no JSON
 */
export function hasHalfSurrogate(value: unknown): boolean {
  return walk(value, (each) => typeof each === 'string' && !each.isWellFormed());
}

/** Whether a value holds a BigInt anywhere, which no JSON does. */
export const hasBigInt = (value: unknown): boolean =>
  walk(value, (each) => typeof each === 'bigint');

/** Both in one look. */
export function unwritable(value: unknown): { readonly half: boolean; readonly bigInt: boolean } {
  let [half, bigInt] = [false, false];
  walk(value, (each) => {
    if (typeof each === 'string') half ||= !each.isWellFormed();
    else if (typeof each === 'bigint') bigInt = true;
    return half && bigInt;
  });
  return { half, bigInt };
}
