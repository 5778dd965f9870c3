import type { Fact } from '../fact.ts';
import { cutSentences, sentencesIn, tellingSentences } from '../prose.ts';
import type { Row } from './sections.ts';

/** How much of a text may stand, in UTF-16 units, by how many newer ones there are; roomier where the whole fits. */
interface Lengths {
  /** The newest: whole sentences, and the end. */
  readonly newest: number;
  /** The next ones, and old ones that stand beside an edit, a failure or a decision. */
  readonly near: number;
  /** Their most telling sentences, or nothing. */
  readonly old: number;
  readonly veryOld: number;
}

const NEWEST = 4;
const NEAR = 24;
const VERY_OLD = 120;

/** The tightest first: each text is as long as room is left, the newest before the older ones. */
const LENGTHS: readonly [Lengths, ...Lengths[]] = [
  { newest: 1_800, near: 500, old: 240, veryOld: 140 },
  { newest: 3_000, near: 1_000, old: 500, veryOld: 250 },
  { newest: 4_000, near: 2_000, old: 1_000, veryOld: 600 },
  { newest: 8_000, near: 8_000, old: 4_000, veryOld: 2_000 },
];

interface SaidOptions {
  readonly lineOf: (fact: Fact) => string;
  readonly tokens: number;
  /** No more of each than has to stand. */
  readonly isShort: boolean;
  readonly isOutdated: (sentence: string) => boolean;
  readonly sizeOf: (text: string) => number;
}

/**
 * The words of the assistant as rows: the newest nearly whole, older ones thinned to what they found. What does not fit when all
 * are thinned goes, the oldest first; what room is left then makes texts longer again, so that nothing found is dropped for its
 * age while there is room.
 */
export function saidRows(facts: readonly Fact[], options: SaidOptions): Row[] {
  const { lineOf, isShort, isOutdated, sizeOf } = options;
  let left = options.tokens;
  const told: Told[] = [];
  for (const [age, fact] of newestFirst(facts).entries()) {
    const value = holding(fact.value, isOutdated);
    const first = { age, fact, value, shown: thinned({ ...fact, value }, age, LENGTHS[0]) };
    const tokens = first.shown === '' ? 0 : sizeOf(`${lineOf({ ...fact, value: first.shown })}\n`);
    if (tokens > left) break;
    left -= tokens;
    told.push({ ...first, tokens });
  }
  for (const lengths of isShort ? [] : LENGTHS.slice(1)) {
    for (const each of told) {
      const { age, fact, value } = each;
      const shown = thinned({ ...fact, value }, age, lengths);
      if (shown.length <= each.shown.length) continue;
      const tokens = sizeOf(`${lineOf({ ...fact, value: shown })}\n`);
      if (tokens - each.tokens > left) continue;
      left -= tokens - each.tokens;
      Object.assign(each, { shown, tokens });
    }
  }
  return told
    .filter(({ shown }) => shown !== '')
    .map(({ age, fact, shown }) => toRow({ ...fact, value: shown }, { age, fact, lineOf }));
}

/** A text of the assistant as far as it is shown so far. */
interface Told {
  readonly age: number;
  readonly fact: Fact;
  /** What of it still holds. */
  readonly value: string;
  readonly shown: string;
  readonly tokens: number;
}

const newestFirst = (facts: readonly Fact[]): readonly Fact[] =>
  facts.toSorted((one, other) => other.position - one.position);

/** A text without the sentences that do not hold any more; how checks end is told elsewhere. */
function holding(value: string, isOutdated: (sentence: string) => boolean): string {
  const sentences = sentencesIn(value);
  const kept = sentences.filter((sentence) => !isOutdated(sentence));
  return kept.length === sentences.length ? value : kept.join(' ');
}

function toRow(
  shown: Fact,
  {
    age,
    fact,
    lineOf,
  }: { readonly age: number; readonly fact: Fact } & Pick<SaidOptions, 'lineOf'>,
): Row {
  const rank = age < NEWEST ? NEWEST_RANK : (fact.weight * NEAR) / (NEAR + age);
  const whole = shown.value === fact.value;
  return { section: 'said', text: lineOf(shown), whole, rank, position: fact.position, fact };
}

/** Above all that is not the person's. */
const NEWEST_RANK = 9.5;

function thinned({ value, vital }: Fact, age: number, lengths: Lengths): string {
  const { newest, near, old, veryOld } = lengths;
  if (age < NEWEST) return cutSentences(value, newest, END_SHARE);
  if (age < NEAR) return vital ? cutSentences(value, near) : tellingSentences(value, old);
  if (!vital) return '';
  return tellingSentences(value, age < VERY_OLD ? old : veryOld);
}

/** What is asked or comes next stands at the end. */
const END_SHARE = 0.35;
