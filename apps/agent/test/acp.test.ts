import { expect, test } from 'vitest';
import { inEditor, textOf } from './editor.ts';
import { use, workbench } from './support.ts';

const reading = [use('call_1', 'Read', { file_path: 'a.txt' }), 'It says hello.'];

test('A6: an editor opens a session, says something, and sees the answer and what was done', async () => {
  const bench = await workbench({ replies: reading });
  bench.write('a.txt', 'hello\n');
  const editor = await inEditor(bench);
  const { sessionId, modes, configOptions } = await editor.open();
  expect(modes?.currentModeId).toBe('default');
  expect(configOptions?.map(({ category }) => category)).toEqual([
    'mode',
    'model',
    'thought_level',
  ]);
  expect(await editor.say(sessionId, 'What does a.txt say?')).toEqual({ stopReason: 'end_turn' });
  expect(textOf(editor.updates)).toBe('It says hello.');
  expect(await editor.leave()).toEqual([0, null]);
  expect(editor.stderr()).toBe('');
});
