import { expect, test } from 'vitest';
import { sent, use, workbench } from './support.ts';

test('A1: a prompt is answered after the rounds of tools that the model asks for', async () => {
  const { run, write, bodies } = await workbench({
    replies: [use('call_1', 'Read', { file_path: 'a.txt' }), 'It says hello.'],
  });
  write('a.txt', 'hello\n');
  const { code, stdout, stderr } = await run(['-p', 'What does a.txt say?']);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'It says hello.\n', stderr: '' });
  expect(JSON.stringify(bodies()[1]?.messages)).toContain('1\\thello');
});

test('A2: a command needs permission where nobody can be asked, and runs with bypassPermissions', async () => {
  const { run, bodies } = await workbench({
    replies: ({ request }) =>
      sent(request.messages.at(-1)).includes('tool_result')
        ? 'ok'
        : use('call_1', 'Bash', { command: 'echo $((6*7))' }),
  });
  const refused = await run(['-p', 'Run it.']);
  expect(refused.code).toBe(4);
  expect(refused.stderr).toContain('Bash needs permission');
  const allowed = await run(['-p', 'Run it.', '--permission-mode', 'bypassPermissions']);
  expect(allowed).toMatchObject({ code: 0, stdout: 'ok\n' });
  expect(JSON.stringify(bodies().at(-1)?.messages)).toContain('42');
});
