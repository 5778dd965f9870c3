import type { Fact } from '../fact.ts';
import {
  cutSentences,
  type RatedSentence,
  rateSentences,
  sentencesIn,
  tellingSentences,
} from '../prose.ts';
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
  /** No more of each than has to stand. */
  readonly isShort: boolean;
  readonly isOutdated: (sentence: string) => boolean;
  readonly sizeOf: (text: string) => number;
}

/**
 * The words of the assistant as rows in so many tokens: the newest nearly whole, older ones thinned to what they found. What does
 * not fit when all are thinned goes, the oldest first; what room is left then makes texts longer again, so that nothing found
 * is dropped for its age while there is room. What a text is at a length is worked out once.
 */
export function createSaidRows(
  facts: readonly Fact[],
  { lineOf, isShort, isOutdated, sizeOf }: SaidOptions,
): (tokens: number) => Row[] {
  const texts = facts
    .toSorted((one, other) => other.position - one.position)
    .map((fact): Text => ({ fact, cuts: [] }));
  const cutOf = (age: number, level: number): Cut => {
    const text = texts[age] as Text;
    text.value ??= holding(text.fact.value, isOutdated);
    const { cuts, value } = text;
    const before = cuts[level - 1];
    // it is whole already
    if (before?.shown.length === value.length) return before;
    const known = cuts[level] ?? cut(text, age, LENGTHS[level] as Lengths);
    cuts[level] = known;
    return known;
  };
  const cut = (text: Text, age: number, lengths: Lengths): Cut => {
    const { fact, value = '' } = text;
    const rated = (): readonly RatedSentence[] => {
      text.rated ??= rateSentences(value);
      return text.rated;
    };
    const shown = thinned({ value, vital: fact.vital, rated }, age, lengths);
    return { shown, tokens: shown === '' ? 0 : sizeOf(`${lineOf({ ...fact, value: shown })}\n`) };
  };
  return (tokens) => {
    let left = tokens;
    const told: Cut[] = [];
    for (const age of texts.keys()) {
      const first = cutOf(age, 0);
      if (first.tokens > left) break;
      left -= first.tokens;
      told.push(first);
    }
    for (let level = 1; level < (isShort ? 1 : LENGTHS.length) && left > 0; level++) {
      for (const [age, before] of told.entries()) {
        const longer = cutOf(age, level);
        if (longer.shown.length <= before.shown.length || longer.tokens - before.tokens > left)
          continue;
        left -= longer.tokens - before.tokens;
        told[age] = longer;
        if (left <= 0) break;
      }
    }
    return told.flatMap(({ shown }, age) => {
      const { fact } = texts[age] as Text;
      return shown === '' ? [] : [toRow({ ...fact, value: shown }, { age, fact, lineOf })];
    });
  };
}

interface Text {
  readonly fact: Fact;
  /** At each of the lengths, once it was asked for. */
  readonly cuts: Cut[];
  /** What of it still holds. */
  value?: string;
  rated?: readonly RatedSentence[];
}

/** A text of the assistant at one length. */
interface Cut {
  readonly shown: string;
  readonly tokens: number;
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

interface Thinned {
  readonly value: string;
  readonly vital: boolean;
  readonly rated: () => readonly RatedSentence[];
}

function thinned({ value, vital, rated }: Thinned, age: number, lengths: Lengths): string {
  const { newest, near, old, veryOld } = lengths;
  if (age < NEWEST) return cutSentences(value, newest, END_SHARE);
  if (age < NEAR) return vital ? cutSentences(value, near) : tellingSentences(rated(), old);
  if (!vital) return '';
  return tellingSentences(rated(), age < VERY_OLD ? old : veryOld);
}

/** What is asked or comes next stands at the end. */
const END_SHARE = 0.35;
