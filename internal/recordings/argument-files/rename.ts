import type { Step } from '../../src/record/recording.ts';
import {
  edit,
  editAll,
  fails,
  grep,
  minutes,
  read,
  say,
  shell,
  shows,
  todo,
  user,
} from '../../src/record/steps.ts';

const STEPS = [
  'nesting limit 12 instead of 8, everywhere',
  'rename module and code to response files',
  'rename in tests',
  'rename in types and Readme',
  'one place in the Readme table of contents',
];

const renameTodo = (done: number) => todo(STEPS, done);

export const renameAndDocument: readonly Step[] = [
  user(
    `Back from lunch with the build team, two corrections:

- slate-6: 8 levels are too few, their deepest tree has ten. Correction: make the limit 12. Everywhere it is said, not only in the code.
- They call these things response files, like other tools do. So please rename it before anybody uses it: responseFiles(), error code commander.responseFile, and the module too. No alias for the old name.

And give it a heading of its own in the Readme, with a line in the table of contents, so that people find it.`,
    { after: minutes(70) + 33_000 },
  ),
  say(
    'The number first, because it is the smaller change. Where is the 8 said?',
    renameTodo(0),
    grep('\\b(8|9) levels|MAX_DEPTH|chain\\((8|9)\\)|more than 8'),
  ),
  say(
    'One constant, one doc comment, the Readme, and three places in one test.',
    edit('lib/argumentFile.js', 'const MAX_DEPTH = 8;', 'const MAX_DEPTH = 12;'),
    edit('typings/index.d.ts', 'at most 8 levels deep', 'at most 12 levels deep'),
    edit('Readme.md', 'at most 8 levels deep', 'at most 12 levels deep'),
    fails(
      shell('node --test "tests/*.test.js"'),
      'slate-6: 8 levels are fine',
      'pass 28',
      'fail 1',
    ),
  ),
  say(
    'That test held the old limit, which you now want to be different, so it changes with it.',
    read('tests/argument-files.test.js', 66, 18),
    edit(
      'tests/argument-files.test.js',
      `test('slate-6: 8 levels are fine, 9 are an error', () => {
  assert.deepEqual(words(chain(8), '@tests/files/1'), ['end']);
  assert.match(errorOf(chain(9), '@tests/files/1').written, /^error: argument files are nested more than 8 levels deep/);`,
      `test('slate-6: 12 levels are fine, 13 are an error', () => {
  assert.deepEqual(words(chain(12), '@tests/files/1'), ['end']);
  assert.match(errorOf(chain(13), '@tests/files/1').written, /^error: argument files are nested more than 12 levels deep/);`,
    ),
    shows(shell('node --test "tests/*.test.js"'), 'pass 29', 'fail 0'),
    renameTodo(1),
  ),
  say(
    'Now the name. Every place, in both spellings and in words:',
    shows(grep('argument[- ]?files?', { ignore_case: true, limit: 120 }), 'lib/argumentFile.js'),
  ),
  say(
    'The module moves first. The new path has to be read before I can edit it.',
    shell(
      'mv lib/argumentFile.js lib/responseFile.js && mv tests/argument-files.test.js tests/response-files.test.js && ls lib tests',
    ),
    read('lib/responseFile.js'),
  ),
  say(
    'Identifiers, code and messages in the module.',
    editAll('lib/responseFile.js', 'argumentFile', 'responseFile'),
    editAll('lib/responseFile.js', 'ArgumentFile', 'ResponseFile'),
    editAll('lib/responseFile.js', 'argument file', 'response file'),
  ),
  say(
    'The same in Command.',
    editAll('lib/command.js', 'argumentFile', 'responseFile'),
    editAll('lib/command.js', 'ArgumentFile', 'ResponseFile'),
    grep('esponseFile', { path: 'lib' }),
    renameTodo(2),
  ),
  say(
    'Tests.',
    fails(shell('node --test "tests/*.test.js"'), 'argumentFiles is not a function'),
    read('tests/response-files.test.js', 1, 24),
    editAll('tests/response-files.test.js', 'argumentFile', 'responseFile'),
    editAll('tests/response-files.test.js', 'argument file', 'response file'),
    shows(shell('node --test "tests/*.test.js"'), 'pass 29', 'fail 0'),
    renameTodo(3),
  ),
  user('Status?', { after: 9_000 }),
  say(
    `Limit 12: done in code, types, Readme and test. Rename: done in lib/responseFile.js, lib/command.js and tests/response-files.test.js, 29 of 29 tests pass. Left: the name in typings/index.d.ts and Readme.md, then the heading and its line in the table of contents. Nothing is in the way.`,
  ),
  user('Fine, go on.', { after: 14_000 }),
];
