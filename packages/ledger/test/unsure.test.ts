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
    ['creating\nExit code: 143', undefined],
  ])('a command that ended with %j was started and stopped', (result, isError) => {
    const answer = { result, ...(isError !== undefined && { isError }) };
    const ledger = ledgerOf(bash('terraform apply', answer));
    expect(factsOf(ledger, 'effect')).toEqual([
      'terraform apply: started and stopped: a part of it may have happened, check before repeating it',
    ]);
  });

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
