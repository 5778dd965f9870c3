import { NEGATIONS } from './evidence/corrections.ts';
import type { LibraryItem } from './library.ts';
import { type WordReader, wordsOf } from './words.ts';

/** Words that change nothing about what is said. */
const FILLERS = new Set(
  'a an the so and also indeed yes again well now hence thus therefore always just simply really actually basically please ok okay btw'.split(
    ' ',
  ),
);

/**
 * Those of some memories that say what one before them does, word for word but for fillers: name, description and text. Another
 * order, another number or one word that differs may be another fact.
 */
export function repeatsAmong(
  items: readonly LibraryItem[],
  words: WordReader,
): ReadonlySet<LibraryItem> {
  const fillers = words.stemsOf([...FILLERS].join(' '));
  const counts = new Uint8Array(words.size()).fill(1);
  for (const stem of fillers) counts[stem] = 0;
  const groups = new Map<number, LibraryItem[]>();
  for (const item of items) {
    let sum = 0; // the same for the same words in any order
    for (const { stems } of item.fields.slice(1)) {
      for (const stem of stems)
        sum = (sum + Math.imul((stem + 1) * (counts[stem] as number), 0x9e3779b1)) | 0;
    }
    const group = groups.get(sum);
    if (group === undefined) groups.set(sum, [item]);
    else group.push(item);
  }
  const repeats = new Set<LibraryItem>();
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    const said = new Set<string>();
    for (const item of group) {
      const text = saidBy(item);
      if (said.has(text)) repeats.add(item);
      said.add(text);
    }
  }
  return repeats;
}

function saidBy({ memory: { parsed, body } }: LibraryItem): string {
  const { name, description } = parsed.header;
  const parts = [name, description, body].map((text) =>
    wordsOf(text ?? '').filter((word) => !FILLERS.has(word)),
  );
  return parts.map((part) => part.join(' ')).join('\n');
}

/** This share of the words of the shorter one has to stand in the longer one. */
const ALIKE = 0.75;

/** What may say the same in other words goes behind the rest, in the order it has: none is left out. */
export function unlikeFirst<Ranked extends { readonly item: LibraryItem }>(
  ranked: readonly Ranked[],
): readonly Ranked[] {
  const unlike: Ranked[] = [];
  const alike: Ranked[] = [];
  for (const each of ranked) {
    const isAlike = unlike.some(
      ({ item }) => isCovered(each.item, item) && senseOf(each.item) === senseOf(item),
    );
    (isAlike ? alike : unlike).push(each);
  }
  return [...unlike, ...alike];
}

function isCovered(one: LibraryItem, other: LibraryItem): boolean {
  const [first, second] = [bodyStems(one), bodyStems(other)];
  const [less, more] = first.length <= second.length ? [first, second] : [second, first];
  if (less.length === 0 || more.length > less.length * 2) return false;
  const words = new Set(more);
  let missing = 0;
  for (const word of less) {
    if (!words.has(word) && ++missing > (1 - ALIKE) * less.length) return false;
  }
  return true;
}

const NO_STEMS = new Int32Array();
const bodyStems = ({ fields }: LibraryItem): Int32Array => fields[2]?.stems ?? NO_STEMS;

/** Its numbers, and whether it is denied. */
function senseOf({ memory: { body, description } }: LibraryItem): string {
  const text = `${description}\n${body}`.toLowerCase().replaceAll('’', "'");
  const numbers = [...new Set(text.match(/\d+/g))].sort();
  return `${numbers.join(' ')} ${(text.match(NEGATIONS) ?? []).length % 2}`;
}
