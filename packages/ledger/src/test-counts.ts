/** What a run of tests counted. */
export interface TestCounts {
  readonly passed?: number;
  readonly failed?: number;
}

/** Runners print their totals at the end. */
const TAIL = 6_000;

interface Shape {
  readonly passed?: RegExp;
  readonly failed?: RegExp;
}

// The first shape that matches wins, so the more particular ones stand first.
const SHAPES: readonly Shape[] = [
  // vitest and jest: `Tests  1 failed | 3 passed (4)`, `Tests: 1 failed, 3 passed, 4 total`
  { passed: /^[ \t]*Tests:?[ \t].*?(\d+) passed/m, failed: /^[ \t]*Tests:?[ \t].*?(\d+) failed/m },
  // cargo
  {
    passed: /test result: \w+\. (\d+) passed/g,
    failed: /test result: \w+\. \d+ passed; (\d+) failed/g,
  },
  // pytest
  {
    passed: /(\d+) passed\b[^\n]* in [\d.]+s/,
    failed: /(\d+) (?:failed|errors?)\b[^\n]* in [\d.]+s/,
  },
  // node --test and other TAP
  { passed: /^(?:#|ℹ) pass (\d+)/m, failed: /^(?:#|ℹ) fail (\d+)/m },
  // bun
  { passed: /^[ \t]*(\d+) pass$/m, failed: /^[ \t]*(\d+) fail$/m },
  // mocha
  { passed: /^[ \t]*(\d+) passing\b/m, failed: /^[ \t]*(\d+) failing\b/m },
  // dotnet, gradle
  { passed: /Passed:\s*(\d+)/, failed: /Failed:\s*(\d+)/ },
];

/** `12 tests, 1 failure`: ExUnit, RSpec, minitest, gradle. */
const TOTALS = /(\d+) (?:tests?|examples?|runs|tests completed)\b[^\n]*?,\s*(\d+) fail(?:ures?|ed)/;
/** Python's unittest. */
const RAN = /Ran (\d+) tests? in/;
const UNITTEST_FAILED = /FAILED \((?:failures=(\d+))?(?:, )?(?:errors=(\d+))?/;
/** Last resort: `3 passed, 1 failed` in either order. */
const LOOSE: Shape = {
  passed: /(\d+) (?:tests? )?pass(?:ed|ing)?\b/,
  failed: /(?<![\w./]|\bof )(\d+)(?:\/\d+| of \d+)? (?:tests? )?fail(?:ed|ing|ures?)\b/,
};

/** Reads the totals of a test run from its output; empty where it prints none. */
export function testCounts(output: string): TestCounts {
  const text = output.slice(-TAIL);
  for (const shape of SHAPES) {
    const counts = byShape(text, shape);
    if (counts !== undefined) return counts;
  }
  return byTotals(text) ?? byUnittest(text) ?? byGo(text) ?? byShape(text, LOOSE) ?? {};
}

function byShape(text: string, shape: Shape): TestCounts | undefined {
  const passed = sum(text, shape.passed);
  const failed = sum(text, shape.failed);
  if (passed === undefined && failed === undefined) return undefined;
  return { ...(passed !== undefined && { passed }), failed: failed ?? 0 };
}

function sum(text: string, shape: RegExp | undefined): number | undefined {
  if (shape === undefined) return undefined;
  const found = shape.global ? [...text.matchAll(shape)] : [shape.exec(text)];
  const numbers = found.flatMap((match) => (match?.[1] === undefined ? [] : [Number(match[1])]));
  return numbers.length === 0 ? undefined : numbers.reduce((total, one) => total + one, 0);
}

function byTotals(text: string): TestCounts | undefined {
  const [, total, failed] = TOTALS.exec(text) ?? [];
  if (total === undefined || failed === undefined) return undefined;
  return { passed: Number(total) - Number(failed), failed: Number(failed) };
}

function byUnittest(text: string): TestCounts | undefined {
  const total = RAN.exec(text)?.[1];
  if (total === undefined) return undefined;
  const [, failures = '0', errors = '0'] = UNITTEST_FAILED.exec(text) ?? [];
  const failed = Number(failures) + Number(errors);
  return { passed: Number(total) - failed, failed };
}

function byGo(text: string): TestCounts | undefined {
  const failed = text.match(/^[ \t]*--- FAIL:/gm)?.length ?? 0;
  const passed = text.match(/^[ \t]*--- PASS:/gm)?.length ?? 0;
  if (failed + passed === 0) return undefined;
  return { ...(passed > 0 && { passed }), failed };
}
