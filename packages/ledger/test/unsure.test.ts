import { closeRound, type Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { renderLedger } from '../src/index.ts';
import { answers, bash, factsOf, ledgerOf, runs, says, sizeOf } from './session.ts';

const closed = (name: string, input: object, reason: string): Message[] => {
  const [assistant] = runs(name, input) as [Message];
  const id = (assistant.content[0] as { readonly id: string }).id;
  return [
    assistant,
    ...closeRound({ assistant, results: [], waiting: [id] } as never, {
      reason,
      at: '2026-01-01T00:00:00Z',
    }),
  ];
};

// siblings looked for: calls whose result never came, stopped by a signal or a time limit, refused, looks at files, text of a
// remote that denies, a second run of the same call
describe('what may have happened outside is carried (L313)', () => {
  const unknown = expect.stringMatching(/: not known whether it ran: /);

  test.each([
    ['Bash', { command: 'cd infra && terraform apply -auto-approve' }, 'terraform apply'],
    ['Bash', { command: 'git push origin main' }, 'git push origin main'],
    ['Bash', { command: 'node migrate.js' }, 'node migrate.js'],
    ['Write', { file_path: '/w/a.ts', content: 'x' }, 'Write /w/a.ts'],
    ['Edit', { file_path: '/w/a.ts', old_string: 'x', new_string: 'y' }, 'Edit /w/a.ts'],
    ['mcp__tracker__create_issue', { title: 'Broken' }, 'mcp__tracker__create_issue Broken'],
    ['db.query', { sql: 'drop table x' }, 'db.query'],
    ['Task', { description: 'release it', prompt: 'x' }, 'Task release it'],
  ])('%s with %j, closed as killed or without any result', (name, input, subject) => {
    const rounds = Array.from({ length: 4 }, () => bash('ls', { result: 'a' }));
    const unanswered = [runs(name, input)[0] as Message, says('go on')];
    for (const call of [closed(name, input, 'killed'), unanswered]) {
      const ledger = ledgerOf(says('do it'), call, ...rounds);
      expect(factsOf(ledger, 'effect')).toEqual([unknown]);
      const { text } = renderLedger(ledger, { budgetTokens: 400, sizeOf });
      expect(text).toContain(`- ${subject}`);
      expect(text).toContain('check before repeating it');
    }
  });

  test.each([
    ['aborted by user after 12.3s', true],
    ['Command was aborted', true],
    ['[Request interrupted by user]', true],
    ['creating 3 of 8\n<error>Command was aborted before completion</error>', true],
    ['Command timed out after 2m 0.0s', true],
    ['exit code 137', true],
    ['Command terminated after 2m.\nexit code: 1', true],
    ['Process was interrupted\nexit code: 0', false],
    ['creating\nExit code: 143', undefined],
  ])('a command that ended with %j was started and stopped', (result, isError) => {
    const answer = { result, ...(isError !== undefined && { isError }) };
    const ledger = ledgerOf(bash('terraform apply', answer));
    expect(factsOf(ledger, 'effect')).toEqual([
      'terraform apply: started and stopped: a part of it may have happened, check before repeating it',
    ]);
  });

  test.each([
    ['Killed', 'started and stopped'],
    ['Error: read ECONNRESET', 'not known whether it ran'],
    ['Outcome unknown (killed)\nKilled', 'not known whether it ran'],
  ])('after %j it is %s', (result, state) => {
    expect(
      factsOf(ledgerOf(bash('terraform apply', { result, isError: true })), 'effect')[0],
    ).toContain(`terraform apply: ${state}: `);
  });

  test.each(
    [123, 124, 125, 129, 130, 131, 136, 137, 138, 142, 143, 144].map(
      (code) => [code, [124, 130, 137, 143].includes(code)] as const,
    ),
  )('the exit code %i is one of a signal or a time limit: %s', (code, isOne) => {
    const ended = bash('terraform apply', { result: `exit code ${code}`, isError: true });
    expect(factsOf(ledgerOf(ended), 'effect')).toHaveLength(isOne ? 1 : 0);
  });

  // siblings looked for: each stop, each lost connection and each time limit, with a flag and without one, of a command, of a
  // release and of a tool of a server; behind other output and behind an exit code; each failure that did nothing outside
  const cutOff = [
    'Killed',
    'aborted',
    'Aborted (core dumped)',
    'Interrupted',
    'User cancelled',
    'User canceled.',
    'Cancelled by user',
    'KeyboardInterrupt',
    'signal: killed',
    'Terminated',
    'bash: line 1:  731 Killed                  ./run.sh',
    'creating 3 of 8\nKilled',
    'command timed out',
    'Error: read ECONNRESET',
    'Error: write EPIPE',
    'MCP error -32001: Request timed out',
    'MCP error -32000: Connection closed',
    'fetch failed',
    'TypeError: fetch failed',
    'socket hang up',
    '504 Gateway Timeout',
    '502 Bad Gateway',
    'Request failed with status code 503',
    'HTTP 500',
    'context deadline exceeded',
    'unexpected EOF',
    'Connection reset by peer',
    'AbortError: The operation was aborted',
  ];

  test.each(cutOff)('%j is not known to have done nothing, nor to be done', (result) => {
    const maybe = [expect.stringMatching(/: (?:started and stopped|not known whether it ran): /)];
    for (const isError of [undefined, true]) {
      const ran = { result, ...(isError !== undefined && { isError }) };
      for (const done of [
        bash('terraform apply', ran),
        bash('node pay.js', ran),
        runs('mcp__bank__transfer', { amount: 5 }, ran),
        runs('mcp__bank__create_payment', { amount: 5 }, ran),
      ])
        expect(factsOf(ledgerOf(done), 'effect')).toEqual(maybe);
      const look = bash('cat pay.log', ran);
      expect(factsOf(ledgerOf(look), 'effect')).toEqual([]);
    }
    const coded = { result: `Exit code 1\n${result}`, isError: true };
    expect(factsOf(ledgerOf(bash('terraform apply', coded)), 'effect')).toEqual(maybe);
    const said = bash('terraform apply', { result, isError: false });
    expect(factsOf(ledgerOf(said), 'effect')).toEqual(maybe);
  });

  test.each([
    'Error: bad credentials',
    'ERROR: bad credentials',
    '╷\n│ Error: bad credentials\n│ \n╵',
    'npm ERR! 403',
    'npm error code E403\nnpm error 403 Forbidden - PUT https://npm.example/x',
    '/bin/sh: 1: terraform: not found',
    'zsh: command not found: terraform',
    'permission denied',
    '-bash: ./x.sh: Permission denied',
    '403 Forbidden',
    'HTTP/1.1 401 Unauthorized',
    'panic: x',
    '[ERROR]: x',
  ])('%j failed and did nothing outside', (result) => {
    for (const command of ['terraform apply', 'npm publish', 'gh pr create']) {
      const ledger = ledgerOf(bash(command, { result }));
      expect(factsOf(ledger, 'effect')).toEqual([]);
      expect(factsOf(ledger, 'command')).toEqual([`${command}: failed`]);
      const said = ledgerOf(bash(command, { result, isError: false }));
      expect(factsOf(said, 'effect')).toEqual([expect.stringContaining(': not known whether')]);
    }
  });

  test.each([
    ['Deployed with 1 error', false],
    ['connection to the cluster', false],
    ['deployment.apps/error-handler configured', true],
    ['0 errors, no failures', true],
    ['service/connection-pool created', true],
    [`${'line of a log\n'.repeat(100)}the retry of a failed part worked`, true],
    ['again after a timeout error\nApply complete! 1 added', true],
  ])('a release that prints %j is done: %s', (result, done) => {
    const [fact] = factsOf(ledgerOf(bash('kubectl apply -f x', { result })), 'effect');
    expect(fact === 'kubectl apply: done').toBe(done);
    expect(fact).toMatch(done ? /done$/ : /: not known whether it ran: /);
  });

  test('a test that waited too long is no effect, a run of tests that was killed is one', () => {
    const waited = { result: '1 failed\nError: Timeout of 2000 ms exceeded', isError: true };
    expect(factsOf(ledgerOf(bash('npm test', waited)), 'effect')).toEqual([]);
    const killed = { result: '✓ a\nKilled', isError: true };
    expect(factsOf(ledgerOf(bash('npm test', killed)), 'effect')).toHaveLength(1);
  });

  test.each([
    ['Error: no tests found\n0 passed, 0 failed', 'failed'],
    ['Error: of a test\n1 passed, 0 failed', 'ok'],
    ['Error: of a test\n1 passed, 1 failed', 'failed'],
    ['Error: of a test\n1 passed', 'ok'],
    ['Error: of a test', 'failed'],
    ['npm ERR! code 1\n# fail 0', 'failed'],
  ])('a run without a flag that prints %j has %s', (result, outcome) => {
    expect(factsOf(ledgerOf(bash('node run.js', { result })), 'command')).toEqual([
      `node run.js: ${outcome}`,
    ]);
  });

  test.each([
    ['creating\nKilled\none more line', true],
    ['creating\nKilled\n\n \none more line', true],
    ['creating\nKilled\none more line\nand another', false],
  ])('a command was stopped where one of its last two lines says so: %j', (result, stopped) => {
    const [fact = ''] = factsOf(
      ledgerOf(bash('terraform apply', { result, isError: true })),
      'effect',
    );
    expect(fact.startsWith('terraform apply: started and stopped')).toBe(stopped);
  });

  test.each(['3 passed, 0 failed\nError: of a test', 'timeout: 30', 'wrote 3 files'])(
    '%j is no trouble',
    (result) => {
      const ledger = ledgerOf(bash('node run.js', { result }));
      expect(factsOf(ledger, 'effect')).toEqual([]);
      expect(factsOf(ledger, 'command')).toEqual(['node run.js: ok']);
    },
  );

  test.each([
    "The user doesn't want to proceed with this tool use. The tool use was rejected.",
    'Permission to use Bash has been denied.',
    'Tool use was rejected',
  ])('a call that was refused (%j) did not run', (result) => {
    const ledger = ledgerOf(bash('git push', { result, isError: true }));
    expect(factsOf(ledger, 'effect')).toEqual([]);
    expect(factsOf(ledger, 'failed-approach')).toEqual(['git push: not run: it was refused']);
  });

  test('a round that was closed because it never began did not run', () => {
    const ledger = ledgerOf(closed('Bash', { command: 'git push' }, 'not-started'));
    expect(factsOf(ledger, 'effect')).toEqual([]);
    expect(factsOf(ledger, 'failed-approach')).toEqual(['git push: not run: it was refused']);
  });

  test('a remote that denies is a failure, not a refusal', () => {
    const result = 'Permission denied (publickey).\nfatal: Could not read from remote repository.';
    const ledger = ledgerOf(bash('git push', { result, isError: true }));
    expect(factsOf(ledger, 'failed-approach')).toEqual([]);
    expect(factsOf(ledger, 'error')).toHaveLength(1);
  });

  test.each([
    ['Bash', { command: 'cat a.ts | head' }],
    ['Read', { file_path: 'a.ts' }],
    ['Grep', { pattern: 'x' }],
    ['mcp__tracker__get_issue', { id: '1' }],
    ['TodoWrite', { todos: [] }],
  ])('of a look (%s %j) nothing is carried', (name, input) => {
    const ledger = ledgerOf(closed(name, input, 'killed'), answers('on'));
    expect(factsOf(ledger, 'effect')).toEqual([]);
  });

  test('what ran to its end since is no longer unsure', () => {
    const command = 'terraform apply';
    const ledger = ledgerOf(
      closed('Bash', { command }, 'killed'),
      bash(command, { result: 'Apply complete!' }),
    );
    expect(factsOf(ledger, 'effect')).toEqual(['terraform apply: done']);
  });

  test('nor is it once the session has gone on from there', () => {
    const [unanswered] = runs('Bash', { command: 'node migrate.js' }) as [Message];
    const ledger = ledgerOf(unanswered, says('again'), bash('node migrate.js'), says('go on'));
    expect(factsOf(ledger, 'effect')).toEqual([]);
  });

  test('a result that stands there twice counts once', () => {
    const [call, result] = runs('Bash', { command: 'make' }, { result: 'fatal: x', isError: true });
    const ledger = ledgerOf(
      call as Message,
      result as Message,
      { ...result, id: 'again' } as Message,
    );
    expect(factsOf(ledger, 'error')).toEqual(['fatal: x (make): open']);
    expect(factsOf(ledger, 'failed-approach')).toEqual([]);
  });

  test('a result that comes late counts', () => {
    const [call, result] = runs(
      'Bash',
      { command: 'git push' },
      { result: 'Everything up-to-date' },
    );
    const ledger = ledgerOf(call as Message, answers('meanwhile'), result as Message);
    expect(factsOf(ledger, 'effect')).toEqual([]);
  });
});

// siblings looked for: the list of words, a shell's script, one line, several lines, the folder in the action
describe('D3: a command that stands in the action of a call is a command like any other (L313)', () => {
  const actions = [
    { type: 'exec', command: ['terraform', 'apply'] },
    { command: ['bash', '-lc', 'terraform apply'], working_directory: '/w' },
    { command: 'terraform apply' },
    { commands: ['terraform apply'] },
  ];
  test.each([
    'Killed',
    'Error: command was killed by signal SIGKILL',
    'Exit code 137\n',
    'Command timed out after 120s',
    '[Request interrupted by user]',
    'signal: killed',
    '{"output":"Killed\\n","metadata":{"exit_code":137,"duration_seconds":3}}',
  ])('%j', (result) => {
    for (const action of actions) {
      const ledger = ledgerOf(says('Apply it.'), runs('local_shell', { action }, { result }));
      expect(factsOf(ledger, 'effect')).toEqual([
        expect.stringMatching(/^terraform apply: started and stopped: /),
      ]);
      expect(renderLedger(ledger, { budgetTokens: 500, sizeOf }).text).toContain('terraform apply');
    }
  });
});
