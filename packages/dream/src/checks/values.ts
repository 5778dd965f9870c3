import { specificsOf } from '@varve/memdir/evidence';

/** What a statement gives as a value: what it names, commands, and days, dates and small numbers in one spelling. */
export function saidValues(text: string): ReadonlySet<string> {
  const codes = [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.toLowerCase().trim());
  const plain = spelled(text.replace(/`[^`]*`/g, ' '));
  const marked = text.normalize('NFKC').replace(/`[^`]*`/g, ' ');
  const named = [...specificsOf(marked)].filter(
    (each) =>
      /\p{L}/u.test(each) &&
      plain.includes(each) &&
      ![...DAYS, ...MONTH_WORDS].includes(each.replace(/s$/, '')),
  );
  const counted = plain.match(/(?<![\p{L}\p{N}._/-])\d[\d.,:/-]*(?:\d|(?![\p{L}\p{N}]))/gu) ?? [];
  const short = text.match(/(?<![\p{L}\p{N}])\p{L}[+#]{1,2}(?![\p{L}\p{N}])/gu) ?? []; // C++
  const timed = spelled(text.replace(/`[^`]*`/g, ' ').replace(PERSON, ' '));
  const days = [...DAYS, ...MONTH_WORDS].filter((day) => placesOf(timed, day).length > 0);
  return new Set([
    ...codes.filter((code) => code !== ''),
    ...short.map((each) => each.toLowerCase()),
    ...named,
    ...counted.map((each) => each.replace(/[.,:/-]+$/, '')),
    ...days,
  ]);
}

/** Before the name of a month. */
const OF_TIME =
  'in since from until till to through by before after during of for early mid late last next this every each and or im ab bis seit vor nach ende anfang mitte'
    .split(' ')
    .map((word) => `[${word.charAt(0)}${word.charAt(0).toUpperCase()}]${word.slice(1)}`)
    .join('|');
/** Months that people are called by, where no word of time and no number stands beside them. */
const PERSON = new RegExp(
  `(?<!\\b(?:${OF_TIME})[\\s-]+)(?<!\\d(?:st|nd|rd|th|\\.)?\\s+(?:of\\s+)?)\\b(?:April|August|June)\\b(?!\\.?,?\\s+\\d)`,
  'g',
);

export const hasDigit = (word: string): boolean => /\p{N}/u.test(word);

type ValueKind = 'date' | 'day' | 'month' | 'number' | 'name';
export const kindOf = (word: string): ValueKind => {
  if (/^\d{4}-\d{2}-\d{2}$|^\d{1,2}-\d{1,2}$/.test(word)) return 'date';
  if (DAYS.includes(word)) return 'day';
  if (MONTH_WORDS.includes(word)) return 'month';
  return /^\d/.test(word) && !/[\p{L}].*[\d_/]|[._/]\p{L}/u.test(word) ? 'number' : 'name';
};

/** Values that say where a statement is from: who never gave them never said it. Days of the calendar may be worked out. */
export const isTelling = (value: string): boolean =>
  kindOf(value) !== 'date' && (kindOf(value) !== 'name' || hasDigit(value) || value.includes(' '));

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
/** Those that are no other word. */
const MONTH_WORDS =
  'january february april june july august september october november december'.split(' ');
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const NUMBERS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const GERMAN: ReadonlyMap<string, string> = new Map([
  ...'montag dienstag mittwoch donnerstag freitag samstag sonntag'
    .split(' ')
    .map((word, at): [string, string] => [word, DAYS[at] ?? '']),
  ...'januar februar april juni juli august september oktober november dezember'
    .split(' ')
    .map((word, at): [string, string] => [word, MONTH_WORDS[at] ?? '']),
  ...'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'
    .split(' ')
    .map((word, at): [string, string] => [word, NUMBERS[at + 1] ?? '']),
  ...(
    [
      ['mär', 'mar'],
      ['mai', 'may'],
      ['okt', 'oct'],
      ['dez', 'dec'],
    ] as const
  ).map(([word, month]): [string, string] => [word, month]),
]);

/** A text with days of the week, months and small numbers in one spelling, in English and German alike; dates as month and day. */
export const spelled = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\b\d{4}-(\d{2})-(\d{2})\b/g, (_, month, day) => `${Number(month)}-${Number(day)}`)
    .replace(/[\p{L}]+/gu, (word) => {
      const single = word.length > 4 ? word.replace(/s$/, '') : word;
      const english = GERMAN.get(single) ?? single;
      if (DAYS.includes(english) || MONTH_WORDS.includes(english)) return english;
      const number = NUMBERS.indexOf(english);
      return number > 0 ? String(number + 1) : word;
    })
    .replace(DAY_MONTH, (whole, day, month) => dated(day, month) ?? whole)
    .replace(MONTH_DAY, (whole, month, day) => dated(day, month) ?? whole);

/** Whole words: `juniper`, `decoder` and `maya` are none. */
const MONTH_NAME =
  '(jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)(?:uary|uar|ruary|ruar|ch|z|il|e|y|i|ust|t|tember|ober|ember)?(?![\\p{L}])\\.?';
const DAY_MONTH = new RegExp(
  `(?<![\\p{L}\\p{N}-])(\\d{1,2})(?:\\.|st|nd|rd|th)? (?:of )?${MONTH_NAME}(?: \\d{4})?(?![\\p{L}\\p{N}])`,
  'gu',
);
const MONTH_DAY = new RegExp(
  `(?<![\\p{L}\\p{N}])${MONTH_NAME} (\\d{1,2})(?:st|nd|rd|th)?(?:,? \\d{4})?(?![\\p{L}\\p{N}])`,
  'gu',
);
const dated = (day: string, name: string): string | undefined => {
  const month = MONTHS.indexOf(GERMAN.get(name) ?? name);
  return month < 0 ? undefined : `${month + 1}-${Number(day)}`;
};

/** Whether a text gives a value: numbers and days as they are counted, names wherever they stand. */
export const givesValue = (text: string, value: string): boolean =>
  saidValues(text).has(value) ||
  (kindOf(value) === 'name' && placesOf(spelled(text), value).length > 0);

/** Whether a number only names something here: `Status 7`. What counts stands in letters, or before a noun. */
export function isOnlyName(text: string, number: string): boolean {
  const figures = [
    ...text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}._/:-])${number}(?![\\p{L}\\p{N}._/:-])`, 'gu')),
  ];
  return (
    figures.length > 0 &&
    figures.length === placesOf(spelled(text), number).length &&
    figures.every(
      ({ index }) =>
        /\p{Lu}\p{L}+ $/u.test(text.slice(0, index)) &&
        !/^ \p{Lu}/u.test(text.slice(index + number.length)),
    )
  );
}

/** By its small words; what has none passes for English. */
export const isGerman = (text: string): boolean =>
  /\b(?:der|die|das|dem|den|und|nicht|ist|sind|ein|eine|wir|ich|mit|auf|im|ab|für|wird|werden|zum|läuft)\b/i.test(
    text,
  );

/** Where a value stands as a whole. */
export function placesOf(text: string, value: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    const [before = '', after = ''] = [text[at - 1], text[at + value.length]];
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) places.push(at);
  }
  return places;
}
