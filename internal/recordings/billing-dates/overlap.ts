import type { Step } from '../../src/record/recording.ts';
import {
  grep,
  minutes,
  read,
  say,
  shell,
  shows,
  steered,
  user,
  write,
} from '../../src/record/steps.ts';
import { AGAINST_INTL, OVERLAP, SAME_PROCESS, TRANSITIONS } from './experiments.ts';
import { cedarTodo } from './orient.ts';

export const twiceAtNight: readonly Step[] = [
  steered(
    say(
      'cedar-3. First the facts: every change of an offset in 2026, and in the two years before, because the complaints may be older.',
      write('notes/04-transitions.mjs', TRANSITIONS),
      shows(shell('node notes/04-transitions.mjs 2026'), 'America/New_York', 'changes in 2026'),
      shell('node notes/04-transitions.mjs 2025'),
      shell('node notes/04-transitions.mjs 2024'),
    ),
    2,
    'For the record: we have customers on Lord Howe too, where the clock moves by half an hour. Keep that zone in all tables.',
  ),
  say(
    'Noted, Lord Howe stays in every table. My first suspicion for cedar-3 is a wrong offset near a change: fixOffset guesses twice and then gives up (src/datetime.js:102-126). If it is wrong, luxon and Intl must disagree somewhere around a change.',
    read('src/datetime.js', 100, 30),
    write('notes/05-against-intl.mjs', AGAINST_INTL),
    shows(shell('node notes/05-against-intl.mjs'), 'different: 0'),
  ),
  say(
    'Refuted: 3,380 moments around all changes, no difference. From a moment to a local time luxon is right. So it must be the other direction, from a local time to a moment. 01:30 on 1 November exists twice in New York, and which one is taken hangs on the offset that goes in as a guess. Who makes that guess?',
    grep('guessOffsetForZone|fixOffset\\(|objToTS\\(', { path: 'src' }),
    read('src/datetime.js', 375, 90),
  ),
  say(
    'There it is, twice: fromObject, which fromISO uses as well, asks the zone for its offset *now* (src/datetime.js:800-803), and local() goes through guessOffsetForZone (src/datetime.js:410), which asks the same. In summer the guess is summer time, in winter it is winter time. So the answer for a time that exists twice should depend on the season in which the program runs. The experiment, for all zones, once with January as now and once with July:',
    write('notes/06-overlap.mjs', OVERLAP),
    shows(
      shell('NOW=2026-01-15T12:00:00Z node notes/06-overlap.mjs'),
      'America/New_York',
      'first: 17, second: 113',
    ),
    shows(shell('NOW=2026-07-15T12:00:00Z node notes/06-overlap.mjs'), 'first: 117, second: 13'),
  ),
  say(
    'That is cedar-3: the rehearsal in July took the first 01:30 (-04:00), the job in November the second (-05:00). With "now" between the two, both can be billed. guessOffsetForZone keeps its guess per zone; does that mean that inside one process the first question decides?',
    write('notes/07-same-process.mjs', SAME_PROCESS),
    shows(
      shell('node notes/07-same-process.mjs'),
      'clock moved to December            fromISO 01:30 -05:00  local() 01:30 -04:00',
      'a time that does not exist         2026-03-08T03:30:00.000-04:00',
    ),
    read('src/datetime.js', 795, 90),
    read('src/datetime.js', 1060, 30),
    cedarTodo(4),
  ),
  say(`An interim report, because cedar-3 is worse than it looked:

- cedar-1: usage. A chain of plus({ months: 1 }) loses the 31st at the first short month; n months from the first day does not (notes/01-month-chain.mjs, src/datetime.js:158).
- cedar-2: documented behaviour, used in a way that cannot work. Fractions of months are divided by the real next month in diff and multiplied by 30 days in plus (notes/03-proration.mjs, src/impl/diff.js:82, src/datetime.js:163). Down to hours it is exact.
- cedar-3: for a local time that exists twice the answer depends on the season in which the program runs (notes/06-overlap.mjs, src/datetime.js:800). fromISO and fromObject ask at every call; local() keeps the first guess until Settings.resetCaches() (07-same-process.mjs, src/datetime.js:410), so in a long-running process the two can disagree about the same time. In January 113 of 130 such times are the second one, in July 13. My first suspicion, wrong offsets near a change, is refuted (05-against-intl.mjs: no difference in 3,380 moments).

Next are cedar-4 and cedar-5.`),
  user(
    'That explains July. Before you go on: does an offset in the text help, and what do we get for a time that does not exist? Short answer is enough.',
    { after: minutes(6) + 42_000 },
  ),
  say(
    'Both are in the last experiment: with an offset in the text (`2026-11-01T01:30-04:00`) the answer is that moment, whatever now is. A time that does not exist moves forward by the size of the gap: 02:30 on 8 March in New York is 03:30 -04:00.',
  ),
  user('Good. Go on with cedar-4.', { after: 15_000 }),
];
