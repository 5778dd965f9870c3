import type { Counts, WordReader } from './words.ts';

/** What is searched of a memory. */
export interface Searched {
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

/** A memory as the ranking sees it: of each field the numbers of its stems, each once, and how often each stands there. */
export interface Counted {
  readonly fields: readonly Counts[];
}

export interface Ranked<Item> {
  readonly item: Item;
  readonly score: number;
  /** Different words of the turn that it holds. */
  readonly words: number;
  readonly isInName: boolean;
}

/** A word of the name tells more than one of the description, and that more than one of the body. */
const WEIGHTS = [3, 2, 1] as const;
/** Of BM25+: how soon more of the same word adds nothing, how much length takes away, and what a match is worth in any text. */
const SATURATION = 1.2;
const LENGTH = 0.7;
const FLOOR = 0.5;

export function countWords({ name, description, body }: Searched, words: WordReader): Counted {
  return { fields: [name, description, body].map((text) => words.count(text)) };
}

/** The items that hold a word of the query, the best first. Equal scores keep the order of the items. */
export function rank<Item extends Counted>(
  query: readonly number[],
  items: readonly Item[],
  { size }: Pick<WordReader, 'size'>,
): readonly Ranked<Item>[] {
  const asked = [...new Set(query)];
  const repeated = asked.map((stem) => query.filter((other) => other === stem).length);
  const place = new Int32Array(size()).fill(-1);
  for (const [at, stem] of asked.entries()) place[stem] = at;
  const hits = items.map(({ fields }) => fields.map((counts) => hitsIn(counts, place)));
  const known = WEIGHTS.map((weight, field) => {
    const lengths = items.reduce((sum, { fields }) => sum + (fields[field]?.stems.length ?? 0), 0);
    const holding = new Int32Array(asked.length);
    for (const ofItem of hits)
      for (const { at } of ofItem[field] ?? []) holding[at] = (holding[at] ?? 0) + 1;
    const rarity = Float64Array.from(holding, (count) =>
      Math.log(1 + (items.length - count + 0.5) / (count + 0.5)),
    );
    return { weight, rarity, meanLength: lengths / items.length };
  });
  const ranked = items.map((item, index): Ranked<Item> => {
    let sum = 0;
    const matched = new Set<number>();
    for (const [field, { weight, rarity, meanLength }] of known.entries()) {
      const length = 1 - LENGTH + (LENGTH * (item.fields[field]?.stems.length ?? 0)) / meanLength;
      for (const { at, times } of hits[index]?.[field] ?? []) {
        const gain = FLOOR + (times * (SATURATION + 1)) / (times + SATURATION * length);
        sum += weight * (rarity[at] as number) * (repeated[at] as number) * gain;
        matched.add(at);
      }
    }
    const isInName = (hits[index]?.[0]?.length ?? 0) > 0;
    return { item, score: sum * matched.size, words: matched.size, isInName };
  });
  return ranked.filter(({ words }) => words > 0).sort((one, other) => other.score - one.score);
}

interface Hit {
  /** Which word of the query. */
  readonly at: number;
  readonly times: number;
}

function hitsIn({ stems, times }: Counts, place: Int32Array): readonly Hit[] {
  const hits: Hit[] = [];
  for (let index = 0; index < stems.length; index++) {
    const at = place[stems[index] as number] as number;
    if (at >= 0) hits.push({ at, times: times[index] as number });
  }
  return hits;
}
