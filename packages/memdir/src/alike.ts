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
 * Those of some memories that say what a newer one of them does: word for word but for fillers, name, description and text; or
 * one value of one subject in whatever words. Another order, another number or one word that differs may be another fact.
 */
export function repeatsAmong(
  items: readonly LibraryItem[],
  words: WordReader,
): ReadonlySet<LibraryItem> {
  const fillers = words.stemsOf([...FILLERS].join(' '));
  const counts = new Uint8Array(words.size()).fill(1);
  for (const stem of fillers) counts[stem] = 0;
  const groups = new Map<number, LibraryItem[]>();
  const values = new Map<string, LibraryItem[]>();
  for (const item of items) {
    let sum = 0; // the same for the same words in any order
    for (const { stems } of item.fields.slice(1)) {
      for (const stem of stems)
        sum = (sum + Math.imul((stem + 1) * (counts[stem] as number), 0x9e3779b1)) | 0;
    }
    put(groups, sum, item);
    const given = statedValue(item);
    if (given?.values.length === 1) {
      const { subject, values: is, around } = given;
      put(values, JSON.stringify([[...subject].sort(), is, around]), item);
    }
  }
  const repeats = new Set<LibraryItem>();
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    const said = new Map<string, LibraryItem[]>();
    for (const item of group) put(said, saidBy(item), item);
    for (const same of said.values()) allButNewest(same, repeats);
  }
  for (const same of values.values()) allButNewest(same, repeats);
  return repeats;
}

function put<Key>(groups: Map<Key, LibraryItem[]>, key: Key, item: LibraryItem): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}

function allButNewest(same: readonly LibraryItem[], repeats: Set<LibraryItem>): void {
  const newest = same.reduce((one, other) => (isNewer(other, one) ? other : one));
  for (const item of same) if (item !== newest) repeats.add(item);
}

const isNewer = (one: LibraryItem, other: LibraryItem): boolean =>
  (one.modifiedMs ?? Number.NEGATIVE_INFINITY) > (other.modifiedMs ?? Number.NEGATIVE_INFINITY);

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

/** A memory that gives a subject a value and says nothing else: `the cache size is eight`. */
interface Value {
  readonly subject: ReadonlySet<string>;
  /** Numbers, in order. */
  readonly values: readonly string[];
  /** What else its name and its description speak of, which may be another subject. */
  readonly around: string;
}

const LONGEST_STATEMENT = 160;
const MOST_SUBJECT = 5;
/** Words that only join a subject and its value. */
const JOINS = new Set(
  'a an the is are was be has have of for to at in as it its we our us i my use uses used with and so now not no longer equals equal set'.split(
    ' ',
  ),
);
const NUMBERS = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
    .split(' ')
    .map((word, number) => [word, String(number)]),
);

function statedValue({ name, description, memory: { body } }: LibraryItem): Value | undefined {
  const text = body.trim();
  if (text.length > LONGEST_STATEMENT || text.includes('\n')) return undefined;
  const tellingOf = (each: string) => wordsOf(each).filter((word) => !JOINS.has(word));
  const subject = new Set<string>();
  const values = new Set<string>();
  for (const word of tellingOf(text)) {
    const number = NUMBERS.get(word) ?? (/^\d+$/.test(word) ? word : undefined);
    if (number === undefined) subject.add(word);
    else values.add(number);
  }
  if (values.size === 0 || subject.size === 0 || subject.size > MOST_SUBJECT) return undefined;
  const others = tellingOf(`${name} ${description ?? ''}`).filter(
    (word) => !subject.has(word) && !values.has(NUMBERS.get(word) ?? word) && !/^\d+$/.test(word),
  );
  return { subject, values: [...values], around: [...new Set(others)].sort().join(' ') };
}

/**
 * What a newer memory puts right stands behind it: one that gives the same subject another value, also where fewer words of
 * a turn stand in it than in what is chosen.
 */
export function newerFirst(
  chosen: readonly LibraryItem[],
  ranked: readonly LibraryItem[],
): readonly LibraryItem[] {
  const given = ranked.flatMap((item) => {
    const value = statedValue(item);
    return value === undefined ? [] : [{ item, value }];
  });
  const ordered: LibraryItem[] = [];
  for (const item of chosen) {
    if (ordered.includes(item)) continue;
    const old = statedValue(item);
    const newer =
      old === undefined
        ? []
        : given.filter((each) => isNewer(each.item, item) && givesAnother(each.value, old));
    const newest = newer.sort((one, other) => (isNewer(one.item, other.item) ? -1 : 1))[0]?.item;
    if (newest !== undefined && !ordered.includes(newest)) ordered.push(newest);
    ordered.push(item);
  }
  return ordered;
}

const givesAnother = (one: Value, other: Value): boolean =>
  one.values.some((value) => !other.values.includes(value)) &&
  [...other.subject].every((word) => one.subject.has(word));
