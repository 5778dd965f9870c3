import type { Call, Step } from '../../src/record/recording.ts';
import { fails, read, say, shell, shows, todo } from '../../src/record/steps.ts';
import { checkEdits } from './migrate.ts';

const STEPS = [
  'golden file of every refusal, from the untouched code',
  'lib/dispatcher',
  'lib/api',
  'lib/handler and lib/interceptor',
  'lib/mock without the snapshot files',
  'lib/core, nothing new per header',
  'numbers and final check',
];

export const basaltTodo = (done: number): Call => todo(STEPS, done);

/** All tests pass: the golden ones are 157. */
export const allGreen = (): Call =>
  shows(shell('node --test "test/*.test.js"'), 'pass 157', 'fail 0');

/** What changed in a folder or file so far; diff ends with 1 when something did. */
export const changes = (path: string): Call =>
  fails(shell(`diff -ru .before/${path} ${path}`), '+');

/** Reads a file and then replaces its checks by the pattern. */
export function migrated(path: string, readText: string, editText: string): Step[] {
  return [
    say(readText, read(path)),
    (workspace) => [say(editText, ...checkEdits(path, workspace.read(path)))],
  ];
}

/** Replaces the checks of a file that was read already. */
export function replaced(path: string, text: string, ...then: readonly Call[]): Step {
  return (workspace) => [say(text, ...checkEdits(path, workspace.read(path)), ...then)];
}
