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
  /** In ms since 1970. @default today */
  readonly atMs?: number | undefined;
}

/**
 * The first date of a memory that it may not hold; undefined where there is none. A day has to be today, or to stand in the
 * sources, or to be what they say relative to the day on which they were written: `on Thursday`, `two weeks ago`, `the 12th`.
 * Days are those of UTC.
 */
export function dateProblem(
  text: string,
  { todayMs, sources }: { readonly todayMs: number; readonly sources: readonly DatedText[] },
): DateProblem | undefined {
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
  /\b(?:yesterday|today|tomorrow|tonight|(?:last|next|this|coming) (?:week(?:end)?|month|quarter|year|spring|summer|autumn|fall|winter|morning|session|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|recently|currently|just now|a few (?:days|weeks|months) ago|(?:\d+|one|two|three|four|five|six|a|an) (?:day|week|month|year)s? ago|in (?:\d+|two|three|four|five|six) (?:day|week|month)s|earlier today)\b/i;

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

const FORMS: readonly (readonly [form: RegExp, order: string])[] = [
  [/(?<![\d-])(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?![\d-])/g, 'ymd'],
  [/(\d{4})年\s*(\d{1,2})月(?:\s*(\d{1,2})日)?/g, 'ymd'],
  [/(?<![\d.-])(\d{4})-(\d{2})(?![\d-])/g, 'ym'],
  [/(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)/g, 'dmy'],
  [/(?<![\d/])(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/g, 'mdy'],
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

/** Days and months that a text names. What is read in one form is not read in another. */
function absoluteDates(text: string): readonly FoundDate[] {
  const found: FoundDate[] = [];
  let left = text.normalize('NFKC');
  for (const [form, order] of FORMS) {
    left = left.replace(form, (whole: string, ...groups: unknown[]) => {
      const value = (part: string): string | undefined =>
        groups[order.indexOf(part)] as string | undefined;
      const year = order.includes('y') ? value('y') : undefined;
      const day = order.includes('d') ? value('d') : undefined;
      const month = monthOf(value('m') ?? '');
      const isDay = day === undefined || (Number(day) >= 1 && Number(day) <= 31);
      if (month === undefined || !isDay) return whole;
      found.push({
        text: whole.trim(),
        ...{ year: year === undefined ? undefined : Number(year), month },
        day: day === undefined ? undefined : Number(day),
      });
      return ' '.repeat(whole.length);
    });
  }
  return found;
}

function monthOf(word: string): number | undefined {
  const number = /^\d+$/.test(word)
    ? Number(word)
    : MONTHS.findIndex((month) => month.test(word)) + 1;
  return number >= 1 && number <= 12 ? number : undefined;
}

interface Given {
  /** As `2026-11-30`. */
  readonly days: ReadonlySet<string>;
  /** First and last day of weeks, months and years, in ms. */
  readonly spans: readonly (readonly [fromMs: number, toMs: number])[];
}

function isGiven({ year, month, day }: FoundDate, { days, spans }: Given): boolean {
  const pad = (number: number): string => String(number).padStart(2, '0');
  const tail = day === undefined ? pad(month) : `${pad(month)}-${pad(day)}`;
  const isKnown = [...days].some((known) =>
    year === undefined ? known.slice(5).startsWith(tail) : known.startsWith(`${year}-${tail}`),
  );
  if (isKnown) return true;
  return spans.some(([fromMs, toMs]) => {
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
function givenBy(todayMs: number, sources: readonly DatedText[]): Given {
  const days = new Set([dayOf(todayMs)]);
  const spans: (readonly [number, number])[] = [];
  for (const { text, atMs = todayMs } of sources) {
    const written = Math.floor(atMs / DAY_MS) * DAY_MS;
    days.add(dayOf(written));
    for (const { year, month, day } of absoluteDates(text)) {
      const now = new Date(written).getUTCFullYear();
      for (const each of year === undefined ? [now - 1, now, now + 1] : [year]) {
        if (day !== undefined) days.add(dayOf(Date.UTC(each, month - 1, day)));
        else spans.push([Date.UTC(each, month - 1, 1), Date.UTC(each, month, 0)]);
      }
    }
    addRelative(text.normalize('NFKC').toLowerCase(), written, { days, spans });
  }
  return { days, spans };
}

interface Found {
  readonly days: Set<string>;
  readonly spans: (readonly [number, number])[];
}

const NUMBERS: Readonly<Record<string, number>> = {
  ...{ a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7 },
  ...{ ein: 1, eine: 1, einem: 1, einer: 1, zwei: 2, drei: 3, vier: 4, couple: 2 },
};
const UNIT_DAYS: Readonly<Record<string, number>> = { d: 1, t: 1, w: 7, m: 30, y: 365, j: 365 };

/** Days that words of a text mean, in English and German; those of other languages have to be written out. */
function addRelative(text: string, written: number, { days, spans }: Found): void {
  const add = (offset: number): void => {
    days.add(dayOf(written + offset * DAY_MS));
  };
  const around = (fromDays: number, toDays: number): void => {
    spans.push([written + fromDays * DAY_MS, written + toDays * DAY_MS]);
  };
  if (/\b(?:yesterday|last night|gestern)\b|昨日|昨天/.test(text)) add(-1);
  if (/\b(?:tomorrow|morgen)\b|明日|明天/.test(text)) add(1);
  if (/\b(?:day after tomorrow|übermorgen)\b/.test(text)) add(2);
  if (/\b(?:day before yesterday|vorgestern)\b/.test(text)) add(-2);
  for (const [, name = ''] of text.matchAll(WEEKDAY)) {
    const wanted = WEEKDAYS.findIndex((start) => name.startsWith(start)) % 7;
    const ahead = (wanted - new Date(written).getUTCDay() + 7) % 7;
    for (const weeks of [-2, -1, 0, 1]) add(ahead + weeks * 7);
  }
  for (const [, count = '', unit = ''] of text.matchAll(AMOUNT)) {
    const number = NUMBERS[count] ?? Number(count);
    const size = UNIT_DAYS[unit.charAt(0)] ?? 1;
    for (const sign of [-1, 1]) {
      const middle = sign * number * size;
      if (size === 1) add(middle);
      else around(middle - size / 2, middle + size / 2);
    }
  }
  for (const [, day = ''] of text.matchAll(
    /\b(?:the|am|on|until the|by the) (\d{1,2})(?:st|nd|rd|th|\.)(?!\w)/g,
  )) {
    const at = new Date(written);
    for (const month of [-1, 0, 1, 2])
      days.add(dayOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + month, Number(day))));
  }
  if (/\b(?:this|diese) w(?:eek|oche)/.test(text)) around(-6, 6);
  if (/\b(?:last|past|previous|letzte) w(?:eek|oche)/.test(text)) around(-14, -1);
  if (/\b(?:next|coming|nächste) w(?:eek|oche)/.test(text)) around(1, 14);
  if (/\b(?:this|last|next|end of the|diesen|letzten|nächsten) mon(?:th|at)/.test(text))
    around(-62, 62);
  if (/\b(?:spring|summer|autumn|fall|winter|quarter|q[1-4]|year)\b/.test(text)) around(-400, 400);
}

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
  /\b(sun|mon|tues|wednes|thurs|fri|satur|sonn|mon|diens|mitt|donners|frei|sams)(?:day|tag|woch)s?\b/g;
const AMOUNT =
  /\b(\d{1,3}|an?|one|two|three|four|five|six|seven|couple|ein|eine|einem|einer|zwei|drei|vier)(?: of)? (days?|weeks?|months?|years?|tage?n?|wochen?|monate?n?|jahre?n?)\b/g;
