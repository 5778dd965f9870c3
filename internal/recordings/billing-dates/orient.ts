import type { Step } from '../../src/record/recording.ts';
import {
  edit,
  fails,
  glob,
  read,
  say,
  shell,
  shows,
  todo,
  user,
  write,
} from '../../src/record/steps.ts';
import { CLOCK } from './experiments.ts';

const STEPS = [
  'read the parts of src that the complaints touch',
  'cedar-1: the 31st becomes the 28th',
  'cedar-2: parts of a month do not add up',
  'cedar-3: billed twice on 1 November, not in July',
  'cedar-4: days with 23 or 25 rows, missing days',
  'cedar-5: imported dates in wrong years',
  'notes/report.md and a check for each claim',
];

/** One number for src/ and package.json, to show in the end that they are as they were. */
export const HASH = `node -e 'const fs = require("fs"), hash = require("crypto").createHash("sha256")
for (const file of fs.readdirSync("src", { recursive: true }).sort().map((name) => "src/" + name).concat("package.json")) if (fs.statSync(file).isFile()) hash.update(fs.readFileSync(file))
console.log(hash.digest("hex").slice(0, 16))'`;
export const SOURCE_HASH = 'edff04129d4f2fc4';

export const cedarTodo = (done: number) => todo(STEPS, done);

export const orient: readonly Step[] = [
  user(`Our billing job runs on luxon 3.7.2, which is in this folder. I have five complaints from support and need to know for each whether it is our usage, luxon's documented behaviour, or a fault. I do not want a fix today, I want to understand.

- cedar-1: a customer who signed up on the 31st is invoiced on the 28th since February, and stays there.
- cedar-2: we split a period with diff in months and put it back together with plus; the end is sometimes off by hours.
- cedar-3: a customer in New York was billed twice for 01:30 at night on 1 November. The same code did not do that in our July rehearsal with the same dates.
- cedar-4: daily usage rows: some days have 23 or 25 rows, and two customers say that a day is missing.
- cedar-5: dates imported from spreadsheets with month names are refused, or land in other centuries.

How I want it:
1. Never change anything in src/ or package.json. Experiments and the report go into notes/.
2. No claim without an experiment. Name the experiment at each claim.
3. Every experiment pins the clock. I want to run them next year and see the same.
4. Places in the code as path:line.
5. At the end notes/report.md.`),
  say(
    'I will get to know the folder first, then go through the complaints one by one.',
    glob('**/*.js'),
    shell('wc -l src/*.js src/impl/*.js src/zones/*.js | sort -n | tail -30'),
    cedarTodo(0),
  ),
  say(
    'The heart is src/datetime.js. I read it from the top, because the helpers there decide most of this.',
    read('src/datetime.js', 1, 540),
    read('src/settings.js'),
  ),
  say(
    'Offsets come from the zone objects.',
    read('src/zones/IANAZone.js'),
    read('src/zones/fixedOffsetZone.js'),
    read('src/impl/zoneUtil.js'),
    read('src/zone.js'),
  ),
  say(
    'The constructors: where texts and objects become moments.',
    read('src/datetime.js', 541, 540),
  ),
  say(
    'The getters and the conversions between zones, because setZone and toUTC can move a date.',
    read('src/datetime.js', 1081, 520),
  ),
  say(
    'And the small helpers they use.',
    read('src/impl/util.js'),
    read('src/impl/conversions.js'),
    read('src/impl/diff.js'),
  ),
  say(
    'Enough for the first experiments. They share one file that pins the clock and finds the changes of an offset.',
    write('notes/clock.mjs', CLOCK),
    fails(
      shell(
        `node -e 'import("/workspace/notes/clock.mjs")' || node --input-type=module -e 'import { zones } from "./notes/clock.mjs"; console.log(zones.length)'`,
      ),
      'ERR_MODULE_NOT_FOUND',
    ),
  ),
  say(
    'My import lacks the file ending, which node wants.',
    edit('notes/clock.mjs', "from '../src/luxon';", "from '../src/luxon.js';"),
    shows(
      shell(`node --input-type=module -e 'import { zones, transitions, NOW } from "./notes/clock.mjs"
console.log(NOW, zones.length + " zones, runtime data", process.versions.tz)
console.log(transitions("America/New_York", 2026, 2027).map(({ ts, before, after }) => new Date(ts).toISOString() + " " + before + " " + after).join("\\n"))'`),
      '2026-11-01T06:00:00.000Z -240 -300',
    ),
    shows(shell(HASH), SOURCE_HASH),
    cedarTodo(1),
  ),
];
