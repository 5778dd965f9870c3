const js = String.raw;

/** `notes/checks.test.mjs`: one check for each claim of the report. */
export const CHECKS = js`// One check for each claim of report.md. Run: node --test "notes/*.test.mjs"
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transitions, zones } from './clock.mjs';
import { DateTime, Duration, Interval, Settings } from '../src/luxon.js';

const NEW_YORK = { zone: 'America/New_York' };
const BERLIN = { zone: 'Europe/Berlin' };

test('cedar-1: a chain of months loses the 31st for good, an anchor does not', () => {
  const start = DateTime.fromISO('2026-01-31', BERLIN);
  let chain = start;
  for (let n = 0; n < 6; n++) chain = chain.plus({ months: 1 });
  assert.equal(chain.toISODate(), '2026-07-28');
  assert.equal(start.plus({ months: 6 }).toISODate(), '2026-07-31');
});

test('cedar-2: months alone do not lead back, whole units down to hours do', () => {
  const start = DateTime.fromISO('2018-08-17T03:06:55', BERLIN);
  const end = DateTime.fromISO('2025-02-01T05:10:01', BERLIN);
  assert.notEqual(+start.plus(end.diff(start, 'months')), +end);
  assert.equal(+start.plus(end.diff(start, ['months', 'days', 'hours'])), +end);
});

test('cedar-2: adding a fraction of a month gives a moment between two milliseconds', () => {
  const start = DateTime.fromISO('2018-08-17T03:06:55', BERLIN);
  const end = DateTime.fromISO('2025-02-01T05:10:01', BERLIN);
  assert.equal(Number.isInteger(+start.plus(end.diff(start, 'months'))), false);
});

test('cedar-2: a month is 30 days when it is converted, whatever the month', () => {
  assert.equal(Duration.fromObject({ months: 1 }).as('days'), 30);
  assert.equal(Duration.fromObject({ months: 12 }).as('days'), 360);
  assert.equal(Duration.fromObject({ years: 1 }).as('days'), 365);
});

test('cedar-3: the same text is another moment in July and in December', () => {
  const ask = (now) => {
    Settings.now = () => Date.parse(now);
    Settings.resetCaches();
    return DateTime.fromISO('2026-11-01T01:30', NEW_YORK).toISO();
  };
  assert.equal(ask('2026-07-15T12:00:00Z'), '2026-11-01T01:30:00.000-04:00');
  assert.equal(ask('2026-12-15T12:00:00Z'), '2026-11-01T01:30:00.000-05:00');
});

test('cedar-3: local() keeps its first guess until the caches are reset, fromISO does not', () => {
  const both = () => [DateTime.local(2026, 11, 1, 1, 30, NEW_YORK), DateTime.fromISO('2026-11-01T01:30', NEW_YORK)].map((date) => date.offset);
  Settings.now = () => Date.parse('2026-07-15T12:00:00Z');
  Settings.resetCaches();
  assert.deepEqual(both(), [-240, -240]);
  Settings.now = () => Date.parse('2026-12-15T12:00:00Z');
  assert.deepEqual(both(), [-240, -300]);
});

test('cedar-4: a day has 23, 24 or 25 hours, and a half hour on Lord Howe', () => {
  const hours = (date, zone) => Interval.after(DateTime.fromISO(date, { zone }), { days: 1 }).length('hours');
  assert.equal(hours('2026-03-29', 'Europe/Berlin'), 23);
  assert.equal(hours('2026-10-25', 'Europe/Berlin'), 24);
  assert.equal(hours('2026-10-04', 'Australia/Lord_Howe'), 23.5);
});

test('cedar-4: a job at 02:30 runs at 03:30 on the day without 02:30, and at 02:30 again the day after', () => {
  const start = DateTime.fromISO('2026-03-28T02:30', BERLIN);
  assert.deepEqual([1, 2].map((days) => start.plus({ days }).toFormat('HH:mm')), ['03:30', '02:30']);
});

test('cedar-4: a day without midnight starts where the day before ends', () => {
  const start = DateTime.fromISO('2026-04-24', { zone: 'Africa/Cairo' }).startOf('day');
  assert.equal(start.toFormat('HH:mm'), '01:00');
  assert.equal(+start.minus({ days: 1 }).endOf('day') + 1, +start);
});

test('cedar-5: Thai dates come back 543 years later, without an error', () => {
  const text = DateTime.utc(2026, 1, 15).setLocale('th').toFormat('DDD');
  const back = DateTime.fromFormat(text, 'DDD', { locale: 'th', zone: 'utc' });
  assert.equal(back.isValid, true);
  assert.equal(back.year, 2569);
});

test('cedar-5: Persian, Bengali, Nepali and Burmese dates are not read at all', () => {
  for (const locale of ['fa', 'bn', 'ne', 'my']) {
    const text = DateTime.utc(2026, 1, 15).setLocale(locale).toFormat('dd.LL.yyyy');
    assert.equal(DateTime.fromFormat(text, 'dd.LL.yyyy', { locale }).isValid, false);
  }
});

test('old dates: an offset with seconds does not survive ISO text', () => {
  const date = DateTime.fromObject({ year: 1970, month: 1, day: 15 }, { zone: 'Africa/Monrovia' });
  assert.equal(DateTime.fromISO(date.toISO(), { zone: 'Africa/Monrovia' }) - date, -30_000);
});

test('the offsets themselves are right: luxon and Intl agree around every change of 2026', () => {
  for (const zone of zones.filter((_, index) => index % 8 === 0)) {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', hour: '2-digit', minute: '2-digit' });
    for (const { ts } of transitions(zone, 2026, 2027)) {
      for (const at of [ts - 60000, ts, ts + 60000]) assert.equal(DateTime.fromMillis(at, { zone }).toFormat('HH:mm'), format.format(at));
    }
  }
});
`;
