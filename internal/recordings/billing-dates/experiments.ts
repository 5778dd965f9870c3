const js = String.raw;

/** `notes/clock.mjs` with the import that node cannot resolve. */
export const CLOCK = js`// Pins the clock and knows the zones. Every experiment imports this first.
import { IANAZone, Settings } from '../src/luxon';

export const NOW = process.env.NOW ?? '2026-11-19T08:00:00Z';
const now = Date.parse(NOW);
Settings.now = () => now;
Settings.defaultZone = 'utc';

export const zones = Intl.supportedValuesOf('timeZone');

const STEP = 7 * 24 * 3600 * 1000;

// Changes of the offset between two years, found by steps of a week and then by halving to the second.
export function transitions(name, fromYear, toYear) {
  const zone = IANAZone.create(name);
  const end = Date.UTC(toYear, 0, 1);
  const found = [];
  let before = zone.offset(Date.UTC(fromYear, 0, 1));
  for (let ts = Date.UTC(fromYear, 0, 1) + STEP; ts < end; ts += STEP) {
    const after = zone.offset(ts);
    if (after === before) continue;
    let [low, high] = [ts - STEP, ts];
    while (high - low > 1000) {
      const middle = Math.floor((low + high) / 2000) * 1000;
      if (zone.offset(middle) === before) low = middle;
      else high = middle;
    }
    found.push({ ts: high, before, after });
    before = after;
  }
  return found;
}
`;

export const MONTH_CHAIN = js`// cedar-1: adding one month again and again, against adding n months to the first day.
import './clock.mjs';
import { DateTime } from '../src/luxon.js';

for (const day of [28, 29, 30, 31]) {
  const start = DateTime.fromObject({ year: 2026, month: 1, day }, { zone: 'Europe/Berlin' });
  const chain = [start];
  for (let n = 1; n < 12; n++) chain.push(chain[n - 1].plus({ months: 1 }));
  const anchored = chain.map((_, n) => start.plus({ months: n }));
  console.log('start ' + start.toISODate());
  console.log('  chain    ' + chain.map((date) => date.toFormat('LL-dd')).join(' '));
  console.log('  anchored ' + anchored.map((date) => date.toFormat('LL-dd')).join(' '));
}
`;

export const PRORATION = js`// cedar-2: does start + (end - start) give end again, for the units the job uses?
import './clock.mjs';
import { DateTime } from '../src/luxon.js';

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'America/Sao_Paulo', 'Asia/Beirut', 'Africa/Cairo', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/Santiago', 'Pacific/Apia'];
const UNITS = [['months'], ['months', 'days'], ['months', 'days', 'hours'], ['weeks', 'days'], ['days'], ['days', 'hours'], ['hours'], ['years', 'months', 'days', 'hours', 'minutes', 'seconds', 'milliseconds']];
const PAIRS = 200;

let state = 7;
const next = (count) => {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
  return Math.floor((state / 0x80000000) * count);
};
const moment = (zone) => DateTime.fromMillis(Date.UTC(2015, 0, 1) + next(12 * 365 * 86400) * 1000, { zone });

for (const zone of ZONES) {
  for (const units of UNITS) {
    let missed = 0;
    let largest = 0;
    let example = '';
    for (let n = 0; n < PAIRS; n++) {
      const [start, end] = [moment(zone), moment(zone)].sort((a, b) => a - b);
      const duration = end.diff(start, units);
      const off = +start.plus(duration) - +end;
      if (off === 0) continue;
      missed++;
      if (Math.abs(off) <= Math.abs(largest)) continue;
      largest = off;
      example = start.toISO() + ' .. ' + end.toISO() + ' ' + JSON.stringify(duration.toObject());
    }
    console.log(zone.padEnd(20), units.join('+').padEnd(58), String(missed).padStart(4), largest.toFixed(3).padStart(16), example);
  }
}
`;

export const TRANSITIONS = js`// All changes of the offset in a year, with the local time they happen at.
import { transitions, zones } from './clock.mjs';
import { DateTime } from '../src/luxon.js';

const year = Number(process.argv[2] ?? 2026);
let count = 0;
for (const zone of zones) {
  for (const { ts, before, after } of transitions(zone, year, year + 1)) {
    const local = DateTime.fromMillis(ts + before * 60000, { zone: 'utc' }).toFormat('ccc LL-dd HH:mm');
    console.log(zone.padEnd(32), local, String(before).padStart(5), '->', String(after).padStart(5));
    count++;
  }
}
console.log(count + ' changes in ' + year);
`;

export const AGAINST_INTL = js`// cedar-3, first suspicion: does luxon compute a wrong offset near a change? Compare with Intl, minute by minute.
import { transitions, zones } from './clock.mjs';
import { DateTime } from '../src/luxon.js';

let compared = 0;
let different = 0;
for (const zone of zones) {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' });
  for (const { ts } of transitions(zone, 2026, 2027)) {
    for (let minute = -90; minute <= 90; minute += 15) {
      const at = ts + minute * 60000;
      const [date, time] = format.format(at).split(', ');
      compared++;
      const shown = DateTime.fromMillis(at, { zone }).toFormat('yyyy-LL-dd HH:mm');
      if (shown === date + ' ' + time) continue;
      different++;
      console.log(zone, new Date(at).toISOString(), 'luxon', shown, 'Intl', date, time);
    }
  }
}
console.log({ compared, different });
`;

export const OVERLAP = js`// cedar-3: a local time that happens twice. Which of the two does luxon take? NOW decides.
import { NOW, transitions, zones } from './clock.mjs';
import { DateTime } from '../src/luxon.js';

const counts = { first: 0, second: 0 };
for (const zone of zones) {
  for (const { ts, before, after } of transitions(zone, 2026, 2027)) {
    if (after >= before) continue;
    const middle = new Date(ts + ((before + after) / 2) * 60000).toISOString().slice(0, 16);
    const taken = DateTime.fromISO(middle, { zone });
    const which = taken.offset === before ? 'first' : 'second';
    counts[which]++;
    console.log(zone.padEnd(32), middle, '->', taken.toISO({ suppressSeconds: true, suppressMilliseconds: true }), which);
  }
}
console.log('now is ' + NOW, counts);
`;

export const SAME_PROCESS = js`// cedar-3: does the answer change inside one process when the clock moves on?
import './clock.mjs';
import { DateTime, Settings } from '../src/luxon.js';

const zone = 'America/New_York';
const ask = (label) => {
  const text = DateTime.fromISO('2026-11-01T01:30', { zone });
  const numbers = DateTime.local(2026, 11, 1, 1, 30, { zone });
  console.log(label.padEnd(34), 'fromISO', text.toFormat('HH:mm ZZ'), ' local()', numbers.toFormat('HH:mm ZZ'));
};
Settings.now = () => Date.parse('2026-07-15T12:00:00Z');
ask('first question in July');
Settings.now = () => Date.parse('2026-12-15T12:00:00Z');
ask('clock moved to December');
Settings.resetCaches();
ask('December, after resetCaches()');
Settings.now = () => Date.parse('2026-07-15T12:00:00Z');
ask('back in July, caches still warm');
console.log('with an offset in the text'.padEnd(34), DateTime.fromISO('2026-11-01T01:30-04:00', { zone }).toISO());
console.log('a time that does not exist'.padEnd(34), DateTime.fromISO('2026-03-08T02:30', { zone }).toISO());
`;
