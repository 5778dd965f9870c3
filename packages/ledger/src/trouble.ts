import { testCounts } from './test-counts.ts';

/** What is counted or named when something went wrong. */
const WRONG = '(?:errors?|fail(?:ed|ing|s|ures?)?)';
/** Words between a number and what it counts: `0 type errors`, `0 of 12 tests failed`, `0 (0%) failed`. */
const KINDS = String.raw`(?:[ \t]{1,4}(?:of[ \t]\d{1,9}|\([\d.]{1,6}%\)|tests?|test[ \t](?:suites?|files?|cases?)|specs?|suites?|files?|checks?|examples?|cases?|type|lint(?:er|ing)?|syntax|compil(?:er|ation|e)|build|unhandled|fatal)){0,3}`;
/** A zero, and not the end of `10` or the beginning of `0.5`. */
const ZERO = String.raw`(?<![\w.]|\d,)0(?:\/\d{1,9})?(?!\w|[.,]\d)`;
/** A line, a value or a clause ends here: `error: none` says that nothing went wrong, `error: no such command` says what did. */
const END = String.raw`(?=[ \t]{0,20}(?:$|[,;)}\]|]|[.!](?!\w)|[ \t][-–—][ \t]))`;
const COUNTS = '(?:tests?|suites?|files?|specs?|checks?)';
/** Nothing went wrong: `0 failed`, `# fail 0`, `Failed: 0`, `failures=0`, `"error": null`, `no errors`. */
const NONE = new RegExp(
  [
    String.raw`(?:${ZERO}|\b(?:no|zero|without)(?:[ \t]any)?)${KINDS}[ \t]{1,4}(?:tests?[ \t])?${WRONG}\b`,
    String.raw`\b${WRONG}(?:[ \t]${COUNTS}|\(s\))?["']?[ \t]{0,20}[:=|]?[ \t]{0,20}(?:(?<!\berror["']?[ \t]{0,20}[:=|]?[ \t]{0,20})${ZERO}|${ZERO}(?:${END}|${KINDS}[ \t]{1,4}${WRONG}\b))`,
    String.raw`\b${WRONG}(?:[ \t]${COUNTS}|\(s\))?["']?[ \t]{0,20}[:=|][ \t]{0,20}(?:none|null|undefined|nil|<nil>|false|no|\[\]|""|'')${END}`,
    String.raw`\b(?:errors|failures)[ \t]{0,20}[:=|][ \t]{0,20}none[ \t](?:found|reported|detected|seen)${END}`,
    String.raw`(?<![\w.,])\d{1,9}[ \t]expected[ \t]fail(?:ures?|s|ed)?\b|\bexpected[ \t]failures?[ \t]{0,4}[:=][ \t]{0,4}\d{1,9}`,
    String.raw`\b(?:none|nothing|not one)(?:[ \t]of[ \t](?:them|the[ \t]tests))?[ \t]fail(?:ed|s)?\b`,
  ].join('|'),
  'gim',
);

/** Lines of tests that passed: what a test is called says nothing of how it ended. */
const PASSING =
  /^[ \t]{0,40}(?:[✓✔√]|ok[ \t]\d|ok[ \t]+\S+[ \t]+(?:[\d.]{1,12}m?s\b|\(cached\))|\?[ \t]+\S+[ \t]+\[no test|PASS(?:ED)?\b|--- PASS:|\(pass\)).*$|^.*(?:[ \t]PASSED(?:[ \t]{1,40}\[[ \t\d]{1,5}%\])?|[ \t]\.\.\. ok)[ \t]{0,40}$/gm;

/** A number above 0 that counts what failed, in front of the word or behind it. */
const FAILURES =
  /(?<![\w.])[1-9][\d,]{0,11}(?:[ \t][a-z]{1,20}){0,2}[ \t]{1,8}(?:errors?|fail(?:ed|ing|s|ures?)?)\b|\b(?:errors?|fail(?:ed|ing|s|ures?)?)[ \t]{0,8}[:=|(]?[ \t]{0,8}[1-9]/i;
/** A number of what passed, in front of the word or behind it. */
const PASSES = /\d[ \t]{0,8}pass(?:ed|ing)?\b|\bpass(?:ed|ing)?[ \t]{0,8}[:=|(]?[ \t]{0,8}\d/i;

/** Totals may begin or end as the line of a test does: `PASSED: 10, FAILED: 2`, `2 FAILED, 10 PASSED`. */
const isTotals = (line: string): boolean =>
  FAILURES.test(line) && (/^[ \t]*PASS(?:ED)?\b/.test(line) || PASSES.test(line));

const blankPassing = (line: string): string => (isTotals(line) ? line : blank(line));

/** A text in which blanks stand for what says that nothing went wrong; everything else stands where it stood. */
export const withoutNone = (text: string): string =>
  A_WRONG.test(text) ? text.replace(NONE, blank) : text;

/** What each alternative of `NONE` holds; most outputs hold none. */
const A_WRONG = /error|fail/i;

const blank = (found: string): string => ' '.repeat(found.length);

const SIGNS =
  /"success"\s{0,4}:\s{0,4}false|"numFailedTestSuites"\s{0,4}:\s{0,4}[1-9]|\berrors?\b|\bFAIL(?:ED|URE|URES|S|ING)?\b|✗|✘|^[ \t]{0,40}(?:×|not ok\b)/im;
/** Where the totals say that no test failed: what counts something else, or stands where a tool says how it ended. */
const PLAIN_SIGNS =
  /(?<![\w.,])[1-9]\d{0,8}(?:,\d{3}){0,3}(?:[ \t][a-z]{1,20}){0,2}[ \t](?:errors?|fail(?:ed|ing|ures?)?)\b|\b(?:[Ee]rrors?|[Ff]ail(?:ed|ures?)?)[ \t]{0,8}[:=|]?[ \t]{0,8}[1-9]|^[ \t]{0,40}(?:FAIL(?:ED|URE)?\b|--- FAIL:|[✗✘×]|not ok\b|error\b)|\berror TS\d|\bnpm (?:ERR!|error)|\bELIFECYCLE\b|\bexit(?:ed)?(?: with)?(?: code| status)? [1-9]|"success"\s{0,4}:\s{0,4}false|"numFailedTestSuites"\s{0,4}:\s{0,4}[1-9]/m;

/** Whether the output of a check says that something went wrong; its totals have more to say than the words around them. */
export function saysTrouble(output: string): boolean {
  const text = withoutNone(output.replace(PASSING, blankPassing));
  const { passed = 0, failed } = testCounts(output);
  return (failed === 0 && passed > 0 ? PLAIN_SIGNS : SIGNS).test(text);
}
