import { describe, expect, test } from 'vitest';
import { answers, bash, factsOf, ledgerOf, runs, says, valuesOf } from './session.ts';

const failing = { result: 'fatal: no rule', isError: true };

describe('tasks in the background', () => {
  const start = (name: string, input: object, result: string) => runs(name, input, { result });

  test.each([
    [
      'Bash',
      { command: 'job', run_in_background: true },
      'Command running in background with ID: t.1-a',
      't.1-a: running: job',
    ],
    [
      'Bash',
      { command: 'job', background: true },
      'running in the background with id t1',
      't1: running: job',
    ],
    ['Bash', { command: 'job', async: true }, 'task_id: "t1"', 't1: running: job'],
    [
      'Bash',
      { command: 'job', mode: 'async' },
      '<command started with shellId: s3 is still running after 30 s',
      's3: running: job',
    ],
    ['Bash', { command: 'job', mode: 'async' }, 'job_id: j-4', 'j-4: running: job'],
    ['exec_command', { cmd: 'job' }, 'Process running with session ID 7', '7: running: job'],
    [
      'Task',
      { description: 'look', run_in_background: true },
      'agentId: a-7',
      'a-7: running: look',
    ],
    ['Task', { title: 'look' }, 'agent launched successfully. agentId: a-7', 'a-7: running: look'],
    ['Monitor', { prompt: 'watch it' }, 'Monitor started (task m7)', 'm7: running: watch it'],
    ['Monitor', {}, 'Monitor started (task m7)', 'm7: running: Monitor'],
  ])('%s with %j and %j', (name, input, result, fact) => {
    expect(factsOf(ledgerOf(start(name, input, result)), 'background-task')).toEqual([fact]);
  });

  test.each([
    ['Bash', { command: 'echo' }, 'task_id: t1'],
    ['Bash', { command: 'echo', mode: 'sync' }, 'task_id: t1'],
    [
      'Bash',
      { command: 'echo', run_in_background: false, background: false, async: false },
      'task_id: t1',
    ],
    ['Read', { file_path: 'a', run_in_background: true }, 'task_id: t1'],
    ['Bash', { command: 'job', run_in_background: true }, 'started'],
  ])('none by %s with %j and %j', (name, input, result) => {
    expect(factsOf(ledgerOf(start(name, input, result)), 'background-task')).toEqual([]);
  });

  test.each([
    [runs('KillShell', { shell_id: 't' }), 'stopped: job'],
    [runs('TaskStop', { task_id: 't' }), 'stopped: job'],
    [
      runs('BashOutput', { bash_id: 't' }, { result: '<status>completed</status>' }),
      'finished: job',
    ],
    [runs('BashOutput', { bash_id: 't' }, { result: '<status>running</status>' }), 'running: job'],
    [runs('KillShell', { shell_id: 'other' }), 'running: job'],
    [runs('KillShell', {}), 'running: job'],
    [says('<task-id>t</task-id> has completed', { kind: 'reminder' }), 'finished: job'],
    [says('shellId: t exited with code 0', { kind: 'reminder' }), 'finished: job'],
    [says('The task t has finished. It has completed.', { kind: 'reminder' }), 'finished: job'],
    [says('<task-id>t</task-id> goes on', { kind: 'reminder' }), 'running: job'],
    [says('<task-id>u</task-id> has completed', { kind: 'reminder' }), 'running: job'],
  ])('%j makes it %s', (ended, value) => {
    const started = start(
      'Bash',
      { command: 'job', run_in_background: true },
      'running in background with ID: t',
    );
    const ledger = ledgerOf(started, ended);
    expect(factsOf(ledger, 'background-task')).toEqual([`t: ${value}`]);
    const fact = ledger.facts().find(({ type }) => type === 'background-task');
    const runsOn = value.startsWith('running');
    expect([fact?.vital, fact?.weight]).toEqual(runsOn ? [true, 9] : [false, 2]);
  });

  test('one whose number is a number', () => {
    const ledger = ledgerOf(
      start('exec_command', { cmd: 'job' }, 'Process running with session ID 7'),
      runs('write_stdin', { session_id: 7, chars: 'x' }, { result: 'Process exited with code 0' }),
    );
    expect(factsOf(ledger, 'background-task')).toEqual(['7: finished: job']);
  });
});

describe('what was tried without success', () => {
  test('a command that failed twice and passed in the end', () => {
    const ledger = ledgerOf(bash('make', failing), bash('make', failing), bash('make'));
    expect(factsOf(ledger, 'failed-approach')).toEqual(['make: failed 2 times, passed in the end']);
    expect(factsOf(ledgerOf(bash('make', failing), bash('make')), 'failed-approach')).toEqual([]);
  });

  test('three times, with the last error', () => {
    const third = { result: 'fatal: other', isError: true };
    const ledger = ledgerOf(bash('make', failing), bash('make', failing), bash('make', third));
    expect(factsOf(ledger, 'failed-approach')).toEqual([
      'make: failed 3 times, last: fatal: other',
    ]);
  });

  test('texts that another tool put in each other’s place are no edits of a file', () => {
    const [there, back] = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'b', new_string: 'a' },
    ];
    const ledger = ledgerOf(runs('notes.replace', there), runs('notes.replace', back));
    expect(factsOf(ledger, 'failed-approach')).toEqual([]);
  });

  test('no look that found nothing, no call of another tool', () => {
    const miss = { result: 'Exit code 1', isError: true };
    const read = runs('Read', { file_path: 'a' }, { result: 'gone', isError: true });
    const ledger = ledgerOf(bash('grep a b', miss), bash('grep a b', miss), read, read);
    expect(factsOf(ledger, 'failed-approach')).toEqual([]);
  });

  test.each([
    ['ls nowhere', { result: 'No such file', isError: true }],
    ['diff a b', { result: 'Exit code 1\nother', isError: true }],
  ])('%s that finds nothing is no error', (command, ran) => {
    expect(factsOf(ledgerOf(bash(command, ran)), 'error')).toEqual([]);
  });

  test.each([
    ['grep a b', { result: 'Exit code 2\nno', isError: true }],
    ['grep a b', { result: 'Exit code 1\nusage: grep', isError: true }],
    ['make a', { result: 'Exit code 1', isError: true }],
  ])('%s with %j is one', (command, ran) => {
    expect(factsOf(ledgerOf(bash(command, ran)), 'error')).toHaveLength(1);
  });

  test.each(['Grep', 'Glob', 'LS'])('%s that finds nothing is none', (name) => {
    const ran = { result: 'error: none', isError: true };
    expect(factsOf(ledgerOf(runs(name, { pattern: 'a' }, ran)), 'error')).toEqual([]);
  });

  // the words are `callStop`'s, whose tests name the siblings
  test.each([
    'Rejected by user',
    'User refused to run this command',
    `The user doesn't want to proceed with this tool use.\n${'not like this '.repeat(300)}`,
    'Outcome unknown (the user declined)',
  ])('L312: what a person refused did not run: %#', (said) => {
    const refused = bash('make', { result: said, isError: true });
    expect(factsOf(ledgerOf(refused), 'failed-approach')).toEqual([
      'make: not run: it was refused',
    ]);
  });

  test('a call that was refused, until it runs', () => {
    const refused = bash('make', { result: 'Tool use was rejected', isError: true });
    expect(factsOf(ledgerOf(refused), 'failed-approach')).toEqual([
      'make: not run: it was refused',
    ]);
    expect(factsOf(ledgerOf(refused, bash('make')), 'failed-approach')).toEqual([]);
    expect(factsOf(ledgerOf(refused, bash('make', failing)), 'failed-approach')).toHaveLength(1);
    const look = bash('ls', { result: 'Tool use was rejected', isError: true });
    expect(factsOf(ledgerOf(look), 'failed-approach')).toEqual([]);
  });

  test('an edit is taken back in its own file only, and only when it passed', () => {
    const edit = (file_path: string, old_string: string, new_string: string, ran = {}) =>
      runs('Edit', { file_path, old_string, new_string }, ran);
    expect(factsOf(ledgerOf(edit('a', '1', '2'), edit('b', '2', '1')), 'failed-approach')).toEqual(
      [],
    );
    expect(
      factsOf(ledgerOf(edit('a', '1', '2'), edit('a', '2', '1', failing)), 'failed-approach'),
    ).toEqual([]);
    expect(factsOf(ledgerOf(edit('a', '1', '2'), edit('a', '2', '3')), 'failed-approach')).toEqual(
      [],
    );
  });

  test.each([
    'git checkout main -- a.ts',
    'git restore a.ts',
    'git reset --hard HEAD~1',
    'git revert abc',
    'git stash drop',
    'git clean -fd',
  ])('%s takes back with git', (command) => {
    expect(factsOf(ledgerOf(bash(command)), 'failed-approach')).toEqual([
      `${command}: taken back with git`,
    ]);
    expect(factsOf(ledgerOf(bash(command, failing)), 'failed-approach')).toEqual([]);
  });

  test('git restore --staged takes nothing back', () => {
    expect(factsOf(ledgerOf(bash('git restore --staged a.ts')), 'failed-approach')).toEqual([]);
  });
});

describe('how a call ended', () => {
  const ended = (result: string, isError?: boolean): string[] =>
    valuesOf(
      ledgerOf(bash('run it', { result, ...(isError !== undefined && { isError }) })),
      'command',
    );

  test.each([
    ['ok', undefined, 'ok'],
    ['ok', true, 'failed'],
    ['ok', false, 'ok'],
    ['Exit code 0', undefined, 'ok, exit 0'],
    ['Exit code 0', true, 'failed, exit 0'],
    ['Exit code 3', undefined, 'failed, exit 3'],
    ['Exit code 3', false, 'failed, exit 3'],
    ['exited with code -1', undefined, 'failed, exit -1'],
    ['return code: 4', undefined, 'failed, exit 4'],
    ['fatal: no', undefined, 'failed'],
    ['fatal: no', false, 'ok'],
    ['Traceback (most recent call last)', undefined, 'failed'],
    ['a\nTypeError: b', undefined, 'failed'],
    ['bash: x: command not found', undefined, 'failed'],
    ['started, running in the background with ID x', undefined, 'running in the background'],
    [`${'a\n'.repeat(300)}exit code 1\n${'a\n'.repeat(300)}`, undefined, 'ok'],
    [`${'a\n'.repeat(300)}fatal: no\n${'a\n'.repeat(300)}`, undefined, 'ok'],
    [`${'a\n'.repeat(300)}exit code 1`, undefined, 'failed, exit 1'],
    [`${'a\n'.repeat(300)}fatal: no`, undefined, 'failed'],
    [`fatal: no\n${'a\n'.repeat(600)}`, undefined, 'failed'],
    [`${'a\n'.repeat(150)}fatal: no\n${'a\n'.repeat(150)}`, undefined, 'failed'],
    [`${'a\n'.repeat(300)}exit code 1${'\nb'.repeat(80)}`, undefined, 'failed, exit 1'],
    [`${'a\n'.repeat(300)}exit code 1${'\nb'.repeat(100)}`, undefined, 'ok'],
    ['Exit code 1\nthe child ended with exit code 0', undefined, 'failed, exit 1'],
    ['the child ended with exit code 1\nexit code 0', undefined, 'ok, exit 0'],
    ['Chunk ID: 1\nProcess exited with code 2\nOutput:\nexit code 0', undefined, 'failed, exit 2'],
    [`exit code 5 ${'a '.repeat(90)}\nexit code 6`, undefined, 'failed, exit 6'],
  ])('%j with the flag %s: %s', (result, isError, value) => {
    expect(ended(result, isError)).toEqual([value]);
  });

  test('a result with two edges is cut where the second begins', () => {
    // `fatal:` begins no line in the text; it would where the first edge ends
    expect(ended(`${'a'.repeat(500)}fatal: no${'b'.repeat(391)}`)).toEqual(['failed']);
    expect(ended(`${'a'.repeat(300)}fatal: no${'b'.repeat(391)}`)).toEqual(['ok']);
  });

  test.each([
    ['ls a', 'ok', undefined, []],
    ['ls a', 'gone', true, ['ls a: failed']],
    ['cat a && make', 'ok', undefined, ['cat a && make: ok']],
  ])('a look (%s, %s) leaves a trace where it failed', (command, result, isError, facts) => {
    const ran = { result, ...(isError !== undefined && { isError }) };
    expect(factsOf(ledgerOf(bash(command, ran)), 'command')).toEqual(facts);
  });
});

describe('errors', () => {
  test('give way to another error of the same call, and come back', () => {
    const other = { result: 'fatal: other', isError: true };
    expect(factsOf(ledgerOf(bash('make', failing), bash('make', other)), 'error')).toEqual([
      'fatal: no rule (make): resolved: gone at the next run',
      'fatal: other (make): open',
    ]);
    expect(
      factsOf(ledgerOf(bash('make', failing), bash('make', other), bash('make')), 'error'),
    ).toEqual([
      'fatal: no rule (make): resolved: gone at the next run',
      'fatal: other (make): resolved: the same call passed',
    ]);
    expect(
      factsOf(
        ledgerOf(bash('make', failing), bash('make'), bash('make'), bash('make', failing)),
        'error',
      ),
    ).toEqual(['fatal: no rule (make): open']);
  });

  test('are resolved by what was edited since they were seen last', () => {
    const edit = (file_path: string) => runs('Write', { file_path, content: '' });
    const ledger = ledgerOf(
      edit('0.ts'),
      bash('make', failing),
      edit('1.ts'),
      bash('make', failing),
      edit('2.ts'),
      bash('rm 3.ts'),
      runs('Read', { file_path: '4.ts' }),
      bash('make'),
    );
    expect(valuesOf(ledger, 'error')).toEqual([
      'resolved: the same call passed after editing 2.ts, 3.ts',
    ]);
    const patched = ledgerOf(
      bash('make', failing),
      runs('apply_patch', { input: '*** Begin Patch\n*** Add File: 5.ts\n+a\n*** End Patch' }),
      bash('make'),
    );
    expect(valuesOf(patched, 'error')).toEqual([
      'resolved: the same call passed after editing 5.ts',
    ]);
  });

  test('are resolved once, by what was edited before that', () => {
    const edit = runs('Write', { file_path: 'a.ts', content: '' });
    expect(
      valuesOf(ledgerOf(bash('make', failing), bash('make'), edit, bash('make')), 'error'),
    ).toEqual(['resolved: the same call passed']);
  });

  test('stay open while a call is refused', () => {
    const refused = bash('make', { result: 'Tool use was rejected', isError: true });
    expect(valuesOf(ledgerOf(bash('make', failing), refused), 'error')).toEqual(['open']);
  });

  test.each([
    ['x\na.ts(1,1): error TS1: no\nTypeError: y', 'a.ts(1,1): error TS1: no'],
    ['x\nthe error: a\nTypeError: y', 'TypeError: y'],
    ['x\nthe error: a\nFAIL b', 'the error: a'],
    ['x\nFAIL b\nfatal: c', 'fatal: c'],
    ['x\n--- FAIL: b\ny: not found', 'y: not found'],
    ['x\n--- FAIL: b', '--- FAIL: b'],
    ['123\n\n  some text\nmore', 'some text'],
    ['123', 'no output'],
    ['Exit code 1\nOutput:\nsome text', 'some text'],
    ['\u001b[31msome\u001b[0m   text\u001b[1m', 'some text'],
    ['<tool_use_error>some text</tool_use_error>', 'some text'],
  ])('of %j the telling line is %j', (result, line) => {
    expect(factsOf(ledgerOf(bash('a', { result, isError: true })), 'error')).toEqual([
      `${line} (a): open`,
    ]);
  });
});

describe('what reached the world outside', () => {
  test.each([
    [
      'mcp__desk__create_issue',
      { title: 'Broken' },
      '{"id": "X-1", "url": "https://a.b/1"}',
      ['X-1: create_issue Broken https://a.b/1'],
    ],
    [
      'mcp__desk__create_issue',
      {},
      'see https://a.b/1.',
      ['https://a.b/1.: create_issue https://a.b/1.'],
    ],
    ['create_issue', { name: 'Broken' }, '"number": 12', ['12: create_issue Broken']],
    ['mcp__desk__create_issue', { title: 'Broken' }, 'done', []],
    ['mcp__desk__list_issues', {}, '"number": 12', []],
    ['send_message', { title: 'a' }, '"id": 12', []],
  ])('%s with %j: %j', (name, input, result, facts) => {
    expect(factsOf(ledgerOf(runs(name, input, { result })), 'effect')).toEqual(facts);
  });

  test.each([
    ['gh pr create; gh issue close 3', 'ok then', ['gh pr create; gh issue close 3: ok then']],
    ['gh pr create', '\n  first\nsecond', ['gh pr create: first']],
    ['gh pr create', ' \n', ['gh pr create: done']],
    ['gh pr view 3', 'https://a.b/3', []],
    ['echo', '[main 4fcc52c] Add\n   17d213a..45ffe0a  main -> main', []],
    ['git commit', '[main (root-commit) 4fcc52c] Add', ['4fcc52c: commit on main: Add']],
    ['git push', ' * [new branch]      a -> b', ['push b: pushed * [new branch] a -> b']],
    ['docker push a', 'digest: sha256:abc', ['docker push: done: digest: sha256:abc']],
    ['git tag v1', '', ['git tag v1: done']],
    ['git tag -l', '', []],
    ['kubectl apply --help', '', []],
  ])('%s that prints %j', (command, result, facts) => {
    expect(factsOf(ledgerOf(bash(command, { result })), 'effect')).toEqual(facts);
    const failed = { result: `${result}\nfatal: no`, isError: true };
    expect(factsOf(ledgerOf(bash(command, failed)), 'effect')).toEqual([]);
  });
});

describe('what the person agreed to', () => {
  const agreed = (said: string): boolean =>
    ledgerOf(answers('Go?'), says(said)).approvals().length > 0;

  test.each([
    'Yes, and then stop it there please',
    'lgtm, thanks a lot for it',
    'You may go there tomorrow',
    'passt schon gut!',
    'I approve what it says there',
    'nice',
  ])('%j agrees', (said) => expect(agreed(said)).toBe(true));
  test.each([
    'no',
    'stop',
    'why?',
    'yesterday it worked for me',
    'passt schon gut!!',
    'the second file is the one',
    "don't",
  ])('%j does not', (said) => expect(agreed(said)).toBe(false));

  test('stands with the reply it answers, and no reply is answered twice', () => {
    const blocks = {
      ...answers('one'),
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
    };
    const ledger = ledgerOf(
      blocks,
      says('yes'),
      says('ok'),
      answers('three'),
      bash('ls'),
      says('sure'),
    );
    expect(ledger.approvals()).toEqual([
      { said: 'yes', about: 'one\ntwo' },
      { said: 'ok', about: '' },
      { said: 'sure', about: 'three' },
    ]);
  });
});
