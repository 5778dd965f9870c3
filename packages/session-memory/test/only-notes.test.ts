import { describe, expect, test } from 'vitest';
import { onlyNotes } from '../src/only-notes.ts';

const path = '/home/someone/notes/summary.md';
const gate = onlyNotes(path);
const call = (input: unknown, name = 'Edit') => ({ id: 'c', name, input });
const edit = { file_path: path, old_string: 'a', new_string: 'b' };

describe('onlyNotes (N3)', () => {
  test.each([
    ['an edit of the file', edit],
    ['in other words', { path, old_str: 'a', new_str: 'b' }],
    ['with the command it is', { command: 'str_replace', path, old_str: 'a', new_str: 'b' }],
    ['several at once', { file_path: path, edits: [{ old_string: 'a', new_string: 'b' }] }],
    ['everywhere', { ...edit, replace_all: true }],
  ])('allows %s', (_what, input) => {
    expect(gate(call(input))).toEqual({ allow: true });
  });

  test.each([
    ['another tool', call(edit, 'Write')],
    ['a tool whose name differs in case', call(edit, 'edit')],
    ['another file', call({ ...edit, file_path: '/etc/passwd' })],
    ['a way round', call({ ...edit, file_path: '/home/someone/notes/../notes/summary.md' })],
    ['two paths that differ', call({ ...edit, file_path: '/etc/passwd', path })],
    ['no path', call({ old_string: 'a', new_string: 'b' })],
    ['creating', call({ command: 'create', path, file_text: 'x' })],
    ['viewing', call({ command: 'view', path })],
    ['no new text', call({ file_path: path, old_string: 'a' })],
    [
      'one of several that is none',
      call({ file_path: path, edits: [{ old_string: 'a', new_string: 'b' }, {}] }),
    ],
    ['no edits', call({ file_path: path, edits: [] })],
    ['nothing', call(null)],
    ['a text', call('rm -rf /')],
  ])('denies %s, and says what may be done', (_what, denied) => {
    expect(gate(denied)).toEqual({
      allow: false,
      reason: expect.stringContaining(`only Edit may be used here, and only on ${path}`),
    });
  });

  test('another name of the tool', () => {
    const named = onlyNotes(path, { editTool: 'str_replace_based_edit_tool' });
    expect(named(call(edit)).allow).toBe(false);
    expect(named(call(edit, 'str_replace_based_edit_tool')).allow).toBe(true);
  });
});
