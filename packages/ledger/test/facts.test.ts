import { createProjection, type Entry, type Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { checkSummary, createLedger } from '../src/index.ts';
import { answers, bash, factsOf, ledgerOf, runs, says, sizeOf, valuesOf } from './session.ts';

const failing = { result: 'fatal: no rule', isError: true };

describe('choices', () => {
  const asked = (input: object, result: string): string[] =>
    factsOf(ledgerOf(runs('AskUserQuestion', input, { result })), 'choice');

  test.each([
    [
      { questions: [{ question: 'A?' }, { question: 'B?' }] },
      'User has answered your questions: "A?"="one", "B?"="two".',
      ['A?: one', 'B?: two'],
    ],
    [
      { questions: [{ text: 'A?' }, { prompt: 'B?' }, {}, 'x'] },
      '"A?"="one", "B?"="two"',
      ['A?: one', 'B?: two'],
    ],
    [{ questions: [{ question: 'A?' }] }, '"A?"="say "yes" now"', ['A?: say "yes']],
    [{ questions: [{ question: 'A?' }] }, '"A?"="no end', ['A?: no end']],
    [{ questions: [{ question: 'A?' }] }, '"A?"="one". Then "A?"="two".', ['A?: one']],
    [{ questions: [{ question: 'A?' }] }, '"A?"=""', []],
    [{ questions: [{ question: 'A?' }, { question: 'B?' }] }, 'both', ['A?: both']],
    [{ prompt: 'A?' }, 'Answer: one', ['A?: one']],
    [{ message: 'A?' }, 'The user selected: one', ['A?: one']],
    [{ text: 'A?' }, 'one', ['A?: one']],
    [{}, 'one', []],
    [{ questions: [] }, 'one', []],
    [{ question: 'How many?' }, '42', ['How many?: 42']],
    [{ question: 'A?' }, '{"0":"one"}', ['A?: one']],
    [{ question: 'A?' }, '{"answer":{"value":{"text":{"label":"one"}}}}', ['A?: one']],
    [{ question: 'A?' }, '{"answer":{"value":{"text":{"label":{"answer":"one"}}}}}', []],
    [{ question: 'State?', options: ['Open', 'Skipped'] }, 'skipped', ['State?: skipped']],
    [{ question: 'State?', choices: [{ value: 'Skipped' }] }, 'Skipped', ['State?: Skipped']],
    [{ question: 'State?', follow_up: [{ text: 'Expired' }] }, 'Expired', ['State?: Expired']],
  ])('%j answered with %j', (input, result, facts) => {
    expect(asked(input, result)).toEqual(facts);
  });

  test.each([
    [{ plan: '# One\ntwo' }, 'plan: One'],
    [{ summary: 'one' }, 'plan: one'],
    [{ content: 'text\n## Two' }, 'plan: Two'],
    [{}, 'plan: without a title'],
  ])('a plan %j is known as %j', (input, key) => {
    const plan = (result: string, isError: boolean) =>
      factsOf(ledgerOf(runs('exit_plan_mode', input, { result, isError })), 'choice');
    expect(plan('Plan approved.', false)).toEqual([`${key}: approved`]);
    expect(plan('Plan approved.', true)).toEqual([`${key}: not approved`]);
    expect(plan('Tool use was rejected', true)).toEqual([`${key}: not approved`]);
    expect(plan('Request interrupted', true)).toEqual([]);
  });

  test('a question that failed has no answer', () => {
    expect(
      factsOf(
        ledgerOf(runs('ask_user', { question: 'A?' }, { result: 'one', isError: true })),
        'choice',
      ),
    ).toEqual([]);
  });
});

describe('files', () => {
  const files = (...calls: readonly Message[][]): string[] => factsOf(ledgerOf(...calls), 'file');
  const write = (file_path: string, result = 'ok') =>
    runs('Write', { file_path, content: '' }, { result });
  const edit = (file_path?: string) =>
    runs('Edit', {
      ...(file_path !== undefined && { file_path }),
      old_string: 'a',
      new_string: 'b',
    });

  test.each([
    [[write('a'), bash('rm a'), write('a')], ['a: created']],
    [
      [write('a'), bash('mv a b'), edit('b')],
      ['a: moved to b', 'b: created, edited once'],
    ],
    [[write('a', 'The file was updated')], ['a: edited once']],
    [[write('a', 'overwritten')], ['a: edited once']],
    [[write('a', `${'.'.repeat(200)} updated`)], ['a: created']],
    [[runs('Read', { file_path: 'a' }), edit()], ['a: edited once']],
    [[write('a'), edit()], ['a: created, edited once']],
    [[runs('Read', { file_path: 'a' }), edit('b'), edit()], ['b: edited 2 times']],
    [[edit()], []],
    [[bash('cd d && touch a'), edit('d/a')], ['d/a: created, edited once']],
    [[runs('exec_command', { cmd: 'rm a', workdir: 'd' })], ['d/a: deleted']],
    [[bash('cd /d && rm /e/a')], ['/e/a: deleted']],
    [[bash('rm a', failing)], []],
    [
      [runs('exec_command', { cmd: 'rm a' }, { result: 'Process running with session ID 1' })],
      ['a: deleted'],
    ],
    [[bash('rm a', { result: 'Tool use was rejected', isError: true })], []],
    [[edit('/w/d/a'), edit('d/a'), edit('a')], ['/w/d/a: edited 3 times']],
    [[edit('a'), edit('/w/d/a')], ['a: edited 2 times']],
    [
      [edit('/w/d/a'), edit('/v/d/a'), edit('d/a')],
      ['/w/d/a: edited once', '/v/d/a: edited once', 'd/a: edited once'],
    ],
    [[edit('a'), edit('d/a'), edit('/w/d/a')], ['a: edited 3 times']],
    [[edit('b/a'), edit('~/b/a')], ['b/a: edited 2 times']],
    [[edit('C:\\b\\a'), edit('b/a')], ['C:/b/a: edited 2 times']],
    [[edit('a.ts'), bash('mv a.ts /old/a.ts')], ['a.ts: moved to /old/a.ts']],
    [
      [edit('c.ts'), bash('mv b.ts /w/c.ts')],
      ['b.ts: moved to c.ts', 'c.ts: edited 2 times'],
    ],
  ])('%#: %j', (calls, facts) => {
    expect(files(...calls)).toEqual(facts);
  });

  test.each([
    [{ file_path: 'a', offset: 3 }, 'from line 3'],
    [{ file_path: 'a', offset: 3, limit: 4 }, 'from line 3, 4 lines'],
    [{ file_path: 'a', start_line: 3, end_line: 9 }, 'from line 3, to 9'],
    [{ file_path: 'a', startLine: 3, endLine: 9 }, 'from line 3, to 9'],
    [{ file_path: 'a', line_number: 3 }, 'from line 3'],
    [{ file_path: 'a', view_range: [3, 9] }, 'lines 3-9'],
    [{ file_path: 'a', view_range: ['x'] }, 'read'],
    [{ file_path: 'a', limit: 4 }, 'read'],
  ])('what was read by %j', (input, range) => {
    expect(factsOf(ledgerOf(runs('Read', input)), 'file-read')).toEqual([`a: ${range}`]);
    expect(factsOf(ledgerOf(runs('Read', input, failing)), 'file-read')).toEqual([]);
  });

  test('a look that failed read nothing, a file that is read again has no old value', () => {
    expect(factsOf(ledgerOf(bash('cat a', failing)), 'file-read')).toEqual([]);
    const ledger = ledgerOf(
      runs('Read', { file_path: 'a', offset: 1 }),
      runs('Read', { file_path: 'a', offset: 9 }),
    );
    expect(ledger.superseded()).toEqual([]);
    expect(ledgerOf(write('a'), edit('a')).superseded()).toEqual([
      { type: 'file', key: 'a', value: 'created', current: 'created, edited once' },
    ]);
  });
});

describe('spellings of a path', () => {
  const edited = (...paths: readonly string[]): string[] =>
    factsOf(
      ledgerOf(
        ...paths.map((file_path) => runs('Edit', { file_path, old_string: 'a', new_string: 'b' })),
      ),
      'file',
    ).map((fact) => fact.replace(/: .*/, ''));

  test('one that may name two files is a third', () => {
    expect(edited('/p/b/a', '/q/a', 'a', 'b/a')).toEqual(['/p/b/a', '/q/a', 'a', 'b/a']);
  });

  test('forty ends of a path are known', () => {
    const path = (from: number): string =>
      `${Array.from({ length: 42 - from }, (_, at) => `d${at + from}/`).join('')}a`;
    expect(edited(path(1), path(3))).toEqual([path(1)]);
    expect(edited(path(1), path(2))).toEqual([path(1), path(2)]);
  });
});

describe('values', () => {
  const literals = (...texts: readonly string[]): string[] =>
    factsOf(ledgerOf(...texts.map((text) => says(text))), 'literal');

  test.each([
    ['the page size: 20 px', ['page size: 20 px']],
    ['page size = `20`', ['page size: 20']],
    ['node v20.1.0 it is', ['node: v20.1.0']],
    ['ports 80', ['port: 80']],
    ['RATE_MAX="a b"', ['rate_max: a b']],
    ["run A_B='c d'", ['a_b: c d']],
    ['run with A_B=3 now', ['a_b: 3']],
    ['with page_size=20', ['page_size: 20']],
    ['the server is 127.0.0.1:8080', ['server: 127.0.0.1:8080']],
    ['the server is 127.0.0.1', ['server: 127.0.0.1']],
    ['it is 5', []],
    ['x = 5', []],
    ["the separator is '.'", []],
    ['the limit should now be 5', ['limit: 5']],
    ['limit(5) = 6;', []],
    ['not the limit is 5', []],
    ['the limit is 5, never the bound is 6', ['limit: 5']],
    ['the limit is 5.', ['limit: 5']],
    ['the path is src/a.ts:', ['path: src/a.ts']],
    ["the mode is 'never'", ['mode: never']],
    ['the port never was 8080', []],
    ['ci: 12', ['ci: 12']],
    ['see https://a.b/c!?, then', ['https://a.b/c: named by the user']],
  ])('of %j', (text, facts) => {
    expect(literals(text)).toEqual(facts);
  });

  test.each([
    [
      ['the limit is 5', 'the bound is 7', 'no, 9'],
      ['limit: 5', 'bound: 9'],
    ],
    [['the limit is 5', 'no, 9 or 10'], ['limit: 5']],
    [
      ['the limit is 5', 'no, the bound is 9'],
      ['limit: 5', 'bound: 9'],
    ],
    [['the limit is 5', '9'], ['limit: 5']],
    [['the limit is 5', `no, 9 ${'a '.repeat(57)}`], ['limit: 9']],
    [['the limit is 5', `no, 9 ${'a '.repeat(58)}`], ['limit: 5']],
    [['the limit is 5', 'no, v2.5.'], ['limit: v2.5']],
    [['no, 9'], []],
  ])('corrected by %j', (texts, facts) => {
    expect(literals(...texts)).toEqual(facts);
  });

  test.each([
    ['p95: 3 ms', ['p95 (run it): 3 ms']],
    [' rate (a/b) = 1,000/s', []],
    ['rate = -3.5 %', ['rate (run it): -3.5 %']],
    ['Exit code: 3', []],
    ['line: 3', []],
    ['p95: 3 ms and more', []],
  ])('measured in %j', (result, facts) => {
    expect(factsOf(ledgerOf(bash('run it', { result })), 'literal')).toEqual(facts);
    expect(factsOf(ledgerOf(bash('cat a', { result })), 'literal')).toEqual([]);
    expect(factsOf(ledgerOf(runs('Read', { file_path: 'a' }, { result })), 'literal')).toEqual([]);
    expect(
      factsOf(
        ledgerOf(bash('run it', { result: `${result}\n<status>running</status>` })),
        'literal',
      ),
    ).toEqual([]);
  });
});

describe('rules', () => {
  const rules = (...texts: readonly string[]): string[] =>
    valuesOf(ledgerOf(...texts.map((text) => says(text))), 'rule');

  test.each([
    [
      ['use bun, not npm', 'use yarn, not pnpm'],
      ['use bun, not npm', 'use yarn, not pnpm'],
    ],
    [['use bun instead of npm', 'use pnpm instead of bun'], ['use pnpm instead of bun']],
    [['not tabs, but spaces', 'not spaces, but tabs'], ['not spaces, but tabs']],
    [["don't use tabs, use spaces", 'never use spaces; use tabs'], ['never use spaces; use tabs']],
    [['prefer tabs over x', 'not tabs, but spaces'], ['not tabs, but spaces']],
    [['prefer tabs over x', "don't use tabs, use spaces"], ["don't use tabs, use spaces"]],
    [['never stop here', 'NEVER  stop here!!'], ['NEVER  stop here!!']],
    [
      ['Always set the limit to 5', 'Always set the bound to 5'],
      ['Always set the limit to 5', 'Always set the bound to 5'],
    ],
    [['Always set the limit to 5', 'the limit is now 5'], ['Always set the limit to 5']],
    [['Always set the limit to 5', 'the limit is now 6'], []],
    [['Always set the limit to 5', 'the limit is 6'], ['Always set the limit to 5']],
    [['Always set the limit to 5', 'is the limit now 6?'], ['Always set the limit to 5']],
  ])('of %j', (texts, left) => {
    expect(rules(...texts)).toEqual(left);
  });

  test.each([
    ['must I never do it?', ['must I never do it?']],
    ['should it be so?', []],
    ['Should we prefer tabs?', []],
    ['why must it never be so?', []],
    ['1. Never stop', ['Never stop']],
    ['1) Never stop. Go on, e.g. always', ['Never stop.', 'Go on, e.g. always']],
    ['~~~\nnever stop\n~~~\nnever go', ['never go']],
    ['never 1\n\nnever 2', ['never 1', 'never 2']],
    [`never ${'a'.repeat(594)}`, [`never ${'a'.repeat(594)}`]],
    [`never ${'a'.repeat(595)}`, []],
    ['Error: never', ['Error: never']],
    ['{never}', []],
  ])('in %j', (text, found) => {
    expect(rules(text)).toEqual(found);
  });

  test('of a pasted text only the ends are read, and what begins as a command', () => {
    const filler = (length: number) => 'so it is\n'.repeat(length / 9);
    const pasted = `we should never one\n${filler(3_600)}we should never two\nNever three\n${filler(3_600)}we should never four\n`;
    expect(rules(pasted)).toEqual(['Never three', 'we should never one', 'we should never four']);
    const typed = `we should never one\n${filler(5_400)}we should never two\n`;
    expect(rules(typed)).toEqual(['we should never one', 'we should never two']);
    const whole = (length: number) =>
      rules(
        `${'so it is\n'.repeat(300)}we should never two\n${'so it is\n'.repeat(400)}`
          .slice(0, length)
          .padEnd(length, 'x'),
      ).length;
    expect([whole(6_000), whole(6_001)]).toEqual([1, 0]);
    const end = (length: number) =>
      rules(`${'so it is\n'.repeat(700)}we should never two\n`.padEnd(6_320 + length, 'so it is\n'))
        .length;
    expect([end(1_800), end(2_100)]).toEqual([1, 0]);
    const start = (length: number) =>
      rules(`${'so it is\n'.repeat(length / 9)}we should never two\n${'so it is\n'.repeat(700)}`)
        .length;
    expect([start(1_800), start(2_070)]).toEqual([1, 0]);
  });

  // siblings looked for: a sentence that either end cuts, a block of code that begins before the last end
  test('in the ends of a pasted text half a sentence and a line of code are no rules', () => {
    const filler = 'so it is\n'.repeat(700);
    const wish = 'we should never stop the build';
    expect(rules(`${'x'.repeat(1_980)}\n${wish}\n${filler}`)).toEqual([]);
    expect(rules(`${filler}${wish}\n${'x'.repeat(1_980)}`)).toEqual([]);
    expect(rules(`\`\`\`\n${filler}${wish}\n\`\`\`\n`)).toEqual([]);
    expect(rules(`\`\`\`\n${filler}\`\`\`\n${wish}\n`)).toEqual([wish]);
  });
});

describe('todos', () => {
  const todos = (...calls: readonly Message[][]): string[] => factsOf(ledgerOf(...calls), 'todo');
  const list = (items: unknown, more: object = {}) => runs('todo_write', { todos: items, ...more });

  test.each([
    ['completed', 'completed'],
    ['complete', 'completed'],
    ['finished', 'completed'],
    ['closed', 'completed'],
    ['not_started', 'pending'],
    ['open', 'pending'],
    ['new', 'pending'],
    ['in-progress', 'in progress'],
    ['inProgress', 'in progress'],
    ['doing', 'in progress'],
    ['Active', 'in progress'],
    ['blocked', 'blocked'],
  ])('%s is %s', (status, plain) => {
    expect(todos(list([{ content: 'a', status }]))).toEqual([`a: ${plain}`]);
    expect(todos(list([{ content: 'a', state: status }]))).toEqual([`a: ${plain}`]);
  });

  test.each([
    [[{ content: 'a', completed: true }], ['a: completed']],
    [[{ content: 'a', done: true }], ['a: completed']],
    [[{ content: 'a', completed: false }], ['a: pending']],
    [[{ content: 'a', done: false }], ['a: pending']],
    [[{ content: 'a' }], ['a: pending']],
    [[{ step: 'a', assignee: 'b' }], ['a (b): pending']],
    [[{ title: 'a', assigned_to: 'b', taskId: 3 }], ['a (#3, b): pending']],
    [[{ description: 'a', assignedTo: 'b', task_id: 'x' }], ['a (#x, b): pending']],
    [[{ task: 'a', todoId: 0, id: '' }], ['a (#0): pending']],
    [[{ content: 'a', id: 1, todoId: 2 }], ['a (#1): pending']],
    [[{ id: 1 }], ['task 1 (#1): pending']],
    [[{}, 'x', null], []],
    [
      [
        { content: 'a', id: 1 },
        { content: 'b', id: 1 },
      ],
      ['a (#1): pending', 'b (#1): pending'],
    ],
    [
      [{ content: 'a' }, { content: 'a' }, { content: 'a' }],
      ['a: pending', 'a (2): pending', 'a (3): pending'],
    ],
  ])('%j', (items, facts) => {
    expect(todos(list(items))).toEqual(facts);
  });

  test('of two lists in one call the first known name counts', () => {
    const lists = { tasks: [{ content: 'b' }], todos: [{ content: 'a' }] };
    expect(todos(runs('todo_write', lists))).toEqual(['a: pending']);
  });

  test.each(['plan', 'todoList', 'items', 'tasks'])('a list may be called %s', (name) => {
    expect(todos(runs('todo_write', { [name]: [{ content: 'a' }] }))).toEqual(['a: pending']);
  });

  test.each([
    [[list([{ content: 'a' }]), list('no list')], ['a: pending']],
    [
      [list([{ content: 'a' }]), list('* [X] b\n[~] c')],
      ['b: completed', 'c: in progress'],
    ],
    [[list([{ content: 'a' }]), list(undefined)], ['a: pending']],
    [[list([{ content: 'a' }]), list([])], []],
    [[list([{ content: 'a' }]), list([{ content: 'a', status: 'deleted' }], { merge: true })], []],
    [
      [
        list([{ content: 'a' }, { content: 'a' }]),
        list(
          [
            { content: 'a', status: 'done' },
            { content: 'a', status: 'doing' },
          ],
          { merge: true },
        ),
      ],
      ['a: completed', 'a (2): in progress'],
    ],
    [
      [list([{ content: 'a', id: 1, owner: 'b' }]), list([{ id: 1, content: 'c' }])],
      ['c (#1, b): pending'],
    ],
    [
      [list([{ content: 'a', id: 1 }]), list([{ content: 'a' }], { merge: true })],
      ['a (#1): pending'],
    ],
    [
      [
        list([{ content: 'a', id: 1, status: 'done' }]),
        list([{ id: 1, content: 'b' }], { merge: true }),
      ],
      ['b (#1): completed'],
    ],
    [[runs('TaskCreate', { subject: 'a', id: 'own' }, { result: 'done' })], ['a (#own): pending']],
    [
      [runs('TaskCreate', { subject: 'a', status: 'done' }, { result: 'id: x7' })],
      ['a (#x7): completed'],
    ],
    [[runs('TaskCreate', { subject: 'a' }, { result: `${'.'.repeat(200)} #7` })], ['a: pending']],
    [[runs('TaskCreate', { subject: 'a' }, failing)], []],
    [[runs('TaskUpdate', { status: 'done' })], []],
    [
      [
        list([{ id: 1, content: 'a', done: true }]),
        list([{ id: 1, done: false }], { merge: true }),
      ],
      ['a (#1): pending'],
    ],
    [
      [
        list([{ id: 1, content: 'a', done: true }]),
        list([{ id: 1, done: 'false' }], { merge: true }),
      ],
      ['a (#1): pending'],
    ],
    [
      [
        runs(
          'todo_write',
          { todos: [{ content: 'a' }] },
          { result: 'Tool use was rejected', isError: true },
        ),
      ],
      [],
    ],
  ])('%#: %j', (calls, facts) => {
    expect(todos(...calls)).toEqual(facts);
  });

  test('an item that was not touched keeps its place in the session', () => {
    const ledger = ledgerOf(
      list([{ content: 'a' }, { content: 'b' }]),
      list([{ content: 'b', status: 'done' }], { merge: true }),
    );
    expect(ledger.facts().map(({ key, position }) => [key, position])).toEqual([
      ['a', 1],
      ['b', 3],
    ]);
    expect(ledger.superseded()).toEqual([
      { type: 'todo', key: 'b', value: 'pending', current: 'completed' },
    ]);
  });
});

describe('tests', () => {
  const status = (command: string, result = '', isError?: boolean): string | undefined =>
    valuesOf(
      ledgerOf(bash(command, { result, ...(isError !== undefined && { isError }) })),
      'test-status',
    )[0];

  test.each([
    ['make x', '', undefined],
    ['node a.test.js', 'ok', 'pass'],
    ['./run-tests.sh', 'ok', 'pass'],
    ['cat a && npm test', 'ok', 'pass'],
    ['cat a; echo npm test', 'ok', undefined],
    ['cat npm test', 'ok', undefined],
    ['npm test', 'Tests: 2 passed', 'pass, 2 passed, 0 failed'],
    ['npm test', 'Passed: 3\nFailed: 1', 'fail, 3 passed, 1 failed'],
    ['npm test', '4 failing', 'fail, 4 failed'],
    ['npm test', '--- PASS: a\n--- FAIL: b\n--- PASS: c', 'fail, 2 passed, 1 failed'],
    ['go test -v', '--- PASS: TestA (0.0s)\n--- FAIL: TestB (0.0s)', 'fail, 1 passed, 1 failed'],
    [
      'mvn test',
      'Tests run: 5, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.3 s',
      'fail, 4 passed, 1 failed',
    ],
    [
      'phpunit',
      'Tests: 10, Assertions: 20, Failures: 1, Skipped: 2, Incomplete: 1.',
      'fail, 6 passed, 1 failed',
    ],
    ['phpunit', 'Tests: 3, Assertions: 3, Failures: 3.', 'fail, 0 passed, 3 failed'],
    ['npm test', '{"Total":6,"Passed":5,"Failed":1}', 'fail, 5 passed, 1 failed'],
    ['npm test', 'Ran 5 tests in 1s\nOK', 'pass, 5 passed, 0 failed'],
    ['npm test', 'Ran 5 tests in 1s\nFAILED (errors=2)', 'fail, 3 passed, 2 failed'],
    ['npm test', '7 examples, 2 failures', 'fail, 5 passed, 2 failed'],
    ['npm test', '2 passed, 1 failed', 'fail, 2 passed, 1 failed'],
    ['npm test', `3 passed${'.'.repeat(6_000)}`, 'pass'],
    ['npm test', `3 passed${' '.repeat(5_992)}`, 'pass, 3 passed, 0 failed'],
    ['npm test', 'nothing', 'pass'],
  ])('%s that prints %j', (command, result, value) => {
    expect(status(command, result)).toBe(value);
  });

  test('a failed run is red, whatever it prints; one behind a pipe keeps a failure it ended with', () => {
    expect(status('npm test', 'nothing', true)).toBe('fail');
    expect(status('npm test | tail', 'nothing', true)).toBe('fail');
    expect(status('npm test | tail', 'nothing')).toBe('pass');
    expect(status('npm test', 'Request interrupted', true)).toBeUndefined();
  });

  test('one that runs on is read where its output is asked for', () => {
    const started = runs(
      'exec_command',
      { cmd: 'npm test' },
      { result: 'Process running with session ID 7' },
    );
    const asked = (session_id: number, result: string) =>
      runs('write_stdin', { session_id }, { result });
    const facts = (...calls: readonly Message[][]) => factsOf(ledgerOf(...calls), 'test-status');
    expect(facts(started)).toEqual([]);
    expect(facts(started, asked(7, 'Process exited with code 0\n3 passed'))).toEqual([
      'npm test: pass, 3 passed, 0 failed, exit 0',
    ]);
    expect(facts(started, asked(8, '3 passed'))).toEqual([]);
    const late = runs(
      'exec_command',
      { cmd: 'npm test' },
      { result: `${'.'.repeat(400)} Process running with session ID 7` },
    );
    expect(facts(late, asked(7, '3 passed'))).toEqual([]);
  });
});

describe('what the person typed', () => {
  const blocks = (...texts: readonly string[]): Message => ({
    ...says(''),
    content: texts.map((text) => ({ type: 'text', text })),
  });

  test('several blocks are several facts of one message', () => {
    const message = blocks('one', 'two', 'three');
    const keys = ledgerOf(says('zero'), message)
      .facts()
      .map(({ key }) => key);
    expect(keys.slice(1)).toEqual([message.id, `${message.id}#2`, `${message.id}#3`]);
    expect(keys[0]).not.toBe(message.id);
  });

  test.each([
    ['<file path="a">x</file>', []],
    ['<files>x', []],
    ['--- Content from referenced files ---', []],
    ['<fileless> x', ['<fileless> x']],
    [' so <system-reminder>x</system-reminder> it is ', ['so  it is']],
    [' so it is ', [' so it is ']],
    [' \n', []],
    ['<system-reminder>x</system-reminder>\n', []],
  ])('%j', (text, words) => {
    expect(ledgerOf(says(text)).words()).toEqual(words);
  });

  test.each([
    ['<command-args>a b</command-args>', ['a b']],
    ['<command-args></command-args>', []],
    ['<command-args>a b', []],
    ['ab</command-args>', []],
    ['a long text of its own </command-args>', []],
    ['</command-args><command-args>a</command-args>', ['a']],
    ['<command-args>a <command-args> b</command-args>', ['a <command-args> b']],
    ['<command-args>a</command-args> b</command-args>', ['a']],
    ['a', []],
  ])('as a command: %j', (text, words) => {
    expect(ledgerOf(says(text, { kind: 'command' })).words()).toEqual(words);
  });

  test('an image beside words, or inside of a result, is no message of its own', () => {
    const image = { type: 'image', source: { type: 'url', url: 'a' } } as never;
    expect(ledgerOf({ ...says(''), content: [image] }).words()).toEqual([
      '[1 image or document, without words]',
    ]);
    expect(
      ledgerOf({ ...says(''), content: [image, { type: 'text', text: 'see' }] }).words(),
    ).toEqual(['see']);
    const [call, result] = runs('Bash', { command: 'a' }) as [Message, Message];
    const { id, role, content } = result;
    for (const given of [result, { id, role }])
      expect(ledgerOf(call, { ...given, id, role, content: [...content, image] }).words()).toEqual(
        [],
      );
  });

  test('what goes on while a call waits: unknown only once somebody speaks', () => {
    const [call, result] = runs('Bash', { command: 'make it' }) as [Message, Message];
    expect(factsOf(ledgerOf(call), 'effect')).toEqual([]);
    expect(factsOf(ledgerOf(call, says('x', { kind: 'reminder' })), 'effect')).toEqual([]);
    expect(factsOf(ledgerOf(call, says('go on')), 'effect')).toHaveLength(1);
    expect(factsOf(ledgerOf(call, result, says('go on')), 'effect')).toEqual([]);
    expect(factsOf(ledgerOf(call, says('go on'), result), 'effect')).toEqual([]);
    expect(
      factsOf(
        ledgerOf(
          {
            ...call,
            content: [...call.content, ...(runs('Bash', { command: 'x y' })[0]?.content ?? [])],
          },
          result,
          answers('on'),
        ),
        'effect',
      ),
    ).toHaveLength(1);
    expect(factsOf(ledgerOf(result), 'command')).toEqual([]);
  });
});

describe('a log', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const mentions = (names: string, ...entries: readonly Entry[]): boolean[] => {
    const ledger = createLedger();
    const log = createProjection();
    for (const entry of entries) ledger.observe(entry, log.append(entry));
    return names.split(' ').map(ledger.mentions);
  };
  const head = {
    id: 'h',
    model: 'm',
    system: [
      { type: 'text' as const, text: 'see a_one' },
      { type: 'text' as const, text: 'b_two' },
    ],
    tools: [{ name: 'c_three', description: 'reads d_four', input_schema: { type: 'object' } }],
    params: {},
  } as never;
  const said = (id: string, text: string): Entry => ({
    id: `e-${id}`,
    at,
    type: 'message',
    message: { ...says(text), id },
  });
  const rewind: Entry = {
    id: 'r',
    at,
    type: 'edit',
    by: 'user',
    reason: 'a-rewind',
    edit: { kind: 'replace-span', fromId: 'y', toId: 'y', with: [], then: [] },
  };

  test('what the head names is known, after a rewind too; what was taken back is not', () => {
    const entries = [
      { id: 'e', at, type: 'head', head } as Entry,
      said('x', 'go x_x'),
      said('y', 'go y_y'),
    ];
    expect(mentions('a_one b_two c_three d_four x_x y_y z_z', ...entries)).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(mentions('a_one b_two c_three d_four x_x y_y z_z', ...entries, rewind)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  test.each([
    ['user', 'asked', true],
    ['rewind', 'asked', false],
    ['user', 'rewind', false],
    ['user', 'unrewinded', true],
  ])('an edit by %s because %s leaves what it removed: %s', (by, reason, stays) => {
    expect(
      mentions('y_y', said('x', 'go'), said('y', 'y_y'), { ...rewind, by, reason } as Entry),
    ).toEqual([stays]);
  });

  test('after a rewind what was said last still holds', () => {
    const entries = [
      said('w', 'the limit is 5'),
      said('x', 'the limit is 6'),
      said('y', 'the limit is 7'),
      rewind,
    ];
    const [ledger, log] = [createLedger(), createProjection()];
    for (const entry of entries) ledger.observe(entry, log.append(entry));
    expect(factsOf(ledger, 'literal')).toEqual(['limit: 6']);
    expect(ledger.words()).toEqual(['the limit is 5', 'the limit is 6']);
  });

  test('a span with something in its place is no rewind', () => {
    const edit = { kind: 'replace-span', fromId: 'y', toId: 'y', with: [says('z')], then: [] };
    for (const each of [edit, { ...edit, then: [says('then')] }])
      expect(
        mentions('y_y', said('x', 'go'), said('y', 'y_y'), { ...rewind, edit: each } as Entry),
      ).toEqual([true]);
  });

  test('secrets are taken out, unless they are the bytes of a picture', () => {
    const key = `ghp_${'aB3'.repeat(12)}`;
    expect(
      ledgerOf(says(`use ${key}`))
        .words()
        .join(),
    ).not.toContain(key);
    expect(createLedger({ redact: false }).redact(key)).toBe(key);
  });
});

describe('approvals and rules in a summary', () => {
  const check = (summary: string, ...messages: readonly (Message | Message[])[]): string =>
    checkSummary(summary, { ledger: ledgerOf(...messages), budgetTokens: 0, sizeOf }).text.split(
      '\n\n# From',
    )[0] ?? '';
  const MARK = '[approval not found in what the user said]';
  const kept = (summary: string, ...messages: readonly (Message | Message[])[]): boolean =>
    !check(summary, ...messages).includes(MARK);
  const chose = (question: string, result: string) => runs('ask_user', { question }, { result });

  test.each([
    ['The user approved the deploy.', [chose('Deploy it?', 'sure thing')], true],
    ['The user approved the deploy.', [chose('Deploy it?', 'not now')], false],
    ['The user approved the deploy.', [runs('todo', { todos: [{ content: 'deploy it' }] })], false],
    ['The user approved the deploy.', [says('deploys')], true],
    ['The user approved the deploy.', [says('depot')], false],
    ['The user approved the run.', [says('rune it')], false],
    ['The user approved the run.', [says('run it')], true],
    ['The user approved the updating.', [says('update it')], true],
    ['The user approved the merging.', [says('merge it')], true],
    ['The user approved the coding.', [says('code it')], false],
    ['The user approved the linter.', [says('lint it')], true],
    ['The user approved it.', [answers('Go?'), says('yes')], true],
    ['The user approved it.', [says('no')], false],
    ['The user approved the deploy.', [says('yes')], true],
    ['The user approved the deploy.', [says('yes, the parser')], false],
    ['The user approved the deploy.', [says('Is the deploy done?')], false],
    ['The user approved the deploy.', [says('Please, deploy it?')], true],
    ['The user approved the deploy, because the parser works.', [says('Fix the parser.')], false],
    ['After the deploy the user approved it.', [says('Deploy it.')], true],
    ['On the parser: The user approved the deploy.', [says('Fix the parser.')], false],
    ['User approved the PR for the gateway.', [says('Fix the parser.')], false],
    [
      '# User messages\n- the user approved the release',
      [says('the user approved the deploy')],
      true,
    ],
    [
      '- and so the user approved the deploy to production',
      [says('It is not true what it says: and so the user approved the deploy to production')],
      true,
    ],
    [
      'The plan is bold; the user approved the deploy; then rest.',
      [says('Fix the parser of it first, please.')],
      false,
    ],
    [
      '# User messages\n- the user approved the deploy',
      [says('the user approved the deploy')],
      true,
    ],
    [
      '- and so the user approved the deploy to production on Friday',
      [says('I tell you: and so the user approved the deploy to production on Friday')],
      true,
    ],
  ])('%j after %j stands: %s', (summary, messages, stands) => {
    expect(kept(summary, ...messages)).toBe(stands);
  });

  test.each([
    ['The user has now agreed to the deploy.', `${MARK} the deploy.`],
    [
      'With `make all` done the owner endorsed the deploy.',
      `With \`make all\` done ${MARK} the deploy.`,
    ],
  ])('%j becomes %j', (summary, text) => {
    expect(check(summary, says('Fix the parser.'))).toBe(text);
  });

  test('the rest of a line stays', () => {
    expect(
      check('One. The user approved the deploy. Two.', says('Fix the parser of it first, please.')),
    ).toBe(`One. ${MARK} the deploy. Two.`);
    expect(
      check(
        '- In May the user approved the deploy; done',
        says('Fix the parser of it first, please.'),
      ),
    ).toBe(`- In May ${MARK} the deploy; done`);
  });

  test.each([
    ['- User: alpha "beta gamma"', [says('beta gamma')], '- User: alpha "beta gamma"'],
    ['- User: alpha', [says('beta gamma')], ''],
    ["- User: never a'bcdefghij' there", [says('beta gamma')], ''],
    ['- User: “漢字漢”', [says('beta gamma')], ''],
  ])('%j after %j is %j', (summary, messages, text) => {
    expect(check(summary, ...messages)).toBe(text);
  });
});
