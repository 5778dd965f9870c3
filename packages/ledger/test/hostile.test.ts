import type { Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { oneIn } from '../../../internal/src/share.ts';
import { checkSummary, createLedger, type Ledger, renderLedger } from '../src/index.ts';

const LENGTH = 100_000;
const sizeOf = (text: string) => Math.ceil(text.length / 4);

/** Repeated to a length at which what costs its cube, or its square many times over, runs past the test's time. */
const PARTS = [
  ...['\n', ' ', '\r\n', ' \n', '.', '/', '1', '*', '"', '\\', '\ud800', '\0', '\u202eשלום '],
  ...['<system-reminder>', '<task-notification>', '<command-args>', '<scratchpad>', '<summary>'],
  ...['The user said “', 'the user said «abc', 'The user said "abc ', 'user ', ' (superseded: x'],
  ...['- user: abc ', 'src/a.ts ', 'src/a_b/', 'a.', 'cache size 8 ', 'cache size is ', 'tests '],
  ...[
    'all tests pass\n',
    'Never do x. ',
    'git ',
    'git push;\n',
    'QUJDREVG',
    'a;',
    'rails ',
    'cd a;',
  ],
  ...['npx ', 'npm -x ', 'A=b ', '<<E\n', 'npm test | tail ', 'error: ', '1 tests, ', '"a"="'],
  ...['*** Add File: a\n', '--- a\n', '- [ ] a\n', '**a', '# user ', '## User messages\n- abc … '],
];

const filled = (part: string): string => part.repeat(Math.ceil(LENGTH / part.length));

function call(id: string, name: string, input: unknown, content: string): Message[] {
  const failed = { type: 'tool_result', tool_use_id: id, content, is_error: id.startsWith('bad') };
  return [
    { id: `${id}-call`, role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
    { id: `${id}-result`, role: 'user', content: [failed] },
  ];
}

const said = (id: string, text: string): Message => ({
  id,
  role: 'user',
  content: [{ type: 'text', text }],
});

function ledgerOf(...messages: readonly Message[]): Ledger {
  const ledger = createLedger();
  for (const message of messages) ledger.add(message);
  return ledger;
}

const BEGUN = [
  said('m0', 'Never touch vendor/. The cache size is 8.'),
  ...call('bad-1', 'Bash', { command: 'npm test' }, 'Tests  1 failed | 3 passed (4)'),
  ...call('c2', 'Edit', { file_path: '/repo/src/a.ts', old_string: 'a', new_string: 'b' }, 'ok'),
  said('m1', 'The cache size is 12 now.'),
];

describe('createLedger, renderLedger, checkSummary: texts that are made to cost time', () => {
  test.each(oneIn(5, PARTS))('are read where %j fills what the person said', (part) => {
    const text = filled(part);
    const ledger = ledgerOf(...BEGUN, said('m2', text), {
      ...said('m3', text),
      origin: { kind: 'command' },
    });
    expect(renderLedger(ledger, { budgetTokens: 2_000, sizeOf }).text).toContain('vendor/');
  });

  test.each(oneIn(5, PARTS))('are read where %j fills inputs and outputs', (part) => {
    const text = filled(part);
    const ledger = ledgerOf(
      ...BEGUN,
      ...['npm test', 'git push', 'gh pr create', 'npm publish', 'git commit'].flatMap(
        (command) => [
          ...call(`c ${command}`, 'Bash', { command }, text),
          ...call(`bad ${command}`, 'Bash', { command }, text),
        ],
      ),
      ...call('shell', 'Bash', { command: text }, 'ok'),
      ...call('write', 'Write', { file_path: text, content: text }, text),
      ...call('patch', 'apply_patch', { input: text }, text),
      ...call('ask', 'AskUserQuestion', { question: text }, text),
      ...call('todo', 'TodoWrite', { todos: [{ content: text, status: 'pending' }] }, text),
    );
    expect(renderLedger(ledger, { budgetTokens: 2_000, sizeOf }).text).toContain('vendor/');
  });

  test.each(oneIn(5, PARTS))('are read where %j fills a summary', (part) => {
    const checked = checkSummary(filled(part), {
      ledger: ledgerOf(...BEGUN),
      budgetTokens: 2_000,
      sizeOf,
    });
    expect(checked.text).toContain('Never touch vendor/.');
  });
});

test.each([undefined, '', 5])('N341: a message whose id is %j is refused by name', (id) => {
  const ledger = createLedger();
  const message = { role: 'user', content: 'Never touch the main branch.', id } as never;
  expect(() => ledger.add(message)).toThrow('message.id');
  expect(ledger.facts()).toEqual([]);
});

describe('what a model writes as the input of a call is any JSON', () => {
  const unwritten = { toString: null, valueOf: 1 };
  const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
  const values = [unwritten, [unwritten], deep, null, 1, true, '', '{', '[]', '{"input":1}'];
  const names = [
    ...['TodoWrite', 'update_plan', 'todo_write', 'Bash', 'BashOutput', 'Read', 'Edit', 'Write'],
    ...['AskUserQuestion', 'Skill', 'Task', 'KillShell', 'grep', 'apply_patch', 'spawn_agent'],
  ];
  const fields = [
    ...['input', 'todos', 'plan', 'command', 'file_path', 'content', 'old_string', 'new_string'],
    ...['questions', 'question', 'skill', 'prompt', 'description', 'id', 'taskId', 'session_id'],
    ...['shell_id', 'status', 'patch', 'options', 'answers'],
  ];

  test.each(names)('%s: nothing of it is thrown back', (name) => {
    const inputs = fields.flatMap((field) => values.map((value) => ({ [field]: value })));
    const all = Object.fromEntries(fields.map((field) => [field, unwritten]));
    const ledger = createLedger();
    for (const [at, input] of [...inputs, all].entries())
      for (const message of call(`c${at}`, name, input, 'ok')) ledger.add(message);
    ledger.facts();
  });

  test('a list in a field that is no text is not taken for JSON', () => {
    const ledger = createLedger();
    const input = { input: ['[{"content":"x","status":"pending"}]'] };
    for (const message of call('t', 'TodoWrite', input, 'ok')) ledger.add(message);
    expect(ledger.facts().filter(({ type }) => type === 'todo')).toEqual([]);
  });
});
