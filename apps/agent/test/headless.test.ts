import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { messagesIn } from '../src/message-lines.ts';
import { readOptions, UsageError } from '../src/options.ts';
import { linesOf, MAIN, sent, use, sharedWorkbench as workbench } from './support.ts';

const reading = [use('call_1', 'Read', { file_path: 'a.txt' }), 'It says hello.'];

test('A1: text, json and stream-json send the same bytes', async () => {
  const sentBy = async (format: string) => {
    const { run, write, emulator, root } = await workbench({ replies: reading });
    write('a.txt', 'hello\n');
    await run(['-p', 'What does a.txt say?', '--output-format', format]);
    return emulator.requests.map(({ body }) =>
      Buffer.from(body)
        .toString()
        .replaceAll(root, '(root)')
        .replaceAll(/projects\/[^/]+/g, 'projects/(slug)'),
    );
  };
  const text = await sentBy('text');
  expect(text).toHaveLength(2);
  expect(await sentBy('json')).toEqual(text);
  expect(await sentBy('stream-json')).toEqual(text);
});

test('A1: stream-json has a line for the start, each message and the end', async () => {
  const { run, write } = await workbench({ replies: reading });
  write('a.txt', 'hello\n');
  const { code, stdout } = await run(['-p', 'Read.', '--output-format', 'stream-json']);
  expect(code).toBe(0);
  const lines = linesOf(stdout);
  expect(lines.map(({ type, subtype }) => (subtype ? `${type}/${subtype}` : type))).toEqual([
    'system/init',
    ...['assistant', 'user', 'assistant'],
    'result/success',
  ]);
  expect(new Set(lines.map((line) => line.session_id)).size).toBe(1);
  expect(lines[0]).toMatchObject({ model: 'claude-opus-5-5', permissionMode: 'default' });
  expect(lines[1]).toMatchObject({ message: { content: [{ type: 'tool_use', name: 'Read' }] } });
  expect(lines[2]).toMatchObject({ message: { content: [{ type: 'tool_result' }] } });
  expect(lines.at(-1)).toMatchObject({
    ...{ is_error: false, num_turns: 2, result: 'It says hello.', permission_denials: [] },
    usage: { output_tokens: expect.any(Number) },
    total_cost_usd: expect.any(Number),
  });
});

test('A1: json gives the result alone, with what was refused', async () => {
  const { run } = await workbench({
    replies: [use('call_1', 'Bash', { command: 'touch x' }), 'No.'],
  });
  const { code, stdout } = await run(['-p', 'List.', '--output-format', 'json']);
  const [result, ...more] = linesOf(stdout);
  expect({ code, more }).toEqual({ code: 4, more: [] });
  expect(result).toMatchObject({
    result: 'No.',
    permission_denials: [{ tool_name: 'Bash', tool_input: { command: 'touch x' } }],
  });
});

test('A2: acceptEdits lets files be written, and commands not', async () => {
  const { run, read } = await workbench({
    replies: [
      use('call_1', 'Write', { file_path: 'new.txt', content: 'written' }),
      use('call_2', 'Bash', { command: 'rm new.txt' }),
      'Done.',
    ],
  });
  expect((await run(['-p', 'Write.', '--permission-mode', 'acceptEdits'])).code).toBe(4);
  expect(read('new.txt')).toBe('written');
});

test('A2: calls that read run at the same time, one that writes by itself, and results keep the order', async () => {
  const calls = ['one', 'two', 'three'].map((name, at) => ({
    ...{ type: 'tool_use', id: `call_${at}`, name: 'WebFetch' },
    input: { url: `URL/${name}` },
  }));
  let [running, most] = [0, 0];
  const server = createServer((request, response) => {
    running += 1;
    most = Math.max(most, running);
    setTimeout(
      () => {
        running -= 1;
        response.end(request.url);
      },
      request.url === '/one' ? 400 : 200,
    );
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const content = calls.map(({ input, ...call }) => ({
    ...call,
    input: { url: input.url.replace('URL', at) },
  }));
  const { run, bodies } = await workbench({ replies: [{ content }, 'Fetched.'] });
  const own = ['--allowed-tools', 'WebFetch(domain:127.0.0.1)', 'WebFetch(domain:localhost)'];
  expect((await run(['-p', 'Fetch.', ...own])).stdout).toBe('Fetched.\n');
  expect(most).toBe(3);
  const results = sent(bodies()[1]?.messages.at(-1));
  expect(results.match(/\/(?:one|two|three)/g)).toEqual(['/one', '/two', '/three']);
});

test('A1: a request that fails in a way that may pass is sent again unchanged', async () => {
  const { run, emulator } = await workbench({
    replies: () => 'Here.',
    faults: [
      { kind: 'status', status: 529, when: 0 },
      { kind: 'cut', afterEvents: 2, when: 1 },
    ],
  });
  const { code, stdout, stderr } = await run(['-p', 'Hello.']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Here.\n' });
  expect(stderr.match(/Trying again/g)).toHaveLength(2);
  const [first, second, third] = emulator.requests.map(({ body }) => Buffer.from(body).toString());
  expect([second, third]).toEqual([first, first]);
});

test('A1: a request that is refused for good ends the run with code 1 and says why', async () => {
  const { run } = await workbench({ faults: [{ kind: 'status', status: 401 }] });
  const { code, stdout, stderr } = await run(['-p', 'Hello.']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).not.toBe('');
});

test.each([
  ['--max-turns', '3', 'error_max_turns'],
  ['--max-cost', '0.02', 'error_max_budget_usd'],
])('A1: %s ends a turn with code 3, and it can be gone on with', async (flag, value, subtype) => {
  let calls = 0;
  const { run } = await workbench({
    replies: ({ request }) =>
      JSON.stringify(request.messages.at(-1)).includes('Stop')
        ? 'Stopped.'
        : use(`call_${calls++}`, 'LS', {}),
  });
  const { code, stdout } = await run(['-p', 'Look.', flag, value, '--output-format', 'json']);
  expect(code).toBe(3);
  expect(linesOf(stdout)[0]).toMatchObject({ subtype, is_error: true });
  expect(await run(['-p', '-c', 'Stop.'])).toMatchObject({ code: 0, stdout: 'Stopped.\n' });
});

test.each(['notaurl', 'ftp://127.0.0.1', 'localhost:8080'])(
  'A1: %s is no address, and is refused before anything is sent',
  async (address) => {
    const { run } = await workbench({ replies: [] });
    const { code, stderr } = await run(['-p', 'Go.', '--base-url', address]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/is no address of http or https: look at --base-url/),
    });
  },
);

test.each<[readonly string[], RegExp]>([
  [['--layer', 'foo=off'], /^--layer: there is no layer foo/],
  [['--layer', 'memory=perhaps'], /^--layer: memory cannot be "perhaps"/],
  [['--telemetry', '/nope/x'], /^--telemetry cannot be written: ENOENT/],
  [['--add-dir', '/nope'], /^--add-dir: there is no folder \/nope/],
])('A1, A9: %j is refused, and nothing is run or sent', async (flags, expected) => {
  const { run, folder, bodies } = await workbench({
    replies: [use('call_1', 'Bash', { command: 'touch x' }), 'Done.'],
  });
  const { code, stderr } = await run(['-p', 'Go.', ...flags]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(expected) });
  expect(existsSync(join(folder, 'x'))).toBe(false);
  expect(bodies()).toEqual([]);
});

test('A1: a request that is refused says why', async () => {
  const server = createServer((_, response) => {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ type: 'error', error: REFUSAL }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { run } = await workbench({ replies: [] });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, stderr } = await run(['-p', 'Go.', '--base-url', address]);
  expect(code).toBe(1);
  expect(stderr).toContain(REFUSAL.message);
});

const REFUSAL = { type: 'invalid_request_error', message: 'messages.0: we do not like it' };

test('A1: an old Node is told what is needed', () => {
  const old = "Object.defineProperty(process.versions, 'node', { value: '20.20.2' })";
  const args = ['--import', `data:text/javascript,${old}`, MAIN, '--version'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([
    2,
    'varve needs Node 22.18 or newer; this is 20.20.2. Install a newer one.\n',
  ]);
});

test('A1: a prompt comes as an argument, from a pipe, or from both', async () => {
  const { run, bodies } = await workbench({});
  await run(['-p'], { input: 'From a pipe.\n' });
  await run(['-p', 'With a', 'file:'], { input: 'its text' });
  const prompts = bodies().map(({ messages }) => sent(messages.at(-1)));
  expect(prompts[0]).toContain('From a pipe.');
  expect(prompts[1]).toContain('With a file:\\n\\nits text');
});

test.each([
  ['no prompt', ['-p'], {}, 2],
  ['an unknown flag', ['--nothing'], {}, 2],
  ['a limit that is none', ['-p', 'x', '--max-turns', '0'], {}, 2],
  ['a session to go on with where there is none', ['-p', 'x', '-c'], {}, 2],
  ['no key', ['-p', 'x'], { ANTHROPIC_API_KEY: undefined, ANTHROPIC_BASE_URL: undefined }, 2],
  [
    'a price that nobody knows',
    ['-p', 'x', '--model', 'my-model', '--max-cost', '1'],
    { OPENAI_API_KEY: 'x' },
    2,
  ],
  ['a wish for help', ['--help'], {}, 0],
])('A1: %s ends with its exit code and sends nothing', async (_, args, env, code) => {
  const { run, emulator } = await workbench({});
  const ran = await run(args, { env });
  expect(ran.code).toBe(code);
  expect(`${ran.stdout}${ran.stderr}`).not.toBe('');
  expect(emulator.requests).toHaveLength(0);
});

test.each([
  ['gpt-6.2-sol', '/v1/responses'],
  ['deepseek-v4-pro', '/v1/chat/completions'],
])('A1: %s works over %s', async (model, path) => {
  const { run, write, emulator } = await workbench({ replies: reading });
  write('a.txt', 'hello\n');
  const env = { OPENAI_API_KEY: 'any' };
  const flags = ['--model', model, '--base-url', `${emulator.url}/v1`];
  expect(await run(['-p', 'Read.', ...flags], { env })).toMatchObject({
    stdout: 'It says hello.\n',
  });
  expect(new Set(emulator.requests.map((request) => request.path))).toEqual(new Set([path]));
});

test('A3: the system prompt is blocks, what is the same for everybody first and the state of git last', async () => {
  const { run, bodies, folder } = await workbench({});
  await run(['-p', 'Hello.', '--append-system-prompt', 'Speak Latin.']);
  const system = bodies()[0]?.system as readonly { readonly text: string }[];
  expect(system.map(({ text }) => text.split('\n', 1)[0])).toEqual([
    expect.stringMatching(/^You are varve/),
    '# Environment',
    'Speak Latin.',
    '# Long-term memory',
  ]);
  expect(system[0]?.text).not.toContain(folder);
  await run(['-p', 'Hello.', '--system-prompt', 'You are short.']);
  const own = bodies()[1]?.system as readonly { readonly text: string }[];
  expect(own.map(({ text }) => text.split('\n', 1)[0])).toEqual([
    'You are short.',
    '# Environment',
    '# Long-term memory',
  ]);
});

const said = (content: unknown, more: object = {}): string =>
  `${JSON.stringify({ type: 'user', message: { role: 'user', content }, ...more })}\n`;

test('A1: --input-format stream-json takes messages until the end, one turn for each, each with its result', async () => {
  const { run, bodies } = await workbench({ replies: ({ index }) => `Answer ${index}.` });
  const image = { type: 'base64', media_type: 'image/png', data: PIXEL };
  const input = [
    said('First.', { session_id: 'default', parent_tool_use_id: null }),
    '\n{"type":"control_request","request_id":"1","request":{"subtype":"initialize"}}\n',
    said([
      { type: 'text', text: 'Second.' },
      { type: 'image', source: image },
    ]),
    said('Third.').trimEnd(), // the last line needs no end
  ].join('');
  const flags = ['--input-format', 'stream-json', '--output-format', 'stream-json'];
  const { code, stdout, stderr } = await run(['-p', ...flags], { input });
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: 'Line 3 of standard input is left out: "control_request"\n',
  });
  const lines = linesOf(stdout);
  expect(lines.map(({ type }) => type)).toEqual([
    ...['system', 'assistant', 'result', 'assistant', 'result', 'assistant', 'result'],
  ]);
  const results = lines.filter(({ type }) => type === 'result');
  expect(results.map(({ result, num_turns }) => [result, num_turns])).toEqual([
    ...[0, 1, 2].map((index) => [`Answer ${index}.`, 1]),
  ]);
  expect(new Set(lines.map((line) => line.session_id)).size).toBe(1);
  expect(bodies()).toHaveLength(3);
  expect(sent(bodies()[2]?.messages)).toContain(PIXEL);
  expect((await run(['-p', '-c', 'Fourth.'])).stdout).toBe('Answer 3.\n');
});

test.each([
  ['no JSON', 'Hello.\n', 'Line 1'],
  [
    'a result of a tool',
    said([{ type: 'tool_result', tool_use_id: 'x', content: 'y' }]),
    'tool_result',
  ],
  [
    'an answer',
    `${JSON.stringify({ type: 'user', message: { role: 'assistant', content: 'x' } })}\n`,
    'role',
  ],
  ['an empty text', said(' '), 'empty'],
])('A1: %s is no message on standard input', async (_, input, why) => {
  const messages = messagesIn(Readable.from([input]), new AbortController().signal);
  await expect(messages.next()).rejects.toThrow(why);
  await expect(messages.next()).resolves.toMatchObject({ done: true });
});

test('A1: of several prompts the exit code is that of the worst, and what was said before a broken line is done', async () => {
  const { run } = await workbench({
    replies: ({ request }) =>
      sent(request.messages.at(-1)).includes('Run.')
        ? use('call_1', 'Bash', { command: 'touch x' })
        : 'Done.',
  });
  const flags = ['-p', '--input-format', 'stream-json'];
  const input = `${said('Run.')}${said('Then this.')}`;
  expect(await run(flags, { input })).toMatchObject({ code: 4, stdout: 'Done.\nDone.\n' });
  expect(await run(flags, { input: '' })).toMatchObject({ code: 2, stdout: '' });
  const broken = await run(flags, { input: `${said('Hello.')}{` });
  expect(broken).toMatchObject({ code: 2, stdout: 'Done.\n' });
  expect((await run(['-p', '-c', 'Go on.'])).stdout).toBe('Done.\n');
});

test('A1: a compaction is a line of stream-json with the tokens before and after', async () => {
  const { run, write } = await workbench({
    summarize: () => 'It was long.',
    replies: ({ index }) =>
      index < 3 ? use(`call_${index}`, 'Read', { file_path: `long-${index}.txt` }) : 'Read.',
  });
  for (const index of [0, 1, 2])
    write(`long-${index}.txt`, `line of text ${index}\n`.repeat(1_500));
  const { stdout } = await run(['-p', 'Read.', '--output-format', 'stream-json'], {
    env: { VARVE_WINDOW: '60000', VARVE_COMPACT_PERCENT: '40' },
  });
  const boundaries = linesOf(stdout).filter(({ subtype }) => subtype === 'compact_boundary');
  expect(boundaries.length).toBeGreaterThan(0);
  for (const { compact_metadata: told } of boundaries) {
    const { trigger, pre_tokens, post_tokens } = told as Record<string, number>;
    expect(trigger).toBe('auto');
    expect(post_tokens).toBeGreaterThan(0);
    expect(post_tokens).toBeLessThan(pre_tokens as number);
  }
});

test.each([
  ['a permission is missing', [], {}, 4],
  ['nothing is asked by --permission-mode dontAsk', ['--permission-mode', 'dontAsk'], {}, 4],
  ['a deny rule forbids it', ['--disallowed-tools', 'Bash'], {}, 0],
  ['the work is only planned', ['--permission-mode', 'plan'], {}, 0],
  ['a hook refuses it', ['--trust'], { PreToolUse: 'exit 2' }, 0],
  ['it is allowed', ['--allowed-tools', 'Bash(touch:*)'], {}, 0],
])(
  'A1: exit code 4 is for a permission that nobody could give: %s',
  async (_, flags, hooks, code) => {
    const { run, write, folder } = await workbench({
      replies: [use('call_1', 'Bash', { command: 'touch x' }), 'Done.'],
    });
    mkdirSync(join(folder, '.varve'));
    const groups = Object.entries(hooks).map(([event, command]) => [
      event,
      [{ hooks: [{ type: 'command', command }] }],
    ]);
    write('.varve/settings.json', JSON.stringify({ hooks: Object.fromEntries(groups) }));
    const ran = await run(['-p', 'Run.', '--output-format', 'json', ...flags]);
    expect(ran.code).toBe(code);
    const isRun = flags.includes('--allowed-tools');
    expect(linesOf(ran.stdout)[0]).toMatchObject({
      ...{ subtype: 'success', is_error: false, result: 'Done.' },
      permission_denials: isRun ? [] : [{ tool_name: 'Bash' }],
    });
  },
);

test.each([
  [['--allowed-tools', 'Bash(git:*'], 'Bash(git:*'],
  [['--allowed-tools', 'Bash('], 'Bash('],
  [['--allowed-tools', 'Bash(git status'], 'Bash(git status'],
  [['--allowed-tools', 'Bash(git', 'status:*)'], 'Bash(git'],
  [['--allowed-tools', 'Bash(git:* Edit(x)'], 'Bash(git:* Edit(x)'],
  [['--allowed-tools', 'Bash)'], 'Bash)'],
  [['--allowed-tools', 'Bash(git:*)Edit'], 'Bash(git:*)Edit'],
  [['--allowed-tools', 'Bash()'], 'Bash()'],
  [['--allowed-tools', 'Bash (git:*)'], '(git:*)'],
  [['--allowed-tools', 'Read, Edit('], 'Edit('],
  [['--disallowed-tools', 'Bash(rm'], 'Bash(rm'],
  [['--settings', '{"permissions":{"ask":["Bash(rm"]}}'], 'Bash(rm'],
  [['--settings', '{"permissions":{"allow":["Bash(git:*"]}}'], 'Bash(git:*'],
  [['--settings', '{"permissions":{"deny":["Read(../.."]}}'], 'Read(../..'],
])('A1: a rule that is not whole is refused, and widens nothing: %j', (argv, rule) => {
  const read = () => readOptions({ argv: ['-p', 'go', ...argv], env: {}, configDir: '/c' });
  expect(read).toThrow(UsageError);
  expect(read).toThrow(`${rule}: `);
  expect(read).toThrow("'Bash(git diff:*)'");
});

test('A1: a rule that is not whole ends a run with code 2 before anything is sent', async () => {
  const { run, emulator } = await workbench({ replies: ['Done.'] });
  const { code, stderr } = await run(['-p', 'go', '--allowed-tools', 'Bash(git:*']);
  expect({ code, sent: emulator.requests.length }).toEqual({ code: 2, sent: 0 });
  expect(stderr).toContain('a bracket is missing');
});

test('A1: rules stand apart by commas or blanks, and brackets hold together', () => {
  const given = ['Bash(git add:*), Bash(echo (a, b))', 'mcp__a__* Edit', 'Read(./x)'];
  const { flagSettings } = readOptions({
    ...{ argv: ['-p', 'go', '--allowed-tools', ...given], env: {}, configDir: '/c' },
  });
  expect(flagSettings?.permissions).toMatchObject({
    allow: ['Bash(git add:*)', 'Bash(echo (a, b))', 'mcp__a__*', 'Edit', 'Read(./x)'],
  });
});

test.each([
  ['--simple', ['--simple'], {}],
  ['VARVE_SIMPLE', [], { VARVE_SIMPLE: '1' }],
])('A7: %s leaves out instruction files', async (_, flags, env) => {
  const { run, write, bodies } = await workbench({ replies: () => 'Hello.' });
  write('AGENTS.md', 'Speak Latin.\n');
  await run(['-p', 'Hello.']);
  expect((await run(['-p', 'Hello.', ...flags], { env })).code).toBe(0);
  const [with_, without] = bodies().map(({ messages }) => JSON.stringify(messages));
  expect(with_).toContain('Speak Latin.');
  expect(without).not.toContain('Speak Latin.');
});

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('A1: a port that fetch never asks is given up after few attempts', async () => {
  const { run } = await workbench({ replies: [] });
  const { code, stderr } = await run(['-p', 'go', '--base-url', 'http://127.0.0.1:9']);
  expect(code).toBe(1);
  expect(stderr).toContain('of 4');
}, 20_000);

test('A1: a folder of configurations that cannot be made ends the run, and says so', async () => {
  const { folder } = await workbench({ replies: [] });
  const main = new URL('../src/main.ts', import.meta.url).pathname;
  const env = { ...process.env, VARVE_CONFIG_DIR: '/proc/nope', ANTHROPIC_API_KEY: 'x' };
  const ran = spawnSync(process.execPath, [main, '-p', 'go', '--base-url', 'http://127.0.0.1:9'], {
    ...{ cwd: folder, env, encoding: 'utf8', timeout: 15_000, input: '' },
  });
  expect({ signal: ran.signal, code: ran.status }).toEqual({ signal: null, code: 1 });
  expect(ran.stderr).toContain('ENOENT');
}, 20_000);

test('A1: what begins as a command and is none is refused before anything is sent', async () => {
  const { run, emulator } = await workbench({ replies: ['Done.'] });
  const { code, stderr } = await run(['-p', '/nonsense now']);
  expect({ code, sent: emulator.requests.length }).toEqual({ code: 2, sent: 0 });
  expect(stderr).toContain('There is no command /nonsense');
});
