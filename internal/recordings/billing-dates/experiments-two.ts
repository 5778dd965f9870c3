const js = String.raw;

export const MIDNIGHT = js`// cedar-4: days that do not start at midnight, or do not exist, since 2000.
import { transitions, zones } from './clock.mjs';
import { DateTime } from '../src/luxon.js';

let count = 0;
let wrong = 0;
for (const zone of zones) {
  for (const { ts, before, after } of transitions(zone, 2000, 2027)) {
    const minute = (((ts / 60000 + before) % 1440) + 1440) % 1440;
    if (after <= before || (minute !== 0 && minute + after - before <= 1440)) continue;
    const first = DateTime.fromMillis(ts, { zone });
    const start = first.startOf('day');
    const end = first.minus({ days: 1 }).endOf('day');
    count++;
    const good = +start === ts && +end === ts - 1;
    if (!good) wrong++;
    console.log(zone.padEnd(30), start.toISO({ suppressMilliseconds: true }), 'after', end.toISO(), good ? '' : 'not adjacent');
  }
}
console.log({ count, wrong });
`;

export const DAY_LENGTHS = js`// cedar-4: how many hours has each day around a change, by plus({ days: 1 }), by Interval and by 24 hours?
import { transitions } from './clock.mjs';
import { DateTime, Interval } from '../src/luxon.js';

const zones = process.argv.slice(2);
for (const zone of zones) {
  const found = transitions(zone, 2026, 2027);
  if (found.length === 0) console.log(zone + ': no change in 2026');
  for (const { ts } of found) {
    const day = DateTime.fromMillis(ts, { zone }).startOf('day');
    const interval = Interval.fromDateTimes(day.minus({ days: 1 }), day.plus({ days: 2 }));
    const parts = interval.splitBy({ days: 1 }).map((part) => part.length('hours') + ' h');
    const byHours = interval.splitBy({ hours: 24 }).map((part) => part.start.toFormat('dd HH:mm'));
    console.log(zone.padEnd(20), day.toISODate(), 'days', parts.join(' '), '| 24 h from', byHours.join(', '), '| count', interval.count('days'), 'length', interval.length('days'));
    const clock = day.set({ hour: 2, minute: 30 });
    const daily = Interval.fromDateTimes(clock.minus({ days: 1 }), clock.plus({ days: 2 })).splitBy({ days: 1 });
    console.log(' '.repeat(20), 'a job at 02:30:', daily.map((part) => part.start.toFormat("dd HH:mm ZZ")).join(', '));
  }
}
`;

export const MINUTES = js`// cedar-4: every minute of every zone since 1970, startOf('day') never after the minute and never on another date.
import { zones } from './clock.mjs';
import { DateTime } from '../src/luxon.js';

for (const zone of zones) {
  for (let ts = 0; ts < Date.UTC(2027, 0, 1); ts += 60000) {
    const at = DateTime.fromMillis(ts, { zone });
    const start = at.startOf('day');
    if (start > at || start.toISODate() !== at.toISODate()) console.log(zone, at.toISO(), start.toISO());
  }
}
`;

export const FORMATS = js`// cedar-5: what toFormat writes, can fromFormat read it again in the same locale?
import './clock.mjs';
import { DateTime } from '../src/luxon.js';

const LOCALES = 'en de fr es it pt nl da sv nb fi pl cs sk hu ro bg ru uk el tr ar fa he hi bn ta th vi id ms ja ko zh zh-TW ca eu gl hr sr sl lt lv et is ga cy mt sq mk ka hy az kk uz mn ne si km lo my am sw zu af'.split(' ');
const FORMATS = ['d LLLL yyyy', 'LLL d, yyyy', 'dd.LL.yyyy', 'DDD', 'DD', 'D', 'cccc d LLLL yyyy', 'h:mm a d.L.yyyy', 'DDDD'];

for (const format of FORMATS) {
  console.log('== ' + format);
  for (const locale of LOCALES) {
    const seen = [];
    for (let month = 1; month <= 12; month++) {
      const date = DateTime.utc(2026, month, 15, 15, 30).setLocale(locale);
      const text = date.toFormat(format);
      const back = DateTime.fromFormat(text, format, { zone: 'utc', locale });
      if (back.isValid && back.toISODate() === date.toISODate()) continue;
      seen.push({ text, result: back.isValid ? 'WRONG DATE ' + back.toISODate() : back.invalidReason });
    }
    if (seen.length > 0) console.log(locale.padEnd(6), String(seen.length).padStart(2), 'of 12,', 'e.g.', JSON.stringify(seen[0].text), '->', seen[0].result);
  }
}
`;

export const OFFSET_SECONDS = js`// Not in the tickets: does an ISO text lead back to the same moment for old dates?
import { zones } from './clock.mjs';
import { DateTime } from '../src/luxon.js';

const perYear = {};
for (const zone of zones) {
  for (const year of [1880, 1890, 1900, 1910, 1920, 1930, 1940, 1950, 1960, 1970, 1980, 2000, 2026]) {
    const date = DateTime.fromObject({ year, month: 1, day: 15, hour: 12 }, { zone });
    const back = DateTime.fromISO(date.toISO(), { zone });
    perYear[year] ??= 0;
    if (+back === +date) continue;
    perYear[year]++;
    if (year >= 1930) console.log(zone.padEnd(28), date.toISO(), 'offset', date.offset, 'back', (back - date) / 1000, 's');
  }
}
console.log(JSON.stringify(perYear));
`;

export const ADD_SUBTRACT = js`// cedar-1 and cedar-2: n months forward and n months back, for every day of a leap year.
import './clock.mjs';
import { DateTime, Duration } from '../src/luxon.js';

let missed = 0;
for (let day = 0; day < 366; day++) {
  const start = DateTime.utc(2028, 1, 1).plus({ days: day });
  for (let n = 1; n <= 12; n++) {
    const back = start.plus({ months: n }).minus({ months: n });
    if (+back === +start) continue;
    missed++;
    console.log(start.toISODate(), 'plus', n, 'minus', n, '->', back.toISODate());
  }
}
console.log(missed + ' of ' + 366 * 12);
const days = (object, options) => Duration.fromObject(object, options).as('days');
console.log('1 month as days', days({ months: 1 }), '12 months', days({ months: 12 }), '1 year', days({ years: 1 }));
console.log('longterm: 1 month', days({ months: 1 }, { conversionAccuracy: 'longterm' }), '1 year', days({ years: 1 }, { conversionAccuracy: 'longterm' }));
console.log('31 days as months and days', JSON.stringify(Duration.fromObject({ days: 31 }).shiftTo('months', 'days').toObject()));
`;

export const TABLE = js`// The table of the report: for our twelve zones, what happens in 2026.
import { transitions } from './clock.mjs';
import { DateTime, Settings } from '../src/luxon.js';

const zones = ['Europe/Berlin', 'Europe/Lisbon', 'America/New_York', 'America/Sao_Paulo', 'America/Santiago', 'Africa/Cairo', 'Asia/Beirut', 'Asia/Kathmandu', 'Asia/Tokyo', 'Australia/Sydney', 'Australia/Lord_Howe', 'Pacific/Auckland'];
const at = (ts, minutes) => new Date(ts + minutes * 60000).toISOString();
const taken = (text, zone, before, now) => {
  Settings.now = () => Date.parse(now);
  return DateTime.fromISO(text, { zone }).offset === before ? 'first' : 'second';
};

for (const zone of zones) {
  const cells = { gap: '-', twice: '-', january: '-', july: '-' };
  for (const { ts, before, after } of transitions(zone, 2026, 2027)) {
    if (after > before) {
      cells.gap = at(ts, before).slice(5, 16).replace('T', ' ') + ' +' + (after - before) + ' min';
      continue;
    }
    const middle = at(ts, (before + after) / 2).slice(0, 16);
    cells.twice = at(ts, after).slice(5, 16).replace('T', ' ');
    cells.january = taken(middle, zone, before, '2026-01-15T12:00:00Z');
    cells.july = taken(middle, zone, before, '2026-07-15T12:00:00Z');
  }
  console.log('| ' + [zone, cells.gap, cells.twice, cells.january, cells.july].join(' | ') + ' |');
}
`;
