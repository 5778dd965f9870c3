import { describe, expect, test } from 'vitest';
import { writtenFiles } from '../src/replay/written-files.ts';

const files = (name: string, input: unknown) =>
  writtenFiles({ type: 'tool_use', id: 'call', name, input });

const PATCH = `*** Begin Patch
*** Update File: src/a.ts
@@ class A
 kept
-taken out
+put in
*** Add File: src/b.ts
+new
*** Delete File: src/c.ts
*** End Patch`;

const DIFF = `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,2 +1,2 @@
 kept
-taken out
+put in`;

describe('writtenFiles', () => {
  test.each<[string, unknown, string, boolean]>([
    ['Write', { file_path: '/srv/a.ts', content: 'all' }, 'all', true],
    ['create_file', { path: '/srv/a.ts', file_text: 'all' }, 'all', true],
    ['Edit', { file_path: '/srv/a.ts', old_string: 'old', new_string: 'new' }, 'new', false],
    ['edit', { path: '/srv/a.ts', oldText: 'old', newText: 'new' }, 'new', false],
    [
      'MultiEdit',
      {
        file_path: '/srv/a.ts',
        edits: [
          { old_string: 'x', new_string: 'one' },
          { old_string: 'y', new_string: 'two' },
        ],
      },
      'one\ntwo',
      false,
    ],
    [
      'str_replace_based_edit_tool',
      { command: 'insert', path: '/srv/a.ts', insert_line: 3, new_str: 'new' },
      'new',
      false,
    ],
  ])('%s: the text beside a path', (name, input, text, isWhole) => {
    expect(files(name, input)).toEqual([{ path: '/srv/a.ts', text, isWhole }]);
  });

  test('each file of a patch, with its added lines and those around them', () => {
    const written = [
      { path: 'src/a.ts', text: 'kept\nput in', isWhole: false },
      { path: 'src/b.ts', text: 'new', isWhole: true },
      { path: 'src/c.ts', text: '', isWhole: true },
    ];
    expect(files('apply_patch', { input: PATCH })).toEqual(written);
    const command = ['bash', '-lc', `apply_patch <<'EOF'\n${PATCH}\nEOF`];
    expect(files('shell', { command })).toEqual(written);
    expect(files('apply_diff', { diff: DIFF })).toEqual(written.slice(0, 1));
  });

  test.each([
    ["cat > src/a.ts <<'EOF'\none\ntwo\nEOF\nnode src/a.ts", 'one\ntwo', true],
    ['mkdir -p src && cat <<EOF > src/a.ts\none\nEOF', 'one', true],
    ['cat >> src/a.ts <<EOF\none\nEOF', 'one', false],
    ['tee src/a.ts <<-"EOF" >/dev/null\n\tone\n\tEOF', '\tone', true],
    ['tee -a src/a.ts <<EOF\none\nEOF', 'one', false],
  ])('the text of a here-document: %s', (command, text, isWhole) => {
    expect(files('Bash', { command })).toEqual([{ path: 'src/a.ts', text, isWhole }]);
  });

  test.each([
    ['Read', { file_path: 'src/a.ts' }],
    ['Bash', { command: 'git commit -m done' }],
    ['Bash', { command: "python3 - <<'EOF' 2>&1\nprint(1)\nEOF" }],
    ['Bash', { command: 'node - <<EOF 2>/dev/null\n1\nEOF' }],
    ['Bash', { command: 'cat <<EOF > src/a.ts\nwithout an end' }],
    ['TodoWrite', { todos: [{ content: 'write src/a.ts', status: 'pending' }] }],
    ['str_replace_based_edit_tool', { command: 'view', path: 'src/a.ts' }],
    ['Write', { file_path: 'src/a.ts' }],
    ['write_stdin', { session_id: 3, chars: 'yes' }],
    ['Write', null],
  ])('nothing where no text goes into a file: %s %j', (name, input) => {
    expect(files(name, input)).toEqual([]);
  });
});
