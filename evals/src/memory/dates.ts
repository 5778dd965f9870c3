/** Dates as people write them, in English and German. Read by the measurement alone. */

const MONTH = [
  ...['jan(?:uary|uar)?', 'feb(?:ruary|ruar)?', 'mar(?:ch)?', 'märz?', 'mrz', 'apr(?:il)?', 'may'],
  ...['mai', 'jun[ei]?', 'jul[yi]?', 'aug(?:ust)?', 'sept?(?:ember)?', 'o[ck]t(?:ober)?'],
  ...['nov(?:ember)?', 'de[cz](?:ember)?'],
].join('|');
const MONTHS = `(?:${MONTH})(?![\\p{L}])\\.?`;
const YEAR = String.raw`(?:,?\s+\d{4})`;
const DAY = String.raw`\d{1,2}(?:st|nd|rd|th|\.)?`;
const BEFORE = `${DAY}(?:\\s+of)?\\s+${MONTHS}`;
const BEHIND = `${MONTHS}\\s+${DAY}(?!\\d)`;
const BY_NUMBER = String.raw`\d{4}-\d\d(?:-\d\d)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}`;

const ONLY_A_DATE = new RegExp(
  `^(?:(?:on|the|am|den|dem|vom|zum|bis|until|by)\\s+)*(?:${BY_NUMBER}|\\d{1,2}\\.\\d{1,2}\\.?|\\d{1,2}/\\d{1,2}|(?:${BEFORE}|${BEHIND}|${MONTHS})${YEAR}?)$`,
  'iu',
);

/** `2026-03-05`, `March 5th`, `5 March`, `05.03.`, `am 5. März 2026`: what a person may have said as a weekday. */
export const isDate = (word: string): boolean => ONLY_A_DATE.test(word.replace(/\*$/, '').trim());

const HOLDS_DATE = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${BY_NUMBER}|${BEFORE}|${BEHIND}|${MONTHS}\\s+\\d{4})(?![\\p{L}\\p{N}])`,
  'iu',
);

const WEEKDAY = [
  ...['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday', 'weekend'],
].join('|');
const WOCHENTAG = [
  ...['montag', 'dienstag', 'mittwoch', 'donnerstag', 'freitag', 'samstag', 'sonnabend'],
  ...['sonntag', 'wochenende'],
].join('|');
const NUMBER = String.raw`(?:\d+|an?|one|two|three|four|five|six|a few|some)`;
const ZAHL = String.raw`(?:\d+|eine[mr]|zwei|drei|vier|fünf|sechs|(?:ein )?paar|wenigen|einigen)`;
/** `the last Friday of the month` comes again and again. */
const ONCE = String.raw`(?!\s+(?:of|in|im|eines|jedes|des|der)\s)`;

const RELATIVE = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[
    ...['yesterday', 'today', 'tonight', 'tomorrow', 'last night', 'this (?:morning|evening)'],
    `(?:this|next|last|coming|past) (?:week|month|year|quarter|${WEEKDAY})${ONCE}`,
    `${NUMBER} (?:hour|day|week|month|year)s? ago|(?:days|weeks|months|years) ago`,
    ...['(?:vor)?gestern', 'heute', 'übermorgen'],
    `(?:diese|nächste|letzte|kommende|vergangene|vorige)[mnrs]? (?:woche|monat|jahr|quartal|${WOCHENTAG})s?${ONCE}`,
    `vor ${ZAHL} (?:stunden?|tag(?:en?)?|wochen?|monat(?:en?)?|jahr(?:en?)?)`,
  ].join('|')})(?![\\p{L}\\p{N}])`,
  'iu',
);
/** The day after today; not the time of day, as in `jeden Morgen`. */
const MORGEN =
  /(?<![\p{L}\p{N}])(?<!(?:jeden|am|guten|diesen|der|den|einen|vom|zum|gegen)\s)(?:morgen|(?<=(?:^|[.!?:]\s))Morgen)(?![\p{L}\p{N}])/u;

/** Whether a text names a day or a month that is the same whenever it is read. */
export const holdsDate = (text: string): boolean => HOLDS_DATE.test(spaced(text));

/** Whether a text names a day that depends on the day of the reader. */
export const holdsRelativeDate = (text: string): boolean =>
  RELATIVE.test(spaced(text)) || MORGEN.test(spaced(text));

const spaced = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s*`]+/g, ' ')
    .trim();

const ENDS_WITH_DAY = /(?<![\p{L}\p{N}.])\d{1,2}\.\s*$/u;
const BEGINS_WITH_MONTH = new RegExp(
  `^(?:(?:${MONTH})(?![\\p{L}])|quartal|halbjahr|kalenderwoche|jahrhundert)`,
  'iu',
);

/** `8. Juni`: what a reader of sentences takes for an end. */
export const isCutInDate = (before: string, behind: string): boolean =>
  ENDS_WITH_DAY.test(before) && BEGINS_WITH_MONTH.test(behind);
