/** `notes/report.md`, first version: the table still has the five zones, and causes stand in the order of the tickets. */
export const REPORT = `# What luxon 3.7.2 does to our billing dates

Ordered by cause, the worst first. Every experiment is in notes/, pins the clock (notes/clock.mjs) and can be run with
\`node notes/<name>\`; every claim is also a check in notes/checks.test.mjs. Time zone data 2026c. Nothing in src/ was changed.

## 1. A local time that exists twice depends on the season of the run (cedar-3)

When clocks go back, an hour exists twice. fromISO, fromObject and local() then need a guess, and the guess is the offset
of the zone *now*: src/datetime.js:800-803 for the first two, guessOffsetForZone in src/datetime.js:410 for local(). A run in
July takes the first of the two hours in the north, a run in winter the second. The rehearsal in July and the job in November
therefore billed two different moments.

- Of 130 such hours in 2026 the second is taken 113 times with January as now, and 13 times with July as now
  (06-overlap.mjs).
- fromISO and fromObject ask again at every call. local() keeps its first guess for each zone until Settings.resetCaches(), so
  in one process the two can disagree about the same time (07-same-process.mjs, src/datetime.js:418-422).
- It is not a wrong offset: 3,380 moments around all changes of 2026 agree with Intl (05-against-intl.mjs).

Which hour is taken in our zones, for the change in 2026 (12-table.mjs; local times):

| zone | gap | exists twice from | taken, run in January | taken, run in July |
|---|---|---|---|---|
| Europe/Berlin | 03-29 02:00 +60 min | 10-25 02:00 | second | first |
| Europe/Lisbon | 03-29 01:00 +60 min | 10-25 01:00 | second | first |
| America/New_York | 03-08 02:00 +60 min | 11-01 01:00 | second | first |
| America/Sao_Paulo | - | - | - | - |
| America/Santiago | 09-06 00:00 +60 min | 04-04 23:00 | first | second |
| Africa/Cairo | 04-24 00:00 +60 min | 10-29 23:00 | second | first |
| Asia/Beirut | 03-29 00:00 +60 min | 10-24 23:00 | second | first |
| Asia/Kathmandu | - | - | - | - |
| Asia/Tokyo | - | - | - | - |
| Australia/Sydney | 10-04 02:00 +60 min | 04-05 02:00 | first | second |
| Australia/Lord_Howe | 10-04 02:00 +30 min | 04-05 01:30 | first | second |
| Pacific/Auckland | 09-27 02:00 +60 min | 04-05 02:00 | first | second |

What helps: keep moments as UTC or as text with an offset. \`2026-11-01T01:30-04:00\` is the same moment in every season
(07-same-process.mjs).

## 2. Thai dates come back 543 years later, without an error (cedar-5)

In Thai, formats such as DDD write Buddhist years, and the parser reads them as ours: src/impl/tokenParser.js:412-424 expands
the format, but knows no calendar. The result is a valid date in 2569 (10-formats.mjs). This is a fault as I see it, because
nothing warns. Written with outputCalendar "gregory" they are read right.

Japanese and Finnish texts with words are refused in some formats, one Khmer weekday too (10-formats.mjs).
Persian, Bengali, Nepali and Burmese dates are refused in all, because the parser takes latin digits unless a numbering system is
named (src/impl/digits.js:80). With numberingSystem arabext, beng, deva and mymr all four are read (inline experiment in the
session, held in checks.test.mjs).

## 3. Fractions of months and days do not lead back (cedar-2)

diff divides the rest by the length of the real next unit (src/impl/diff.js:74-83), plus multiplies a fraction of a month with 30
days and of a day with 24 hours (src/datetime.js:163-173). So start.plus(end.diff(start, "months")) misses the end by up to days in
every zone, UTC included, and gives moments between two milliseconds. With days as the smallest unit it misses by up to an hour
around a change. With units down to hours nothing is ever off: 0 of 2,000 pairs (03-proration.mjs).

Converted alone, a month is 30 days, twelve months are 360 and a year is 365 (02-add-subtract.mjs, src/duration.js:38-68).
Documented behaviour, used in a way that cannot work. What helps: diff with ["months", "days", "hours"] and so on, or
money split by milliseconds.

## 4. A chain of months loses the 31st (cedar-1)

plus({ months: 1 }) cuts the day to the length of the month (src/datetime.js:158-159) and the next step starts from there: 31, 28, 28.
Counting months from the first day gives 31, 28, 31 (01-month-chain.mjs). Going back does not undo going forward for 57 of
4,392 pairs in a leap year, all at the end of a month (02-add-subtract.mjs). Usage; documented.

## 5. Days are not 24 hours (cedar-4)

Days have 23 or 25 hours around a change, on Lord Howe 23.5 or 24.5. luxon has that right: splitBy({ days: 1 }) follows the
calendar, splitBy({ hours: 24 }) drifts (09-day-lengths.mjs). A job at 02:30 runs at 03:30 on the day that has no 02:30, and at
02:30 again on the next. Since 2000 there were 463 days without midnight; 461 start exactly where the day before ends. The
other two are the days that Apia and Fakaofo skipped in 2011 (08-midnight.mjs). Around 5,084 changes no other day is lost.
Usage: count rows by calendar days.

## 6. Old dates lose seconds (no ticket)

Before standard time, offsets had seconds. toISO cuts them (src/datetime.js:236-290), so an ISO text is up to 59 seconds away:
334 of 418 zones in 1890, 28 in 1930, none since 1980 (11-offset-seconds.mjs). Keep dates of old contracts without a zone.
`;
