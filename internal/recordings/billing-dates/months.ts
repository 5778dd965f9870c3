import type { Step } from '../../src/record/recording.ts';
import { grep, read, say, shell, shows, write } from '../../src/record/steps.ts';
import { MONTH_CHAIN, PRORATION } from './experiments.ts';
import { ADD_SUBTRACT } from './experiments-two.ts';
import { cedarTodo } from './orient.ts';

export const monthsAndProration: readonly Step[] = [
  say(
    'cedar-1. plus() and what it says about itself, then the experiment: a chain of plus one month against n months from the first day.',
    read('src/datetime.js', 1600, 180),
    write('notes/01-month-chain.mjs', MONTH_CHAIN),
    shows(
      shell('node notes/01-month-chain.mjs'),
      '01-31 02-28 03-28 04-28',
      '01-31 02-28 03-31 04-30',
    ),
  ),
  say(
    'That is cedar-1 to the letter: each step only knows the day before it (src/datetime.js:158-159, Math.min with daysInMonth), so the first February costs the 31st for good. From an anchor it comes back every time. Usage, and documented. Does going back undo going forward?',
    write('notes/02-add-subtract.mjs', ADD_SUBTRACT),
    shows(shell('node notes/02-add-subtract.mjs'), '57 of 4392', '1 month as days 30'),
    cedarTodo(2),
  ),
  say(
    'For 57 of 4,392 pairs it does not, all at the end of a month. And a month counts as 30 days as soon as it is converted, twelve of them as 360. That leads to cedar-2; Duration is where that happens.',
    read('src/duration.js', 1, 520),
  ),
  say(
    'The second half has shiftTo, normalize and the arithmetic.',
    read('src/duration.js', 521, 489),
  ),
  say(
    "Now the job's own pattern: start plus (end minus start), for eight sets of units in ten zones.",
    write('notes/03-proration.mjs', PRORATION),
    shows(shell('node notes/03-proration.mjs'), 'UTC', 'months+days+hours'),
  ),
  say(
    'A clear picture. With units down to hours nothing is ever off. With months alone most pairs are off, up to days, even in UTC. With days as the smallest unit a few are off by up to an hour, only in zones with changes. Why exactly? The end of diff.js and how plus takes fractions:',
    read('src/impl/diff.js', 66, 30),
    read('src/datetime.js', 145, 45),
    grep('Math\\.trunc|as\\("milliseconds"\\)|durationToMillis', { path: 'src' }),
  ),
  say(
    'diff divides the rest by the length of the *next* month (src/impl/diff.js:82), plus turns the fraction back with 30 days (src/datetime.js:163-173, Duration.as with the casual matrix). Two different lengths for the same fraction, so they cannot meet. The same for a fraction of a day of 23 or 25 hours. One more consequence: the moments should then not even be whole milliseconds.',
    shows(
      shell(`node --input-type=module -e 'import "./notes/clock.mjs"
import { DateTime } from "./src/luxon.js"
const start = DateTime.fromISO("2018-08-17T03:06:55", { zone: "Europe/Berlin" }), end = DateTime.fromISO("2025-02-01T05:10:01", { zone: "Europe/Berlin" })
for (const units of ["months", ["months", "days"], ["months", "days", "hours"]]) {
  const duration = end.diff(start, units), back = start.plus(duration)
  console.log(JSON.stringify(duration.toObject()), back.toISO(), +back, "off by ms", +back - +end)
}'`),
      '1738340956290.3225',
    ),
    cedarTodo(3),
  ),
];
