import type { Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { checkSummary, createLedger, type Ledger } from '../src/index.ts';
import { answers, bash, factsOf, ledgerOf, runs, says, valuesOf } from './session.ts';

type FactType = ReturnType<Ledger['facts']>[number]['type'];

const keysOf = (ledger: Ledger, type: FactType): string[] =>
  ledger.facts().flatMap((fact) => (fact.type === type ? [fact.key] : []));
const letters = (length: number): string => 'x'.repeat(length);
const failing = { result: 'fatal: no rule', isError: true };
const shortest = (texts: readonly string[]): string =>
  texts.toSorted((a, b) => a.length - b.length)[0] ?? '';

/** How a text of a session is shown, by what it is. */
const SHOWN: readonly (readonly [string, number, (text: string) => string | undefined])[] = [
  ['a command', 300, (text) => keysOf(ledgerOf(bash(text)), 'command')[0]],
  [
    'a command that failed twice',
    200,
    (text) => keysOf(ledgerOf(bash(text, failing), bash(text, failing)), 'failed-approach')[0],
  ],
  [
    'a check',
    200,
    (text) =>
      keysOf(ledgerOf(bash(`npm test ${text.slice(9)}`)), 'test-status')[0]?.replace(
        'npm test ',
        letters(9),
      ),
  ],
  [
    'an edit that was taken back',
    100,
    (text) =>
      keysOf(
        ledgerOf(
          runs('Edit', { file_path: 'a', old_string: 'b', new_string: text }),
          runs('Edit', { file_path: 'a', old_string: text, new_string: 'b' }),
        ),
        'failed-approach',
      )[0]?.replace('edit of a: ', ''),
  ],
  [
    'the call of an error',
    80,
    (text) => keysOf(ledgerOf(bash(text, failing)), 'error')[0]?.replace(/^.*\(|\)$/g, ''),
  ],
  [
    'a call that was refused',
    300,
    (text) =>
      keysOf(
        ledgerOf(bash(text, { result: 'Tool use was rejected', isError: true })),
        'failed-approach',
      )[0],
  ],
  [
    'an error',
    180,
    (text) =>
      keysOf(ledgerOf(bash('a', { result: text, isError: true })), 'error')[0]?.replace(' (a)', ''),
  ],
  [
    'a question',
    300,
    (text) =>
      keysOf(ledgerOf(runs('ask_user', { question: text }, { result: 'yes' })), 'choice')[0],
  ],
  [
    'an answer',
    600,
    (text) =>
      valuesOf(ledgerOf(runs('ask_user', { question: 'a' }, { result: text })), 'choice')[0],
  ],
  [
    'a plan',
    120,
    (text) =>
      keysOf(ledgerOf(runs('exit_plan_mode', { plan: text })), 'choice')[0]?.replace('plan: ', ''),
  ],
  [
    'a background task',
    160,
    (text) =>
      valuesOf(
        ledgerOf(
          runs(
            'Bash',
            { command: text, run_in_background: true },
            { result: 'running in background with ID: t' },
          ),
        ),
        'background-task',
      )[0]?.replace('running: ', ''),
  ],
  [
    'a commit',
    160,
    (text) =>
      valuesOf(
        ledgerOf(bash('git commit', { result: `[m abcdef0] ${text.slice(13)}` })),
        'effect',
      )[0]?.replace('commit on m: ', letters(13)),
  ],
  [
    'a todo',
    300,
    (text) => keysOf(ledgerOf(runs('todo', { todos: [{ content: text }] })), 'todo')[0],
  ],
  [
    'a todo of a list in Markdown',
    300,
    (text) => keysOf(ledgerOf(runs('todo', { todos: `- [ ] ${text}` })), 'todo')[0],
  ],
  [
    'the owner of a todo',
    60,
    (text) =>
      keysOf(
        ledgerOf(runs('todo', { todos: [{ content: 'a', owner: text }] })),
        'todo',
      )[0]?.replace(/^a \(|\)$/g, ''),
  ],
  [
    'the id of a todo',
    60,
    (text) =>
      keysOf(ledgerOf(runs('todo', { todos: [{ content: 'a', id: text }] })), 'todo')[0]?.replace(
        /^a \(#|\)$/g,
        '',
      ),
  ],
  [
    'the command of a measurement',
    60,
    (text) =>
      keysOf(ledgerOf(bash(text, { result: 'time: 3 ms' })), 'literal')[0]?.replace(
        /^time \(|\)$/g,
        '',
      ),
  ],
];

describe('texts of facts are cut with an ellipsis', () => {
  test.each(SHOWN)('%s at %i characters', (_, length, shownAs) => {
    expect(shownAs(letters(length))).toBe(letters(length));
    expect(shownAs(letters(length + 1))).toBe(`${letters(length - 1)}…`);
  });

  test('arguments of a skill at 80', () => {
    const args = (length: number) =>
      valuesOf(ledgerOf(runs('Skill', { skill: 'a', args: letters(length) })), 'skill')[0];
    expect(valuesOf(ledgerOf(runs('Skill', { name: 'a', arguments: '12' })), 'skill')).toEqual([
      'loaded with 12',
    ]);
    expect([args(80), args(81)]).toEqual([
      `loaded with ${letters(80)}`,
      `loaded with ${letters(80)}`,
    ]);
  });
});

const sizeOf = ({ length }: string): number => length;
/** The findings in a summary, what was appended aside. */
const found = (summary: string, ledger: Ledger): string[] =>
  checkSummary(summary, { ledger, budgetTokens: 0, sizeOf }).findings.flatMap(({ kind }) =>
    kind === 'missing-facts' ? [] : [kind],
  );
const printed = (result: string, type: FactType, command = 'make', isError?: boolean): string[] =>
  valuesOf(ledgerOf(bash(command, { result, ...(isError !== undefined && { isError }) })), type);
const KEEP = 'please make sure the build stays green';
const pasted = 'abcd efg\n'.repeat(600);

/** What is read up to a length, or a count, and not beyond. */
const READ: readonly (readonly [string, number, (length: number) => boolean])[] = [
  [
    'characters at the beginning of a result for its exit code',
    200,
    (length) =>
      printed(`${'exit code 3'.padStart(length, ' .')}\n${letters(900)}`, 'command')[0] ===
      'failed, exit 3',
  ],
  [
    'characters at the end of a result for its exit code',
    200,
    (length) =>
      printed(`${letters(900)}\n${'exit code 3 '.padEnd(length, '. ')}`, 'command')[0] ===
      'failed, exit 3',
  ],
  [
    'characters at the end of a run of tests for its counts',
    6_000,
    (length) =>
      printed('3 passed, 1 failed '.padEnd(length, '.'), 'test-status', 'npm test')[0] ===
      'fail, 3 passed, 1 failed',
  ],
  [
    'characters of an output for a connection that was lost',
    400,
    (length) => printed('ECONNRESET '.padEnd(length, '.'), 'effect', 'node run.js').length === 1,
  ],
  [
    'characters of the end of an output for a stop',
    400,
    (length) => printed('Killed\n'.padEnd(length, '.'), 'effect', 'pay.sh', true).length === 1,
  ],
  [
    'characters of an output, both ends read, for a connection that was lost in its middle',
    800,
    (length) =>
      printed(' ECONNRESET '.padStart(406, '.').padEnd(length, '.'), 'effect', 'run.sh', true)
        .length === 1,
  ],
  [
    'characters of an output without a flag for trouble in plain words',
    800,
    (length) =>
      printed('npm ERR! code 1\n'.padEnd(length, '.'), 'command', 'node run.js')[0] === 'failed',
  ],
  [
    'characters of a check that runs on for its session',
    400,
    (length) =>
      valuesOf(
        ledgerOf(
          runs(
            'exec_command',
            { cmd: 'npm test' },
            { result: 'Process running with session ID 7'.padStart(length, '.') },
          ),
          runs('write_stdin', { session_id: 7 }, { result: '3 passed' }),
        ),
        'test-status',
      ).length === 1,
  ],
  [
    'characters of an output for a doubt about what was done',
    1_000,
    (length) =>
      printed(' denied'.padStart(length, '.'), 'effect', 'kubectl apply -f x')[0] !== 'done',
  ],
  [
    'characters of the answer of a tool that a file was there before',
    200,
    (length) =>
      valuesOf(
        ledgerOf(
          runs(
            'Write',
            { file_path: 'a', content: '' },
            { result: ' updated'.padStart(length, '.') },
          ),
        ),
        'file',
      )[0] === 'edited once',
  ],
  [
    'characters of the answer of a tool for the number of a new task',
    200,
    (length) =>
      keysOf(
        ledgerOf(runs('TaskCreate', { subject: 'a' }, { result: ' #7'.padStart(length, '.') })),
        'todo',
      )[0] === 'a (#7)',
  ],
  [
    'characters of the answer of a tool for that number, with the text of the task',
    600,
    (length) => {
      const subject = letters(length - 3);
      const ran = runs('TaskCreate', { subject }, { result: `${subject} #7` });
      return keysOf(ledgerOf(ran), 'todo')[0]?.endsWith('(#7)') === true;
    },
  ],
  [
    'characters of the answer of a tool for what it did not do',
    600,
    (length) =>
      keysOf(
        ledgerOf(runs('TaskCreate', { subject: 'a' }, { result: ' not'.padStart(length, '.') })),
        'todo',
      ).length === 0,
  ],
  [
    'characters of a result without words for an image in it',
    20_000,
    (length) =>
      printed('data:image/png;base64,'.padStart(length), 'command', 'shot.sh')[0] ===
      'showed an image, nothing in words',
  ],
  [
    'characters of a correction',
    120,
    (length) =>
      valuesOf(
        ledgerOf(says('the limit is 5'), says('correction, 12 '.padEnd(length, 'x'))),
        'literal',
      )[0] === '12',
  ],
  [
    'characters of a rule',
    600,
    (length) =>
      valuesOf(ledgerOf(says(`${'Never '.padEnd(length - 1, 'x')}.`)), 'rule').length === 1,
  ],
  [
    'characters of a message for a wish in its middle',
    6_000,
    (length) => {
      const around = pasted.slice(0, 2_700);
      const middle = letters(length - 2 * around.length - KEEP.length - 2);
      const said = `${around}${middle}\n${KEEP}\n${around}`;
      return valuesOf(ledgerOf(says(said)), 'rule').includes(KEEP);
    },
  ],
  [
    'characters of a message for news that take a rule back',
    6_000,
    (length) =>
      valuesOf(
        ledgerOf(
          says('Always set the limit to 5'),
          says('the limit is now 6\n'.padEnd(length, 'x')),
        ),
        'rule',
      ).length === 0,
  ],
  [
    'characters at the beginning of a pasted text for a wish',
    2_000,
    (length) =>
      valuesOf(ledgerOf(says(`${letters(length - KEEP.length - 1)}\n${KEEP}\n${pasted}`)), 'rule')
        .length === 1,
  ],
  [
    'characters at the end of a pasted text for a wish',
    2_000,
    (length) =>
      valuesOf(ledgerOf(says(`${pasted}${KEEP}\n${letters(length - KEEP.length - 1)}`)), 'rule')
        .length === 1,
  ],
  [
    'characters in front of a claim for what denies it',
    160,
    (length) =>
      found(
        `It is ${'not true that '.padEnd(length - 5, 'x')} the user forbids deploys.`,
        ledgerOf(says('Fix it.')),
      ).length === 0,
  ],
  [
    'messages for what stands behind the gap of a quote',
    20,
    (count) =>
      found(
        'The user said "alpha beta … gamma delta".',
        ledgerOf(
          ...Array.from({ length: count - 1 }, () => says('alpha beta only')),
          says('alpha beta and gamma delta'),
        ),
      ).length === 0,
  ],
  [
    'places for a quote whose pairs of words are all frequent',
    2_000,
    (count) =>
      found(
        'The user said "pp qq rr ss".',
        ledgerOf(
          says(`${'pp qq zz '.repeat(count - 1)}${'qq rr zz rr ss zz '.repeat(3_000)}pp qq rr ss`),
        ),
      ).length === 0,
  ],
  [
    'checks for a claim that they contradict',
    200,
    (count) =>
      found(
        'All tests pass.',
        ledgerOf(
          bash('npm test', { result: 'it broke', isError: true }),
          ...Array.from({ length: count - 1 }, (_, at) => bash(`npm run build part${at}`)),
        ),
      ).length === 1,
  ],
];

test.each(READ)('of %s %i are read', (_, length, isRead) => {
  expect([isRead(length), isRead(length + 1)]).toEqual([true, false]);
});

describe('what is kept of many', () => {
  test('the newest 1,000 commands', () => {
    const ledger = ledgerOf(...Array.from({ length: 1_001 }, (_, at) => bash(`run ${at}`)));
    expect(keysOf(ledger, 'command')).toHaveLength(1_000);
    expect(shortest(keysOf(ledger, 'command'))).toBe('run 1');
    for (const command of ['run 1', 'run 1001']) bash(command).forEach(ledger.add);
    const kept = keysOf(ledger, 'command');
    expect(['run 1', 'run 2', 'run 3'].map((key) => kept.includes(key))).toEqual([
      true,
      false,
      true,
    ]);
    expect(ledger.superseded()).toEqual([]);
  });

  test('the newest 2,000 names of values', () => {
    const ledger = ledgerOf(
      ...Array.from({ length: 2_001 }, (_, at) => says(`the limit of l${at} is ${at}`)),
    );
    expect(keysOf(ledger, 'literal')).toHaveLength(2_000);
    ledger.add(says('the limit of l1 is 7'));
    ledger.add(says('the limit of l2001 is 7'));
    const kept = keysOf(ledger, 'literal');
    const names = ['l1', 'l2', 'l3'].map((name) => kept.some((key) => key.endsWith(name)));
    expect(names).toEqual([true, false, true]);
  });

  test('twenty measurements of an output, of outputs up to 4,000 characters', () => {
    const lines = Array.from({ length: 21 }, (_, at) => `time ${at}: ${at} ms`).join('\n');
    expect(keysOf(ledgerOf(bash('a', { result: lines })), 'literal')).toHaveLength(20);
    const sized = (length: number) =>
      keysOf(ledgerOf(bash('a', { result: 'time: 1 ms\n'.padEnd(length, '.') })), 'literal').length;
    expect([sized(4_000), sized(4_001)]).toEqual([1, 0]);
  });

  test('twenty addresses of a message, and values of its first 20,000 characters', () => {
    const urls = Array.from({ length: 21 }, (_, at) => `https://a.b/${at}`).join(' ');
    expect(keysOf(ledgerOf(says(urls)), 'literal')).toHaveLength(20);
    const at = (place: number) =>
      keysOf(ledgerOf(says(`${'a '.repeat(place / 2)}https://a.b`)), 'literal');
    expect([at(20_000 - 12), at(20_000)]).toEqual([['https://a.b'], []]);
  });

  test('1,000 todos', () => {
    const todos = Array.from({ length: 1_001 }, (_, at) => ({ content: `do ${at}` }));
    expect(keysOf(ledgerOf(runs('todo', { todos })), 'todo')).toHaveLength(1_000);
    const list = todos.map(({ content }) => `- [ ] ${content}`).join('\n');
    expect(keysOf(ledgerOf(runs('todo', { todos: list })), 'todo')).toHaveLength(1_000);
    const merged = ledgerOf(
      runs('todo', { todos }),
      runs('todo', { merge: true, todos: [{ content: 'last' }] }),
    );
    expect(keysOf(merged, 'todo')).toHaveLength(1_000);
    expect(keysOf(merged, 'todo')).toContain('last');
    expect(keysOf(merged, 'todo')).not.toContain('do 0');
  });

  test('twelve old values of a name', () => {
    const ledger = ledgerOf(...Array.from({ length: 14 }, (_, at) => says(`the limit is ${at}`)));
    expect(ledger.superseded().map(({ value }) => value)).toEqual(
      Array.from({ length: 12 }, (_, at) => `${at + 1}`),
    );
  });

  test('four addresses of a command that changed something online', () => {
    const result = Array.from({ length: 5 }, (_, at) => `https://a.b/${at}`).join('\n');
    expect(keysOf(ledgerOf(bash('gh pr create', { result })), 'effect')).toHaveLength(4);
  });

  test('the names of three files that were edited, of the last 64 edits', () => {
    const edited = (count: number) => {
      const edits = Array.from({ length: count }, (_, at) =>
        runs('Edit', { file_path: `d/f${at}.ts`, old_string: 'a', new_string: 'b' }),
      );
      return valuesOf(
        ledgerOf(...edits.slice(0, 1), bash('x', failing), ...edits.slice(1), bash('x')),
        'error',
      )[0];
    };
    expect(edited(1)).toBe('resolved: the same call passed');
    expect(edited(3)).toBe('resolved: the same call passed after editing f1.ts, f2.ts');
    expect(edited(9)).toBe('resolved: the same call passed after editing f6.ts, f7.ts, f8.ts');
    expect(edited(90)).toBe('resolved: the same call passed after editing f87.ts, f88.ts, f89.ts');
    const same = Array.from({ length: 64 }, () =>
      runs('Edit', { file_path: 'a.ts', old_string: 'a', new_string: 'b' }),
    );
    const first = runs('Edit', { file_path: 'first.ts', old_string: 'a', new_string: 'b' });
    const resolvedBy = (list: readonly Message[][]) =>
      valuesOf(ledgerOf(bash('x', failing), ...list, bash('x')), 'error')[0];
    expect(resolvedBy([first, ...same.slice(1)])).toBe(
      'resolved: the same call passed after editing first.ts, a.ts',
    );
    expect(resolvedBy([first, ...same])).toBe('resolved: the same call passed after editing a.ts');
    const written = runs('Write', { file_path: 'C:\\app\\main.ts', content: '' });
    expect(resolvedBy([written, bash('rm -r src/old/')])).toBe(
      'resolved: the same call passed after editing main.ts, old',
    );
  });

  test('400 edits that may be taken back', () => {
    const edit = (at: number, back = false) =>
      runs('Edit', {
        file_path: 'a.ts',
        old_string: back ? `new ${at}` : `old ${at}`,
        new_string: back ? `old ${at}` : `new ${at}`,
      });
    const retaken = (count: number) =>
      factsOf(
        ledgerOf(...Array.from({ length: count }, (_, at) => edit(at)), edit(0, true)),
        'failed-approach',
      );
    expect(retaken(400)).toEqual(['edit of a.ts: new 0: taken back']);
    expect(retaken(401)).toEqual([]);
  });

  test('600 characters of an approval, and of the end of what it answers', () => {
    const ledger = ledgerOf(answers(`b${letters(700)}`), says(`yes ${letters(700)}`));
    expect(ledger.approvals()).toEqual([{ said: `yes ${letters(596)}`, about: letters(600) }]);
  });

  test('300 characters of a remark that nobody answered', () => {
    const choice = (length: number) =>
      factsOf(
        ledgerOf(
          runs(
            'ask_user',
            { question: 'Which?' },
            { result: `The user${'skipped'.padStart(length - 8)}` },
          ),
        ),
        'choice',
      );
    expect([choice(300), choice(301)]).toEqual([[], ['Which?: The user skipped']]);
  });

  test('fifty words of a message that begin like the word of a claim', () => {
    const letter = (at: number) => String.fromCharCode(97 + at);
    const near = (count: number) =>
      Array.from(
        { length: count },
        (_, at) => `dep${letter(at % 26)}${letter(Math.floor(at / 26))}x`,
      );
    const marks = (count: number) =>
      found('The user insists on deploy.', ledgerOf(says([...near(count), 'deployment'].join(' '))))
        .length === 1;
    expect([marks(0), marks(49), marks(50)]).toEqual([false, false, true]);
  });

  test('ends and folders of a path of up to twenty parts', () => {
    const path = (parts: number) => Array.from({ length: parts }, (_, at) => `d${at}`);
    const known = (parts: number, from: number, to: number) =>
      ledgerOf(says(`see ${path(parts).join('/')}`)).mentions(
        path(parts).slice(from, to).join('/'),
      );
    expect([known(20, 17, 20), known(20, 0, 3), known(20, 0, 1)]).toEqual([true, true, true]);
    expect([known(21, 17, 21), known(21, 0, 3)]).toEqual([false, false]);
    expect(ledgerOf(says('see io.load_rows')).mentions('io')).toBe(false);
  });

  test('2,000 characters of a refusal, in order', () => {
    const refused = (text: string) =>
      bash('rm a', { result: `Tool use was rejected ${text}`, isError: true });
    const ledger = ledgerOf(
      refused('one'),
      refused(letters(3_000)),
      bash('rm a', { result: 'Tool use was rejected two' }),
      bash('rm a', { result: '[Request interrupted by user] use b', isError: true }),
      bash('rm a', { result: 'rm: a: No such file or directory', isError: true }),
    );
    expect(ledger.refusals()).toEqual([
      'Tool use was rejected one',
      `Tool use was rejected ${letters(1_978)}`,
      '[Request interrupted by user] use b',
    ]);
  });

  test('2,000 characters of a result that says which task it started, or that it ended', () => {
    const started = (place: number) =>
      factsOf(
        ledgerOf(
          runs(
            'Bash',
            { command: 'job', run_in_background: true },
            { result: `${letters(place - 1)} running in background with ID: t` },
          ),
        ),
        'background-task',
      );
    expect([started(2_000 - 32), started(2_000 - 31)]).toEqual([['t: running: job'], []]);
  });

  test('paths up to 4,096 characters', () => {
    const written = (length: number) =>
      keysOf(ledgerOf(runs('Write', { file_path: letters(length), content: '' })), 'file').length;
    const read = (length: number) =>
      keysOf(ledgerOf(runs('Read', { file_path: letters(length) })), 'file-read').length;
    expect([written(4_096), written(4_097), read(4_096), read(4_097)]).toEqual([1, 0, 1, 0]);
  });

  test('10,000 characters at either end of a result, for what went wrong', () => {
    const signature = (before: number, after: number) =>
      keysOf(
        ledgerOf(
          bash('a', {
            result: `${'.\n'.repeat(before / 2)}Error: here\n${'.\n'.repeat(after / 2)}`,
            isError: true,
          }),
        ),
        'error',
      )[0];
    expect(signature(9_000, 90_000)).toBe('Error: here (a)');
    expect(signature(90_000, 9_000)).toBe('Error: here (a)');
    expect(signature(90_000, 90_000)).toBe('no output (a)');
    expect(signature(9_980, 8)).toBe('Error: here (a)');
    expect(signature(10_100, 90_000)).toBe('no output (a)');
    expect(signature(90_000, 10_100)).toBe('no output (a)');
    expect(signature(10_100, 9_800)).toBe('Error: here (a)');
  });

  test('6,000 characters at either end of a long report in JSON lines, each of them once', () => {
    const counted = (length: number) => {
      const lines = '{"reason":"build-finished","success":true}\n';
      const totals = '\ntest result: ok. 3 passed; 0 failed;';
      const result = `${lines.padEnd(length - totals.length, '.')}${totals}`;
      return printed(result, 'test-status', 'cargo test --message-format json')[0];
    };
    expect([counted(6_000), counted(13_000)]).toEqual(Array(2).fill('pass, 3 passed, 0 failed'));
  });

  test('8,000 characters at the end of a result, for what a command did', () => {
    const committed = (after: number) =>
      factsOf(
        ledgerOf(bash('git commit', { result: `[m abcdef0] a\n${'.'.repeat(after)}` })),
        'effect',
      ).length;
    expect([committed(8_000 - 14), committed(8_000 - 13)]).toEqual([1, 0]);
  });

  test('a tool of the host is known by the name it was given', () => {
    const ledger = createLedger({ tools: { 'desk.todo': 'todo' } });
    for (const message of runs('desk.todo', { todos: [{ content: 'a' }] })) ledger.add(message);
    expect(factsOf(ledger, 'todo')).toEqual(['a: pending']);
  });
});
