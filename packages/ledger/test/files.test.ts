import { describe, expect, test } from 'vitest';
import { bash, factsOf, ledgerOf, runs } from './session.ts';

const PATCH = `*** Begin Patch
*** Update File: src/a.ts
@@
-one
+two
*** Add File: src/b.ts
+new
*** Delete File: src/c.ts
*** Update File: src/d.ts
*** Move to: src/e.ts
*** End Patch`;

const UNIFIED = '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-a\n+b\n';

describe('createLedger: files (C17)', () => {
  test.each([
    ['Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'y' }, ['a.ts: edited once']],
    ['edit', { path: 'a.ts', oldText: 'x', newText: 'y' }, ['a.ts: edited once']],
    ['replace', { file_path: 'a.ts', old_string: 'x', new_string: 'y' }, ['a.ts: edited once']],
    ['unheard_of', { filePath: 'a.ts', oldString: 'x', newString: 'y' }, ['a.ts: edited once']],
    [
      'str_replace_editor',
      { command: 'str_replace', path: 'a.ts', old_str: 'x' },
      ['a.ts: edited once'],
    ],
    ['str_replace_editor', { command: 'create', path: 'a.ts', file_text: 'x' }, ['a.ts: created']],
    ['Write', { file_path: 'a.ts', content: '' }, ['a.ts: created']],
    ['create', { path: 'a.ts', file_text: 'x' }, ['a.ts: created']],
    ['bash', { command: 'rm -f a.ts' }, ['a.ts: deleted']],
    ['bash', { command: "cat > a.ts <<'EOF'\nrm b.ts\nEOF" }, ['a.ts: edited once']],
    [
      'shell',
      { command: ['bash', '-lc', 'mv a.ts b.ts'] },
      ['a.ts: moved to b.ts', 'b.ts: created'],
    ],
    ['exec_command', { cmd: "sed -i 's/x/y/' a.ts" }, ['a.ts: edited once']],
    ['exec_command', { cmd: `apply_patch <<'EOF'\n${UNIFIED}EOF` }, ['src/a.ts: edited once']],
    [
      'apply_patch',
      { input: PATCH },
      [
        'src/a.ts: edited once',
        'src/b.ts: created',
        'src/c.ts: deleted',
        'src/d.ts: moved to src/e.ts',
        'src/e.ts: created',
      ],
    ],
  ])('reads what %s does with %j', (name, input, files) => {
    expect(factsOf(ledgerOf(runs(name, input)), 'file')).toEqual(files);
  });

  test('counts edits, and tells a new file from one that was there', () => {
    const edit = { file_path: '/w/a.ts', old_string: 'x', new_string: 'y' };
    const ledger = ledgerOf(
      runs('Read', { file_path: '/w/old.ts' }),
      runs('Write', { file_path: '/w/old.ts', content: 'x' }),
      runs('Write', { file_path: '/w/a.ts', content: 'x' }),
      runs('Edit', edit),
      runs('Edit', edit),
    );
    expect(factsOf(ledger, 'file')).toEqual([
      '/w/old.ts: edited once',
      '/w/a.ts: created, edited 2 times',
    ]);
  });

  test('knows one file by its relative and its absolute path, and keeps two of one name apart', () => {
    const ledger = ledgerOf(
      runs('Write', { file_path: '/w/app/src/a.ts', content: '' }),
      runs('Edit', { file_path: 'src/a.ts', old_string: '1', new_string: '2' }),
      runs('Edit', { file_path: './app/src/a.ts', old_string: '2', new_string: '3' }),
      runs('Write', { file_path: '/w/lib/src/a.ts', content: '' }),
    );
    expect(factsOf(ledger, 'file')).toEqual([
      '/w/app/src/a.ts: created, edited 2 times',
      '/w/lib/src/a.ts: created',
    ]);
  });

  test.each([
    { result: 'String to replace not found', isError: true },
    { result: "The user doesn't want to proceed with this tool use.", isError: true },
  ])('leaves a file alone that was not changed: $result', (ran) => {
    const ledger = ledgerOf(
      runs('Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'y' }, ran),
    );
    expect(factsOf(ledger, 'file')).toEqual([]);
  });

  test('lists what was read with its lines, and a changed file once only', () => {
    const ledger = ledgerOf(
      runs('Read', { file_path: 'a.ts', offset: 10, limit: 20 }),
      runs('Read', { file_path: 'b.ts' }),
      bash('head -5 c.ts'),
      runs('Edit', { file_path: 'b.ts', old_string: 'x', new_string: 'y' }),
    );
    expect(factsOf(ledger, 'file-read')).toEqual(['a.ts: from line 10, 20 lines', 'c.ts: read']);
  });
});
