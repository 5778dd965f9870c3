import { describe, expect, test } from 'vitest';
import { bash, factsOf, ledgerOf, runs, says } from './session.ts';

const PATCH = `*** Begin Patch
*** Update File: src/a.ts
@@
-one
+two
*** Add File: src/b.ts
+new
*** Delete File: src/c.ts
*** Update File: src/d.ts
*** Move to: src/e.ts
*** End Patch`;

const UNIFIED = '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-a\n+b\n';

describe('createLedger: files (C17)', () => {
  test.each([
    ['Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'y' }, ['a.ts: edited once']],
    ['edit', { path: 'a.ts', oldText: 'x', newText: 'y' }, ['a.ts: edited once']],
    ['replace', { file_path: 'a.ts', old_string: 'x', new_string: 'y' }, ['a.ts: edited once']],
    ['unheard_of', { filePath: 'a.ts', oldString: 'x', newString: 'y' }, ['a.ts: edited once']],
    [
      'str_replace_editor',
      { command: 'str_replace', path: 'a.ts', old_str: 'x' },
      ['a.ts: edited once'],
    ],
    ['str_replace_editor', { command: 'create', path: 'a.ts', file_text: 'x' }, ['a.ts: created']],
    ['Write', { file_path: 'a.ts', content: '' }, ['a.ts: created']],
    ['create', { path: 'a.ts', file_text: 'x' }, ['a.ts: created']],
    ['bash', { command: 'rm -f a.ts' }, ['a.ts: deleted']],
    ['bash', { command: "cat > a.ts <<'EOF'\nrm b.ts\nEOF" }, ['a.ts: edited once']],
    [
      'shell',
      { command: ['bash', '-lc', 'mv a.ts b.ts'] },
      ['a.ts: moved to b.ts', 'b.ts: created'],
    ],
    ['exec_command', { cmd: "sed -i 's/x/y/' a.ts" }, ['a.ts: edited once']],
    ['exec_command', { cmd: `apply_patch <<'EOF'\n${UNIFIED}EOF` }, ['src/a.ts: edited once']],
    [
      'apply_patch',
      { input: PATCH },
      [
        'src/a.ts: edited once',
        'src/b.ts: created',
        'src/c.ts: deleted',
        'src/d.ts: moved to src/e.ts',
        'src/e.ts: created',
      ],
    ],
  ])('reads what %s does with %j', (name, input, files) => {
    expect(factsOf(ledgerOf(runs(name, input)), 'file')).toEqual(files);
  });

  test('counts edits, and tells a new file from one that was there', () => {
    const edit = { file_path: '/w/a.ts', old_string: 'x', new_string: 'y' };
    const ledger = ledgerOf(
      runs('Read', { file_path: '/w/old.ts' }),
      runs('Write', { file_path: '/w/old.ts', content: 'x' }),
      runs('Write', { file_path: '/w/a.ts', content: 'x' }),
      runs('Edit', edit),
      runs('Edit', edit),
    );
    expect(factsOf(ledger, 'file')).toEqual([
      '/w/old.ts: edited once',
      '/w/a.ts: created, edited 2 times',
    ]);
  });

  test('knows one file by its relative and its absolute path, and keeps two of one name apart', () => {
    const ledger = ledgerOf(
      runs('Write', { file_path: '/w/app/src/a.ts', content: '' }),
      runs('Edit', { file_path: 'src/a.ts', old_string: '1', new_string: '2' }),
      runs('Edit', { file_path: './app/src/a.ts', old_string: '2', new_string: '3' }),
      runs('Write', { file_path: '/w/lib/src/a.ts', content: '' }),
    );
    expect(factsOf(ledger, 'file')).toEqual([
      '/w/app/src/a.ts: created, edited 2 times',
      '/w/lib/src/a.ts: created',
    ]);
  });

  test.each([
    { result: 'String to replace not found', isError: true },
    { result: "The user doesn't want to proceed with this tool use.", isError: true },
  ])('leaves a file alone that was not changed: $result', (ran) => {
    const ledger = ledgerOf(
      runs('Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'y' }, ran),
    );
    expect(factsOf(ledger, 'file')).toEqual([]);
  });

  test('lists what was read with its lines, and a changed file once only', () => {
    const ledger = ledgerOf(
      runs('Read', { file_path: 'a.ts', offset: 10, limit: 20 }),
      runs('Read', { file_path: 'b.ts' }),
      bash('head -5 c.ts'),
      runs('Edit', { file_path: 'b.ts', old_string: 'x', new_string: 'y' }),
    );
    expect(factsOf(ledger, 'file-read')).toEqual(['a.ts: from line 10, 20 lines', 'c.ts: read']);
  });
});

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
    expect(factsOf(ledger, 'todo')).toEqual(['write docs: in_progress']);
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
