import { expect, test } from 'vitest';
import { renderLedger } from '../src/index.ts';
import { answers, bash, ledgerOf, runs, says } from './session.ts';

test('what nobody can look up again weighs most; facts stand by weight, then age', () => {
  const start = (id: string) =>
    runs(
      'Bash',
      { command: `job ${id}`, run_in_background: true },
      { result: `running in background with ID: ${id}` },
    );
  const ledger = ledgerOf(
    runs('Read', { file_path: 'b.ts' }),
    bash('node bench.js', { result: 'p95: 183 ms' }),
    runs('Skill', { skill: 'review' }),
    bash('make', { result: 'fatal: no rule', isError: true }),
    bash('make', { result: 'fatal: no rule', isError: true }),
    runs('Write', { file_path: 'a.ts', content: '' }),
    bash('npm test', { result: '3 passed' }),
    runs('todo', { todos: [{ content: 'one' }] }),
    bash('git push', { result: '   17d213a..45ffe0a  main -> main' }),
    start('t'),
    runs('ask_user', { question: 'Which?' }, { result: 'a' }),
    says('Never stop.'),
    start('u'),
    runs('KillShell', { shell_id: 'u' }),
  );
  expect(
    ledger.facts().map(({ type, key, vital, weight }) => `${type} ${key} ${vital} ${weight}`),
  ).toEqual([
    'choice Which? true 10',
    'rule never stop true 10',
    expect.stringMatching(/^user-message m\d+ true 10$/),
    'effect push main true 9',
    'background-task t true 9',
    'file a.ts true 8',
    'test-status npm test true 8',
    'todo one true 8',
    'error fatal: no rule (make) true 6',
    'failed-approach make true 6',
    'skill review false 3',
    'file-read b.ts false 2',
    'command node bench.js false 2',
    'literal p95 (node bench.js) false 2',
    'command make false 2',
    'command npm test false 2',
    'command git push false 2',
    'command job t false 2',
    'command job u false 2',
    'background-task u false 2',
  ]);
  const positions = ledger.facts().map(({ position, weight }) => [weight, position]);
  expect(positions).toEqual(positions.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => c - a || b - d));
});

test('the newest choice stands before a message of the person where only one has room', () => {
  const ledger = ledgerOf(
    says('MAX_RETRIES=5 no, stop'),
    runs('ask_user', { question: 'Which?' }, { result: 'ok' }),
  );
  const sizeOf = (text: string) => Math.ceil(text.length / 4);
  const { text } = renderLedger(ledger, { budgetTokens: 15, sizeOf });
  expect(text).toContain('- Which? → ok');
});

test('what was said, done and found stands behind the state of the work, and before errors', () => {
  const ledger = ledgerOf(
    says('Go.'),
    says('Go on.'),
    answers('The cause is in a.ts.'),
    runs('Edit', { file_path: 'a.ts', old_string: 'aa', new_string: 'bb' }),
    bash('make', { result: 'error: one\nerror: two', isError: true }),
  );
  const facts = ledger.facts();
  expect(facts.map(({ type }) => type)).toEqual([
    ...[
      'user-message',
      'user-message',
      'standing',
      'file',
      'said',
      'edit',
      'failure',
      'error',
      'command',
    ],
  ]);
  expect(facts.filter(({ vital }) => !vital).map(({ type }) => type)).toEqual(['command']);
});
