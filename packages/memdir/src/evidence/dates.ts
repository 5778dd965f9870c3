import { checkOptions, number, required } from '@varve/guards';
import { checkText } from '../check-text.ts';

const DAY_MS = 86_400_000;

export interface DateProblem {
  /** `relative`: it names no day without the day on which it was written; `unknown`: neither today nor the sources give it. */
  readonly kind: 'relative' | 'unknown';
  /** The words. */
  readonly text: string;
}

/** A text that dates may come from, with the day on which it was written. */
export interface DatedText {
  readonly text: string;
  /** In ms since 1970. @default today; where that is not given, it gives the dates alone that it names in full */
  readonly atMs?: number | undefined;
}

export interface DateProblemOptions {
  /** In ms since 1970. @default today is not given */
  readonly todayMs?: number | undefined;
  readonly sources: readonly DatedText[];
}

const DATED_TEXTS = {
  what: 'a list of `{ text, atMs }`',
  fits: (value: unknown): boolean =>
    Array.isArray(value) && value.every((each) => typeof each?.text === 'string'),
};

/**
 * The first date of a memory that it may not hold; undefined where there is none. A day has to be today, if that is given, or to stand in the
 * sources, or to be what they say relative to the day on which they were written: `on Thursday`, `two weeks ago`, `the 12th`,
 * `since January`. Of what names no day but a month, a day is known only where it begins or ends. Days are those of UTC.
 */
export function dateProblem(text: string, options: DateProblemOptions): DateProblem | undefined {
  checkText('text', text);
  checkOptions<DateProblemOptions>(options, { todayMs: number(), sources: required(DATED_TEXTS) });
  const { todayMs, sources } = options;
  const relative = RELATIVE_DATE.exec(text.replace(CODE, ''));
  if (relative !== null) return { kind: 'relative', text: relative[0] };
  const dates = absoluteDates(text);
  if (dates.length === 0) return undefined;
  const given = givenBy(todayMs, sources);
  const unknown = dates.find((date) => !isGiven(date, given));
  return unknown && { kind: 'unknown', text: unknown.text };
}

/** Names a day that is not known without the day on which it was written. */
export const RELATIVE_DATE =
  /(?<![\p{L}\p{N}])(?:yesterday|today|tomorrow|tonight|(?:last|next|this|coming) (?:week(?:end)?|month|quarter|year|spring|summer|autumn|fall|winter|morning|session|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|recently|currently|just now|a few (?:days|weeks|months) ago|(?:\d+|one|two|three|four|five|six|a|an) (?:day|week|month|year)s? ago|in (?:\d+|two|three|four|five|six) (?:day|week|month)s|earlier today|(?:\d+|one|two|three|four|five|six) (?:day|week|month|year)s? from now|gestern|vorgestern|heute|übermorgen|(?:letzte|nächste|diese|vorige|kommende)[nmrs]? (?:woche(?:nende)?|monat|quartal|jahr))(?![\p{L}\p{N}])/iu;

/** What stands in code is an example. */
const CODE = /`[^`\n]*`/g;

interface FoundDate {
  readonly text: string;
  readonly year: number | undefined;
  /** From 1. */
  readonly month: number;
  readonly day: number | undefined;
}

const MONTH_NAMES =
  'jan(?:uary|uar)?|feb(?:ruary|ruar)?|m(?:ar(?:ch)?|ärz)|apr(?:il)?|ma[yi]|june?|juni|july?|juli|aug(?:ust)?|sep(?:t(?:ember)?)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?';
const MONTHS = ['ja', 'f', 'm[aä]r', 'ap', 'ma[yi]', 'jun', 'jul', 'au', 's', 'o', 'n', 'd'].map(
  (start) => new RegExp(`^${start}`, 'i'),
);

const DAY = '\\d{1,2}(?:st|nd|rd|th|\\.)?';
/** What joins days of one month: `22 to 26 June`, `June 22, 23 and 26`. */
const JOINT =
  '\\s*(?:[-–—,]|(?:,\\s*)?(?:to|until|till|through|and|or|bis|und)\\b)\\s*(?:the\\s+)?';

/** `D`: several days. */
const FORMS: readonly (readonly [form: RegExp, order: string])[] = [
  [/(?<![\d-])(\d{4})-(\d{2})-(\d{2}\s?(?:[–—/]|\.\.|to\b|bis\b)\s?\d{2})(?![\d-])/g, 'ymD'],
  [/(?<![\d-])(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?![\d-])/g, 'ymd'],
  [/(\d{4})年\s*(\d{1,2})月(?:\s*(\d{1,2})日)?/g, 'ymd'],
  [/(?<![\d.-])(\d{4})-(\d{2})(?![\d-])/g, 'ym'],
  [/(?<![\d.])(\d{1,2}\.\s?(?:[-–—]|bis)\s?\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)/g, 'Dmy'],
  [/(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)/g, 'dmy'],
  [/(?<![\d/])(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/g, 'mdy'],
  [/(?<![\d/])(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/g, 'dmy'],
  [
    new RegExp(
      `(?<!\\b(?:${MONTH_NAMES})\\.?\\s)(?<![\\d.])(${DAY}(?:${JOINT}${DAY}){1,8})\\s+(?:of\\s+)?(${MONTH_NAMES})\\b\\.?(?:,?\\s+(\\d{4}))?`,
      'gi',
    ),
    'Dmy',
  ],
  [
    new RegExp(
      `\\b(${MONTH_NAMES})\\b\\.?\\s+(${DAY}(?:${JOINT}${DAY}(?![\\d:])){1,8})(?!\\s+(?:of\\s+)?(?:${MONTH_NAMES})\\b)(?:,?\\s+(\\d{4}))?`,
      'gi',
    ),
    'mDy',
  ],
  [
    new RegExp(
      `\\b(\\d{1,2})(?:st|nd|rd|th|\\.)?\\s+(?:of\\s+)?(${MONTH_NAMES})\\b\\.?(?:,?\\s+(\\d{4}))?`,
      'gi',
    ),
    'dmy',
  ],
  [
    new RegExp(
      `\\b(${MONTH_NAMES})\\b\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?\\b(?!:)(?:,?\\s+(\\d{4}))?`,
      'gi',
    ),
    'mdy',
  ],
  [new RegExp(`\\b(${MONTH_NAMES})\\b\\.?,?\\s+(\\d{4})\\b`, 'gi'), 'my'],
];

const absoluteDates = (text: string): readonly FoundDate[] => readDates(text).found;

/** A text without the days and months that it names. */
export const withoutDates = (text: string): string => readDates(text).left;

/** Days and months that a text names, and what is left of it. What is read in one form is not read in another. */
function readDates(text: string): { readonly found: readonly FoundDate[]; readonly left: string } {
  const found: FoundDate[] = [];
  let left = text.normalize('NFKC');
  for (const [form, order] of FORMS) {
    left = left.replace(form, (whole: string, ...groups: unknown[]) => {
      const [at, text] = groups.slice(-2) as [number, string];
      if (MAY_DO.test(whole) && /^\s+\p{Ll}/u.test(text.slice(at + whole.length))) return whole;
      const value = (part: string): string | undefined =>
        order.includes(part) ? (groups[order.indexOf(part)] as string | undefined) : undefined;
      const year = value('y') === undefined ? undefined : Number(value('y'));
      const month = monthOf(value('m') ?? '');
      const days = (value('D') ?? value('d'))?.match(/\d{1,2}/g)?.map(Number);
      if (month === undefined || days?.some((day) => day < 1 || day > 31)) return whole;
      for (const day of days ?? [undefined]) found.push({ text: whole.trim(), year, month, day });
      return ' '.repeat(whole.length);
    });
  }
  return { found, left };
}

/** `At most 5 may run`: a verb. */
const MAY_DO = /\d\s+may$/;

function monthOf(word: string): number | undefined {
  const number = /^\d+$/.test(word)
    ? Number(word)
    : MONTHS.findIndex((month) => month.test(word)) + 1;
  return number >= 1 && number <= 12 ? number : undefined;
}

interface Given {
  /** As `2026-11-30`. */
  readonly days: Set<string>;
  /** First and last day of weeks, of which any may be meant, in ms. */
  readonly weeks: (readonly [fromMs: number, toMs: number])[];
  /** Of longer times, of which the month may be told. */
  readonly times: (readonly [fromMs: number, toMs: number])[];
}

function isGiven({ year, month, day }: FoundDate, { days, weeks, times }: Given): boolean {
  const pad = (number: number): string => String(number).padStart(2, '0');
  const tail = day === undefined ? pad(month) : `${pad(month)}-${pad(day)}`;
  const isKnown = [...days].some((known) =>
    year === undefined ? known.slice(5).startsWith(tail) : known.startsWith(`${year}-${tail}`),
  );
  if (isKnown) return true;
  return [...weeks, ...(day === undefined ? times : [])].some(([fromMs, toMs]) => {
    for (const each of year === undefined ? yearsOf(fromMs, toMs) : [year]) {
      const first = Date.UTC(each, month - 1, day ?? 1);
      const last = day === undefined ? Date.UTC(each, month, 0) : first;
      if (first <= toMs && last >= fromMs) return true;
    }
    return false;
  });
}

const yearsOf = (fromMs: number, toMs: number): readonly number[] => [
  ...new Set([new Date(fromMs).getUTCFullYear(), new Date(toMs).getUTCFullYear()]),
];

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** What today and the sources give. */
function givenBy(todayMs: number | undefined, sources: readonly DatedText[]): Given {
  const today = todayMs === undefined ? [] : [dayOf(todayMs)];
  const given: Given = { days: new Set(today), weeks: [], times: [] };
  for (const { text, atMs = todayMs } of sources) {
    if (atMs === undefined) {
      for (const { year, month, day } of absoluteDates(text))
        if (year !== undefined) addMonth(given, { year, month, day });
      continue;
    }
    const written = Math.floor(atMs / DAY_MS) * DAY_MS;
    given.days.add(dayOf(written));
    for (const { year, month, day } of absoluteDates(text)) {
      const near = { written, side: 'any' } as const;
      for (const each of year === undefined ? yearsNear(month, day, near) : [year])
        addMonth(given, { year: each, month, day });
    }
    addRelative(text.normalize('NFKC').toLowerCase(), written, given);
  }
  return given;
}

/** A day, or the first and the last of a month. A day that a month does not have is none. */
function addMonth(
  { days }: Given,
  {
    year,
    month,
    day,
  }: { readonly year: number; readonly month: number; readonly day?: number | undefined },
): void {
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  for (const each of day === undefined ? [1, last] : [day])
    if (each <= last) days.add(dayOf(Date.UTC(year, month - 1, each)));
}

type Side = 'past' | 'future' | 'any';

/** The years of the last such day or month and of the next one, of which a text without a year means either. */
function yearsNear(
  month: number,
  day: number | undefined,
  { written, side }: { readonly written: number; readonly side: Side },
): readonly number[] {
  const now = new Date(written).getUTCFullYear();
  const years = [now - 1, now, now + 1];
  const begins = (year: number): number => Date.UTC(year, month - 1, day ?? 1);
  const ends = (year: number): number =>
    day === undefined ? Date.UTC(year, month, 0) : begins(year);
  const last = years.findLast((year) => begins(year) <= written);
  const next = years.find((year) => ends(year) >= written);
  const meant = [side === 'future' ? undefined : last, side === 'past' ? undefined : next];
  return [...new Set(meant.filter((year) => year !== undefined))];
}

/** On which side of the day of writing a word in front of a day or a month puts it. */
function sideOf(word: string | undefined): Side {
  if (/^(?:since|last|past|previous|seit|letzten?|vor)$/.test(word ?? '')) return 'past';
  return /^(?:until|till|by|before|next|coming|bis|nächsten?|kommenden?)$/.test(word ?? '')
    ? 'future'
    : 'any';
}

const MONTH_ALONE = new RegExp(
  `\\b(since|from|after|in|during|of|until|till|by|before|through|early|mid|late|last|this|next|seit|im|ab|bis|anfang|mitte|ende|letzten|nächsten)[\\s-]+(?:(?:early|mid|late|the end of|end of|beginning of|anfang|mitte|ende)[\\s-]+)?(${MONTH_NAMES})(?![\\p{L}\\p{N}])(?!\\.?,?\\s+\\d)`,
  'gu',
);

const NUMBERS: Readonly<Record<string, number>> = {
  ...{ a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7 },
  ...{ eight: 8, nine: 9, ten: 10 },
  ...{ ein: 1, eine: 1, einem: 1, einer: 1, zwei: 2, drei: 3, vier: 4, couple: 2 },
};
const UNIT_DAYS: Readonly<Record<string, number>> = { d: 1, t: 1, w: 7, m: 30, y: 365, j: 365 };

/** Days that words of a text mean, in English and German; those of other languages have to be written out. */
function addRelative(text: string, written: number, given: Given): void {
  const at = new Date(written);
  const [year, month, today] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const add = (offset: number): void => {
    given.days.add(dayOf(written + offset * DAY_MS));
  };
  const within = (list: Given['weeks'], fromDays: number, toDays: number): void => {
    list.push([written + fromDays * DAY_MS, written + toDays * DAY_MS]);
  };
  const monthAt = (offset: number): void => {
    const first = new Date(Date.UTC(year, month + offset, 1));
    addMonth(given, { year: first.getUTCFullYear(), month: first.getUTCMonth() + 1 });
  };
  if (/\b(?:yesterday|last night|gestern)\b|昨日|昨天/.test(text)) add(-1);
  if (/\b(?:tomorrow|morgen)\b|明日|明天/.test(text)) add(1);
  if (/\bday after tomorrow\b|übermorgen/.test(text)) add(2);
  if (/\b(?:day before yesterday|vorgestern)\b/.test(text)) add(-2);
  const isLastWeek = /\b(?:last|past|previous|letzte) w(?:eek|oche)/.test(text);
  const isNextWeek = /\b(?:next|coming)\s+w(?:eek|oche)|nächste woche/.test(text);
  for (const [, before, name = ''] of text.matchAll(WEEKDAY)) {
    const wanted = WEEKDAYS.findIndex((start) => name.startsWith(start)) % 7;
    const ahead = (wanted - at.getUTCDay() + 7) % 7;
    const side = sideOf(before);
    if (side !== 'past') add(ahead);
    if (side !== 'future') add(ahead - 7);
    if (isNextWeek || /^(?:next|nächsten?)$/.test(before ?? '')) add(ahead + 7);
    if (isLastWeek || /^(?:last|letzten?)$/.test(before ?? '')) add(ahead - 14);
  }
  for (const [, before, count = '', unit = '', after] of text.matchAll(AMOUNT)) {
    const number = NUMBERS[count] ?? Number(count);
    const size = UNIT_DAYS[unit.charAt(0)] ?? 1;
    const isPast =
      /^(?:ago|earlier)$/.test(after ?? '') || /^(?:vor|last|past)$/.test(before ?? '');
    const isFuture = /^(?:later|from now)$/.test(after ?? '') || /^(?:in|next)$/.test(before ?? '');
    for (const sign of [...(isFuture ? [] : [-1]), ...(isPast ? [] : [1])]) {
      const middle = sign * number * size;
      if (size <= 1) add(middle);
      else if (size <= 7) within(given.weeks, middle - size / 2, middle + size / 2);
      else {
        within(given.times, middle - size / 2, middle + size / 2);
        const [years, months] = size < 365 ? [0, sign * number] : [sign * number, 0];
        const first = new Date(Date.UTC(year + years, month + months, 1));
        addMonth(given, {
          year: first.getUTCFullYear(),
          month: first.getUTCMonth() + 1,
          day: today,
        });
      }
    }
  }
  for (const [, before, day = ''] of text.matchAll(DAY_ALONE)) {
    const side = sideOf(before?.split(' ')[0]);
    const dates = [-1, 0, 1].map((offset) => Date.UTC(year, month + offset, Number(day)));
    const last = side === 'future' ? undefined : dates.findLast((each) => each <= written);
    const next = side === 'past' ? undefined : dates.find((each) => each >= written);
    for (const each of [last, next]) if (each !== undefined) given.days.add(dayOf(each));
  }
  for (const [, before, name = ''] of text.matchAll(MONTH_ALONE)) {
    const named = monthOf(name);
    if (named === undefined) continue;
    for (const each of yearsNear(named, undefined, { written, side: sideOf(before) }))
      addMonth(given, { year: each, month: named });
  }
  if (/\b(?:this|diese) w(?:eek|oche)/.test(text)) within(given.weeks, -6, 6);
  if (isLastWeek) within(given.weeks, -14, -1);
  if (isNextWeek) within(given.weeks, 1, 14);
  if (/\b(?:this month|end of the month|diesen monat)/.test(text)) monthAt(0);
  if (/\b(?:last month|letzten monat)/.test(text)) monthAt(-1);
  if (/\bnext month|nächsten monat/.test(text)) monthAt(1);
  if (/\b(?:spring|summer|autumn|fall|winter|quarter|q[1-4]|year)\b/.test(text))
    within(given.times, -400, 400);
}

const DAY_ALONE =
  /\b(until the|by the|since the|before the|the|am|on|bis zum|seit dem) (\d{1,2})(?:st|nd|rd|th|\.)(?!\w)/g;

const WEEKDAYS = [
  'sun',
  'mon',
  'tue',
  'wed',
  'thu',
  'fri',
  'sat',
  'son',
  'mon',
  'die',
  'mit',
  'don',
  'fre',
  'sam',
];
const WEEKDAY =
  /(?:(?<![\p{L}\p{N}])(since|last|past|previous|seit|letzten?|until|till|by|before|next|coming|bis|nächsten?|kommenden?)\s+)?\b(sun|mon|tues|wednes|thurs|fri|satur|sonn|mon|diens|mitt|donners|frei|sams)(?:day|tag|woch)s?\b/gu;
const AMOUNT =
  /(?:\b(vor|in|last|past|next|for|within)\s+)?\b(\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|couple|ein|eine|einem|einer|zwei|drei|vier)(?: of)? (days?|weeks?|months?|years?|tage?n?|wochen?|monate?n?|jahre?n?)\b(?: (ago|earlier|later|from now))?/g;
