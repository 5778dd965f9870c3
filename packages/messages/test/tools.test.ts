import { describe, expect, test } from 'vitest';
import {
  callSubject,
  editorKind,
  inputTexts,
  isForeignTool,
  mayChange,
  patchedFiles,
  pathsIn,
  plainPath,
  readCall,
  replacementsIn,
  shellCommand,
  toolKind,
} from '../src/tools.ts';

describe('toolKind', () => {
  test.each([
    ['Bash', 'shell'],
    ['execute_bash', 'shell'],
    ['functions.exec_command', 'shell'],
    ['container.exec', 'shell'],
    ['write_bash', 'shell-output'],
    ['KillBash', 'stop'],
    ['ReadFile', 'read'],
    ['read-file', 'read'],
    ['read_stored', 'read'],
    ['insert', 'edit'],
    ['create', 'write'],
    ['LS', 'list'],
    ['ToolSearch', 'search'],
    ['WebFetch', 'web'],
    ['TodoWrite', 'todo'],
    ['AskUserQuestion', 'ask'],
    ['ExitPlanMode', 'plan'],
    ['task_create', 'task-create'],
    ['TaskUpdate', 'task-update'],
    ['Monitor', 'monitor'],
    ['Task', 'agent'],
    ['Skill', 'skill'],
    ['default_api:run_shell_command', 'shell'],
    ['notebook read', 'read'],
  ])('%s is %s', (name, kind) => {
    expect(toolKind(name)).toBe(kind);
    expect(isForeignTool(name)).toBe(false);
  });

  test.each(['x.bash', 'x/read', 'x:edit', 'x__ask_user', 'mcp__x__todo_write', 'todo.write'])(
    '%s is a tool that something else brought',
    (name) => {
      expect(toolKind(name)).toBeUndefined();
      expect(isForeignTool(name)).toBe(true);
    },
  );
});

describe('readCall', () => {
  const kindOf = (name: string, input: unknown) => readCall({ id: 'c', name, input }).kind;

  test.each([
    ['anything', { command: 'ls' }, 'shell'],
    ['anything', { cmd: ['bash', '-lc', 'ls'] }, 'shell'],
    ['anything', { path: 'a', command: 'view' }, 'read'],
    ['anything', { path: 'a', command: 'create', file_text: '' }, 'write'],
    ['anything', { file_path: 'a', old_string: 'x', new_string: '' }, 'edit'],
    ['anything', { path: 'a', content: 'x' }, 'write'],
    ['anything', { input: '*** Begin Patch\n*** Add File: a\n*** End Patch' }, 'patch'],
    ['read', { path: 'a', content: 'x' }, 'read'],
    ['anything', { path: 'a' }, 'other'],
    ['anything', { question: 'What?', options: [] }, 'other'],
    ['ask_user', { question: 'What?' }, 'ask'],
    ['x.bash', { command: 'ls' }, 'shell'],
    ['bash', undefined, 'other'],
    ['bash', 'ls', 'other'],
    ['bash', ['ls'], 'other'],
  ])('%s with %j is %s', (name, input, kind) => {
    expect(kindOf(name, input)).toBe(kind);
  });

  test.each<[string, unknown, object]>([
    ['Bash', { command: 'ls', cwd: '/w' }, { kind: 'shell', command: 'ls', folder: '/w' }],
    ['Bash', { command: 'ls' }, { kind: 'shell', command: 'ls', folder: undefined }],
    ['Monitor', { command: 'ls' }, { kind: 'shell', command: 'ls' }],
    ['Grep', { command: 'ls' }, { kind: 'search' }],
    ['read_files', { paths: ['a', 'b'] }, { kind: 'read', paths: ['a', 'b'] }],
    ['Edit', { edits: [] }, { kind: 'edit', path: undefined }],
    ['anything', { edits: [] }, { kind: 'other' }],
    ['Edit', { path: 'a' }, { kind: 'edit', path: 'a' }],
    ['Edit', { text: 'a' }, { kind: 'edit', path: undefined }],
    ['Edit', {}, { kind: 'other' }],
    ['Write', { path: 'a' }, { kind: 'write', path: 'a' }],
    ['Write', {}, { kind: 'other' }],
    ['Read', {}, { kind: 'other' }],
    ['Bash', {}, { kind: 'other' }],
    ['anything', { content: 'x' }, { kind: 'other' }],
    ['apply_patch', '*** Begin Patch\n*** Add File: a\n*** End Patch', { kind: 'patch' }],
    ['Bash', { command: '*** Begin Patch\n*** Add File: a\n*** End Patch' }, { kind: 'patch' }],
    ['Task', { prompt: 'x' }, { kind: 'agent' }],
    ['TodoWrite', { todos: [] }, { kind: 'todo' }],
  ])('%s with %j is %j', (name, input, call) => {
    expect(readCall({ id: 'c', name, input: input as never })).toMatchObject(call);
  });

  test('what the host calls a tool counts', () => {
    const call = { id: 'c', name: 'desk.ask', input: {} };
    expect(readCall(call, { kindOf: () => 'ask' }).kind).toBe('ask');
  });
});

describe('replacementsIn', () => {
  test.each([
    [{ old_string: 'a', new_string: '' }, [{ oldText: 'a', newText: '', all: false }]],
    [
      { edits: [{ oldText: 'a', newText: 'b', replaceAll: true }] },
      [{ oldText: 'a', newText: 'b', all: true }],
    ],
    [{ edits: [{ oldText: 'a', newText: 'b' }, { oldText: 'c' }] }, undefined],
    [{ edits: [] }, undefined],
    [{ old_string: 'a' }, undefined],
    [{ old_string: 1, new_string: 'b' }, undefined],
    [{ new_string: 'b' }, undefined],
    [
      { old_str: 'a', new_str: 'b', replace_all: true },
      [{ oldText: 'a', newText: 'b', all: true }],
    ],
    [
      { old_str: 'a', new_str: 'b', replace_all: false },
      [{ oldText: 'a', newText: 'b', all: false }],
    ],
    [
      { old_string: 'a', search: 'c', new_string: 'b', replace: 'd' },
      [{ oldText: 'a', newText: 'b', all: false }],
    ],
    [{ edits: ['x'] }, undefined],
  ])('reads %j', (input, found) => {
    expect(replacementsIn(input)).toEqual(found);
  });
});

describe('editorKind', () => {
  test.each<[unknown, string | undefined]>([
    [{ path: 'a', command: 'view' }, 'read'],
    [{ path: 'a', command: 'create' }, 'write'],
    [{ path: 'a', command: 'str_replace' }, 'edit'],
    [{ path: 'a', command: 'insert' }, 'edit'],
    [{ path: 'a', command: 'undo_edit' }, 'edit'],
    [{ path: 'a', command: 'delete' }, 'edit'],
    [{ path: 'a', command: 'ls' }, undefined],
    [{ path: 'a', command: 5 }, undefined],
    [{ path: 'a' }, undefined],
    [{ command: 'view' }, undefined],
    [{ path: 5, command: 'view' }, undefined],
  ])('of %j is %s', (input, kind) => {
    expect(editorKind(input as never)).toBe(kind);
  });
});

describe('paths', () => {
  test.each([
    ['./src//a.ts', 'src/a.ts'],
    ['src\\a.ts', 'src/a.ts'],
    ['a/../b', 'b'],
    ['../b', '../b'],
    ['src/', 'src'],
    ['/', '/'],
    ['.', '.'],
    ['a..b/c.ts', 'a..b/c.ts'],
    ['', ''],
    ['a/b/../../..', '..'],
    ['a/b/../c', 'a/c'],
    ['../../a', '../../a'],
    ['/../a', '/../a'],
    ['//a', '/a'],
    ['a/.', 'a'],
    ['./', './'],
    ['.a/b.', '.a/b.'],
  ])('%j is %j', (path, plain) => {
    expect(plainPath(path)).toBe(plain);
  });

  test.each([
    [{ filePath: 'a' }, ['a']],
    [{ files: ['a', 2, 'b'] }, ['a', 'b']],
    [{ path: '' }, []],
    [{ file_path: '', path: 'b' }, ['b']],
    [{ path: 'a', file_path: 'b' }, ['b']],
    [{ file_paths: ['a'] }, ['a']],
    [{ paths: ['a'], files: ['b'] }, ['a']],
    [{ paths: 'a' }, []],
    [{}, []],
  ])('of %j are %j', (input, paths) => {
    expect(pathsIn(input)).toEqual(paths);
  });
});

describe('what a command is about', () => {
  test.each([
    ['cat a.ts', 'read', true],
    ['cd /w && cat a.ts | head -5', 'read', true],
    ['# where it stands\ngit status', 'search', true],
    ['git -C /w log --oneline | wc -l', 'search', true],
    ['git branch --show-current', 'look', true],
    ['git branch topic', 'run', false],
    ['git stash', 'run', false],
    ['git tag v1', 'run', false],
    ['find . -name a | xargs -n 1 grep b', 'search', true],
    ['find . -name a -delete', 'run', false],
    ['find . | xargs rm', 'search', false],
    ['cat a.ts && npm publish', 'read', false],
    ['cat a.ts > b.ts', 'read', false],
    ['cat a.ts 2>/dev/null', 'read', true],
    ['ls\nrm a.ts', 'search', false],
    ['echo $(rm a.ts)', 'look', false],
    ["echo '$(rm a.ts)'", 'look', true],
    ['sed -n 1,5p a.ts', 'read', true],
    ['sed -i s/a/b/ a.ts', 'run', false],
    ['grep -r a . || true', 'search', true],
    ['for f in a b; do cat $f; done', 'look', true],
    ['sudo rm a', 'run', false],
    ['FOO=1 npm test', 'run', false],
    ['', 'run', false],
    [`cat a;${' '.repeat(5_000)}rm a`, 'read', false],
  ])('%j: %s, only looks: %s', (command, use, looks) => {
    expect(shellCommand(command).use).toBe(use);
    expect(shellCommand(command).onlyLooks).toBe(looks);
  });
});

describe('what a call is about (L313)', () => {
  test.each<[string, unknown, string]>([
    ['Bash', { command: 'cd /w &&\n  npm test', timeout: 5 }, 'npm test'],
    ['Edit', { file_path: '/w/a.ts', old_string: 'x\n', new_string: 'y' }, '/w/a.ts'],
    ['read_files', { paths: ['a.ts', 'b.ts'] }, 'a.ts b.ts'],
    ['Write', { file_path: '/w/a.ts', content: 'x' }, '/w/a.ts'],
    ['Edit', { old_string: 'x', new_string: 'y' }, ''],
    [
      'apply_patch',
      { input: '*** Begin Patch\n*** Add File: a\n*** Delete File: b\n*** End Patch' },
      'a b',
    ],
    ['finish', { title: '', subject: 's', query: 'q' }, 's'],
    ['Task', { prompt: 'Read it all', description: 'read it' }, 'read it'],
    ['db.query', { sql: 'drop table x' }, ''],
    ['finish', undefined, ''],
  ])('%s with %j', (name, input, subject) => {
    expect(callSubject(readCall({ id: 'c', name, input }))).toBe(subject);
  });

  test('the texts of an input are those of every depth, without the names of fields', () => {
    expect(inputTexts({ sql: 'a', list: [{ row: 'b\nc' }, 3, null], on: true })).toEqual([
      'a',
      'b\nc',
    ]);
    expect(inputTexts(undefined)).toEqual([]);
    const nested = (depth: number): unknown => (depth === 0 ? 'x' : [nested(depth - 1)]);
    expect([inputTexts(nested(100)), inputTexts(nested(101))]).toEqual([['x'], []]);
    let deep: unknown = 'x';
    for (let depth = 0; depth < 200_000; depth++) deep = { deep };
    expect(inputTexts(deep)).toEqual([]);
  });
});

describe('whether a call may change something (L313)', () => {
  test.each<[boolean, string, unknown]>([
    [true, 'Bash', { command: 'git push' }],
    [false, 'Bash', { command: 'git status' }],
    [true, 'write_stdin', { chars: 'y' }],
    [false, 'BashOutput', { bash_id: 'b' }],
    [true, 'Edit', { file_path: 'a', old_string: 'x', new_string: 'y' }],
    [false, 'Read', { file_path: 'a' }],
    [true, 'Task', { prompt: 'x' }],
    [true, 'mcp__tracker__create_issue', { title: 'x' }],
    [false, 'mcp__tracker__list_issues', {}],
    [true, 'mcp__tracker__listen', {}],
    [false, 'write_stdin', { chars: '' }],
    [true, 'BashOutput', { input: 'y' }],
    [true, 'BashOutput', { text: 'y' }],
    [true, 'Write', { file_path: 'a', content: 'x' }],
    [true, 'apply_patch', { input: '*** Begin Patch\n*** Add File: a\n*** End Patch' }],
    [true, 'KillShell', { shell_id: 'a' }],
    [true, 'Monitor', {}],
    [false, 'Grep', { pattern: 'x' }],
    [false, 'WebFetch', { url: 'x' }],
    [false, 'TodoWrite', { todos: [] }],
    [false, 'think', {}],
    [true, 'readable', {}],
  ])('%s: %s with %j', (expected, name, input) => {
    expect(mayChange(readCall({ id: 'c', name, input }))).toBe(expected);
  });
});

// What takes the square of its length takes minutes, as ever fewer characters of the name were tried.
test.each(['x', '- ', '\u0000', '\n--- a'])('a patch of a long row of %j is read', (part) => {
  expect(patchedFiles(`--- a/b${part.repeat(400_000)}\n+++ `)).toEqual([]);
});
