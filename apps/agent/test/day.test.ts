import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPermissions } from '../src/permissions/decide.ts';
import { linesOf, use, workbench } from './support.ts';
import { hasTmux, inTmux } from './tmux.ts';

/** What a person met in a day of work. */

/** What the last message of the request says, results included. */
const lastOf = ({ request }: { request: { messages: readonly { content: unknown }[] } }): string =>
  JSON.stringify(request.messages.at(-1)?.content);

/** The editor, where nothing stands in it. */
const EDITOR = /─\n\s*\n─/;

test.skipIf(!hasTmux)(
  'A6: Esc leaves a list, a command is not thinking, and the list begins at what holds now',
  async () => {
    const bench = await workbench({ replies: () => 'Fine.' });
    const terminal = await inTmux(bench, ['--model', 'claude-opus-5-5']);
    await terminal.see('new session');
    await terminal.say('/model');
    await terminal.see('Which model?');
    expect(await terminal.screen()).not.toContain('thinking');
    expect(await terminal.screen()).toMatch(/→ claude-opus-5-5 +now/);
    await terminal.keys('Escape');
    await terminal.see(EDITOR);
    await terminal.say('hello');
    await terminal.see('Fine.');
    expect(bench.bodies().at(-1)).toMatchObject({ model: 'claude-opus-5-5' });
  },
);

test.skipIf(!hasTmux)(
  'A2: what is typed while a question comes up is no answer to it: it is sent, or kept',
  async () => {
    const bench = await workbench({
      replies: (call) => {
        if (lastOf(call).includes('3 tabs')) return 'With tabs.';
        if (lastOf(call).includes('tool_result')) return 'Noted.';
        return use(`call_${call.request.messages.length}`, 'Bash', { command: 'touch made' });
      },
    });
    const terminal = await inTmux(bench);
    await terminal.see('new session');
    await terminal.say('begin');
    await terminal.see('May this run?');
    expect(await terminal.screen()).toContain('waiting for you');
    await terminal.say('use 3 tabs');
    await terminal.see('⏎ use 3 tabs');
    expect(readdirSync(bench.folder)).toEqual([]);
    await terminal.keys('-l', 'and a draft');
    await terminal.see('and a draft');
    await wait(1_200); // what comes within a second of a sign is typing
    await terminal.keys('1');
    await terminal.see('With tabs.');
    expect(readdirSync(bench.folder)).toEqual(['made']);
    expect(await terminal.screen()).toContain('and a draft');
  },
);

test.skipIf(!hasTmux)(
  'A6: what Esc stops keeps its line and what it had printed, for the person and the model, and an answer its bill',
  async () => {
    const bench = await workbench({
      deltaCharacters: 20,
      eventDelayMs: 10,
      replies: (call) =>
        lastOf(call).includes('write')
          ? `BEGIN ${'and so on '.repeat(5_000)}`
          : lastOf(call).includes('begin')
            ? use('call_1', 'Bash', { command: 'echo up; sleep 50' })
            : 'Fine.',
    });
    const terminal = await inTmux(bench, ['--permission-mode', 'bypassPermissions']);
    await terminal.see('new session');
    await terminal.say('begin');
    await terminal.see('▸ up');
    await terminal.keys('Escape');
    await terminal.see(/✗ Bash echo up; sleep 50 · interrupted\n {4}up\n+Stopped\./);
    await terminal.say('!echo mine; sleep 50');
    await terminal.see(/^mine/m);
    await terminal.keys('Escape');
    await terminal.see(/mine\n+The command was interrupted/);
    await terminal.say('write');
    await terminal.see('BEGIN and so on');
    await terminal.keys('Escape');
    await terminal.see(/Stopped\.[\s\S]*Stopped\./);
    const sent = JSON.stringify(bench.bodies().at(-1)?.messages);
    expect(sent).toContain('"content":"up\\n\\nThe command was interrupted');
    expect(sent).toContain('which printed:\\n\\nmine\\n\\nThe command was interrupted');
    await terminal.say('/cost');
    await terminal.see(/ {2}interrupted \(estimate\) +\$0\.\d+ +1 calls/);
    await terminal.say('/context');
    await terminal.see(/ {2}interrupted \(estimate\) +\$0\.00\d+\n/);
  },
);

test.skipIf(!hasTmux)(
  'A6: a question about a file shows what changes, and so does an edit that nobody was asked for',
  async () => {
    const bench = await workbench({
      replies: (call) => {
        const count = call.request.messages.filter(({ role }) => role === 'assistant').length;
        const edit = (old_string: string, new_string: string) =>
          use(`call_${count}`, 'Edit', { file_path: 'a.txt', old_string, new_string });
        if (count === 0) return use('call_0', 'Read', { file_path: 'a.txt' });
        if (count === 1) return edit('same\nold words\n', 'same\nnew words\n');
        if (count === 2) return edit('new words', 'newest words');
        if (count === 3)
          return use('call_3', 'Write', { file_path: 'b.txt', content: 'first\nsecond\n' });
        if (count === 4) return use('call_4', 'Foo', { a: 1 });
        return 'Done.';
      },
    });
    bench.write('a.txt', 'same\nold words\nend\n');
    const terminal = await inTmux(bench);
    await terminal.see('new session');
    await terminal.say('begin');
    await terminal.see('May this run?');
    const asked = await terminal.screen();
    expect(asked).toMatch(/- old words\n\s+\+ new words\n/);
    expect(asked).not.toMatch(/[-+] same/);
    await terminal.keys('2');
    await terminal.see(/\+ first\n\s+\+ second\n/);
    expect(await terminal.screen()).toMatch(/- new words\n\s+\+ newest words\n/);
    await terminal.keys('1');
    await terminal.see('Done.');
    expect(await terminal.screen()).toContain('✗ Foo');
  },
);

test.skipIf(!hasTmux)(
  'A2: the first rule that is offered for a command with flags is that command, and no more',
  async () => {
    const bench = await workbench({
      replies: (call) => {
        if (lastOf(call).includes('tool_result')) return 'Noted.';
        const command = lastOf(call).includes('again') ? 'rm -rf build' : 'rm -rf "build"';
        return use(`call_${call.request.messages.length}`, 'Bash', { command });
      },
    });
    const terminal = await inTmux(bench);
    await terminal.see('new session');
    await terminal.say('again');
    await terminal.see('2. Yes, in this session: Bash(rm -rf build)');
    await terminal.keys('2');
    await terminal.see('Noted.');
    await terminal.say('again');
    await terminal.see(/again[\s\S]*Noted\.[\s\S]*again[\s\S]*Noted\./);
  },
);

test.skipIf(!hasTmux)(
  'A4: a session that is gone on with shows what the person typed, and a list of sessions what they are about',
  async () => {
    const bench = await workbench({ replies: () => 'Fine.' });
    await bench.run(['-p', 'Tell me of the lighthouse.']);
    const terminal = await inTmux(bench);
    await terminal.see('new session');
    await terminal.say('#always use tabs');
    await terminal.see('Remembered');
    await terminal.say('!echo from the shell');
    await terminal.see('\nfrom the shell');
    await terminal.say('hello');
    await terminal.see('Fine.');
    await terminal.say('/exit');
    expect(await terminal.exitCode()).toBe(0);
    const later = await inTmux(bench, ['-c']);
    await later.see('Fine.');
    const shown = await later.screen();
    expect(shown).toContain('> #always use tabs');
    expect(shown).toContain('> !echo from the shell');
    expect(shown).not.toContain('The person ran');
    await later.say('/rewind');
    await later.see('Go back to before which message?');
    expect(await later.screen()).not.toContain('The person');
    await later.keys('Escape');
    await later.see(EDITOR);
    await later.say('/resume');
    await later.see(/→ .*Tell me of the lighthouse\./);
  },
);

test.skipIf(!hasTmux)(
  'A6: /plan with words plans them; a command of the person says how it failed',
  async () => {
    const bench = await workbench({ replies: () => 'A thought.' });
    const terminal = await inTmux(bench);
    await terminal.see('new session');
    await terminal.say('/plan how to move the lamp');
    await terminal.see('A thought.');
    expect(JSON.stringify(bench.bodies().at(-1)?.messages)).toContain('how to move the lamp');
    expect(await terminal.screen()).toContain(' · plan · ');
    await terminal.say('!echo out; exit 3');
    await terminal.see(/^out\n+Exit code 3/m);
  },
);

test.skipIf(!hasTmux)('A6: /help and the table of /context fit into 60 columns', async () => {
  const bench = await workbench({ replies: () => 'Fine.' });
  const terminal = await inTmux(bench);
  await terminal.see('new session');
  await terminal.resize(60, 120);
  await terminal.say('hello');
  await terminal.see('Fine.');
  await terminal.say('/help');
  await terminal.see('Ctrl-C twice leaves');
  const [, help = ''] = (await terminal.screen()).split('> /help\n\n');
  expect(help.split('\n').filter((line) => /^\w/.test(line) && !line.startsWith('claude'))).toEqual(
    [],
  );
  await terminal.say('/context');
  await terminal.see(/^ {2}tools +\S+K +\d+ % +\$\S+$/m);
});

test('A2: a question says where a command writes; -p answers a command itself, and takes none for words', async () => {
  const bench = await workbench({
    replies: (call) =>
      lastOf(call).includes('tool_result')
        ? 'Noted.'
        : use('call_0', 'Bash', { command: 'ls; echo over > out.txt' }),
  });
  await bench.run(['-p', 'begin']);
  expect(lastOf({ request: bench.bodies().at(-1) as never })).toContain('echo over > out.txt');
  const requests = bench.bodies().length;
  const ran = await bench.run(['-p', '-c', '/context']);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout).toMatch(/^ {2}your words +\d+ +\d+ % /m);
  const json = await bench.run(['-p', '-c', '/context --json', '--output-format', 'json']);
  const { result, subtype } = linesOf(json.stdout)[0] ?? {};
  expect(subtype).toBe('success');
  expect(JSON.parse(String(result))).toMatchObject({ billed: { calls: 2 } });
  const refused = await bench.run(['-p', '/resume']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('of the terminal') });
  expect(bench.bodies()).toHaveLength(requests);
});

test('A6: with --plain a question about a file shows what changes, too', async () => {
  const bench = await workbench({
    replies: (call) =>
      lastOf(call).includes('tool_result')
        ? 'Noted.'
        : use('call_0', 'Write', { file_path: 'b.txt', content: 'first\nsecond\n' }),
  });
  const { stdout } = await bench.run(['--plain'], { input: 'begin\ny\n' });
  expect(stdout).toContain('Write b.txt\n  + first\n  + second\ny (once)');
});

test('A6: a question to write a file anew shows what changes in it, and of a new one its beginning', async () => {
  const lines = Array.from({ length: 60 }, (_, at) => `line ${at + 1}`);
  const changed = lines.with(4, 'five').with(39, 'forty');
  const bench = await workbench({
    replies: ({ request }) => {
      const count = request.messages.filter(({ role }) => role === 'assistant').length;
      const write = (file_path: string, content: string) =>
        use(`call_${count}`, 'Write', { file_path, content });
      if (count === 0) return use('call_0', 'Read', { file_path: 'a.txt' });
      if (count === 1) return write('a.txt', `${changed.join('\n')}\n`);
      if (count === 2) return write('b.txt', `${lines.join('\n')}\n`);
      return 'Noted.';
    },
  });
  bench.write('a.txt', `${lines.join('\n')}\n`);
  const { stdout } = await bench.run(['--plain'], { input: 'begin\ny\ny\n' });
  expect(stdout).toContain(
    'Write a.txt\n  - line 5\n  + five\n  …\n  - line 40\n  + forty\ny (once)',
  );
  expect(stdout).toContain('Write b.txt\n  + line 1\n');
  expect(stdout).toContain('  + line 12\n  … 48 more\ny (once)');
});

test.skipIf(!hasTmux)(
  'A6: Esc while a reason is typed goes back to the question, and the turn goes on',
  async () => {
    const bench = await workbench({
      replies: (call) =>
        lastOf(call).includes('tool_result')
          ? 'Noted.'
          : use('call_0', 'Bash', { command: 'touch here' }),
    });
    const terminal = await inTmux(bench);
    await terminal.see('new session');
    await terminal.say('begin');
    await terminal.see('3. Yes, always');
    await terminal.keys('4');
    await terminal.see('Why not, or what instead?');
    await terminal.keys('Escape');
    await terminal.see('3. Yes, always');
    await terminal.keys('1');
    await terminal.see('Noted.');
    expect(await terminal.screen()).not.toContain('Stopped.');
  },
);

test('A6: a failed command shows what it printed last, and not only how it ended', async () => {
  const bench = await workbench({
    replies: (call) =>
      lastOf(call).includes('tool_result')
        ? 'Noted.'
        : use('call_0', 'Bash', { command: 'seq 1 30; echo the error; exit 3' }),
  });
  const { stdout } = await bench.run(['--plain', '--permission-mode', 'bypassPermissions'], {
    input: 'begin\n',
  });
  expect(stdout).toMatch(
    /✗ Bash .* · Exit code 3\n {4}27\n {4}28\n {4}29\n {4}30\n {4}the error\n/,
  );
});

test.each(['vim a.txt', 'FOO=1 sudo nano a.txt', 'git rebase -i HEAD~2', 'ls && top'])(
  'A6: !%s is not run: it would take the terminal',
  async (command) => {
    const bench = await workbench({ replies: () => 'Fine.' });
    const { stdout } = await bench.run(['--plain'], { input: `!${command}\n` });
    expect(stdout).toContain('wants the terminal for itself');
  },
);

test('A6: an ordinary command behind ! runs, and --plain breaks no line by itself', async () => {
  const long = 'word '.repeat(100).trim();
  const bench = await workbench({ replies: () => long });
  const { stdout } = await bench.run(['--plain'], {
    input: '!echo vim; top -bn1 | head -c 3\nbegin\n',
  });
  expect(stdout).not.toContain('wants the terminal');
  expect(stdout.split('\n')).toContain(long);
});

test('A1: a provider that cannot be reached is asked a few times in a few seconds, each line says what comes next, and the end what to look at', async () => {
  const bench = await workbench({ replies: () => 'Fine.' });
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  const { stderr, code } = await bench.run(['-p', 'begin'], {
    env: { ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` },
  });
  const failure = `http://127.0.0.1:${port} could not be reached (ECONNREFUSED): look at the network, a proxy, and the address (--base-url, ANTHROPIC_BASE_URL, OPENAI_BASE_URL).`;
  expect(stderr.split('\n')).toEqual([
    `${failure} Trying again in 0.5 s (attempt 2 of 4).`,
    'Trying again in 1 s (attempt 3 of 4).',
    'Trying again in 2 s (attempt 4 of 4).',
    failure,
    '',
  ]);
  expect(code).toBe(1);
});

test('A1: the password of an address is not shown where it cannot be reached', async () => {
  const bench = await workbench({ replies: () => 'Fine.' });
  const { stdout, stderr } = await bench.run(['-p', 'begin'], {
    env: { ANTHROPIC_BASE_URL: 'http://me:hidden@127.0.0.1:9' },
    onStart: (child) => void child.stderr?.once('data', () => child.kill('SIGINT')),
  });
  expect(stderr).toMatch(/^http:\/\/127\.0\.0\.1:9 could not be reached/);
  expect(stdout + stderr).not.toContain('hidden');
});

test('A6: -r with an id that is none lists the sessions with their days and first words', async () => {
  const bench = await workbench({ replies: () => 'Fine.' });
  await bench.run(['-p', 'Tell me of the lighthouse.']);
  const wrong = await bench.run(['-p', '-r', 'nothing', 'Go on.']);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toMatch(
    /no session nothing\. .*\n {2}[\w-]{36} {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}Tell me of the lighthouse\.\n$/,
  );
});

test('P1: --version says which; -c without a session says that there is none', async () => {
  const bench = await workbench({ replies: () => 'Fine.' });
  const version = await bench.run(['--version']);
  expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  const none = await bench.run(['-p', '-c', 'hi']);
  expect(none.code).toBe(2);
  expect(none.stderr).toContain('There is no session of this folder yet');
});

test.skipIf(!hasTmux)(
  'A6: a resumed session shows each call as it was shown, /rewind says what stays changed, one /undo takes one rewind back, Up goes on at the end of a line, and a name of two lines is not offered',
  async () => {
    const bench = await workbench({
      replies: (call) => {
        if (lastOf(call).includes('tool_result')) return 'Done.';
        if (!lastOf(call).includes('begin')) return 'Fine.';
        const calls = [
          use('call_1', 'Bash', { command: 'echo one; echo two' }),
          use('call_2', 'Bash', { command: 'echo the error; exit 3' }),
          use('call_3', 'Write', { file_path: 'made.txt', content: 'a\nb\n' }),
        ];
        return { content: calls.flatMap(({ content }) => content) };
      },
    });
    bench.write('new\nline.txt', 'a');
    bench.write('newer.txt', 'a');
    await bench.run(['-p', 'begin', '--permission-mode', 'bypassPermissions']);
    const terminal = await inTmux(bench, ['-c']);
    await terminal.see('resumed session');
    const screen = await terminal.screen();
    expect(screen).toContain('✓ Bash echo one; echo two · 2 lines');
    expect(screen).toContain('✗ Bash echo the error; exit 3 · Exit code 3\n    the error');
    expect(screen).toContain('✓ Write made.txt · 2 lines');
    await terminal.say('second words');
    await terminal.see('Fine.');
    await terminal.say('/rewind');
    await terminal.see('Files stay as they are');
    expect(await terminal.screen()).toMatch(/begin +stays changed: made\.txt/);
    await terminal.keys('Enter');
    await terminal.see(/Gone back[\s\S]*\nsecond words\n/);
    await terminal.keys('C-u');
    await terminal.say('/rewind 1');
    await terminal.see(/Gone back[\s\S]*Gone back[\s\S]*\nbegin\n/);
    await terminal.keys('C-u');
    await terminal.say('/undo');
    await terminal.see('Taken back: rewind.');
    await terminal.say('third words');
    await terminal.see(/third words[\s\S]*Fine\./);
    const sent = JSON.stringify(bench.bodies().at(-1)?.messages);
    expect(sent).toContain('begin');
    expect(sent).not.toContain('second words');

    await terminal.keys('Up');
    await terminal.see(/─\nthird words\n─/);
    await terminal.keys('-l', ' more');
    await terminal.see(/─\nthird words more\n─/);
    await terminal.keys('C-u');
    await terminal.see(EDITOR);
    await terminal.keys('-l', '@new');
    await terminal.see('newer.txt');
    expect(await terminal.screen()).not.toContain('line.txt');
    await terminal.keys('Tab');
    await terminal.see(/─\n@newer\.txt\s*\n─/);
  },
);

test('A2: of a command that runs a script that command is offered, then its prefix; of others the prefix, then the command', async () => {
  const offers = async (command: string) => {
    let offered: readonly string[] = [];
    const permissions = createPermissions({
      ...{ mode: 'default', cwd: '/nowhere' },
      async askPerson({ rules }) {
        offered = rules;
        return { kind: 'once' };
      },
    });
    const call = { id: 'c', name: 'Bash', input: { command }, reads: false, risk: 'runs' } as const;
    await permissions.decide(call, { hook: 'none', signal: new AbortController().signal });
    return offered;
  };
  expect(await offers('npm run slow')).toEqual([
    ...['Bash(npm run slow)', 'Bash(npm run:*)', 'Bash(npm:*)'],
  ]);
  expect(await offers('git commit -m one')).toEqual([
    ...['Bash(git commit:*)', 'Bash(git:*)', 'Bash(git commit -m one)'],
  ]);
  expect(await offers('npm install')).toEqual(['Bash(npm install:*)', 'Bash(npm:*)']);
});

const CELLS = ['a word', '漢字', '`x|y`', 'much longer words that do not fit into a narrow window'];

test.skipIf(!hasTmux)(
  'A6: what a kill left unsent stands in the input again and nothing is sent by itself; a table is drawn in columns, once, also in a narrow window',
  async () => {
    const rows = Array.from({ length: 36 }, (_, at) => `| row ${at} | ${CELLS[at % 4]} | ${at} |`);
    const table = `Here:\n\n| name | what | **count** |\n| --- | :-: | --: |\n${rows.join('\n')}\n\nBehind it.\n`;
    const bench = await workbench({
      deltaCharacters: 150,
      replies: (call) => {
        if (lastOf(call).includes('table')) return table;
        if (lastOf(call).includes('begin')) return use('call_1', 'Bash', { command: 'sleep 50' });
        return 'Fine.';
      },
    });
    const first = await inTmux(bench, ['--permission-mode', 'bypassPermissions']);
    await first.see('new session');
    await first.say('table');
    await first.see('Behind it.');
    const all = await first.all();
    expect(all.match(/row \d+/g)).toEqual(rows.map((_, at) => `row ${at}`));
    expect(all).toContain('│');
    expect(all).not.toContain('|  ');
    const drawn = all.split('\n').filter((line) => line.includes(' │ '));
    const ends = new Set(drawn.map((line) => line.replace(/[漢字]/g, 'xx').length));
    expect([...ends]).toEqual([expect.any(Number)]);
    expect(all).toContain('x|y');
    await first.resize(30, 30);
    await first.see(/fit into a +│ +35|narrow +│/);
    await first.resize(12, 30);
    await first.see('count: 35');
    await first.resize(100, 30);

    await first.say('begin');
    await first.see('● Bash sleep 50');
    await first.say('queued words');
    await first.see('⏎ queued words');
    await first.say('/cost');
    await first.say('more words');
    await first.see('⏎ more words');
    await first.keys('-l', 'half a thou');
    await first.see('half a thou');
    await expect.poll(() => draftsIn(bench.config).join(), WAITING).toContain('half a thou');
    await first.kill();
    const requests = bench.bodies().length;

    const second = await inTmux(bench, ['-c']);
    await second.see('stands in the input again');
    await second.see('✗ Bash sleep 50 · The program was ended before this call gave a result.');
    await second.see(/↳ \/cost\n↳ more words\n↳ half a thou\n─+\nqueued words\n─/);
    expect(bench.bodies()).toHaveLength(requests);
    await second.keys('Enter');
    await second.see(/Fine\.[\s\S]*─\n\/cost\n─/);
    expect(lastOf({ request: bench.bodies().at(-1) as never })).toContain('"queued words"');
    await second.keys('Enter');
    await second.see(/all, at list prices[\s\S]*─\nmore words\n─/);
    await second.keys('C-u');
    await second.see(/─\nhalf a thou\n─/);
    await second.say('ght');
    await second.see(/half a thought[\s\S]*Fine\./);
    expect(lastOf({ request: bench.bodies().at(-1) as never })).toContain('"half a thought"');
    expect(bench.bodies()).toHaveLength(requests + 2);
    await second.say('/exit');
    expect(await second.exitCode()).toBe(0);
    const third = await inTmux(bench, ['-c']);
    await third.see('Fine.');
    await third.see(EDITOR);
    expect(await third.screen()).not.toContain('stands in the input again');
  },
);

/** A hook of the person that takes some time, and leaves a file when it begins. */
function writeHook(config: string, event: string, seconds: number): void {
  mkdirSync(config, { recursive: true });
  const hooks = [{ hooks: [{ type: 'command', command: `touch at-hook; sleep ${seconds}` }] }];
  writeFileSync(join(config, 'settings.json'), JSON.stringify({ hooks: { [event]: hooks } }));
}

test.skipIf(!hasTmux)(
  'A6: a message that is killed while its hook runs stands in the input again, also where it was the first one, and what is typed while varve starts stays behind a draft',
  async () => {
    const bench = await workbench({ replies: () => 'Fine.' });
    writeHook(bench.config, 'UserPromptSubmit', 3);
    const first = await inTmux(bench);
    await first.see('new session');
    await first.say('my first words');
    await expect.poll(() => existsSync(join(bench.folder, 'at-hook')), WAITING).toBe(true);
    await wait(400); // a draft is written 200 ms behind what was typed
    await first.kill();
    expect(bench.bodies()).toEqual([]);

    const second = await inTmux(bench, ['-c']);
    await second.see('stands in the input again');
    await second.see(/─\nmy first words\n─/);
    await expect.poll(() => draftsIn(bench.config), WAITING).toHaveLength(1);
    await second.kill();

    writeHook(bench.config, 'SessionStart', 2);
    const third = await inTmux(bench, ['-c']);
    await third.see(EDITOR);
    await third.keys('-l', 'and others');
    await third.see(/─\nand others\n─/);
    await third.see('stands in the input again');
    await third.see(/─\nmy first words\n\nand others\n─/);
    await third.keys('Enter');
    await third.see('Fine.');
    expect(lastOf({ request: bench.bodies().at(-1) as never })).toContain(
      'my first words\\n\\nand others',
    );
    await expect.poll(() => draftsIn(bench.config), WAITING).toEqual([]);
  },
);

test.skipIf(!hasTmux)(
  'A6: what waits behind /clear goes on in the new session, and the old one keeps no draft of it; Esc gives back each entry by itself',
  async () => {
    const bench = await workbench({
      replies: (call) =>
        lastOf(call).includes('begin')
          ? use('call_1', 'Bash', {
              command: `sleep ${lastOf(call).includes('begin long') ? 50 : 1}`,
            })
          : 'Fine.',
    });
    const terminal = await inTmux(bench, ['--permission-mode', 'bypassPermissions']);
    await terminal.see('new session');
    await terminal.say('begin');
    await terminal.see('● Bash sleep 1');
    await terminal.say('/clear');
    await terminal.say('second words');
    await terminal.see('⏎ second words');
    await terminal.see(/> second words\s+Fine\./);
    expect(JSON.stringify(bench.bodies().at(-1)?.messages)).not.toContain('begin');
    await expect.poll(() => draftsIn(bench.config), WAITING).toEqual([]);

    await terminal.say('begin long');
    await terminal.see('● Bash sleep 50');
    await terminal.say('/cost');
    await terminal.say('third words');
    await terminal.see('⏎ third words');
    await terminal.keys('Escape');
    await terminal.see(/↳ third words\n─+\n\/cost\n─/);
    await terminal.keys('Enter');
    await terminal.see(/all, at list prices[\s\S]*─\nthird words\n─/);
  },
);

test.skipIf(!hasTmux)(
  'A6: a message whose hook still runs when the terminal is closed stands in the input again, and what is pasted comes back whole',
  async () => {
    const bench = await workbench({ replies: () => 'Fine.' });
    writeHook(bench.config, 'UserPromptSubmit', 3);
    const first = await inTmux(bench);
    await first.see('new session');
    await first.say('my first words');
    await expect.poll(() => existsSync(join(bench.folder, 'at-hook')), WAITING).toBe(true);
    const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`).join('\n');
    await first.paste(lines);
    await first.see(/\[paste #1/);
    await first.kill('SIGHUP');
    expect(await first.exitCode()).toBe(130);
    expect(bench.bodies()).toEqual([]);
    const second = await inTmux(bench, ['-c']);
    await second.see(/↳ line 0[\s\S]*─\nmy first words\n─/);
    await second.keys('C-u');
    await second.see('line 19');
  },
);

/** What sessions have as not sent. */
const draftsIn = (config: string): string[] =>
  readdirSync(config, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('draft.json'))
    .map((name) => readFileSync(join(config, name), 'utf8'));
const WAITING = { timeout: 10_000, interval: 50 };

test('A6: --plain draws a table in columns as the terminal does, and breaks no line for it', async () => {
  const long = 'long words '.repeat(20).trim();
  const table = `Here:\n\n| name | count |\n| --- | --: |\n| a | 1 |\n| ${long} | 漢字 |\n\n\`\`\`\n| no | table |\n| --- | --- |\n\`\`\`\n| one row`;
  const bench = await workbench({ deltaCharacters: 7, replies: () => table });
  const columns = (left: string, right: string) => `${left.padEnd(long.length)} │ ${right}`;
  const drawn = [
    ...['Here:', '', columns('name', 'count'), `${'─'.repeat(long.length)}─┼─${'─'.repeat(5)}`],
    ...[columns('a', '    1'), columns(long, ' 漢字'), ''],
    ...['```', '| no | table |', '| --- | --- |', '```', '| one row', ''],
  ].join('\n');
  const streamed = await bench.run(['--plain'], { input: 'begin\n' });
  expect(streamed.stdout).toContain(`> begin\n\n${drawn}`);
  const again = await bench.run(['--plain', '-c'], { input: '/cost\n' });
  expect(again.stdout).toContain(`> begin\n\n${drawn}`);
});

test('A6: -p needs no key for a command that sends nothing, reads a slash behind blanks, and one that sends says what is missing', async () => {
  const bench = await workbench({ replies: () => 'Fine.' });
  await bench.run(['-p', 'begin']);
  const requests = bench.bodies().length;
  const env = { ANTHROPIC_API_KEY: undefined, ANTHROPIC_BASE_URL: undefined };
  const asked = await bench.run(['-p', '/context'], { env });
  expect(asked).toMatchObject({ code: 0, stderr: '' });
  expect(asked.stdout).toContain('system prompt');
  const behind = await bench.run(['-p', '-c', '\n  /context'], { env });
  expect(behind).toMatchObject({ code: 0, stdout: expect.stringContaining('your words') });
  const typed = await bench.run(['--plain', '-c'], { input: '  /cost\n' });
  expect(typed.stdout).toContain('all, at list prices');
  const words = await bench.run(['-p', 'begin'], { env });
  expect(words).toMatchObject({ code: 2, stderr: expect.stringContaining('ANTHROPIC_API_KEY') });
  const compact = await bench.run(['-p', '-c', '/compact'], { env });
  expect(compact).toMatchObject({ code: 2, stderr: expect.stringContaining('ANTHROPIC_API_KEY') });
  expect(bench.bodies()).toHaveLength(requests);
});
