import type { Step } from '../../src/record/recording.ts';
import { grep, read, say, shell, shows, user, write } from '../../src/record/steps.ts';
import { FORMATS, OFFSET_SECONDS } from './experiments-two.ts';
import { cedarTodo } from './orient.ts';

export const formatsAndTheRest: readonly Step[] = [
  say(
    'Of 5,084 periods around a change only two are odd, Apia and Fakaofo again, where the 30th does not exist and the 31st comes twice. So a missing row on any other day is not luxon. cedar-4 is closed: usage, with one trap (24 hours are not a day). On to cedar-5, names of months. The way from text to date: the parser of formats, and what it knows of languages.',
    read('src/impl/tokenParser.js'),
    read('src/impl/locale.js'),
  ),
  say(
    'And the way from date to text, digits included.',
    read('src/impl/formatter.js'),
    read('src/impl/digits.js'),
    read('src/impl/english.js'),
  ),
  say(
    'The experiment goes there and back again: nine formats, 65 languages, twelve months.',
    write('notes/10-formats.mjs', FORMATS),
    shows(shell('node notes/10-formats.mjs'), 'WRONG DATE 2569-01-15', 'unparsable'),
  ),
  say(
    'Three different things. Japanese and Finnish texts with words in them are refused in some formats, that is known from their grammar. Persian, Bengali, Nepali and Burmese texts use their own digits and are refused, because the parser takes latin digits unless a numbering system is named (src/impl/digits.js:80). Thai is the dangerous one: it is read without an error, 543 years off, because the text has Buddhist years and the parser reads them as ours (src/impl/tokenParser.js:412-424). Does naming the system or the calendar help?',
    shows(
      shell(`node --input-type=module -e 'import "./notes/clock.mjs"
import { DateTime } from "./src/luxon.js"
const show = (label, date) => console.log(label.padEnd(44), date.isValid ? date.toISODate() : date.invalidReason)
for (const locale of ["fa", "bn", "ne", "my"]) {
  const text = DateTime.utc(2026, 1, 15).setLocale(locale).toFormat("dd.LL.yyyy")
  const system = { fa: "arabext", bn: "beng", ne: "deva", my: "mymr" }[locale]
  show(locale + " plain", DateTime.fromFormat(text, "dd.LL.yyyy", { locale }))
  show(locale + " with numberingSystem " + system, DateTime.fromFormat(text, "dd.LL.yyyy", { locale, numberingSystem: system }))
}
const thai = DateTime.utc(2026, 1, 15).setLocale("th").toFormat("DDD")
show("th plain " + thai, DateTime.fromFormat(thai, "DDD", { locale: "th" }))
show("th with outputCalendar gregory", DateTime.fromFormat(thai, "DDD", { locale: "th", outputCalendar: "gregory" }))
const gregorian = DateTime.utc(2026, 1, 15).reconfigure({ locale: "th", outputCalendar: "gregory" }).toFormat("DDD")
show("th written as gregory " + gregorian, DateTime.fromFormat(gregorian, "DDD", { locale: "th" }))'`),
      'th plain',
      '2569-01-15',
    ),
    grep('numberingSystem|outputCalendar', { path: 'src/impl/tokenParser.js' }),
  ),
  say(
    'With the numbering system named, the digits are read. Dates written with outputCalendar gregory come back right in Thai, dates that were written by somebody else with Buddhist years cannot, the parser has no calendar. For the other half of cedar-5, spreadsheets, the ISO and HTTP readers:',
    read('src/impl/regexParser.js'),
    read('src/info.js', 1, 205),
    cedarTodo(6),
  ),
  user(
    'One more while you are in there: we also import contracts from paper, some of them very old. Anything to know about old dates?',
    { after: 44_000 },
  ),
  say(
    'Offsets of old dates had seconds (local mean time). ISO texts show minutes only, so I try the way there and back.',
    write('notes/11-offset-seconds.mjs', OFFSET_SECONDS),
    shows(shell('node notes/11-offset-seconds.mjs'), 'Africa/Monrovia', '"2000":0'),
    read('src/impl/util.js', 303, 28),
    read('src/datetime.js', 236, 60),
  ),
  say(
    'In 1890 that concerns most zones, in 1930 a few dozen, since 1980 none. toISO cuts the offset to whole minutes (src/datetime.js:236-290; formatOffset does the same, src/impl/util.js:311), so the text names a moment that is up to 59 seconds away. ISO 8601 has no seconds there, so I would call it a limit and not a fault; keep such dates without a zone.',
  ),
];
