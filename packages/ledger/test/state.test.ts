import { describe, expect, test } from 'vitest';
import { bash, factsOf, ledgerOf, runs, says } from './session.ts';

describe('createLedger: todo list, effects, tasks (C17)', () => {
  test.each([
    [
      'TodoWrite',
      {
        todos: [
          { content: 'one', status: 'completed' },
          { content: 'two', status: 'pending' },
        ],
      },
    ],
    [
      'update_plan',
      {
        plan: [
          { step: 'one', status: 'done' },
          { step: 'two', status: 'todo' },
        ],
      },
    ],
  ])('holds the list of %s', (name, input) => {
    expect(factsOf(ledgerOf(runs(name, input)), 'todo')).toEqual([
      'one: completed',
      'two: pending',
    ]);
  });

  // siblings looked for: merge with and without ids, equal ids, owners of single tasks, lists as Markdown, renamed items
  describe('L317: the plan is held item by item', () => {
    const five = [
      { id: '1', content: 'write tests', status: 'completed', owner: 'ana' },
      { id: '2', content: 'write tests', status: 'pending', owner: 'ben' },
      { id: '3', content: 'fix the lexer', status: 'in_progress' },
      { id: 4, content: 'ship', status: 'pending' },
      { id: '5', content: 'rest', status: 'pending', owner: 'ana' },
    ];
    const todos = (...calls: object[]) =>
      factsOf(ledgerOf(...calls.map((input) => runs('todo_write', input))), 'todo');

    test('with ids and owners, equal texts apart', () => {
      expect(todos({ todos: five })).toEqual([
        'write tests (#1, ana): completed',
        'write tests (#2, ben): pending',
        'fix the lexer (#3): in progress',
        'ship (#4): pending',
        'rest (#5, ana): pending',
      ]);
    });

    test('a list that is merged changes what it names and nothing else', () => {
      const merged = [
        { id: '3', status: 'completed' },
        { id: '6', content: 'new', status: 'pending' },
      ];
      expect(todos({ todos: five }, { merge: true, todos: merged }).toSorted()).toEqual([
        'fix the lexer (#3): completed',
        'new (#6): pending',
        'rest (#5, ana): pending',
        'ship (#4): pending',
        'write tests (#1, ana): completed',
        'write tests (#2, ben): pending',
      ]);
    });

    test('a list that is not merged takes the place of all', () => {
      expect(todos({ todos: five }, { todos: [{ id: '4', status: 'completed' }] })).toEqual([
        'ship (#4): completed',
      ]);
    });

    test('without ids equal texts stay apart, merged or not', () => {
      const twice = [
        { content: 'check', status: 'completed' },
        { content: 'check', status: 'pending' },
      ];
      expect(todos({ todos: twice })).toEqual(['check: completed', 'check (2): pending']);
      const merged = { merge: true, todos: [{ content: 'other', status: 'pending' }] };
      expect(todos({ todos: twice }, merged)).toEqual([
        'check: completed',
        'check (2): pending',
        'other: pending',
      ]);
    });

    test('a task keeps its owner, whoever changes its state', () => {
      const ledger = ledgerOf(
        runs('TaskCreate', { subject: 'a' }, { result: 'Task #1 created' }),
        runs('TaskCreate', { subject: 'a' }, { result: 'Task #2 created' }),
        runs('TaskUpdate', { taskId: '2', owner: 'ben' }),
        runs('TaskUpdate', { taskId: '2', status: 'completed' }),
        runs('TaskUpdate', { taskId: '7', status: 'completed' }),
      );
      expect(factsOf(ledger, 'todo')).toEqual([
        'a (#1): pending',
        'a (#2, ben): completed',
        'task 7 (#7): completed',
      ]);
    });

    test('a list in Markdown is one', () => {
      expect(todos({ todos: '[x] one\n- [ ] two\n[-] three' })).toEqual([
        'one: completed',
        'two: pending',
        'three: in progress',
      ]);
    });
  });

  // siblings looked for: numbers of other things in the task's text, ids in JSON; lists and calls as JSON text; switches as texts;
  // names and fields of lists; errors that no flag tells
  describe('L317: what the store answered', () => {
    test.each([
      ['Created "fix issue #42" as task 7', '7'],
      ['Created fix issue #42 as task 7', '7'],
      ['Created “fix issue #42…” as #7', '7'],
      ['Task #7 created successfully: fix issue #42', '7'],
      ['Created task 7 (blocks #3)', '7'],
      ['ok: task number 7', '7'],
      ['{"task":{"id":7,"subject":"fix issue #42"}}', '7'],
      ['{"taskId":"7","blocks":["#3"]}', '7'],
      ['{"note": "see #42", "id": "T-7"}', 'T-7'],
      ['id is a-7', 'a-7'],
      ['task_id=7', '7'],
      ['fix issue #42', undefined],
    ])('%s', (result, id) => {
      const ledger = ledgerOf(runs('TaskCreate', { subject: 'fix issue #42' }, { result }));
      const about = id === undefined ? '' : ` (#${id})`;
      expect(factsOf(ledger, 'todo')).toEqual([`fix issue #42${about}: pending`]);
    });

    test.each([
      ['b #9', '7'],
      ['#99', '99'],
    ])('the text of a task is known from four characters on: %j', (subject, id) => {
      const ledger = ledgerOf(runs('TaskCreate', { subject }, { result: `${subject} as task 7` }));
      expect(factsOf(ledger, 'todo')[0]).toContain(`(#${id})`);
    });

    const list = [{ content: 'a', status: 'completed' }, { content: 'b' }];
    test.each<[name: string, input: unknown]>([
      ['todo_write', { todos: JSON.stringify(list) }],
      ['todo_write', { todos: JSON.stringify({ todos: list }) }],
      ['todo_write', JSON.stringify({ todos: list })],
      ['todo_write', JSON.stringify(list)],
      ['task_list', { tasks: list }],
      ['TaskList', { task_list: list }],
      ['task_tracker', { command: 'plan', task_list: list }],
      ['todo_list', { todo_list: list }],
      ['update_todo', { todos: '- [x] a\n- [ ] b' }],
      [
        'todo_write',
        {
          todos: [
            { content: 'a', done: 'true' },
            { content: 'b', done: 'false' },
          ],
        },
      ],
    ])('a list is given as %s %j', (name, input) => {
      expect(factsOf(ledgerOf(runs(name, input)), 'todo')).toEqual(['a: completed', 'b: pending']);
    });

    test.each(['true', 'True', 'yes', '1'])('merge: %s in quotes is a yes', (merge) => {
      const more = { merge, todos: [{ content: 'c' }] };
      const ledger = ledgerOf(runs('todo_write', { todos: list }), runs('todo_write', more));
      expect(factsOf(ledger, 'todo')).toHaveLength(3);
    });

    test.each(['false', 'no', '', 0])('merge: %j is a no', (merge) => {
      const more = { merge, todos: [{ content: 'c' }] };
      const ledger = ledgerOf(runs('todo_write', { todos: list }), runs('todo_write', more));
      expect(factsOf(ledger, 'todo')).toEqual(['c: pending']);
    });

    test.each([
      'Error: the store is locked',
      '<tool_use_error>InputValidationError: todos[0].id</tool_use_error>',
      'Failed to save the todo list',
      'Invalid todos: expected an array',
      "Couldn't write todos",
      'The list was not valid: ValidationError',
      '{"error": "locked"}',
      '{"success": false, "message": "locked"}',
      '{"ok":false}',
      '{"status":"error"}',
      '{"isError":true}',
      '{"error":true}',
      'Todo list was not updated',
      "Can't write todos",
    ])('no list is taken from a call that answered %s', (result) => {
      for (const isError of [true, false, undefined]) {
        const ran = isError === undefined ? { result } : { result, isError };
        const wrong = runs('todo_write', { todos: [{ content: 'c' }] }, ran);
        const single = runs('TaskCreate', { subject: 'd' }, ran);
        expect(
          factsOf(ledgerOf(runs('todo_write', { todos: list }), wrong, single), 'todo'),
        ).toEqual(['a: completed', 'b: pending']);
      }
    });

    test.each([
      'Todos have been modified successfully. 0 errors.',
      '{"error": null, "success": true}',
      '{"isError": false}',
      '{"error": false}',
      '{"status": "saved"}',
      '1. [x] a\n2. [ ] wait for: Monitor started',
      'Todos updated:\n* fix the error handler\n* invalid input',
      '[{"content":"not found page"}]',
      "1. can't log in\n2. b",
      '- [ ] it does not load',
      'Saved "it does not load" and b',
    ])('but it is from one that answered %s', (result) => {
      const ledger = ledgerOf(runs('todo_write', { todos: list }, { result }));
      expect(factsOf(ledger, 'todo')).toHaveLength(2);
    });
  });

  test('L317: what a task is about is no answer of its store', () => {
    const subject = "can't log in: error 7";
    const result = `Task 3: ${subject}`;
    const ledger = ledgerOf(runs('TaskCreate', { subject }, { result }));
    expect(factsOf(ledger, 'todo')).toEqual([`${subject} (#3): pending`]);
  });

  test('case 4: the newer list beats the older one, and what is done stays done', () => {
    const list = (...done: boolean[]) => ({
      todos: done.map((completed, index) => ({ content: `stage ${index + 1}`, completed })),
    });
    const ledger = ledgerOf(
      runs('todo_write', list(true, false, false, false, false, false)),
      runs('todo_write', list(true, true, true, true, true, false)),
    );
    expect(factsOf(ledger, 'todo')).toEqual([
      ...[1, 2, 3, 4, 5].map((stage) => `stage ${stage}: completed`),
      'stage 6: pending',
    ]);
  });

  test('follows single tasks by their number', () => {
    const ledger = ledgerOf(
      runs(
        'TaskCreate',
        { subject: 'write docs' },
        { result: 'Task #7 created successfully: write docs' },
      ),
      runs('TaskUpdate', { taskId: '7', status: 'in_progress' }),
    );
    expect(factsOf(ledger, 'todo')).toEqual(['write docs (#7): in progress']);
  });

  test.each([
    [
      'git commit -m x',
      '[main 4fcc52c] Add shop\n 2 files changed',
      '4fcc52c: commit on main: Add shop',
    ],
    [
      'git push origin main',
      'To host\n   17d213a..45ffe0a  main -> main',
      'push main: pushed 17d213a..45ffe0a main -> main',
    ],
    [
      'gh pr create --fill',
      'https://github.com/o/r/pull/12',
      'https://github.com/o/r/pull/12: gh pr create',
    ],
    ['npm publish', '+ shop@1.2.3', 'npm publish: done: + shop@1.2.3'],
    ['kubectl apply -f x.yaml', 'ok', 'kubectl apply: done'],
    [
      'vercel deploy --prod',
      'Production: https://shop.vercel.app [4s]',
      'vercel deploy: done: https://shop.vercel.app',
    ],
  ])('keeps what %s did', (command, result, fact) => {
    expect(factsOf(ledgerOf(bash(command, { result })), 'effect')).toContain(fact);
  });

  test.each(['npm publish --dry-run', 'git push'])(
    'keeps nothing of %s where nothing happened',
    (command) => {
      const result = command === 'git push' ? 'fatal: no destination' : '+ shop@1.2.3';
      expect(factsOf(ledgerOf(bash(command, { result })), 'effect')).toEqual([]);
    },
  );

  test.each([
    ['{"id":"T-1","note":"could not notify"}', ['T-1: create_issue Broken']],
    ['https://t.io/1 could not be created', []],
    ['https://t.io/1', ['https://t.io/1: create_issue Broken https://t.io/1']],
  ])('keeps what a tool of a server created: %j', (result, facts) => {
    const created = runs('mcp__tracker__create_issue', { title: 'Broken' }, { result });
    expect(factsOf(ledgerOf(created), 'effect')).toEqual(facts);
  });

  test('a release that fails when it is repeated was made once', () => {
    const ledger = ledgerOf(
      bash('npm publish', { result: '+ shop@1.2.3' }),
      bash('npm publish', { result: 'npm ERR! 403', isError: true }),
    );
    expect(factsOf(ledger, 'effect')).toEqual(['npm publish: done: + shop@1.2.3']);
  });

  test('case 13: two tasks run in the background until their results are delivered', () => {
    const start = (id: string) =>
      runs(
        'Bash',
        { command: `job ${id}`, run_in_background: true },
        { result: `Command running in background with ID: ${id}` },
      );
    const started = [...start('t-1'), ...start('t-2')];
    expect(factsOf(ledgerOf(started), 'background-task')).toEqual([
      't-1: running: job t-1',
      't-2: running: job t-2',
    ]);
    const notice =
      '<task-notification><task-id>t-1</task-id><status>completed</status></task-notification>';
    const delivered = ledgerOf(started, says(notice, { kind: 'reminder' }));
    expect(factsOf(delivered, 'background-task').toSorted()).toEqual([
      't-1: finished: job t-1',
      't-2: running: job t-2',
    ]);
  });

  test('knows that a session of a shell ended, and which skills were loaded', () => {
    const ledger = ledgerOf(
      runs(
        'exec_command',
        { cmd: 'npm run watch' },
        { result: 'Process running with session ID 15\nOutput:' },
      ),
      runs('write_stdin', { session_id: 15 }, { result: 'Process exited with code 0' }),
      runs('Skill', { skill: 'review', args: '12' }),
    );
    expect(factsOf(ledger, 'background-task')).toEqual(['15: finished: npm run watch']);
    expect(factsOf(ledger, 'skill')).toEqual(['review: loaded with 12']);
  });
});
