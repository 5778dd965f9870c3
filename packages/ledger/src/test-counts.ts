/** What a run of tests counted. */
export interface TestCounts {
  readonly passed?: number;
  readonly failed?: number;
}

/** Runners print their totals at the end. */
const TAIL = 6_000;

interface Shape {
  readonly passed: RegExp;
  readonly failed: RegExp;
}

/** `1309` or `1,309`. */
const N = String.raw`(\d{1,3}(?:,\d{3})+(?!\d)|\d+)`;
const toNumber = (digits: string): number => Number(digits.replaceAll(',', ''));
const shape = (passed: string, failed: string, flags = ''): Shape => ({
  passed: new RegExp(passed, flags),
  failed: new RegExp(failed, flags),
});

// The first shape that matches wins, so the more particular ones stand first.
const SHAPES: readonly Shape[] = [
  // jest and vitest as JSON, where the totals stand first
  shape(`"numPassedTests"\\s*:\\s*${N}`, `"numFailedTests"\\s*:\\s*${N}`),
  // vitest and jest: `Tests  1 failed | 3 passed (4)`, `Tests: 1 failed, 3 passed, 4 total`
  shape(`^[ \\t]*Tests:?[ \\t].*?${N} passed`, `^[ \\t]*Tests:?[ \\t].*?${N} failed`, 'm'),
  // cargo
  shape(
    `test result: \\w+\\. ${N} passed`,
    `test result: \\w+\\. \\d[\\d,]* passed; ${N} failed`,
    'g',
  ),
  // pytest
  shape(`${N} passed\\b[^\\n]* in [\\d.]+s`, `${N} (?:failed|errors?)\\b[^\\n]* in [\\d.]+s`),
  // node --test and other TAP
  shape(`^(?:#|ℹ) pass ${N}`, `^(?:#|ℹ) fail ${N}`, 'm'),
  // bun
  shape(`^[ \\t]*${N} pass$`, `^[ \\t]*${N} fail$`, 'm'),
  // mocha
  shape(`^[ \\t]*${N} passing\\b`, `^[ \\t]*${N} failing\\b`, 'm'),
  // sbt
  shape(`\\bTests: succeeded ${N}`, `\\bTests: succeeded [\\d,]+, failed ${N}`),
  // dotnet, gradle
  shape(`Passed:\\s*${N}`, `Failed:\\s*${N}`),
];

/** `12 tests, 1 failure`: ExUnit, RSpec, minitest, gradle. */
const TOTALS = new RegExp(
  `${N} (?:tests?|examples?|runs|tests completed)\\b[^\\n]*?,\\s*${N} fail(?:ures?|ed)`,
);
/** `Tests run: 12, Failures: 1, Errors: 0, Skipped: 2`: Maven, PHPUnit, sbt. */
const LABELLED =
  /\b(?:Tests(?: run)?: ?|(?:Passed|Failed|Error): Total )[\d,]*\d, [^\n]{0,200}|\bOK \([\d,]*\d tests?, [^\n]{0,40}/g;
/** Python's unittest. */
const RAN = new RegExp(`Ran ${N} tests? in`);
const UNITTEST_FAILED = /FAILED \((?:failures=(\d+))?(?:, )?(?:errors=(\d+))?/;
/** Values of a report in JSON. */
const JSON_TOTALS = shape(
  `"(?:total_?)?pass(?:ed|es)(?:_?tests)?"\\s*:\\s*${N}`,
  `"(?:total_?)?fail(?:ed|ures)(?:_?tests)?"\\s*:\\s*${N}`,
  'i',
);
/** Last resort: `3 passed, 1 failed` in either order. */
const LOOSE = shape(
  `${N} (?:tests? )?pass(?:ed|ing)?\\b`,
  `(?<![\\w./]|\\bof )${N}(?:\\/\\d+| of \\d+)? (?:tests? )?fail(?:ed|ing|ures?)\\b`,
);

/** Reads the totals of a test run from its output; empty where it prints none. */
export function testCounts(output: string): TestCounts {
  const text =
    output.length > TAIL && /^\s*\{/.test(output)
      ? `${output.slice(0, TAIL)}\n${output.slice(-TAIL)}`
      : output.slice(-TAIL);
  for (const shape of SHAPES) {
    const counts = byShape(text, shape);
    if (counts !== undefined) return counts;
  }
  return (
    byLabels(text) ??
    byTotals(text) ??
    byUnittest(text) ??
    byGo(text) ??
    byShape(text, JSON_TOTALS) ??
    byShape(text, LOOSE) ??
    {}
  );
}

function byShape(text: string, shape: Shape): TestCounts | undefined {
  const passed = sum(text, shape.passed);
  const failed = sum(text, shape.failed);
  if (passed === undefined && failed === undefined) return undefined;
  return { ...(passed !== undefined && { passed }), failed: failed ?? 0 };
}

function sum(text: string, shape: RegExp): number | undefined {
  const found = shape.global ? [...text.matchAll(shape)] : [shape.exec(text)];
  return total(found.map((match) => match?.[1]));
}

/** Undefined where none of them was counted. */
function total(counts: readonly (string | undefined)[]): number | undefined {
  const numbers = counts.flatMap((digits) => (digits === undefined ? [] : [toNumber(digits)]));
  return numbers.length === 0 ? undefined : numbers.reduce((before, one) => before + one, 0);
}

/** A line for all of a module has no time of its own. */
const OF_ONE_CLASS = /\bTime elapsed\b/;

function byLabels(text: string): TestCounts | undefined {
  const lines = [...text.matchAll(LABELLED)].map(([line]) => line);
  const whole = lines.filter((line) => !OF_ONE_CLASS.test(line));
  const counted = whole.length > 0 ? whole : lines;
  if (counted.length === 0) return undefined;
  const count = (label: RegExp): number => total(counted.map((line) => label.exec(line)?.[1])) ?? 0;
  const failed = count(/\bFail(?:ures|ed):? ([\d,]*\d)/) + count(/\bErrors:? ([\d,]*\d)/);
  const left = count(/\bSkipped:? ([\d,]*\d)/) + count(/\bIncomplete: ([\d,]*\d)/);
  const all = count(/^(?:[A-Z]\w+(?: run)?:(?: Total)? ?|OK \()([\d,]*\d)/);
  return { passed: Math.max(0, all - failed - left), failed };
}

function byTotals(text: string): TestCounts | undefined {
  const [, all = '', failed] = TOTALS.exec(text) ?? [];
  if (failed === undefined) return undefined;
  return { passed: toNumber(all) - toNumber(failed), failed: toNumber(failed) };
}

function byUnittest(text: string): TestCounts | undefined {
  const ran = RAN.exec(text)?.[1];
  if (ran === undefined) return undefined;
  const [, failures, errors] = UNITTEST_FAILED.exec(text) ?? [];
  const failed = total([failures, errors]) ?? 0;
  return { passed: toNumber(ran) - failed, failed };
}

function byGo(text: string): TestCounts | undefined {
  const failed = text.match(/^[ \t]*--- FAIL:/gm)?.length ?? 0;
  const passed = text.match(/^[ \t]*--- PASS:/gm)?.length ?? 0;
  if (failed + passed === 0) return undefined;
  return { ...(passed > 0 && { passed }), failed };
}
