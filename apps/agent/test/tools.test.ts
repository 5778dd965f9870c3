import { createHook } from 'node:async_hooks';
import { execFileSync } from 'node:child_process';
import type { lookup } from 'node:dns';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { AgentEvent } from '../src/events.ts';
import { createFileCache } from '../src/tools/files.ts';
import { TOOLS } from '../src/tools/index.ts';
import { createTools } from '../src/tools/tool.ts';
import { getPage } from '../src/tools/web.ts';

/** The tools in a folder of their own. */
function bench() {
  const cwd = mkdtempSync(join(tmpdir(), 'varve-tools-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const events: AgentEvent[] = [];
  const files = createFileCache();
  const emit = (event: AgentEvent) => void events.push(event);
  const tools = createTools({ tools: TOOLS, cwd, files, emit });
  const run = async (name: string, input: object, signal = new AbortController().signal) => {
    const parsed = tools.parse({ type: 'tool_use', id: 'call', name, input });
    if (parsed.kind === 'refused') return { isError: true, text: parsed.reason };
    const { content, isError = false } = await tools.run(parsed.call, signal);
    const text = content instanceof Uint8Array ? Buffer.from(content).toString() : content;
    return { isError, text: typeof text === 'string' ? text : JSON.stringify(text) };
  };
  return {
    ...{ cwd, events, files, run },
    write: (name: string, text: string | Buffer) => writeFileSync(join(cwd, name), text),
    read: (name: string) => readFileSync(join(cwd, name), 'utf8'),
  };
}

test('A2: an edit needs a read since the last change of the file', async () => {
  const { cwd, run, write, read, files } = bench();
  write('a.txt', 'one\ntwo\n');
  const edit = { file_path: 'a.txt', old_string: 'two', new_string: '2' };
  expect(await run('Edit', edit)).toMatchObject({
    isError: true,
    text: expect.stringMatching(/Read .*a\.txt first/),
  });
  expect((await run('Read', { file_path: 'a.txt' })).text).toBe('     1\tone\n     2\ttwo');
  write('a.txt', 'one\ntwo\nthree\n');
  expect(await run('Edit', edit)).toMatchObject({
    isError: true,
    text: expect.stringMatching(/changed since it was read/),
  });
  await run('Read', { file_path: 'a.txt' });
  utimesSync(join(cwd, 'a.txt'), new Date(), new Date(Date.now() + 5_000)); // touched, not changed
  expect(await run('Edit', edit)).toMatchObject({ isError: false });
  expect(read('a.txt')).toBe('one\n2\nthree\n');
  expect(await run('Edit', { ...edit, old_string: 'three' })).toMatchObject({ isError: false });
  files.keep([]);
  expect(await run('Write', { file_path: 'a.txt', content: '' })).toMatchObject({ isError: true });
});

test.each([
  ['one after the other, and those that differ again', 0, 2],
  ['by the thread pool where the disk is slow', 5, 12],
])('A9: files that were read are looked at %s', async (_, stepMs, trips) => {
  const { cwd, files, run, write } = bench();
  for (let at = 0; at < 12; at++) {
    write(`${at}.txt`, 'as read');
    await run('Read', { file_path: `${at}.txt` });
  }
  write('3.txt', 'changed');
  utimesSync(join(cwd, '3.txt'), new Date(), new Date(Date.now() + 5_000));
  rmSync(join(cwd, '5.txt'));
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += stepMs));
  onTestFinished(() => clock.mockRestore());
  let stats = 0;
  const hook = createHook({
    init: (_id, type) => void (type === 'FSREQPROMISE' && stats++),
  }).enable();
  onTestFinished(() => void hook.disable());
  const looked = files.changed();
  const asked = stats; // before any of them answers
  const changes = await looked;
  expect(changes.map(({ path, isGone }) => [basename(path), isGone])).toEqual([
    ['3.txt', false],
    ['5.txt', true],
  ]);
  expect(asked).toBe(trips);
});

test.each([
  ['is not there', 'a\n', { old_string: 'b', new_string: 'c' }, /is not in/],
  ['is there twice', 'a a\n', { old_string: 'a', new_string: 'c' }, /2 times/],
  ['is the new one', 'a\n', { old_string: 'a', new_string: 'a' }, /the same/],
])('A2: an edit whose old text %s changes nothing and says so', async (_, before, edit, says) => {
  const { run, write, read } = bench();
  write('a.txt', before);
  await run('Read', { file_path: 'a.txt' });
  const { isError, text } = await run('Edit', { file_path: 'a.txt', ...edit });
  expect({ isError, after: read('a.txt') }).toEqual({ isError: true, after: before });
  expect(text).toMatch(says);
});

test.each([
  ['all of them', 'a a', { old_string: 'a', new_string: '$&', replace_all: true }, '$& $&'],
  [
    'in a file with carriage returns',
    'a\r\nb\r\n',
    { old_string: 'a\nb', new_string: 'c\nd' },
    'c\r\nd\r\n',
  ],
  ['in a file with a byte order mark', '\uFEFFa', { old_string: 'a', new_string: 'b' }, '\uFEFFb'],
])('A2: an edit replaces %s', async (_, before, edit, after) => {
  const { run, write, read } = bench();
  write('a.txt', before);
  await run('Read', { file_path: 'a.txt' });
  expect(await run('Edit', { file_path: 'a.txt', ...edit })).toMatchObject({ isError: false });
  expect(read('a.txt')).toBe(after);
});

test('A2: a file that was read in part is edited, and written anew only once all of it was read', async () => {
  const { run, write, read } = bench();
  write('a.txt', 'one\ntwo\nthree\n');
  const anew = { file_path: 'a.txt', content: 'new\n' };
  const isRefused = { isError: true, text: expect.stringContaining('Only a part of') };
  await run('Read', { file_path: 'a.txt', limit: 1 });
  expect(await run('Write', anew)).toMatchObject(isRefused);
  await run('Read', { file_path: 'a.txt', offset: 3 });
  expect(await run('Write', anew)).toMatchObject(isRefused);
  const edit = { file_path: 'a.txt', old_string: 'one', new_string: '1' };
  expect(await run('Edit', edit)).toMatchObject({ isError: false });
  expect(await run('Write', anew)).toMatchObject(isRefused);
  await run('Read', { file_path: 'a.txt', limit: 2 });
  await run('Read', { file_path: 'a.txt', offset: 2, limit: 5 });
  expect(await run('Write', anew)).toMatchObject({ isError: false });
  expect(read('a.txt')).toBe('new\n');
  write('a.txt', `${'x'.repeat(3_000)}\nend\n`);
  await run('Read', { file_path: 'a.txt' });
  expect(await run('Write', anew)).toMatchObject(isRefused);
  write('a.txt', '');
  await run('Read', { file_path: 'a.txt' });
  expect(await run('Write', anew)).toMatchObject({ isError: false });
});

test('A2: a cell of a notebook is replaced, inserted and deleted, and the rest stays', async () => {
  const { run, write, read } = bench();
  const cell = (id: string, source: string[]) => ({
    ...{ cell_type: 'code', id, metadata: { a: 1 }, execution_count: 3 },
    ...{ outputs: [{ output_type: 'stream', text: ['old'] }], source },
  });
  const notebook = {
    cells: [cell('one', ['1\n', '2']), cell('two', ['3'])],
    ...{ metadata: { kernelspec: { name: 'k' } }, nbformat: 4, nbformat_minor: 5 },
  };
  write('a.ipynb', `${JSON.stringify(notebook, undefined, 1)}\n`);
  const edit = (more: object) => run('NotebookEdit', { notebook_path: 'a.ipynb', ...more });
  expect(await edit({ cell_id: 'one', new_source: 'x' })).toMatchObject({ isError: true });
  await run('Read', { file_path: 'a.ipynb' });
  expect(await edit({ cell_id: 'one', new_source: 'x\ny' })).toMatchObject({ isError: false });
  await edit({ cell_id: '0', new_source: '# Title', cell_type: 'markdown', edit_mode: 'insert' });
  expect(await edit({ cell_id: 'two', edit_mode: 'delete' })).toMatchObject({ isError: false });
  expect(await edit({ cell_id: '7', new_source: 'x' })).toMatchObject({ isError: true });
  const after = JSON.parse(read('a.ipynb')) as typeof notebook;
  expect(after).toMatchObject({ metadata: notebook.metadata, nbformat: 4 });
  expect(after.cells).toEqual([
    { ...cell('one', ['x\n', 'y']), execution_count: null, outputs: [] },
    { cell_type: 'markdown', id: expect.any(String), metadata: {}, source: ['# Title'] },
  ]);
  expect(read('a.ipynb')).toMatch(/^\{\n "cells": \[/);
  write('b.ipynb', '{}');
  await run('Read', { file_path: 'b.ipynb' });
  const refused = await run('NotebookEdit', {
    notebook_path: 'b.ipynb',
    cell_id: '0',
    new_source: '',
  });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('Use Edit') });
});

test('A2: writing keeps the rights of a file and goes through a link', async () => {
  const { cwd, run, write, read } = bench();
  write('run.sh', 'old');
  chmodSync(join(cwd, 'run.sh'), 0o755);
  symlinkSync('run.sh', join(cwd, 'link.sh'));
  await run('Read', { file_path: 'link.sh' });
  expect(await run('Write', { file_path: 'link.sh', content: 'new' })).toMatchObject({
    isError: false,
  });
  expect(read('run.sh')).toBe('new');
  expect(statSync(join(cwd, 'run.sh')).mode & 0o777).toBe(0o755);
  expect(await run('Write', { file_path: 'new/deep/b.txt', content: 'b' })).toMatchObject({
    isError: false,
  });
  expect(read('new/deep/b.txt')).toBe('b');
});

test.each([
  ['a binary file', 'a.bin', /binary file of 3 bytes/],
  ['a folder', 'sub', /is a folder. Use LS/],
  ['what is not there', 'a.ts', /Beside it there is: a\.bin/],
  ['a pipe', 'pipe', /no regular file/],
  ['a file of a terabyte', 'huge.txt', /1099511627776 bytes. Look into it/],
])('A2: reading %s says what it is', async (_, file_path, says) => {
  const { cwd, run, write } = bench();
  write('huge.txt', '');
  truncateSync(join(cwd, 'huge.txt'), 2 ** 40);
  write('a.bin', 'a\0b');
  mkdirSync(join(cwd, 'sub'));
  execFileSync('mkfifo', [join(cwd, 'pipe')]);
  const { isError, text } = await run('Read', { file_path });
  expect(isError).toBe(true);
  expect(text).toMatch(says);
});

test('A2: a search of a pipe does not wait for it', async () => {
  const { cwd, run } = bench();
  execFileSync('mkfifo', [join(cwd, 'pipe')]);
  const { isError, text } = await run('Grep', { pattern: 'x', path: 'pipe' });
  expect(isError).toBe(true);
  expect(text).toContain('no regular file');
});

test('A2: a long file is read in parts, an image is shown', async () => {
  const { run, write } = bench();
  write('long.txt', Array.from({ length: 5_000 }, (_, at) => `line ${at + 1}`).join('\n'));
  expect((await run('Read', { file_path: 'long.txt' })).text).toMatch(/go on with offset 2001\)$/);
  const part = await run('Read', { file_path: 'long.txt', offset: 4_999, limit: 10 });
  expect(part.text).toBe('  4999\tline 4999\n  5000\tline 5000');
  write('a.png', Buffer.from('89504e470d0a1a0a', 'hex'));
  expect((await run('Read', { file_path: 'a.png' })).text).toContain('"media_type":"image/png"');
  write('b.png', Buffer.from('ffd8ffe0', 'hex')); // its name says another kind
  expect((await run('Read', { file_path: 'b.png' })).text).toContain('"media_type":"image/jpeg"');
  for (const text of ['this is no png', '']) {
    write('c.webp', text);
    const { isError, text: said } = await run('Read', { file_path: 'c.webp' });
    expect({ isError, said }).toMatchObject({
      isError: true,
      said: expect.stringContaining('is no image'),
    });
  }
});

test('A2: files are found by pattern and by content, without what git ignores', async () => {
  const { cwd, run, write } = bench();
  execFileSync('git', ['init', '-q'], { cwd });
  mkdirSync(join(cwd, 'src/deep'), { recursive: true });
  mkdirSync(join(cwd, 'node_modules'));
  write('.gitignore', 'node_modules/\n');
  write('src/a.ts', 'const answer = 42;\n');
  write('src/deep/b.ts', 'answer();\n');
  write('node_modules/c.ts', 'answer();\n');
  utimesSync(join(cwd, 'src/a.ts'), 1, 1);
  const both = `${join(cwd, 'src/deep/b.ts')}\n${join(cwd, 'src/a.ts')}`;
  expect((await run('Glob', { pattern: '**/*.ts' })).text).toBe(both);
  expect((await run('Glob', { pattern: '*.ts' })).text).toBe(both);
  expect((await run('Glob', { pattern: 'src/*.ts' })).text).toBe(join(cwd, 'src/a.ts'));
  expect((await run('Glob', { pattern: '*.py' })).text).toBe('No file fits.');
  const lines = await run('Grep', { pattern: 'answer', output_mode: 'content', glob: '*.ts' });
  expect(lines.text).toBe(
    `${join(cwd, 'src/a.ts')}:1:const answer = 42;\n${join(cwd, 'src/deep/b.ts')}:1:answer();`,
  );
  expect((await run('Grep', { pattern: 'ANSWER', '-i': true, path: 'src/deep' })).text).toBe(
    join(cwd, 'src/deep/b.ts'),
  );
  expect((await run('Grep', { pattern: '--nothing' })).text).toBe('Nothing fits.');
  expect(await run('Grep', { pattern: '(' })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/regex/),
  });
  expect((await run('LS', {})).text).toBe('.git/\n.gitignore\nnode_modules/\nsrc/');
});

test('A2: a command gives its output and its exit code, and is ended with all it started', async () => {
  const { run, events } = bench();
  expect(await run('Bash', { command: 'echo out; echo err >&2' })).toEqual({
    isError: false,
    text: 'out\nerr\n',
  });
  expect(await run('Bash', { command: 'exit 3' })).toEqual({
    isError: true,
    text: '\nExit code 3',
  });
  expect((await run('Bash', { command: 'true' })).text).toBe('The command printed nothing.');
  const late = await run('Bash', { command: 'sleep 30 & echo $!; sleep 30', timeout: 200 });
  expect(late).toMatchObject({ isError: true, text: expect.stringMatching(/ended after 200 ms/) });
  await expect.poll(() => isAlive(Number(late.text.split('\n')[0]))).toBe(false);
  const startedAt = Date.now();
  const behind = await run('Bash', { command: 'sleep 30 & echo $!' });
  expect(Date.now() - startedAt).toBeLessThan(25_000);
  await expect.poll(() => isAlive(Number(behind.text))).toBe(false);
  expect(events).toContainEqual({ kind: 'call-output', id: 'call', text: 'out\nerr\n' });
});

test('A2: a program that ends in the middle of its output has all of it shown', async () => {
  const { run, write } = bench();
  write(
    'print.mjs',
    "for (let at = 0; at < 20_000; at++) console.log('line', at);\nthrow new Error('last words');\n",
  );
  const { isError, text } = await run('Bash', { command: `${process.execPath} print.mjs` });
  expect(isError).toBe(true);
  expect(text).toContain('line 19999\n');
  expect(text).toContain('last words');
});

test('A2: an abort ends the process group of a command, also one that ignores SIGTERM, and gives what it had printed', async () => {
  const { run, events } = bench();
  const stop = new AbortController();
  const command = "trap '' TERM; sleep 30 & echo $!; wait; sleep 30";
  const running = run('Bash', { command }, stop.signal);
  while (events.length === 0) await wait(5);
  stop.abort();
  const { isError, text } = await running;
  expect({ isError, text }).toMatchObject({
    isError: true,
    text: expect.stringMatching(
      /^\d+\n\nThe command was interrupted: it and all processes .* ended\.$/,
    ),
  });
  const [first] = events;
  await expect.poll(() => first?.kind === 'call-output' && isAlive(Number(first.text))).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] !== 'Z';
  } catch {
    return false;
  }
}

test('A2: a page comes as Markdown, a redirect to another host is reported', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: 'http://example.com/' });
    if (request.url === '/here') response.writeHead(302, { location: '/page' });
    if (request.url === '/none') response.writeHead(404);
    if (request.url === '/page') response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end('<nav>menu</nav><h1>Title</h1><script>bad()</script><p>Some <b>text</b></p>');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { run } = bench();
  expect(await run('WebFetch', { url: `${at}/here` })).toEqual({
    isError: false,
    text: '# Title\n\nSome **text**',
  });
  expect((await run('WebFetch', { url: `${at}/away` })).text).toContain(
    'another host: http://example.com/',
  );
  expect(await run('WebFetch', { url: `${at}/none` })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^Status 404/),
  });
  expect(await run('WebFetch', { url: 'file:///etc/passwd' })).toMatchObject({ isError: true });
});

test('A2: a name that leads into the own network is fetched only where a rule names it, and one to keys never', async () => {
  const server = createServer((_, response) => response.end('here')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const url = new URL(`http://inner.test:${(server.address() as AddressInfo).port}/`);
  const get = (address: string, isNamed: boolean) => {
    type Found = (error: null, all: readonly object[]) => void;
    const look = ((_name: string, _options: object, done: Found) =>
      done(null, [{ address, family: 4 }])) as unknown as typeof lookup;
    const { signal } = new AbortController();
    return getPage(url, { signal, mayReachOwn: () => isNamed, lookup: look });
  };
  expect(await get('127.0.0.1', true)).toMatchObject({ status: 200 });
  await expect(get('127.0.0.1', false)).rejects.toThrow('WebFetch(domain:inner.test)');
  await expect(get('10.0.0.1', false)).rejects.toThrow('own machine or network');
  await expect(get('169.254.169.254', true)).rejects.toThrow('never fetched');
  const { text } = await bench().run('WebFetch', { url: 'http://169.254.169.254/latest/' });
  expect(text).toContain('never fetched');
});

test('A2: a page that is made to keep the program busy does not, and comes as it is', async () => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<p>text</p>${'<div>'.repeat(50_000)}`);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  let ticks = 0;
  const clock = setInterval(() => (ticks += 1), 50);
  onTestFinished(() => clearInterval(clock));
  const { text } = await bench().run('WebFetch', { url });
  expect(text).toContain('could not be made into Markdown.)\n<p>text</p>');
  expect(ticks).toBeGreaterThan(20);
});

test('a page that does not come is given up after its time, the clock put forward, and leaves no timer', async () => {
  const server = createServer(() => undefined).listen(0);
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { run } = bench();
  const late = run('WebFetch', { url });
  await new Promise((resolve) => server.once('request', resolve));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await late).toMatchObject({
    isError: true,
    text: expect.stringContaining('did not answer in 30 seconds'),
  });
  expect(vi.getTimerCount()).toBe(0);
});

test('A2: a call of no tool, or with an input that is none, gets an answer that says what is right', async () => {
  const { run } = bench();
  expect((await run('Raed', {})).text).toMatch(/no tool Raed\. There are: Read, Edit/);
  expect((await run('Read', { file_path: 7 })).text).toMatch(/file_path/);
});

test('A2: the list of work is shown to the person', async () => {
  const { run, events } = bench();
  const todos = [{ content: 'Test', status: 'in_progress' }];
  expect((await run('TodoWrite', { todos })).text).toBe('The list has 1 items, 1 of them open.');
  expect(events).toEqual([{ kind: 'todos', todos }]);
});
