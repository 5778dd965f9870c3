import { describe, expect, test } from 'vitest';
import { checkSummary } from '../src/index.ts';
import { bash, factsOf, ledgerOf, sizeOf } from './session.ts';

const statusOf = (result: string, command = 'npm test 2>&1 | tail -40'): string | undefined =>
  factsOf(ledgerOf(bash(command, { result })), 'test-status')[0]?.slice(command.length + 2);

// siblings looked for: totals of every runner, a count in front of the word and behind it, nothing in words (none, null, no),
// names of tests and files with `error` in them, text a passing run prints; outcomes without a flag, signatures of errors,
// claims of a summary
describe('a count of nothing is no trouble (L319)', () => {
  test.each([
    '# pass 1309\n# fail 0',
    'ℹ pass 1309\nℹ fail 0',
    '1309 passed, 0 failed',
    '1309 tests passed, 0 tests failed',
    ' 1309 pass\n 0 fail',
    '1309 passing\n0 failing',
    'Passed: 1309\nFailed: 0\nErrors: 0',
    'Passed:  1309\nFailed   0',
    '1309 passed (failures=0, errors=0)',
    '1309 passed\nFailed tests: 0\nError(s): 0',
    '1309 passed, no failures',
    '1309 passed, none failed',
    '1309 passed. No tests failed, zero errors.',
    '1309 passed without any errors',
    '1309 passed, 0/1309 failed',
    '1309 passed, 0 of 1309 tests failed',
    '1309 passed, 0 (0%) failed',
    'test result: ok. 1309 passed; 0 failed; 0 ignored',
    '{"passed": 1309, "failed": 0, "error": null}\n1309 passed',
    ' ✓ test/error.test.ts (3 tests)\n Tests  1309 passed (1309)',
    'ok 1 - fails on an error\n# pass 1309\n# fail 0',
    'test_errors.py::test_error PASSED [ 50%]\n==== 1309 passed in 0.31s ====',
    'test errors::is_failed ... ok\ntest result: ok. 1309 passed; 0 failed',
    'Error: connection lost, trying again\nError: of a test, as it should\n# pass 1309\n# fail 0',
  ])('%j passed', (result) => {
    expect(statusOf(result)).toBe('pass, 1309 passed, 0 failed');
  });

  test.each([
    '0 errors',
    'Found 0 problems (0 errors, 0 warnings)',
    'Found no type errors.',
    'errors: none',
    'errors: []',
    'compiled without errors',
    '0 lint errors',
  ])('%j of a linter passed', (result) => {
    expect(statusOf(result, 'npm run lint | tail -3')).toBe('pass');
  });

  test.each([
    ['1 fail', 'fail, 1 failed'],
    ['3/9 failed', 'fail, 3 failed'],
    ['10 errors', 'fail'],
    ['1,000 errors', 'fail'],
    ['errors: 10', 'fail'],
    ['errors=0.5', 'fail'],
    ['0 passed, 0 failed, see the error log', 'fail, 0 passed, 0 failed'],
    ['see the error log\n# fail 0', 'fail, 0 failed'],
    ['1 passed, 0 failed, see the error log', 'pass, 1 passed, 0 failed'],
    ['error: 0x1f is no address', 'fail'],
    ['error', 'fail'],
    ['build FAILED', 'fail'],
    ['not ok 3 - opens', 'fail'],
    ['✗ opens', 'fail'],
    ['# pass 3\n# fail 1', 'fail, 3 passed, 1 failed'],
    ['# pass 3\n# fail 0\n\nnpm ERR! code 1', 'fail, 3 passed, 0 failed'],
    [' Test Files  1 failed | 2 passed (3)\n Tests  3 passed (3)', 'fail, 3 passed, 0 failed'],
    [' Tests  3 passed (3)\n Errors  1 error', 'fail, 3 passed, 0 failed'],
    ['# pass 3\n# fail 0\na.ts(1,1): error TS2304: no', 'fail, 3 passed, 0 failed'],
    ['✓ opens\nFAIL test/a.test.ts\n Tests  3 passed (3)', 'fail, 3 passed, 0 failed'],
    ['3 passed, 0 failed\nerror: process exited with code 2', 'fail, 3 passed, 0 failed, exit 2'],
  ])('%j did not', (result, status) => {
    expect(statusOf(result)).toBe(status);
  });

  // siblings looked for: each word for none behind each word for trouble, with a line, value or clause that ends behind it and
  // with one that goes on; zero of something else; totals that begin or end as the line of a passing test does
  test.each([
    'error: undefined reference to `main`',
    'error: no such command: `tset`',
    'fatal error: no input files',
    'error: null pointer',
    'ERROR: No matching distribution found for nope',
    'error: nil pointer dereference',
    'Error: none of the files exist',
    'failed: no route to host',
    'error: false is not a function',
    'error: no-such-rule is not known',
    'error: undefined: x',
    'error: null.length',
    'error: 0 targets matched',
    'PASSED: 10, FAILED: 2',
    'PASS 10 FAIL 2',
    'PASSED (10) FAILED (2)',
    'PASSED with 2 errors',
    '✓ 10 passed, 2 failed',
    '2 FAILED, 10 PASSED',
  ])('%j names what went wrong', (result) => {
    expect(statusOf(result)).toMatch(/^fail\b/);
  });

  test.each([
    'error: none, warnings: 2',
    'errors: none found',
    '{"error":null,"ok":true}',
    '{"error": undefined}',
    'error = nil; ok',
    'err: done (error: <nil>)',
    'Failed: no. Passed: yes.',
    'error: 0 errors',
    'error: 0',
    'PASSED: 10, FAILED: 0',
    'PASS src/error.test.ts',
    '✓ shows 2 failed calls\n# pass 3\n# fail 0',
    'Totals > shows 2 errors PASSED',
  ])('%j does not', (result) => {
    expect(statusOf(result)).toMatch(/^pass\b/);
  });

  // siblings looked for: totals with labels of each runner, reports in JSON, names of packages with `error` in them, failures
  // that were expected, numbers with thousands in each shape
  test.each([
    ['[INFO] Tests run: 1309, Failures: 0, Errors: 0, Skipped: 2', 'pass, 1307 passed, 0 failed'],
    [
      '[INFO] Tests run: 4, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in x.ErrorTest\n[INFO] Tests run: 1,309, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS',
      'pass, 1309 passed, 0 failed',
    ],
    ['[ERROR] Tests run: 1309, Failures: 1, Errors: 2, Skipped: 0', 'fail, 1306 passed, 3 failed'],
    ['Tests: 1309, Assertions: 2400, Failures: 0, Errors: 0.', 'pass, 1309 passed, 0 failed'],
    ['Tests: 1309, Assertions: 2400, Failures: 2.', 'fail, 1307 passed, 2 failed'],
    ['OK (1309 tests, 2400 assertions)', 'pass, 1309 passed, 0 failed'],
    ['[info] Passed: Total 1309, Failed 0, Errors 0, Passed 1309', 'pass, 1309 passed, 0 failed'],
    ['[error] Failed: Total 1309, Failed 1, Errors 0, Passed 1308', 'fail, 1308 passed, 1 failed'],
    [
      '[info] Tests: succeeded 1309, failed 0, canceled 0, ignored 0, pending 0',
      'pass, 1309 passed, 0 failed',
    ],
    ['ok  \tgithub.com/x/errors\t0.312s', 'pass'],
    ['ok  \tgithub.com/x/error\t(cached)\tcoverage: 80% of statements', 'pass'],
    ['?   \tgithub.com/x/error\t[no test files]', 'pass'],
    ['ok  \tgithub.com/x/a\t0.312s\nFAIL\tgithub.com/x/errors\t0.1s', 'fail'],
    ['1309 passed | 2 expected fail (1311)', 'pass, 1309 passed, 0 failed'],
    [' Tests  1309 passed | 2 expected fail (1311)', 'pass, 1309 passed, 0 failed'],
    [' Tests  3 failed | 2 expected fail (5)', 'fail, 3 failed'],
    ['Ran 3 tests in 0.1s\n\nOK (expected failures=2)', 'pass, 3 passed, 0 failed'],
    ['1309 passed, 1,000 failed', 'fail, 1309 passed, 1000 failed'],
    ['1,309 passed', 'pass, 1309 passed, 0 failed'],
    ['1,309 passed, 0 failed', 'pass, 1309 passed, 0 failed'],
    ['1,309,000 passing\n2,000 failing', 'fail, 1309000 passed, 2000 failed'],
    [' Tests  1,000 failed | 1,309 passed (2,309)', 'fail, 1309 passed, 1000 failed'],
    ['1,309 tests, 1,000 failures', 'fail, 309 passed, 1000 failed'],
    ['1309 passed,0 failed', 'pass, 1309 passed, 0 failed'],
    ['# pass 3\n# fail 0\n1,000 errors', 'fail, 3 passed, 0 failed'],
    ['{"numFailedTests":2,"numPassedTests":1307}', 'fail, 1307 passed, 2 failed'],
    ['{"numFailedTestSuites":1,"numFailedTests":0,"numPassedTests":7}', 'fail, 7 passed, 0 failed'],
    ['{"numFailedTests":0,"numPassedTests":7,"success":true}', 'pass, 7 passed, 0 failed'],
    ['{"stats":{"passes": 3, "failures": 1}}', 'fail, 3 passed, 1 failed'],
    ['{"summary":{"passed": 3, "failed": 0}}', 'pass, 3 passed, 0 failed'],
  ])('%j is %s', (result, status) => {
    expect(statusOf(result)).toBe(status);
  });

  test('a long report in JSON says it at its beginning', () => {
    const report = { numFailedTestSuites: 1, numFailedTests: 2, numPassedTests: 7 };
    const result = JSON.stringify({ ...report, testResults: 'x'.repeat(20_000) });
    expect(statusOf(result)).toBe('fail, 7 passed, 2 failed');
  });

  test('nor is it what went wrong', () => {
    const result = 'Failed: 0\nPassed: 3\nerror: 0 errors\nError: the port is taken';
    const failing = bash('node run.js', { result, isError: true });
    expect(factsOf(ledgerOf(failing), 'error')).toEqual([
      'Error: the port is taken (node run.js): open',
    ]);
  });

  test('nor does a result without a flag fail by it', () => {
    expect(factsOf(ledgerOf(bash('./count', { result: 'error: none' })), 'command')).toEqual([
      './count: ok',
    ]);
    expect(factsOf(ledgerOf(bash('./count', { result: 'error: gone' })), 'command')).toEqual([
      './count: failed',
    ]);
  });

  test.each([
    ['All 12 tests pass, 0 failed.', true],
    ['The tests pass: 0 tests failed', true],
    ['The tests: 2 failed, the rest pass.', false],
  ])('%j claims a green run: %s', (claim, claims) => {
    const ledger = ledgerOf(bash('npm test', { result: '1 failed, 2 passed' }));
    const { findings } = checkSummary(claim, { ledger, budgetTokens: 0, sizeOf });
    expect(findings.some(({ kind }) => kind === 'stale-claim')).toBe(claims);
  });

  test.each(['Tests: 0 failing.', 'No tests fail.'])('%j claims no red one', (claim) => {
    const ledger = ledgerOf(bash('npm test', { result: '3 passed' }));
    const { findings } = checkSummary(claim, { ledger, budgetTokens: 0, sizeOf });
    expect(findings.some(({ kind }) => kind === 'stale-claim')).toBe(false);
  });

  // how its time grows is judged by the bench
  test.each([
    ['error ', 'fail'],
    ['error:', 'fail'],
    ['0 ', 'pass'],
    ['no any ', 'pass'],
    ['failed \t', 'fail'],
    ['0 tests ', 'pass'],
    ['1 a b ', 'pass'],
    ['error\n', 'fail'],
    [' ', 'pass'],
  ])('a long text of %j is read to its end: %s', (part, status) => {
    expect(statusOf(part.repeat(200_000 / part.length), 'npm test | cat')).toBe(status);
  });

  test('how much of an output was shown makes no other check, however often it was cut', () => {
    const cut = `npm test${' 2>&1 | tail -5 | head -2'.repeat(3)}`;
    const ledger = ledgerOf(
      bash('npm test', { result: '1 failed' }),
      bash(cut, { result: '3 passed' }),
    );
    expect(factsOf(ledger, 'test-status')).toEqual([`${cut}: pass, 3 passed, 0 failed`]);
    // a pattern that tries all ways to part these would not end
    const long = ledgerOf(bash(`npm test${'  |  tail  '.repeat(40)}; echo`, { result: 'ok' }));
    expect(factsOf(long, 'test-status')).toEqual([
      expect.stringMatching(/^npm test( \| tail)+ \|…: pass$/),
    ]);
  });
});
