import type { Step } from '../../src/record/recording.ts';
import {
  interrupted,
  lasting,
  minutes,
  read,
  say,
  seconds,
  shell,
  shows,
  user,
  write,
} from '../../src/record/steps.ts';
import { DAY_LENGTHS, MIDNIGHT, MINUTES } from './experiments-two.ts';
import { cedarTodo } from './orient.ts';

const FIRST_ZONES =
  'Europe/Berlin America/New_York America/Sao_Paulo Asia/Tokyo Australia/Lord_Howe';
const ALL_ZONES = `${FIRST_ZONES} Africa/Cairo Asia/Beirut America/Santiago Pacific/Auckland Asia/Kathmandu Europe/Lisbon Australia/Sydney`;

export const daysAndIntervals: readonly Step[] = [
  say(
    'cedar-4: days. startOf and endOf, and Interval, which cuts periods into days.',
    read('src/datetime.js', 1780, 140),
    read('src/datetime.js', 2120, 120),
    read('src/interval.js', 1, 420),
  ),
  say(
    'The rest of Interval, for set operations on periods.',
    read('src/interval.js', 421, 249),
    write('notes/08-midnight.mjs', MIDNIGHT),
    shows(shell('node notes/08-midnight.mjs'), 'count: 463, wrong: 2', 'Pacific/Apia'),
  ),
  say(
    'Since 2000 there were 463 days that do not start at midnight, and luxon has 461 of them right: the day starts where the one before ends, nothing is missing and nothing twice. The other two are Pacific/Apia and Pacific/Fakaofo, which have no 30 December 2011 at all: minus one day from the 31st is the 31st again there. Nobody bills there, as far as I know. Now the lengths of days, for the five zones that I remember from the complaints:',
    write('notes/09-day-lengths.mjs', DAY_LENGTHS),
    shows(shell(`node notes/09-day-lengths.mjs ${FIRST_ZONES}`), 'Asia/Tokyo: no change in 2026'),
  ),
  interrupted(
    say(
      'To be sure about startOf, every minute since 1970 in every zone.',
      write('notes/minutes.mjs', MINUTES),
      lasting(shell('node notes/minutes.mjs', 3_000), seconds(160)),
    ),
    1,
  ),
  user(
    `I stopped that. Every minute of every zone is 12 billion steps, that will not finish today, and the midnight experiment already has it. Remove the file.

I am off to a customer now, so a short status please. When I am back I want to see the tables for our zones only.`,
    { after: 7_000 },
  ),
  say(
    'You are right, the days around the changes are enough. Removing it.',
    shell('rm notes/minutes.mjs && ls notes'),
  ),
  say(`minutes.mjs is gone, the other experiments are as they were. Status:

- Done: cedar-1 (usage), cedar-2 (documented), cedar-3 (season of the run), each with its experiments.
- In progress: cedar-4; midnights and day lengths are measured, the question of a missing day is open.
- Left: cedar-5, then the checks and notes/report.md.
- In the way: I do not know which zones are ours. So far I used five: ${FIRST_ZONES.split(' ').join(', ')}.`),
  user(
    `Correction, not those five. We have customers in twelve: Europe/Berlin, Europe/Lisbon, America/New_York, America/Sao_Paulo, America/Santiago, Africa/Cairo, Asia/Beirut, Asia/Kathmandu, Asia/Tokyo, Australia/Sydney, Australia/Lord_Howe and Pacific/Auckland. Use these twelve wherever the report has a table by zone.

And I changed my mind about the report: not one section per complaint, but ordered by cause, the worst first. Support can find their ticket numbers in the text. At most 120 lines.`,
    { after: minutes(70) + 19_000 },
  ),
  say(
    'Twelve zones, and ordered by cause. The day lengths again, for the twelve:',
    shows(
      shell(`node notes/09-day-lengths.mjs ${ALL_ZONES}`),
      'Australia/Lord_Howe',
      '23.5 h',
      'Africa/Cairo',
    ),
    shell(`node --input-type=module -e 'import { transitions } from "./notes/clock.mjs"
for (const zone of process.argv[1].split(" ")) console.log(zone.padEnd(20), transitions(zone, 2000, 2027).map(({ ts, after, before }) => new Date(ts).toISOString().slice(0, 16) + (after > before ? "+" : "-")).join(" "))' "${ALL_ZONES}"`),
  ),
  say(
    'That covers cedar-4: rows per hour follow real days, so 23 or 25 rows are right on days of a change, and 47 half hours on Lord Howe. splitBy({ hours: 24 }) drifts by an hour after a change, splitBy({ days: 1 }) does not. count and length differ by design: count asks how many calendar days are touched. One thing is left, "a day is missing". splitBy walks from the start each time, does it ever skip?',
    read('src/interval.js', 236, 60),
    read('src/interval.js', 345, 35),
    shows(
      shell(`node --input-type=module -e 'import { transitions, zones } from "./notes/clock.mjs"
import { DateTime, Interval } from "./src/luxon.js"
let checked = 0, bad = 0
for (const zone of zones) for (const { ts } of transitions(zone, 2010, 2027)) {
  const start = DateTime.fromMillis(ts, { zone }).minus({ days: 2 }).set({ hour: 0, minute: 30 })
  const parts = Interval.fromDateTimes(start, start.plus({ days: 4 })).splitBy({ days: 1 })
  const dates = parts.map((part) => part.start.toISODate())
  checked++
  if (parts.length === 4 && new Set(dates).size === 4 && parts.every((part, n) => n === 0 || +part.start === +parts[n - 1].end)) continue
  bad++
  console.log(zone, dates.join(" "), parts.length)
}
console.log({ checked, bad })'`),
      'checked:',
    ),
    cedarTodo(5),
  ),
];
