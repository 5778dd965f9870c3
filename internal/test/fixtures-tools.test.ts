import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { normalise } from '../src/record/normalise.ts';
import { runTool } from '../src/record/tools/toolbox.ts';
import { createWorkspace, type Workspace } from '../src/record/workspace.ts';

let parent: string;
let workspace: Workspace;

beforeEach(() => {
  parent = realpathSync(mkdtempSync(join(tmpdir(), 'varve-tools-')));
  workspace = createWorkspace(join(parent, 'project'));
  workspace.write('a.txt', 'one\ntwo\nthree\n');
  workspace.write('lib/b.js', 'const two = 2;\nmodule.exports = two;\n');
  workspace.write('lib/deep/c.js', 'two two\n');
});

afterEach(() => rmSync(parent, { recursive: true, force: true }));

const run = (name: string, input: unknown) => {
  const { text, isError } = runTool(workspace, name, input);
  return { text, isError };
};
const ok = (text: string) => ({ text, isError: false });
const error = (text: string) => ({ text, isError: true });

describe('read', () => {
  test.each([
    [{ path: '/workspace/a.txt' }, ok('     1\tone\n     2\ttwo\n     3\tthree')],
    [{ path: 'a.txt', offset: 2 }, ok('     2\ttwo\n     3\tthree')],
    [
      { path: 'a.txt', offset: 2, limit: 1 },
      ok('     2\ttwo\n[3 lines in all; continue with offset 3]'),
    ],
    [{ path: 'a.txt', offset: 3, limit: 9 }, ok('     3\tthree')],
    [{ path: 'a.txt', offset: 4 }, error('a.txt has 3 lines; there is no line 4.')],
    [{ path: '/workspace/no.txt' }, error('There is no file /workspace/no.txt.')],
    [{ path: 'lib' }, error('lib is a folder. Use glob to list what is in it.')],
  ])('shows %j', (input, outcome) => {
    expect(run('read', input)).toEqual(outcome);
  });

  test('says that a file is empty, and refuses what is not text', () => {
    workspace.write('empty', '');
    writeFileSync(join(workspace.root, 'data'), Buffer.from([1, 0, 2]));
    expect(run('read', { path: 'empty' })).toEqual(ok('empty is empty.'));
    expect(run('read', { path: 'data' })).toEqual(error('data is not a text file.'));
  });

  test('cuts a very long line and says how much', () => {
    workspace.write('long', 'x'.repeat(2_010));
    expect(run('read', { path: 'long' }).text).toMatch(/x \[10 characters cut\]$/);
  });

  test('never leaves the project', () => {
    expect(() => run('read', { path: '../secret' })).toThrow(RangeError);
    expect(() => run('read', { path: '/etc/passwd' })).toThrow(RangeError);
  });
});

describe('grep', () => {
  test.each([
    [
      { pattern: 'two' },
      ok(
        'a.txt:2:two\nlib/b.js:1:const two = 2;\nlib/b.js:2:module.exports = two;\nlib/deep/c.js:1:two two',
      ),
    ],
    [{ pattern: 'TWO', path: 'a.txt', ignore_case: true }, ok('a.txt:2:two')],
    [{ pattern: 'two', path: 'a.txt', context: 1 }, ok('a.txt-1-one\na.txt:2:two\na.txt-3-three')],
    [{ pattern: 'two', mode: 'count' }, ok('a.txt:1\nlib/b.js:2\nlib/deep/c.js:1')],
    [{ pattern: 'two', mode: 'files', glob: '*.js' }, ok('lib/b.js\nlib/deep/c.js')],
    [{ pattern: 'two', glob: 'lib/*.js', mode: 'files' }, ok('lib/b.js')],
    [
      { pattern: 'two', path: 'lib', limit: 1 },
      ok('lib/b.js:1:const two = 2;\n[2 more lines; narrow the search to see them]'),
    ],
    [{ pattern: 'four' }, ok('No matches.')],
    [{ pattern: '(' }, error('( is not a regular expression.')],
    [{ pattern: 'a', path: 'nowhere' }, error('There is no file or folder nowhere.')],
  ])('searches for %j', (input, outcome) => {
    expect(run('grep', input)).toEqual(outcome);
  });
});

describe('glob', () => {
  test.each([
    [{ pattern: '*.js' }, ok('lib/b.js\nlib/deep/c.js')],
    [{ pattern: 'lib/*.js' }, ok('lib/b.js')],
    [{ pattern: '*', path: 'lib/deep' }, ok('lib/deep/c.js')],
    [{ pattern: '*.md' }, ok('No files.')],
    [{ pattern: '*', path: 'nowhere' }, error('There is no folder nowhere.')],
  ])('lists %j', (input, outcome) => {
    expect(run('glob', input)).toEqual(outcome);
  });

  test('leaves hidden folders and dependencies out', () => {
    workspace.write('.hidden/a.js', '');
    workspace.write('node_modules/x/a.js', '');
    expect(run('glob', { pattern: 'a.js' })).toEqual(ok('No files.'));
  });
});

describe('edit', () => {
  const edit = (input: object) => run('edit', { path: 'lib/b.js', ...input });

  test('replaces one place and shows it with its neighbours', () => {
    run('read', { path: 'lib/b.js' });
    expect(edit({ old_string: '= 2', new_string: '= 3' })).toEqual(
      ok('Edited lib/b.js in 1 place.\n     1\tconst two = 3;\n     2\tmodule.exports = two;'),
    );
    expect(workspace.read('lib/b.js')).toBe('const two = 3;\nmodule.exports = two;\n');
  });

  test('takes the new text literally', () => {
    run('read', { path: 'lib/b.js' });
    edit({ old_string: '= 2', new_string: "= '$&$1'" });
    expect(workspace.read('lib/b.js')).toContain("const two = '$&$1';");
  });

  test.each([
    [
      { old_string: 'two', new_string: 'x' },
      'old_string occurs 2 times in lib/b.js. Add surrounding lines or set replace_all.',
    ],
    [{ old_string: 'nine', new_string: 'x' }, 'old_string does not occur in lib/b.js.'],
    [{ old_string: 'two', new_string: 'two' }, 'old_string and new_string are the same.'],
    [{ old_string: '', new_string: 'x' }, 'old_string is empty. Use write to create a file.'],
    [{ path: 'no.js', old_string: 'a', new_string: 'b' }, 'There is no file no.js.'],
  ])('refuses %j and changes nothing', (input, text) => {
    run('read', { path: 'lib/b.js' });
    const before = workspace.read('lib/b.js');
    expect(edit(input)).toEqual(error(text));
    expect(workspace.read('lib/b.js')).toBe(before);
  });

  test('replaces every place when asked to', () => {
    run('read', { path: 'lib/b.js' });
    expect(edit({ old_string: 'two', new_string: 'x', replace_all: true }).text).toContain(
      'in 2 places',
    );
  });

  test('wants the file to be read first, and again after it changed', () => {
    const input = { old_string: '= 2', new_string: '= 3' };
    expect(edit(input)).toEqual(error('lib/b.js was not read yet. Read it first.'));
    run('read', { path: 'lib/b.js' });
    workspace.write('lib/b.js', 'changed = 2');
    expect(edit(input)).toEqual(
      error('lib/b.js changed on disk since it was read. Read it again first.'),
    );
  });
});

describe('write', () => {
  test('creates a file with its folders', () => {
    expect(run('write', { path: '/workspace/x/y.txt', content: 'a\nb\n' })).toEqual(
      ok('Created /workspace/x/y.txt (2 lines).'),
    );
    expect(workspace.read('x/y.txt')).toBe('a\nb\n');
  });

  test('replaces only what was read', () => {
    const input = { path: 'a.txt', content: '' };
    expect(run('write', input)).toEqual(error('a.txt was not read yet. Read it first.'));
    run('read', { path: 'a.txt' });
    expect(run('write', input)).toEqual(ok('Replaced a.txt (0 lines).'));
  });
});

describe('todo', () => {
  test('counts what is done', () => {
    const items = ['done', 'in-progress', 'open', 'open'].map((status) => ({ text: 'x', status }));
    expect(run('todo', { items })).toEqual(ok('List saved: 1 done, 1 in progress, 2 open.'));
  });
});

describe('shell', () => {
  const shell = (command: string, timeout?: number) =>
    run('shell', { command, ...(timeout === undefined ? {} : { timeout_seconds: timeout }) });

  test.each([
    ['cat a.txt | head -n 1', ok('one\n[exit code 0]')],
    ['echo out; echo err >&2', ok('out\nerr\n[exit code 0]')],
    ['true', ok('[exit code 0]')],
    ['echo no; exit 3', error('no\n[exit code 3]')],
    [
      'node -p "Object.keys(process.env).sort().join()"',
      ok('HOME,LC_ALL,NODE_OPTIONS,NO_COLOR,PATH,PWD,TZ\n[exit code 0]'),
    ],
  ])('runs %s', (command, outcome) => {
    expect(shell(command)).toEqual(outcome);
  });

  test('finds no program that is not on the list', () => {
    expect(shell('curl example.org')).toMatchObject({ isError: true });
    expect(shell('curl example.org').text).toContain('[exit code 127]');
  });

  test('keeps node off the network', () => {
    const command = `node -e "require('node:net').connect(80, '127.0.0.1')"`;
    expect(shell(command).text).toContain('the network is off in this project');
  });

  test('stops a command at its time limit', () => {
    expect(shell('echo first; sleep 30', 1)).toEqual(error('first\n[stopped after 1 s]'));
  });

  test('cuts long output in the middle', () => {
    const { text } = shell(`node -e "console.log('a'.repeat(20000) + 'b'.repeat(20000))"`);
    expect(text).toMatch(/^a+\n\[10000 characters cut\]\nb+\n\[exit code 0\]$/);
  });

  test('shows the scratch folder as /workspace', () => {
    expect(shell('node -p "process.cwd()"')).toEqual(ok('/workspace\n[exit code 0]'));
  });
});

describe('normalise', () => {
  test.each([
    ['✔ a (0.876185ms)', '✔ a (1ms)'],
    ['ℹ duration_ms 559.521019', 'ℹ duration_ms 1'],
    ['(node:4711) Warning: x', '(node:1) Warning: x'],
    ['Node.js v24.21.0', 'Node.js v24'],
    ['--- a/x\t2026-01-02 03:04:05.6 +0000', '--- a/x'],
    [
      '  at f (/tmp/p/a.js:1:2)\n  at g (node:internal/a:1:2)\nend',
      '  at f (/workspace/a.js:1:2)\nend',
    ],
    ['  at node:internal/a:1:2 {\n  code', '  at (runtime) {\n  code'],
    ['it took 12.5ms', 'it took 12.5ms'],
  ])('turns %j into %j', (text, expected) => {
    expect(normalise(text, '/tmp/p')).toBe(expected);
  });
});
