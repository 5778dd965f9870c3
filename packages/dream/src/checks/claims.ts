import {
  corrects,
  isDenied,
  lostSpecifics,
  specificsOf,
  statementKey,
  statementsOf,
} from '@varve/memdir/evidence';
import { createWordReader } from '@varve/memdir/files';
import {
  givesValue,
  hasDigit,
  isGerman,
  isOnlyName,
  isTelling,
  kindOf,
  placesOf,
  saidValues,
  spelled,
} from './values.ts';

/** This share of the words of a new statement may be of its own: what ties others together. */
const MOST_OWN_WORDS = 0.2;
/** This share of the words of a statement may be left out where it is put shorter. */
const MOST_LEFT_OUT = 0.3;
/** A statement in other words has this share of its words; more where it has no number and no name. */
const ALIKE = 0.6;
const ALIKE_WITHOUT_SPECIFICS = 0.75;
export const ISO_DATE = /\b\d{4}-\d{2}-\d{2}\b/g;
/** What a date that was worked out takes the place of. */
const TIME_WORDS =
  /\b(?:yesterday|today|tomorrow|tonight|recently|currently|now|(?:in )?(?:\d{1,2}|an?|one|two|three|four|five|six|seven|few|couple(?: of)?) (?:day|week|month|year)s?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:last|next|this|ago|week|month|year|day)s?)\b/gi;
/** Words that say of what they stand beside that it is not so any more. */
const CHANGE =
  /\b(?:(?:moved?|moves|switch(?:ed)?|migrated?|changed) (?:away )?(?:from|to|over|into)|replace[sd]?|renamed?|instead|no longer|any ?more|stop(?:ped)? using|dropped|gone|retired|obsolete|deprecated|nicht (?:mehr|länger)|abgeschafft|statt|ersetzt)\b/i;
/** What a user does not want to be known. */
const FORGET = /\b(?:forget|vergiss|vergesst)\b/i;
/** Begins a question that states nothing. */
const ASKS = /\b(?:who|what|when|where|which|why|how|wer|wann|wo|welche[rs]?|warum|wie)\b/i;
/** What a user says yes to is their own. */
const CONFIRMS =
  /^\W*(?:yes|yep|yeah|right|correct|exactly|agreed|sure|ja|jep|jo|genau|stimmt|passt|richtig)\b/i;
/** Says of what its clause speaks of that it is over. */
const NOT_NEEDED =
  /(?:\b(?:is|are|ist|sind) )?\b(?:no longer|not (?:\w+ )?any ?more|nicht mehr) (?:needed|necessary|required|wanted|nötig|notwendig)\b/i;
/** What forbids, or holds without exception. */
const LIMITS = /\b(?:never|not|don[’']t|no|off|only|nie|niemals|nicht|kein\w*|nur|aus)\b/gi;
/** What allows what was forbidden. */
const ALLOWS =
  /\b(?:may|can|fine|okay|ok|allowed|welcome|(?:leave|turn|switch|keep|stays?) (?:\w+ )?on|darf\w*|dürfen|erlaubt|kannst|könnt)\b/i;
const AGAIN = /\b(?:again|any ?more|wieder)\b/i;
/** Says of a day that it came. */
const IS_DONE =
  /\b(?:went|over|done|finished|passed|happened|behind us|vorbei|gelaufen|lief|geschafft|fertig|erledigt)\b/i;
/** What lasts beyond a day. */
const LASTS =
  /\b(?:begins?|starts?|from|since|until|till|by|after|before|every|each|ab|seit|bis|vor|nach|jede\w*)\b/i;
/** What somebody wants to be done, or not. */
const ORDERS =
  /\b(?:always|never|must|should|shall|(?:has|have|is|are) to|ignore|do not|don[’']t|please|remember|immer|nie|niemals|muss|müssen|soll|sollen|sollst|darf|dürfen|bitte|merk\w*)\b/i;
/** Rules are memory, whatever they name. */
const RULES =
  /\b(?:always|never|must|only|do not|don[’']t|should|immer|nie|niemals|muss|nur|soll\w*)\b/i;
/** What a tracker, a list of tasks or git keep. */
const KEPT_ELSEWHERE =
  /^\W*(?:[A-Z][A-Z\d]+-\d+\b[^.]*\b(?:fails?|breaks?|blocks?|is (?:done|open|closed|blocked)|was)\b|[\p{L}\d]+-\d+:\s|(?:to ?do|next(?: steps?)?|als nächstes|offen)\b[^.:]{0,40}:\s)|\bcommit `?(?=[a-f]*\d)[\da-f]{7,40}\b/iu;
/** Before a word of a rule: it does not hold any more. */
const NO_MORE =
  /\b(?:no more|no longer|dropped?|instead of|rather than|statt|anstatt|keine?n? mehr)\s+(?:the |a |an )?$/i;
/** Words that say so only beside another value. */
const NOW =
  /\b(?:from (?:now|today|next \w+)(?: on)?|now|since (?:then|yesterday|today)|meanwhile|new|moved|ab (?:jetzt|sofort|heute)|jetzt|neuerdings|(?:erst|seit) (?:am|gestern|heute))\b/i;
/** What stands behind these is taken back, whatever it is. */
const INSTEAD_OF =
  /\b(?:(?:moved?|moves|switch(?:ed)?|migrated?|changed) (?:away )?from|instead of|rather than|no more|no longer|not|statt|anstatt|nicht mehr|nicht)(?: on| at| the| in| am| um)?[\s`"']+$/i;
/** What stands before these is over. */
const IS_OVER =
  /^[\s`"']*(?:is|are|was|ist|sind)? ?(?:gone|do(?:es)?(?: not|n[’']t) exist|no longer exists?|existier(?:t|en) nicht mehr|closed|frozen|dead|retired|deleted|no longer|abgeschafft|tot|gibt(?:['’]s| es) nicht mehr)\b/i;
/** Points to what stands before. */
const POINTS = /\b(?:that|this|these|those|it|them|das|dies\w*)\b/i;
/** Behind a value: it was so once. */
const WAS = /^[\s`"']*(?:was|were|war|waren|used to)\b/i;
/** What was said with these ended with its day. */
const ONE_DAY = /\b(?:only|just|nur) (?:for |für )?(?:today|heute)\b/i;
/** Denials that deny nothing. */
const HARMLESS = /\b(?:do not|don[’']t|never) (?:forget|hesitate|worry|mind)\b|\bnot only\b/gi;
/** Begins what puts something right, and denies nothing of what follows. */
const CORRECTION = /^\s*(?:no|nope|nein|wrong)\b[\s,.:;!-]*/i;
/** Small words that change what a statement says. */
const SENSE =
  /\b(?:all|any|every|some|may|might|must|more|most|less|least|over|under|up|down|out)\b/gi;
/** What stands on both sides of these cannot change places. */
const SIDES = /\b(?:before|after|than|instead|rather|replaces?d?|to|over|vor|nach|statt)\b/i;
/** Places that have the same things, each with values of its own. */
const PLACES = /\b(?:staging|production|prod|dev|development|local|test|ci|left|right)\b/gi;

/** What may be said of statements by their words, numbers and names alone. */
export interface Claims {
  /**
   * Whether a text says what a statement does: in one statement with all its words, in its sense and order; without a value also in two
   * that follow each other.
   *
   * @param about what the statement is about, where the text may be about something else: then it names nothing that neither has
   */
  isKept(statement: string, text: string, about?: string): boolean;
  /** Whether a text says it shorter: nothing new, and all names, numbers and dates. */
  isShortened(statement: string, text: string): boolean;
  /** Whether two say the same in other words, as far as can be told: all that the first names, the same sense, and many of its words. */
  isAlike(statement: string, other: string): boolean;
  /** Whether every word of a line stands in a text: what is too short to be a statement is kept whole. */
  holdsWords(line: string, text: string): boolean;
  /** Whether a statement says nothing that files and quoted statements do not. */
  isSupported(statement: string, files: readonly string[], quoted: readonly string[]): boolean;
  /** Whether what was said puts a statement out of date: the same subject, and another value or the opposite. */
  contradicts(said: string, statement: string): boolean;
  /** Whether a text says what took the place of a statement: about the same, with something of what was said since. */
  replaces(text: string, statement: string, said: string): boolean;
  /** Whether what was said names what a newer statement says instead of an older one about the same. */
  isBacked(said: string, news: string, statement: string): boolean;
  /** Whether what was said asks to forget a statement, by a word that stands in no other memory. */
  isForgotten(said: string, statement: string, others: string): boolean;
  /** Whether a user may have said a statement with this: it gives one of its values, or has many of its words. A question says nothing. */
  mayBeOf(said: string, statement: string): boolean;
  /** Whether a file of instructions says a statement, in at most two of its own. */
  standsIn(statement: string, instructions: string): boolean;
  /** Whether the user said, on its day or later, that what a statement has a date for is done. */
  isDone(said: string, atMs: number, statement: string): boolean;
  /** Whether both name the same, or the other points to the one before it. */
  sharesName(one: string, other: string): boolean;
  /** Whether something is asked for in it. */
  isOrder(text: string): boolean;
  /** Whether a statement is by its form of a task, a ticket or a commit, and no rule. */
  isKeptElsewhere(statement: string): boolean;
  /** Whether an assistant or a tool said a statement with this: all its values, many of its words, and the same sense. */
  saysSame(said: string, statement: string): boolean;
  /** Whether it asks to forget what was said with this: they share two words, or all that the wish names. */
  asksToForget(wish: string, said: string): boolean;
  /** The same by a name of both and another word in another form: `die Schließung von Nord`, `Nord wird geschlossen`. */
  namesToForget(wish: string, said: string): boolean;
  /** Whether a statement may come from this: it gives a value of it, has half of its words, or one in another language. */
  mayBeFrom(said: string, statement: string): boolean;
  /** Whether it asks to forget and does not say what: then it means what was said right before. */
  isForgetThat(said: string): boolean;
  /** Whether it gives all values of a statement that tell where it is from, in English or German. */
  givesValues(said: string, statement: string): boolean;
  /** Whether a name is of a day of the week or a month, and a text gives it in English or German. */
  givesDay(text: string, name: string): boolean;
  /** Whether it says yes to what was said before. */
  confirms(said: string): boolean;
  /** Whether what was said may be where a statement is from: it has half of its words, or something that it names. */
  touches(said: string, statement: string): boolean;
}

export function createClaims(): Claims {
  const words = createWordReader();
  const listOfStems = (text: string): readonly number[] => words.stemsOf(text.normalize('NFKC'));
  const stemsOf = (text: string): ReadonlySet<number> => new Set(listOfStems(text));
  const shared = (one: ReadonlySet<number>, other: ReadonlySet<number>): number =>
    [...one].filter((stem) => other.has(stem)).length;
  const statementsIn = (text: string): readonly string[] =>
    statementsOf(text).map((each) => each.text);
  const halfOf = (one: ReadonlySet<number>, other: ReadonlySet<number>): boolean =>
    shared(one, other) * 2 >= one.size;
  const isWithin = (one: ReadonlySet<number>, other: ReadonlySet<number>): boolean =>
    shared(one, other) === one.size;
  const lacksNothing = (statement: string, other: string): boolean =>
    lostSpecifics([statement], other).length === 0;

  /** Whether two have the same sense: both deny or neither does, and small words of the first stand in the second. */
  const isOneSense = (statement: string, other: string): boolean =>
    isDenied(statement) === isDenied(other) &&
    isSubset(found(SENSE, statement), found(SENSE, other));

  /** Whether words stand in this order, near each other, with no value between them that is not theirs. */
  function isInOrder(statement: string, other: string): boolean {
    const own = listOfStems(statement);
    const most = own.length + Math.max(2, Math.ceil(own.length / 2));
    const foreign = valuesOf(other).filter((value) => !valuesOf(statement).includes(value));
    return splitAt(other, foreign).some((segment) => {
      const all = listOfStems(segment);
      return all.some((_, start) => {
        let at = start;
        for (const stem of own) {
          at = all.indexOf(stem, at);
          if (at === -1 || at - start >= most) return false;
          at++;
        }
        return true;
      });
    });
  }

  /** Whether one statement holds another one, so that no value, side or subject has changed its place. */
  function holds(other: string, statement: string): boolean {
    const dates = (other.match(ISO_DATE) ?? []).filter((date) => !statement.includes(date));
    const own = dates.length > 0 ? statement.replace(TIME_WORDS, ' ') : statement;
    const rest = dates.reduce((text, date) => text.replaceAll(date, ' '), other);
    const [stems, all] = [stemsOf(own), stemsOf(rest)];
    if (!isWithin(stems, all) || !lacksNothing(own, rest) || !isOneSense(own, rest)) return false;
    const isPlain =
      specificsOf(own).size < 2 &&
      !SIDES.test(own) &&
      listOfStems(rest).length - listOfStems(own).length <= 2;
    const isAlone = valuesOf(rest).every((value) => valuesOf(own).includes(value));
    return (isPlain && isAlone) || isInOrder(own, rest);
  }

  const pairsOf = (statements: readonly string[]): readonly string[] =>
    statements.slice(1).map((each, at) => `${statements[at]}\n${each}`);

  /** Whether a text is about what a statement is about: what that begins with and another word of it, and no other place. */
  function isAbout(said: string, statement: string): boolean {
    const [one, other] = [stemsOf(said), stemsOf(statement)];
    const lead = listOfStems(statement.replace(/^\W*\p{Lu}\p{L}+['’]s\s/u, ' '))[0];
    if (lead === undefined || !one.has(lead)) return false;
    return !isOtherPlace(said, statement) && shared(one, other) >= Math.min(2, other.size);
  }

  function isKept(statement: string, text: string, about?: string): boolean {
    const all = statementsIn(text);
    if (all.some((other) => statementKey(other) === statementKey(statement))) return true;
    if (all.some((other) => corrects(other, statement))) return false;
    const isOfIt = (other: string): boolean =>
      about === undefined || !namesOther(other, `${about} ${statement}`);
    if (all.some((other) => isOfIt(other) && holds(other, statement))) return true;
    return (
      specificsOf(statement).size === 0 &&
      pairsOf(all).some((pair) => isOfIt(pair) && holds(pair, statement))
    );
  }

  /** Words that tell what a text is about: without its values, and without what says only that something changed. */
  const subjectOf = (text: string): readonly number[] =>
    listOfStems(
      text
        .toLowerCase()
        .replace(/`[^`]*`/g, ' ')
        .replace(new RegExp(NOW, 'gi'), ' ')
        .replace(new RegExp(CHANGE, 'gi'), ' ')
        .split(/\s+/)
        .filter((word) => !hasDigit(word) && !/[\p{L}][._/@\\][\p{L}]/u.test(word))
        .join(' '),
    );

  /** Whether a value of a statement is taken back by name, and the rest is about the same. */
  function takesBack(said: string, statement: string): boolean {
    const [plain, own] = [spelled(said), spelled(statement)];
    const isWordOver = (own.match(/\p{L}{4,}/gu) ?? []).some((word) => {
      const stem = word.replace(/s$/, '');
      const isOver = [stem, `${stem}s`].some((each) =>
        placesOf(plain, each).some((start) => NO_MORE.test(wordsBefore(plain, start))),
      );
      return isOver && shared(stemsOf(plain), stemsOf(own.replaceAll(word, ' '))) >= 2;
    });
    if (isWordOver && !isDenied(statement)) return true;
    const [clause = ''] = said.split(/[,.;:](?:\s|$)/, 1);
    const over = NOT_NEEDED.exec(clause);
    if (over !== null) {
      const unneeded = stemsOf(clause.slice(0, over.index));
      if (unneeded.size >= 2 && isWithin(unneeded, stemsOf(statement))) return true;
    }
    return [...saidValues(statement)].some((value) => {
      if (
        !isTakenBack(plain, value) ||
        placesOf(own, value).some((at) => NEVER.test(wordsBefore(own, at)))
      )
        return false;
      const rest = stemsOf(own.replaceAll(value, ' '));
      return shared(rest, stemsOf(plain.replaceAll(value, ' '))) > 0;
    });
  }

  /** Whether what a statement forbids is allowed since: all that its first clause speaks of, or nearly. */
  function isAllowedNow(said: string, statement: string): boolean {
    const [clause = ''] = statement.split(/[;:(]|,? (?:since|because|weil)\b/, 1);
    if (!new RegExp(LIMITS, 'i').test(clause)) return false;
    const own = stemsOf(clause.replace(LIMITS, ' '));
    return said.split(/[.;!?](?:\s|$)/).some((each) => {
      if (!(NOW.test(each) || AGAIN.test(each)) || isDenied(each.replace(AGAIN, ' '))) return false;
      if (!ALLOWS.test(each.replace(new RegExp(NOW, 'gi'), ' '))) return false;
      return own.size > 0 && shared(own, stemsOf(each)) * 4 >= own.size * 3;
    });
  }

  /** Whether a statement says of something what it is, and this names another one now. */
  function isAnotherNow(said: string, statement: string): boolean {
    const old = IS_SOMEONE.exec(statement)?.groups;
    if (old === undefined || !NOW.test(said)) return false;
    return said.split(/[,.;:]\s+|\s(?:and|und)\s/).some((clause) => {
      const news = IS_SOMEONE.exec(clause)?.groups;
      if (news === undefined || news.value === old.value) return false;
      const [one, other] = [stemsOf(news.subject ?? ''), stemsOf(old.subject ?? '')];
      return other.size > 0 && one.size === other.size && isWithin(one, other);
    });
  }

  function contradicts(said: string, statement: string): boolean {
    const plain = said.replace(CORRECTION, '').replace(HARMLESS, ' ');
    const old = statement.replace(HARMLESS, ' ');
    const [one, other] = [stemsOf(plain), stemsOf(old)];
    const common = shared(one, other);
    if (FORGET.test(plain) && common >= 2) return true;
    if (isOtherPlace(said, statement)) return false;
    if (takesBack(said, statement)) return true;
    if (isAllowedNow(said, statement) || isAnotherNow(said, statement)) return true;
    if (ONE_DAY.test(plain) && isSubset(saidValues(old), saidValues(plain)))
      return saidValues(old).size > 0 && common * 2 >= other.size;
    if (isKept(statement, said)) return false;
    if (corrects(said, statement) || corrects(plain, statement)) return true;
    const [values, news] = [saidValues(old), saidValues(plain)];
    const was = [...values].filter((each) => !news.has(each));
    const now = [...news].filter((each) => !values.has(each));
    // Two kinds of values at once are said of something else.
    const kinds = new Set(was.map(kindOf));
    const isOtherValue = kinds.size === 1 && now.some((each) => kinds.has(kindOf(each)));
    const isMarked = NOW.test(plain) || CHANGE.test(plain) || CORRECTION.test(said);
    if (isMarked && isOtherValue) {
      // All that is spoken of, its first word too, is spoken of by the statement.
      const subject = subjectOf(plain);
      const about = new Set(subjectOf(old));
      const [lead] = subject;
      const held = subject.filter((stem) => about.has(stem)).length;
      if (lead !== undefined && about.has(lead) && held >= 2 && held * 3 > subject.length * 2)
        return true;
    }
    if (!isAbout(said, statement)) return false;
    const isOver = CHANGE.test(plain) && isDenied(plain) !== isDenied(old);
    if (isOver && common * 2 >= other.size && (was.length > 0 || values.size === 0)) return true;
    if (CHANGE.test(plain) && isOtherValue) return true;
    if (isDenied(plain) !== isDenied(old))
      return (
        (other.size - common) * 4 <= other.size && one.size - common <= Math.max(1, other.size / 2)
      );
    const rest = was.reduce((text, each) => text.replaceAll(each, ' '), spelled(old));
    const subject = stemsOf(rest);
    const least = NOW.test(plain) ? 1 / 2 : 2 / 3;
    return isOtherValue && shared(subject, one) > least * subject.size;
  }

  /** Whether a new statement has no more words of its own than may tie others together, and one source has all that it names. */
  const rests = (statement: string, source: string): boolean => {
    const [own, from] = [stemsOf(statement), stemsOf(source)];
    const missing = own.size - shared(own, from);
    if (missing > MOST_OWN_WORDS * own.size || !lacksNothing(statement, source)) return false;
    const held = listOfStems(statement).filter((stem) => from.has(stem));
    const isMoved = specificsOf(statement).size > 1 || SIDES.test(statement);
    return isOneSense(statement, source) && (!isMoved || isSequence(held, listOfStems(source)));
  };

  return {
    isKept,
    isShortened(statement, text) {
      const own = stemsOf(statement);
      return statementsIn(text).some((other) => {
        const short = stemsOf(other);
        const left = own.size - shared(own, short);
        if (!isWithin(short, own) || left > MOST_LEFT_OUT * own.size) return false;
        if (!lacksNothing(statement, other) || !isOneSense(statement, other)) return false;
        if (!isSubset(found(PLACES, statement), found(PLACES, other))) return false;
        return (
          !corrects(other, statement) && isSequence(listOfStems(other), listOfStems(statement))
        );
      });
    },
    isAlike(statement, other) {
      if (corrects(other, statement) || !lacksNothing(statement, other)) return false;
      if (![...saidValues(statement)].every((value) => givesValue(other, value))) return false;
      if (!isOneSense(statement, other)) return false;
      if (!isSubset(found(PLACES, statement), found(PLACES, other))) return false;
      const own = stemsOf(statement);
      const least = specificsOf(statement).size > 0 ? ALIKE : ALIKE_WITHOUT_SPECIFICS;
      const common = shared(own, stemsOf(other));
      return common >= Math.min(2, own.size) && common >= least * own.size;
    },
    holdsWords(line, text) {
      return isWithin(stemsOf(line), stemsOf(text));
    },
    isSupported(statement, files, quoted) {
      const old = files.flatMap((text) => [...statementsIn(text)]);
      const said = [...old, ...quoted];
      if (said.some((other) => statementKey(other) === statementKey(statement))) return true;
      // Dates are checked by their own rule: they may be worked out.
      const undated = statement.replace(ISO_DATE, ' ');
      if (said.some((source) => rests(undated, source))) return true;
      if (
        specificsOf(undated).size === 0 &&
        files.some((text) => pairsOf(statementsIn(text)).some((pair) => rests(undated, pair)))
      )
        return true;
      // Several that are kept whole in it.
      const whole = said.filter((source) => holds(statement, source)).join('\n');
      const own = stemsOf(undated);
      const missing = own.size - shared(own, stemsOf(whole));
      if (missing <= MOST_OWN_WORDS * own.size && lacksNothing(undated, whole)) return true;
      // The same with values that the user gave in another language, of something that the quote names too.
      const isGiven = quoted.some(
        (news) =>
          isGerman(news) !== isGerman(statement) &&
          old.some((each) => {
            const had = saidValues(each);
            const values = [...saidValues(undated)].filter((value) => !had.has(value));
            if (values.length === 0 || !values.every((value) => givesValue(news, value)))
              return false;
            const without = (text: string): ReadonlySet<number> =>
              stemsOf(
                [...had, ...values].reduce(
                  (rest, value) => rest.replaceAll(new RegExp(`${escaped(value)}s?`, 'g'), ' '),
                  spelled(text),
                ),
              );
            const rest = without(undated);
            return (
              isWithin(rest, without(each)) &&
              shared(rest, stemsOf(news)) > 0 &&
              isDenied(undated) === isDenied(each)
            );
          }),
      );
      if (isGiven) return true;
      // What was said since, put into what was there about the same.
      return quoted.some((news) =>
        old.some((each) => {
          if (!isAbout(news, each) || stemsOf(each).size === 0) return false;
          const both = `${each}\n${news}`;
          const left = own.size - shared(own, stemsOf(both));
          const isSense =
            isDenied(undated) === isDenied(news) || isDenied(undated) === isDenied(each);
          return left <= MOST_OWN_WORDS * own.size && lacksNothing(undated, both) && isSense;
        }),
      );
    },
    contradicts,
    isBacked(said, news, statement) {
      const old = saidValues(statement);
      const plain = spelled(said);
      const isGiven = [...saidValues(news)].some((value) => {
        if (old.has(value) || !givesValue(said, value) || isTakenBack(plain, value)) return false;
        if (isGerman(said) !== isGerman(news)) return true;
        return shared(stemsOf(plain.replaceAll(value, ' ')), stemsOf(statement)) > 0;
      });
      return isGiven && !isKept(statement, said) && contradicts(news, statement);
    },
    isForgotten(said, statement, others) {
      const clauses = said.replace(HARMLESS, ' ').split(/[,.;!?](?:\s|$)/);
      const last = clauses.findLastIndex((clause) => FORGET.test(clause));
      const wish = clauses
        .slice(0, last + 1)
        .join(' ')
        .replace(new RegExp(FORGET, 'gi'), ' ');
      const words = (statement.match(/[\p{L}]{3,}/gu) ?? []).filter((word) => !isGerman(word));
      const [named, elsewhere] = [stemsOf(wish), stemsOf(others)];
      return [...stemsOf(words.join(' '))].some((stem) => named.has(stem) && !elsewhere.has(stem));
    },
    asksToForget(wish, said) {
      const plain = wish.replace(HARMLESS, ' ');
      if (!FORGET.test(plain)) return false;
      const wordsOf = (text: string): ReadonlySet<string> =>
        new Set((text.toLowerCase().match(/\p{L}{4,}/gu) ?? []).map((word) => word.slice(0, 5)));
      const told = wordsOf(said);
      const rest = plain.replace(new RegExp(FORGET, 'gi'), ' ').replace(THAT, ' ');
      return [...wordsOf(rest)].filter((word) => told.has(word)).length >= 2;
    },
    namesToForget(wish, said) {
      const plain = wish.replace(HARMLESS, ' ');
      if (!FORGET.test(plain)) return false;
      const names = (plain.match(/(?<!\p{L})\p{Lu}\p{L}{3,}/gu) ?? []).filter((name) =>
        new RegExp(`(?<!\\p{L})${name}(?!\\p{L})`, 'u').test(said),
      );
      const formsOf = (text: string): ReadonlySet<string> =>
        new Set(
          (
            names.reduce((left, name) => left.replaceAll(name, ' '), text).match(/\p{L}{6,}/gu) ??
            []
          )
            .map((word) => word.toLowerCase().replace(/^ge(?=\p{L}{4})/u, ''))
            .map((word) => word.slice(0, 4)),
        );
      return names.length > 0 && !isDisjoint(formsOf(plain), formsOf(said));
    },
    mayBeFrom(said, statement) {
      const values = [...saidValues(statement)];
      const own = stemsOf(statement);
      const common = shared(own, stemsOf(said));
      if (common * 2 >= own.size) return true;
      if (isGerman(said) !== isGerman(statement) && common > 0) return true;
      return values.some((value) => hasDigit(value) && givesValue(said, value));
    },
    isForgetThat(said) {
      const rest = said.replace(HARMLESS, ' ');
      return FORGET.test(rest) && /^[^\p{L}]*$/u.test(rest.replace(THAT, ' '));
    },
    mayBeOf(said, statement) {
      if (said.trimEnd().endsWith('?') && ASKS.test(said)) return false;
      const [own, one] = [stemsOf(statement), stemsOf(said)];
      // What is counted in letters is not what has the number as its name.
      const isGiven = (value: string): boolean =>
        givesValue(said, value) &&
        !(/^\d+$/.test(value) && !statement.includes(value) && isOnlyName(said, value));
      const values = [...saidValues(statement)];
      const common = shared(own, one);
      // The same with another day is not the same.
      const isDate = (value: string): boolean => kindOf(value) === 'date';
      const days = values.filter(isDate);
      const isOtherDay = [...saidValues(said)].some(isDate) && days.length > 0;
      if (isOtherDay && !days.some((day) => givesValue(said, spelled(day)))) return false;
      const isForeign = isGerman(said) !== isGerman(statement);
      if (isForeign && values.length > 0 && values.every(isGiven)) return true;
      const telling = values.filter(isTelling);
      if (telling.length > 0) {
        const plain = spelled(said);
        const isSameLanguage = isGerman(said) === isGerman(statement);
        return telling.some((value) => {
          if (!isGiven(value)) return false;
          const isDeniedThere = placesOf(plain, value).every(
            (at) =>
              INSTEAD_OF.test(wordsBefore(plain, at)) || WAS.test(plain.slice(at + value.length)),
          );
          if (isDeniedThere && placesOf(plain, value).length > 0) return false;
          const rest = stemsOf(spelled(statement).replaceAll(value, ' '));
          if (!isSameLanguage || kindOf(value) === 'name') return true;
          // A value is of what stands beside it.
          const beside = placesOf(plain, value).map((at) => wordsAround(plain, at, value.length));
          return beside.some((words) => shared(rest, stemsOf(words)) > 0) || halfOf(rest, one);
        });
      }
      // Who names none of its names said it of something else.
      const names = values.filter((value) => kindOf(value) === 'name');
      if (names.length > 0 && !isForeign && !names.some((value) => isGiven(value))) return false;
      if (common * 2 >= own.size) return true;
      const isNamed = values.length > 0 && values.every(isGiven);
      return isNamed && common * 4 >= own.size;
    },
    saysSame(said, statement) {
      const [own, one] = [stemsOf(statement), stemsOf(said)];
      const common = shared(own, one);
      const values = [...saidValues(statement)];
      const telling = values.filter(isTelling);
      const named = telling.length > 0 ? telling : values;
      const least =
        named.length > 0 && named.every((each) => givesValue(said, each)) ? 1 / 4 : 1 / 2;
      if (telling.length > 0 && least === 1 / 2) return false;
      const isForeign = isGerman(said) !== isGerman(statement);
      const isNumbered = named.some(hasDigit) && named.every((each) => givesValue(said, each));
      if (isForeign && isNumbered) return isDenied(said) === isDenied(statement);
      return common >= least * own.size && isDenied(said) === isDenied(statement);
    },
    givesValues(said, statement) {
      const telling = [...saidValues(statement)].filter(isTelling);
      return telling.length > 0 && telling.every((each) => givesValue(said, each));
    },
    givesDay(text, name) {
      const [day, ...more] = [...saidValues(name)];
      if (day === undefined || more.length > 0) return false;
      return ['day', 'month'].includes(kindOf(day)) && givesValue(text, day);
    },
    confirms: (said) => CONFIRMS.test(said),
    sharesName(one, other) {
      const names = [...saidValues(one)].filter((each) => kindOf(each) === 'name');
      return names.some((name) => placesOf(spelled(other), name).length > 0) || POINTS.test(other);
    },
    isOrder: (text) => ORDERS.test(text),
    isKeptElsewhere: (statement) => KEPT_ELSEWHERE.test(statement) && !RULES.test(statement),
    standsIn(statement, instructions) {
      const own = stemsOf(statement);
      const told = statementsIn(instructions).filter((each) => shared(own, stemsOf(each)) > 0);
      const isSaid = (text: string): boolean =>
        own.size > 1 &&
        shared(own, stemsOf(text)) >= (1 - MOST_OWN_WORDS) * own.size &&
        lacksNothing(statement, text) &&
        [...saidValues(statement)].every((value) => givesValue(text, value)) &&
        isDenied(statement) === isDenied(text);
      return told.some((one) => told.some((other) => isSaid(`${one}\n${other}`)));
    },
    isDone(said, atMs, statement) {
      const [date, ...more] = statement.match(ISO_DATE) ?? [];
      if (date === undefined || more.length > 0 || atMs < Date.parse(date)) return false;
      if (!IS_DONE.test(said) || isDenied(said) || LASTS.test(statement)) return false;
      return shared(stemsOf(statement.replace(date, ' ')), stemsOf(said)) >= 2;
    },
    replaces(text, statement, said) {
      const old = stemsOf(statement);
      const news = new Set([...stemsOf(said)].filter((stem) => !old.has(stem)));
      const all = statementsIn(text);
      if (all.some((each) => statementKey(each) === statementKey(said))) return true;
      return all.some((each) => isAbout(each, statement) && shared(news, stemsOf(each)) > 0);
    },
    touches(said, statement) {
      const own = stemsOf(statement);
      if (shared(own, stemsOf(said)) * 2 >= own.size) return true;
      const named = [...specificsOf(statement)];
      return lostSpecifics([statement], said).length < named.length;
    },
  };
}

const found = (words: RegExp, text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(words) ?? []);
const isDisjoint = <Value>(one: ReadonlySet<Value>, other: ReadonlySet<Value>): boolean =>
  ![...one].some((each) => other.has(each));
const escaped = (text: string): string => text.replace(/[$()*+./?[\\\]^{|}-]/g, '\\$&');
const isSubset = <Value>(one: ReadonlySet<Value>, other: ReadonlySet<Value>): boolean =>
  [...one].every((each) => other.has(each));
/** Names of a text that stand in no other one. */
function namesOther(text: string, known: string): boolean {
  const names = [...specificsOf(text)].filter((each) => !hasDigit(each));
  const owners = [...text.matchAll(OWNER)].map(([, name = '']) => name.toLowerCase());
  const held = known.normalize('NFKC').toLowerCase();
  return [...names, ...owners].some((name) => placesOf(held, name).length === 0);
}

/** `The guide of the tour is Ines`: a name, or what has a number. */
const IS_SOMEONE =
  /^\W*(?:(?:[Tt]he|[Oo]ur|[Mm]y|[Dd]er|[Dd]ie|[Dd]as)\s+)?(?<subject>\p{L}[\p{L}\p{N} -]{0,40}?)\s+(?:is|are|ist|sind)\s+(?:now\s+|jetzt\s+)?(?<value>\p{Lu}[\p{L}\p{N}-]*)/u;
/** At the beginning of a sentence, where every word has a capital. */
const OWNER = /(?:^|[.!?]\s)(\p{Lu}\p{L}+)['’]s\s/gu;
/** A wish to forget, and words that say nothing of what is meant. */
const THAT =
  /\b(?:please|forget|vergiss|vergesst|that|this|it|again|all of|what i (?:just )?said|the last one|now|ok|okay|actually|no|bitte|das|es|wieder|was ich (?:eben )?gesagt habe|,)\b/giu;
/** Words on either side that a value belongs to. */
const WORDS_AROUND = 4;
const wordsAround = (text: string, at: number, length: number): string => {
  const [before, after] = [text.slice(0, at), text.slice(at + length)];
  return [
    ...before.split(/\s+/).slice(-WORDS_AROUND - 1),
    ...after.split(/\s+/).slice(0, WORDS_AROUND + 1),
  ].join(' ');
};
/** As far before a value as a word that denies it may stand. */
const BEFORE_CHARS = 60;
const wordsBefore = (text: string, at: number): string =>
  text.slice(Math.max(0, at - BEFORE_CHARS), at);
const NEVER = /\b(?:not|no|never|nicht|nie|kein\w*)(?: \p{L}+)?[\s`"']+$/iu;

/** Whether a text says of a value that it does not hold, or not any more. */
const isTakenBack = (plain: string, value: string): boolean =>
  placesOf(plain, value).some(
    (start) =>
      INSTEAD_OF.test(wordsBefore(plain, start)) || IS_OVER.test(plain.slice(start + value.length)),
  );

/** Whether both name places, and not the same. */
function isOtherPlace(said: string, statement: string): boolean {
  const [places, others] = [found(PLACES, said), found(PLACES, statement)];
  return places.size > 0 && others.size > 0 && !isSubset(others, places);
}
const valuesOf = (text: string): readonly string[] => [...specificsOf(text)].filter(hasDigit);

/** Parts of a text between values. */
const splitAt = (text: string, values: readonly string[]): readonly string[] =>
  values.reduce<readonly string[]>(
    (parts, value) => parts.flatMap((part) => part.split(value)),
    [text.normalize('NFKC').toLowerCase()],
  );

/** Whether these stand in the other list in this order. */
function isSequence(some: readonly number[], all: readonly number[]): boolean {
  let at = 0;
  return some.every((stem) => {
    at = all.indexOf(stem, at) + 1;
    return at > 0;
  });
}
