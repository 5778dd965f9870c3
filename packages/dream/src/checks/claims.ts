import {
  corrects,
  isDenied,
  lostSpecifics,
  specificsOf,
  statementKey,
  statementsOf,
} from '@varve/memdir/evidence';
import { createWordReader } from '@varve/memdir/files';

/** This share of the words of a new statement may be of its own: what ties others together. */
const MOST_OWN_WORDS = 0.2;
/** A statement with this share of another one's words is about the same. */
const SAME_SUBJECT = 0.4;
export const ISO_DATE = /\b\d{4}-\d{2}-\d{2}\b/g;
/** What a date that was worked out takes the place of. */
const TIME_WORDS =
  /\b(?:yesterday|today|tomorrow|tonight|last|next|this|ago|week|month|year|day|recently|currently|now)s?\b/gi;
/** Words that say of what they stand beside that it is not so any more. */
const CHANGE =
  /\b(?:(?:moved?|switch(?:ed)?|migrated?|changed) (?:away )?(?:from|to|over)|replaced?|renamed?|instead of|no longer|any ?more|stop(?:ped)? using|dropped)\b/i;
/** Denials that deny nothing. */
const HARMLESS = /\b(?:do not|don[’']t|never) (?:forget|hesitate|worry|mind)\b|\bnot only\b/gi;

/** What may be said of statements by their words, numbers and names alone. */
export interface Claims {
  /** Whether a text says what a statement does: in one or two statements that follow each other, with all its words, in its sense. */
  isKept(statement: string, text: string): boolean;
  /** Whether every word of a line stands in a text: what is too short to be a statement is kept whole. */
  holdsWords(line: string, text: string): boolean;
  /** Whether a statement says nothing that files and quoted statements do not. */
  isSupported(statement: string, files: readonly string[], quoted: readonly string[]): boolean;
  /** Whether what was said puts a statement out of date: the same subject, and another value or the opposite. */
  contradicts(said: string, statement: string): boolean;
}

export function createClaims(): Claims {
  const words = createWordReader();
  const stemsOf = (text: string): ReadonlySet<number> =>
    new Set(words.stemsOf(text.normalize('NFKC').replace(TIME_WORDS, ' ')));
  const shared = (one: ReadonlySet<number>, other: ReadonlySet<number>): number =>
    [...one].filter((stem) => other.has(stem)).length;
  const statementsIn = (text: string): readonly string[] =>
    statementsOf(text).map((each) => each.text);

  /** Whether what is about the same in some statements denies it as often. */
  function isOneSense(statement: string, others: readonly string[]): boolean {
    const own = stemsOf(statement);
    const near = others.filter(
      (other) => shared(own, stemsOf(other)) >= Math.max(1, SAME_SUBJECT * own.size),
    );
    if (near.length === 0) return !isDenied(statement);
    return near.some((other) => isDenied(other) === isDenied(statement));
  }

  /** Statements, and what two that follow each other say together. */
  const windowsOf = (statements: readonly string[]): readonly string[] =>
    statements.flatMap((each, at) => {
      const next = statements[at + 1];
      return next === undefined ? [each] : [each, `${each}\n${next}`];
    });

  const isWithin = (one: ReadonlySet<number>, other: ReadonlySet<number>): boolean =>
    shared(one, other) === one.size;

  /** How many words of one stand not in the other. */
  const missing = (one: ReadonlySet<number>, other: ReadonlySet<number>): number =>
    one.size - shared(one, other);

  return {
    isKept(statement, text) {
      const others = statementsIn(text);
      if (others.some((other) => statementKey(other) === statementKey(statement))) return true;
      if (others.some((other) => corrects(other, statement))) return false;
      const own = stemsOf(statement);
      const timeless = statement.replace(TIME_WORDS, ' ');
      return (
        windowsOf(others).some(
          (each) => isWithin(own, stemsOf(each)) && lostSpecifics([timeless], each).length === 0,
        ) && isOneSense(statement, others)
      );
    },
    holdsWords(line, text) {
      const own = stemsOf(line);
      return shared(own, stemsOf(text)) === own.size;
    },
    isSupported(statement, files, quoted) {
      const said = [...files.flatMap((text) => [...statementsIn(text)]), ...quoted];
      if (said.some((other) => statementKey(other) === statementKey(statement))) return true;
      // Dates are checked by their own rule: they may be worked out.
      const undated = statement.replace(ISO_DATE, ' ');
      if (lostSpecifics([undated], [...files, ...quoted].join('\n')).length > 0) return false;
      if (!isOneSense(undated, said)) return false;
      const own = stemsOf(undated);
      const isEnough = (from: ReadonlySet<number>) =>
        missing(own, from) <= MOST_OWN_WORDS * own.size;
      const sources = said.map(stemsOf);
      if (
        [...files.flatMap((text) => windowsOf(statementsIn(text))), ...quoted]
          .map(stemsOf)
          .some(isEnough)
      )
        return true;
      // Several that are kept whole in it.
      const whole = new Set(
        sources.filter((each) => isWithin(each, own)).flatMap((each) => [...each]),
      );
      if (isEnough(whole)) return true;
      // What was said since, put into what was there about the same.
      return quoted
        .map(stemsOf)
        .some((news) =>
          sources.some((old) => shared(news, old) > 0 && isEnough(new Set([...news, ...old]))),
        );
    },
    contradicts(said, statement) {
      if (corrects(said, statement)) return true;
      const [one, other] = [stemsOf(said), stemsOf(statement)];
      const common = shared(one, other);
      if (common === 0) return false;
      if (CHANGE.test(said) && (common >= 2 || common * 3 >= other.size)) return true;
      if (common < 2 && common < other.size) return false;
      const plain = said.replace(HARMLESS, ' ');
      if (isDenied(plain) !== isDenied(statement.replace(HARMLESS, ' '))) return true;
      const [values, old] = [[...specificsOf(said)], [...specificsOf(statement)]];
      return (
        values.some((each) => !old.includes(each)) && old.some((each) => !values.includes(each))
      );
    },
  };
}
