import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { linesOf, sent, use, sharedWorkbench as workbench } from './support.ts';

const RUNS = ['--permission-mode', 'bypassPermissions'];

/** Logs of a configuration folder, by session. */
function logsOf(config: string): Record<string, string> {
  if (!existsSync(config)) return {};
  const names = readdirSync(config, { recursive: true, encoding: 'utf8' });
  const logs = names.filter((name) => name.endsWith('.jsonl'));
  return Object.fromEntries(
    logs.map((name) => [
      name.replace(/^.*\/|\.jsonl$/g, ''),
      readFileSync(join(config, name), 'utf8'),
    ]),
  );
}

test('A6: -c goes on with the newest session, and its request begins with the bytes of the one before', async () => {
  const { run, write, bodies, emulator, config } = await workbench({
    replies: [use('call_1', 'Read', { file_path: 'a.txt' }), 'Read.', 'Again.', 'Other.'],
  });
  write('a.txt', 'hello\n');
  await run(['-p', 'Read a.txt.']);
  write('b.txt', 'changes what git and the folder say\n');
  expect(await run(['-p', '-c', 'And again.'])).toMatchObject({ code: 0, stdout: 'Again.\n' });
  const [, before, after] = bodies();
  expect(after?.system).toEqual(before?.system);
  expect(after?.messages.slice(0, before?.messages.length).map(sent)).toEqual(
    before?.messages.map(sent),
  );
  expect(Object.keys(logsOf(config))).toHaveLength(1);
  emulator.expectHitRate(0.5);
  await run(['-p', 'Something else.']);
  expect(Object.keys(logsOf(config))).toHaveLength(2);
});

test('A6: -r goes on with a session by its id, and says which there are for one that is not', async () => {
  const { run, bodies } = await workbench({ replies: ['One.', 'Two.', 'Three.'] });
  const [first] = linesOf((await run(['-p', 'First.', '--output-format', 'json'])).stdout);
  await run(['-p', 'Second.']);
  const id = String(first?.session_id);
  expect((await run(['-p', '-r', id, 'Go on.'])).stdout).toBe('Three.\n');
  expect(bodies().at(-1)?.messages.map(sent).join()).toContain('First.');
  const wrong = await run(['-p', '-r', 'nothing', 'Go on.']);
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(wrong.stderr).toContain(id);
});

test('A6: --fork-session goes on in a copy that reads what was stored before; the session stays as it is', async () => {
  const { run, config, bodies } = await workbench({
    replies: ({ request, index }) => {
      if (index === 0) return use('call_1', 'Bash', { command: 'seq 1 30000' });
      const handle = /handle=\\"([^\\]+)/.exec(JSON.stringify(request.messages))?.[1];
      return index === 2 ? use('call_2', 'read_stored', { handle, search: '29123' }) : 'Done.';
    },
  });
  await run(['-p', 'Count.', ...RUNS]);
  const [[id = '', log] = []] = Object.entries(logsOf(config));
  const fork = await run(['-p', '-c', '--fork-session', 'And now?', ...RUNS]);
  expect(fork).toMatchObject({ code: 0, stdout: 'Done.\n' });
  const messages = bodies().at(-1)?.messages.map(sent) ?? [];
  expect(messages.join()).toContain('Count.');
  expect(messages.at(-1)).toContain('29123:1: 29123');
  const logs = logsOf(config);
  expect(logs[id]).toBe(log);
  expect(Object.keys(logs)).toHaveLength(2);
  await run(['-p', '-c', 'Go on in the fork.', ...RUNS]);
  expect(Object.keys(logsOf(config))).toHaveLength(2);
  expect(logsOf(config)[id]).toBe(log);
});

test('A6: SIGTERM ends a command and writes all; the next prompt follows', async () => {
  const { run, config, bodies } = await workbench({
    replies: [
      {
        content: [
          {
            type: 'tool_use',
            id: 'call_1',
            name: 'Bash',
            input: { command: 'touch done; echo first' },
          },
          {
            type: 'tool_use',
            id: 'call_2',
            name: 'Bash',
            input: { command: 'echo begun; sleep 30' },
          },
        ],
      },
      'Going on.',
    ],
  });
  const started = Date.now();
  const ended = await run(['-p', 'Run both.', ...RUNS], {
    onStart: async (child) => {
      while (!Object.values(logsOf(config)).some((log) => log.includes('first\\n'))) await wait(5);
      await wait(100);
      child.kill('SIGTERM');
    },
  });
  expect(ended).toMatchObject({ code: 130, stdout: '' });
  expect(ended.stderr).toContain('Interrupted');
  expect(Date.now() - started).toBeLessThan(20_000);
  expect(await run(['-p', '-c', 'Go on.', ...RUNS])).toMatchObject({ stdout: 'Going on.\n' });
  const results = sent(
    bodies()
      .at(-1)
      ?.messages.filter((each) => sent(each).includes('tool_result')),
  );
  expect(results).toContain('first');
  expect(results).toContain('begun\\n\\nThe command was interrupted');
});

test('A6: a session that another process has open is not written by two', async () => {
  const { run, emulator } = await workbench({
    replies: [use('call_1', 'Bash', { command: 'sleep 3' }), 'Slept.', 'Not here.'],
  });
  let second: ReturnType<typeof run> | undefined;
  const first = run(['-p', 'Sleep.', ...RUNS], {
    onStart: async () => {
      while (emulator.requests.length === 0) await wait(5);
      second = run(['-p', '-c', 'Me too.', ...RUNS]);
    },
  });
  expect(await first).toMatchObject({ code: 0, stdout: 'Slept.\n' });
  const other = await second;
  expect(other?.code).toBe(1);
  expect(other?.stderr).toMatch(/lock|another process/i);
});
