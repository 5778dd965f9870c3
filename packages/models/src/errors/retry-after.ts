/**
 * How long a provider asks to wait, in milliseconds: `retry-after-ms`, `retry-after` in seconds or as a date, else what
 * its text says ("try again in 1.2s", `"retryDelay": "34s"`). A date counts from the response's own `date` where it has
 * one, so that a wrong clock here does not matter. Undefined where it says nothing usable.
 */
export function readRetryAfter(
  headers: Headers | undefined,
  text: string,
  now: () => number,
): number | undefined {
  const fromMs = positive(headers?.get('retry-after-ms'));
  if (fromMs !== undefined) return fromMs;
  const header = headers?.get('retry-after');
  const seconds = positive(header);
  if (seconds !== undefined) return seconds * 1_000;
  const fromDate = untilDate(header, headers?.get('date'), now);
  return fromDate ?? durationIn(text.slice(0, LONGEST_TEXT));
}

/** Characters. */
const LONGEST_TEXT = 4_000;

/** Seconds or milliseconds; longer than that nobody waits, and no clock counts. */
const LONGEST_WAIT = 10 ** 9;

function positive(text: string | null | undefined): number | undefined {
  if (text == null || !/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return undefined;
  const value = Number(text);
  return value <= LONGEST_WAIT ? value : undefined;
}

function untilDate(
  header: string | null | undefined,
  date: string | null | undefined,
  now: () => number,
): number | undefined {
  // a parser of dates finds one in almost anything, such as the year 2001 in `-1`
  const until = DATE.test(header ?? '') ? Date.parse(header ?? '') : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const from = Date.parse(date ?? '');
  return Math.max(0, until - (Number.isNaN(from) ? now() : from));
}

/** As RFC 9110 has it, or as ISO 8601. */
const DATE = /^\s*(?:[A-Za-z]{3,9},? .*\d{2}:\d{2}:\d{2}|\d{4}-\d{2}-\d{2}T)/;

function durationIn(text: string): number | undefined {
  const [, found] = DURATION.exec(text) ?? [];
  if (found === undefined) return undefined;
  let total = 0;
  for (const [, amount = '0', unit = 's'] of found.matchAll(/(\d+(?:\.\d+)?)\s?(ms|[hms])/gi)) {
    total += Number(amount) * (MS.get(unit.toLowerCase()) ?? 0);
  }
  return Math.round(total);
}

const DURATION =
  /(?:try again in|retry in|retry after|"?retryDelay"?:\s*")\s*((?:\d+(?:\.\d+)?\s?(?:ms|[hms])\s?){1,4})/i;
const MS = new Map([
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
]);
