import { withoutDates } from './dates.ts';
import { holds, specificsOf } from './specifics.ts';

/** Texts that may show what a statement says. */
export interface Evidence {
  /** The sentences that its quote is taken from. */
  readonly quoted: string;
  /** The whole message, what the user agreed to with it, and the file that the statement goes to. */
  readonly around: string;
  /** All that the user said in this conversation. */
  readonly said: string;
  /** All of memory: it knows names that need not be said again. */
  readonly memory: () => string;
  /** When the message was written, in ms since 1970. */
  readonly atMs: number;
}

export interface ShownProblem {
  /**
   * `value`: a number, a path or a name that nobody gave; `denial`: it denies what the user did not, or the other way round; `order`:
   * two words of the user have changed places; `clause`: a part of it has no word of the user.
   */
  readonly kind: 'value' | 'denial' | 'order' | 'clause';
  /** Of the statement. */
  readonly text: string;
}

/** The first thing that a statement says beyond the words that should show it, as far as single words tell. */
export function shownProblem(statement: string, evidence: Evidence): ShownProblem | undefined {
  const plain = withoutDates(statement);
  const value = strangeValue(plain, evidence);
  if (value !== undefined) return { kind: 'value', text: value };
  const denial = deniedOtherwise(plain, evidence);
  if (denial !== undefined) return { kind: 'denial', text: denial };
  const order = swapped(statement, evidence.quoted);
  if (order !== undefined) return { kind: 'order', text: order };
  const clause = strangeClause(plain, evidence);
  return clause === undefined ? undefined : { kind: 'clause', text: clause };
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll('’', "'");

function strangeValue(statement: string, evidence: Evidence): string | undefined {
  const said = fold(`${evidence.quoted}\n${evidence.around}\n${evidence.said}`);
  return (
    strangeNumber(fold(statement), said) ??
    [...specificsOf(statement)].find((each) => !isGiven(each, statement, { ...evidence, said })) ??
    strangeSubject(statement, evidence.quoted, said)
  );
}

function isGiven(
  specific: string,
  statement: string,
  { said, memory, atMs }: Pick<Evidence, 'said' | 'memory' | 'atMs'>,
): boolean {
  if (holds(said, specific)) return true;
  if (/^(?:19|20)\d\d$/.test(specific))
    return isYearNear(Number(specific), atMs) && YEAR_IS_LEFT_OUT.test(said);
  if (/^\p{N}+$/u.test(specific)) return holdsNumber(said, Number(specific));
  if (/[._/:\\@#]|^v?\p{N}/u.test(specific)) return false;
  // Nouns have a capital in German.
  if (!/\p{N}/u.test(specific) && IS_GERMAN.test(statement)) return true;
  const known = fold(memory());
  return specific
    .replace(/['’]s?$/, '')
    .split('-')
    .every((part) => holds(said, part) || holds(known, part) || stands(part, said));
}

/** In another form of it: `Norwegians`, `Mittwochs`. */
const stands = (word: string, text: string): boolean =>
  stemsOf(word).every((stem) => stemsOf(text).includes(stem));

const isYearNear = (year: number, atMs: number): boolean =>
  Math.abs(new Date(atMs).getUTCFullYear() - year) < 2;
/** What says a time without its year. */
const YEAR_IS_LEFT_OUT =
  /year|spring|summer|autumn|\bfall\b|winter|quarter|jahr|frühling|sommer|herbst|winter|quartal/;

const IS_GERMAN =
  /(?<!\p{L})(?:der|die|das|und|ist|nicht|kein\w*|nie|ein\w*|auf|mit|im|für|wird|werden|den|dem|gehen|hat|wir|ich|du|wenn|erst|bei|von|zu)(?!\p{L})/iu;

const NUMBERS: ReadonlyMap<string, number> = new Map(
  [
    'one ein eine einen einer einem',
    'two zwei both beide beiden',
    'three drei',
    'four vier',
    'five fünf',
    'six sechs',
    'seven sieben',
    'eight acht',
    'nine neun',
    'ten zehn',
    'eleven elf',
    'twelve zwölf',
  ].flatMap((words, at) => words.split(' ').map((word) => [word, at + 1] as const)),
);
const UNITS: ReadonlyMap<string, string> = new Map(
  [
    'second seconds sekunde sekunden',
    'minute minutes minuten',
    'hour hours stunde stunden',
    'day days tag tage tagen',
    'week weeks woche wochen',
    'month months monat monate monaten',
    'year years jahr jahre jahren',
    'percent prozent',
    'kb kilobyte kilobytes',
    'mb megabyte megabytes',
    'gb gigabyte gigabytes',
  ].flatMap((words) =>
    words.split(' ').map((word) => [word, words.slice(0, words.indexOf(' '))] as const),
  ),
);
const DAYS: ReadonlyMap<string, number> = new Map(
  [
    'monday montag',
    'tuesday dienstag',
    'wednesday mittwoch',
    'thursday donnerstag',
    'friday freitag',
    'saturday samstag',
    'sunday sonntag',
  ].flatMap((words, at) =>
    words.split(' ').flatMap((word) => [[word, at] as const, [`${word}s`, at] as const]),
  ),
);

/** A number in figures or letters with the word behind it. */
interface Counted {
  readonly written: string;
  readonly number: number;
  readonly what: string;
}

const countedIn = (text: string): readonly Counted[] =>
  [...text.matchAll(/(?<![\p{L}\p{N}._/:-])(\p{N}+|\p{L}+)\s+(\p{L}+)/gu)].length === 0
    ? []
    : wordsOf(text).flatMap((word, at, all): Counted[] => {
        const number = /^\p{N}+$/u.test(word) ? Number(word) : NUMBERS.get(word);
        const next = all[at + 1] ?? '';
        if (number === undefined || next === '') return [];
        return [{ written: word, number, what: UNITS.get(next) ?? stemsOf(next)[0] ?? '' }];
      });

const wordsOf = (text: string): readonly string[] => text.match(WORDS) ?? [];
const WORDS = /[\p{L}\p{N}@#][\p{L}\p{N}._/:@#'-]*[\p{L}\p{N}]|[\p{L}\p{N}]/gu;

const holdsNumber = (said: string, number: number): boolean =>
  countedIn(said).some((each) => each.number === number);

/** A day of the week that nobody named; another number of what was counted, or as many of something else. */
function strangeNumber(statement: string, said: string): string | undefined {
  const days = new Set(wordsOf(said).flatMap((word) => DAYS.get(word) ?? []));
  const day = wordsOf(statement).find((word) => {
    const at = DAYS.get(word);
    return at !== undefined && !days.has(at);
  });
  if (day !== undefined) return day;
  const others = countedIn(said);
  const isUnit = (what: string): boolean => [...UNITS.values()].includes(what);
  return countedIn(statement).find(({ number, what }) => {
    if (what === '' || others.some((each) => each.number === number && each.what === what))
      return false;
    const isOther = number > 1 && others.some((each) => each.what === what && each.number > 1);
    const isOfElse =
      isUnit(what) && others.some((each) => each.number === number && isUnit(each.what));
    return (isOther && !others.some((each) => each.number === number)) || isOfElse;
  })?.written;
}

/** The first word of a statement where the user named another one, and said the rest. */
function strangeSubject(statement: string, quoted: string, said: string): string | undefined {
  const [first, ...rest] = stemsOf(statement);
  if (
    first === undefined ||
    /\p{N}/u.test(first) ||
    rest.length < 2 ||
    stemsOf(said).includes(first)
  )
    return undefined;
  const names = new Set([...specificsOf(`, ${quoted}`)].flatMap(stemsOf));
  const isSame = quoted.split(MARKS).some((part) => {
    const [other, ...others] = stemsOf(part);
    return (
      other !== undefined &&
      names.has(other) &&
      !rest.includes(other) &&
      rest.every((stem) => others.includes(stem))
    );
  });
  return isSame ? first : undefined;
}

interface Clause {
  readonly text: string;
  readonly stems: ReadonlySet<string>;
  readonly isDenied: boolean;
  /** What follows its denials. */
  readonly denied: readonly string[];
  readonly isLoose: boolean;
}

const DENIALS =
  /(?<![\p{L}\p{N}])(?:not|no|never|without|nor|neither|none|nobody|nothing|nowhere|cannot|(?:is|are|was|were|do|does|did|wo|would|ca|could|should|must|have|has|had|need)n'?t|nicht|nichts|kein\w*|nie|niemals|niemand\w*|nirgends|ohne|weder|pas|jamais|sans|nunca|sin)(?![\p{L}\p{N}])|ない|ません|禁止|不|没|안 |않/giu;
const IS_DENIAL = new RegExp(`^(?:${DENIALS.source})$`, 'iu');
/** Words that say in another way that something is not so, or is so in one case only. */
const LIMITS =
  /(?<![\p{L}\p{N}])(?:stop\w*|avoid\w*|disabled?|off|only|except|unless|dead|over|gone|out|closed|frozen|dropped?|abolished|forbid\w*|instead|rather|skip\w*|ignore\w*|leave|refuse\w*|before|until|first|nur|statt|außer|tot|erst|bevor|verboten|vermeiden|sondern|un(?:used|available|safe|necessary|nötig|möglich)|too|zu)(?![\p{L}\p{N}])/iu;

const MARKS =
  /[,;!?()–—]+(?=\s|$)|\.(?=\s|$)|\s[–—-]\s|\s(?:but|aber|sondern|so|because|weil)\s|\n/u;

const clausesOf = (text: string, marks: RegExp): readonly Clause[] =>
  fold(text)
    .split(marks)
    .map((part): Clause => {
      const [, ...behind] = part.split(DENIALS);
      return {
        text: part.trim(),
        stems: new Set(stemsOf(part)),
        isDenied: behind.length % 2 === 1,
        denied: behind.flatMap((each) => stemsOf(each)[0] ?? []),
        isLoose: LIMITS.test(part),
      };
    })
    .filter(({ stems }) => stems.size > 0);

/** So much of a clause in another one says the same, or the opposite. */
const SAME = 0.6;

function deniedOtherwise(statement: string, evidence: Evidence): string | undefined {
  const quoted = clausesOf(evidence.quoted, MARKS);
  const all = [...quoted, ...clausesOf(evidence.around, MARKS)];
  const isDeniedAnywhere = all.some((each) => each.isDenied || each.isLoose);
  return clausesOf(statement, MARKS).find((clause) => {
    const near = quoted.map((each) => ({ each, share: shareOf(clause, each) }));
    const best = Math.max(0, ...near.map(({ share }) => share));
    if (best < SAME || clause.stems.size < 2) return clause.isDenied && !isDeniedAnywhere;
    const closest = near.filter(({ share }) => share === best).map(({ each }) => each);
    if (closest.some((each) => each.isDenied === clause.isDenied)) return false;
    if (!clause.isDenied)
      return (
        !clause.isLoose &&
        closest.every(
          ({ denied }) => denied.length === 0 || denied.some((stem) => clause.stems.has(stem)),
        )
      );
    return (
      best === 1 || !near.some(({ each, share }) => share > 0 && (each.isDenied || each.isLoose))
    );
  })?.text;
}

const shareOf = ({ stems }: Clause, other: Clause): number =>
  [...stems].filter((stem) => other.stems.has(stem)).length / stems.size;

/** Two words that have changed places, with all others where the user has them. */
function swapped(statement: string, quoted: string): string | undefined {
  const named = new Set([...specificsOf(statement), ...specificsOf(quoted)]);
  // Nouns have a capital in German.
  const isPlain = (word: string): boolean => IS_GERMAN.test(quoted) && /^\p{L}+$/u.test(word);
  const isNamed = (word: string): boolean => DAYS.has(word) || (named.has(word) && !isPlain(word));
  const source = wordsOf(fold(quoted));
  const all = wordsOf(fold(statement));
  /** In a list the order says nothing. */
  const isListed = (one: string, other: string): boolean =>
    all
      .slice(all.indexOf(one) + 1, all.indexOf(other))
      .every((word) => /^(?:and|or|und|oder)$/.test(word));
  // Names and values change places also where other words differ.
  const own = [...new Set(all)].filter((word) => source.includes(word) && !SMALL.has(word));
  return (
    swappedPair(
      own,
      source,
      (one, other) => isNamed(one) && isNamed(other) && !isListed(one, other),
    ) ??
    quoted
      .split(SENTENCE_END)
      .map((sentence) => wordsOf(fold(sentence)))
      .filter((words) => all.every((word) => words.includes(word)))
      .map((words) =>
        swappedPair(
          all,
          words,
          (one, other) => isTold(one, other) && !isListed(one, other),
          all.length + 3,
        ),
      )
      .find((pair) => pair !== undefined)
  );
}

const SENTENCE_END = /[.!?;](?=\s)|\n/u;

const isTold = (one: string, other: string): boolean => !SMALL.has(one) && !SMALL.has(other);

function swappedPair(
  own: readonly string[],
  source: readonly string[],
  mayChange: (one: string, other: string) => boolean,
  most = source.length,
): string | undefined {
  if (own.length < 3 || isWithin(own, source, source.length)) return undefined;
  for (const [at, one] of own.entries()) {
    for (const [behind, other] of own.entries()) {
      if (behind <= at || one === other || !mayChange(one, other)) continue;
      if (isWithin(own.with(at, other).with(behind, one), source, most)) return `${one} ${other}`;
    }
  }
  return undefined;
}

/** In this order, from the first word on at most so many. */
function isWithin(own: readonly string[], source: readonly string[], most: number): boolean {
  return source.some((word, start) => {
    if (word !== own[0]) return false;
    let at = start;
    const isThere = own.slice(1).every((each) => {
      at = source.indexOf(each, at + 1);
      return at !== -1;
    });
    return isThere && at - start < most;
  });
}

/** A part of several words of which none is the user's, and which memory does not say. */
function strangeClause(
  statement: string,
  { quoted, around, memory }: Evidence,
): string | undefined {
  const parts = clausesOf(statement, PARTS);
  if (parts.length < 2) return undefined;
  const said = new Set(stemsOf(`${quoted}\n${around}`));
  const strange = parts.find(
    ({ text, stems }) =>
      stems.size > 1 && !CONDITION.test(text) && ![...stems].some((stem) => said.has(stem)),
  );
  if (strange === undefined) return undefined;
  const isKnown = clausesOf(memory(), MARKS).some((each) => shareOf(strange, each) >= SAME);
  return isKnown ? undefined : strange.text;
}

/** It says when something holds. */
const CONDITION = /^(?:if|when|whenever|wenn|falls|sobald)\s/;
const PARTS =
  /[,;:!?()–—]+(?=\s|$)|\.(?=\s|$)|\s[–—-]\s|\s(?:but|aber|sondern|so|because|weil|and|und|with|without|mit|ohne)\s/u;

/** Words that say nothing alone. */
const SMALL = new Set(
  'a an the and or of to in on for with at by is are was were be been it its this that these those i me my mine we us our you your he she they him his her their do does did done how what when where which who why can could should would will shall may might must not no never without yes from as if then than so but into up about all any there here have has had just also more most very let make only now user until till since after before while during der die das den dem des ein eine einen einem einer und oder aber ist sind war wird werden wurde hat haben ich du er sie es wir ihr mir mich dir dich uns mein meine dein sein ihre nicht nichts kein keine keinen nie ohne auf mit im in am an zu zum zur von vom bei für um so wie wenn dann da dass auch noch nur als aus nach vor bis seit man während'.split(
    ' ',
  ),
);

/** Of all words but the small ones: without their endings, and of long ones the beginning. */
const stemsOf = (text: string): readonly string[] =>
  (fold(text).match(/[\p{L}\p{N}]+(?:'\p{L}+)?/gu) ?? [])
    .filter((word) => !IS_DENIAL.test(word))
    .map((word) => word.replace(/'\p{L}*$/u, ''))
    .filter((word) => !SMALL.has(word) && !/^\p{L}$/u.test(word))
    .map((word) =>
      /\p{N}/u.test(word)
        ? word
        : word
            .replace(/^ge(?=\p{L}{4})/u, '')
            .replace(ENDINGS, '')
            .slice(0, 6),
    )
    .map((word) => word.replace(/(\p{L})\1$/u, '$1'));

const ENDINGS = /(?<=\p{L}{3})(?:ings?|ern|ed|es|en|er|em|st|e|s|n|t)$/u;
