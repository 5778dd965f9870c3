import { NEGATIONS } from './evidence/corrections.ts';
import type { LibraryItem } from './library.ts';

/** This share of the words of the shorter one has to stand in the longer one. */
const ALIKE = 0.75;

/**
 * Those of some memories that say what one before them does, in the same sense: with the same numbers, and denied as often. What
 * denies it, or names another number, is no repeat.
 */
export function repeatsAmong(items: readonly LibraryItem[]): ReadonlySet<LibraryItem> {
  const kept: { readonly item: LibraryItem; readonly words: ReadonlySet<number> }[] = [];
  const repeats = new Set<LibraryItem>();
  for (const item of items) {
    const stems = item.fields[2]?.stems ?? new Int32Array();
    const words = new Set(stems);
    const isRepeat = kept.some(
      (other) => isCovered(words, other.words) && senseOf(item) === senseOf(other.item),
    );
    if (isRepeat) repeats.add(item);
    else kept.push({ item, words });
  }
  return repeats;
}

function isCovered(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  const [less, more] = one.size <= other.size ? [one, other] : [other, one];
  if (less.size === 0 || more.size > less.size * 2) return false;
  let missing = 0;
  for (const word of less) {
    if (!more.has(word) && ++missing > (1 - ALIKE) * less.size) return false;
  }
  return true;
}

function senseOf({ memory: { body, description } }: LibraryItem): string {
  const text = `${description}\n${body}`.toLowerCase().replaceAll('’', "'");
  const numbers = [...new Set(text.match(/\d+/g))].sort();
  return `${numbers.join(' ')} ${(text.match(NEGATIONS) ?? []).length % 2}`;
}
