import { describe, expect, test } from 'vitest';
import { bash, factsOf, ledgerOf, runs } from './session.ts';

describe('createLedger: checks, errors and approaches (C17)', () => {
  test.each([
    ['npx vitest run', ' Tests  1 failed | 3 passed (4)', 'fail, 3 passed, 1 failed'],
    ['npm test', 'Tests:       2 passed, 2 total', 'pass, 2 passed, 0 failed'],
    ['python -m pytest -q', '==== 2 failed, 5 passed in 0.31s ====', 'fail, 5 passed, 2 failed'],
    [
      'cargo test',
      'test result: ok. 5 passed; 0 failed; 0 ignored\ntest result: ok. 2 passed; 0 failed',
      'pass, 7 passed, 0 failed',
    ],
    ['go test ./...', '--- FAIL: TestA (0.00s)\nFAIL', 'fail, 1 failed'],
    ['bun test', ' 3 pass\n 2 fail\n', 'fail, 3 passed, 2 failed'],
    ['mix test', '12 tests, 0 failures', 'pass, 12 passed, 0 failed'],
    [
      'python3 -m unittest',
      'Ran 5 tests in 0.1s\n\nFAILED (failures=1, errors=1)',
      'fail, 3 passed, 2 failed',
    ],
    ['npx mocha', '  52 passing (8s)', 'pass, 52 passed, 0 failed'],
    ['node --test', '# pass 3\n# fail 0', 'pass, 3 passed, 0 failed'],
    ['npm run build', 'Chunk ID: 1\nProcess exited with code 0\nOutput:\nok', 'pass, exit 0'],
    [
      'npx tsc --noEmit',
      'a.ts(1,1): error TS2304: no\n\nCommand exited with code 2',
      'fail, exit 2',
    ],
    ['npm run check | tail -5', 'a.ts: error TS1', 'fail'],
  ])('reads the status of %s', (command, result, value) => {
    expect(factsOf(ledgerOf(bash(command, { result })), 'test-status')).toEqual([
      `${command}: ${value}`,
    ]);
  });

  test('holds the latest run of a check, however much of its output was shown', () => {
    const ledger = ledgerOf(
      bash('cd /w && npm test', { result: 'Tests: 1 failed, 3 passed, 4 total', isError: true }),
      bash('npm test 2>&1 | tail -3', { result: 'Tests: 4 passed, 4 total' }),
    );
    expect(factsOf(ledger, 'test-status')).toEqual([
      'npm test 2>&1 | tail -3: pass, 4 passed, 0 failed',
    ]);
  });

  test.each([
    ['npm test | tail -5', 1],
    ['npm test 2>&1 | head -40 | tail -5', 1],
    ['npm test | tail -5 | node report.js', 2],
    ['npm test | tee log', 2],
  ])('beside `npm test`, `%s` makes %i checks', (command, count) => {
    const ran = { result: '4 passed' };
    const ledger = ledgerOf(bash('npm test', ran), bash(command, ran));
    expect(factsOf(ledger, 'test-status')).toHaveLength(count);
  });

  test.each(['cat test/a.test.ts', 'rg test src', 'ls test', 'git diff test.ts'])(
    'does not take %s for a check',
    (command) => {
      expect(factsOf(ledgerOf(bash(command)), 'test-status')).toEqual([]);
    },
  );

  test('keeps an error open until the same call passes, and names the edits between', () => {
    const failing = bash('node run.js', {
      result: 'TypeError: x is not a function',
      isError: true,
    });
    const open = 'TypeError: x is not a function (node run.js)';
    expect(factsOf(ledgerOf(failing), 'error')).toEqual([`${open}: open`]);
    const ledger = ledgerOf(
      failing,
      runs('Edit', { file_path: 'src/x.ts', old_string: 'a', new_string: 'b' }),
      bash('node run.js'),
    );
    expect(factsOf(ledger, 'error')).toEqual([
      `${open}: resolved: the same call passed after editing x.ts`,
    ]);
  });

  test('takes a search without a match for an answer, and a refused call for nothing', () => {
    const ledger = ledgerOf(
      bash('grep -n foo a.ts', { result: 'Exit code 1', isError: true }),
      bash('npm test', { result: '[Request interrupted by user for tool use]', isError: true }),
    );
    expect(ledger.facts().filter(({ type }) => type === 'error' || type === 'test-status')).toEqual(
      [],
    );
  });

  test.each([
    [1, []],
    [2, ['make all: failed 2 times, last: fatal: no rule']],
  ])('knows a command that failed %i times', (times, facts) => {
    const tries = Array.from({ length: times }, () =>
      bash('make all', { result: 'fatal: no rule', isError: true }),
    );
    expect(factsOf(ledgerOf(...tries), 'failed-approach')).toEqual(facts);
  });

  test('knows an edit that was taken back', () => {
    const ledger = ledgerOf(
      runs('Edit', { file_path: 'a.ts', old_string: 'one', new_string: 'two' }),
      runs('Edit', { file_path: 'a.ts', old_string: 'two', new_string: 'one' }),
      bash('git checkout -- b.ts'),
    );
    expect(factsOf(ledger, 'failed-approach')).toEqual([
      'edit of a.ts: two: taken back',
      'git checkout -- b.ts: taken back with git',
    ]);
  });
});
