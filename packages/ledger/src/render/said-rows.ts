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

/** The first in which all words fit; in the last the oldest go. */
const LENGTHS: readonly Lengths[] = [
  { newest: 8_000, near: 8_000, old: 4_000, veryOld: 2_000 },
  { newest: 4_000, near: 2_000, old: 1_000, veryOld: 600 },
  { newest: 3_000, near: 1_000, old: 500, veryOld: 250 },
  { newest: 1_800, near: 500, old: 240, veryOld: 140 },
];

interface SaidOptions {
  readonly lineOf: (fact: Fact) => string;
  readonly tokens: number;
  /** No more of each than has to stand. */
  readonly isShort: boolean;
  readonly isOutdated: (sentence: string) => boolean;
  readonly sizeOf: (text: string) => number;
}

/** The words of the assistant as rows: the newest nearly whole, older ones thinned to what they found, while there is room. */
export function saidRows(facts: readonly Fact[], options: SaidOptions): Row[] {
  const newest = facts.toSorted((one, other) => other.position - one.position);
  const known = new Map<Fact, string>();
  const wordsOf = (fact: Fact): string => {
    const value = known.get(fact) ?? holding(fact.value, options.isOutdated);
    known.set(fact, value);
    return value;
  };
  for (const lengths of options.isShort ? LENGTHS.slice(-1) : LENGTHS) {
    const { rows, isAll } = rowsOf(newest, { lengths, wordsOf }, options);
    if (isAll || lengths === LENGTHS.at(-1)) return rows;
  }
  return [];
}

function rowsOf(
  newest: readonly Fact[],
  { lengths, wordsOf }: { readonly lengths: Lengths; readonly wordsOf: (fact: Fact) => string },
  { lineOf, tokens, sizeOf }: SaidOptions,
): { readonly rows: Row[]; readonly isAll: boolean } {
  let left = tokens;
  const rows: Row[] = [];
  for (const [age, fact] of newest.entries()) {
    const value = thinned({ ...fact, value: wordsOf(fact) }, age, lengths);
    if (value === '') continue;
    const row = toRow({ ...fact, value }, { age, fact, lineOf });
    left -= sizeOf(`${row.text}\n`);
    if (left < 0) return { rows, isAll: false };
    rows.push(row);
  }
  return { rows, isAll: true };
}

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
