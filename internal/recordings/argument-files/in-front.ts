import type { Step } from '../../src/record/recording.ts';
import {
  edit,
  fails,
  grep,
  interrupted,
  lasting,
  read,
  say,
  seconds,
  shell,
  shows,
  steered,
  user,
} from '../../src/record/steps.ts';
import { featureTodo } from './explore.ts';
import {
  DASHES,
  PARSE_OPTIONS_START,
  PARSE_OPTIONS_WITH_FILES,
  README,
  STRESS,
  TYPES,
  USER_ARGS,
} from './sources.ts';

const INHERITED = `    this._allowExcessArguments = sourceCommand._allowExcessArguments;
`;

export const inFront: readonly Step[] = [
  say(
    'Taking the first version back: the block in parseOptions and the inherited setting.',
    edit('lib/command.js', PARSE_OPTIONS_WITH_FILES, PARSE_OPTIONS_START),
    edit(
      'lib/command.js',
      `${INHERITED}    this._argumentFiles = sourceCommand._argumentFiles;\n`,
      INHERITED,
    ),
    shows(
      grep('rgumentFile', { path: 'lib/command.js' }),
      'lib/command.js:8:',
      'this._argumentFiles = !!enable',
    ),
    fails(shell('diff .before/lib/command.js lib/command.js'), 'expandArgumentFiles'),
  ),
  say(
    'What is left is the import, the setting and the method, which stay. Now the place in front: the end of _prepareUserArgs, once more.',
    read('lib/command.js', 1058, 30),
    edit('lib/command.js', USER_ARGS.before, USER_ARGS.after),
  ),
  steered(
    say(
      'All tests, and that the subcommand case is the one that changed.',
      shows(shell('node --test "tests/*.test.js"'), 'pass 27', 'fail 0'),
      featureTodo(4),
    ),
    1,
    'One thing while you are at it: some of our files will hold a -- themselves. Everything behind it has to stay as it is, also what follows on the command line after the @file.',
  ),
  say(
    'Good point, and I do not think that works: a `--` in a file stops the expansion inside that file, but the caller goes on expanding. A test:',
    edit(
      'tests/argument-files.test.js',
      `test('amber-3: a subcommand gets the same'`,
      `test('amber-3: -- in a file ends it for everything that follows', () => {
  const files = { 'a.args': 'x @b.args @c.args', 'b.args': '-v -- @d' };
  assert.deepEqual(words(files, '@tests/files/a.args', '@e', '@@f'), ['x', '@d', '@c.args', '@e', '@@f']);
});

test('amber-3: a subcommand gets the same'`,
    ),
    fails(
      shell('node --test tests/argument-files.test.js'),
      'amber-3: -- in a file',
      "'tests/files/c.args' cannot be read",
    ),
  ),
  say(
    'As expected. When what came out of a file holds `--`, the rest of the list is taken as it is; that carries through all levels.',
    edit('lib/argumentFile.js', DASHES.before, DASHES.after),
    shows(shell('node --test "tests/*.test.js"'), 'pass 28', 'fail 0'),
    featureTodo(5),
  ),
  say(
    'Files from Windows: CRLF and a byte order mark. Both count as white space here, so they should be fine, but I want to see it.',
    shows(
      shell(`node -e '
const { splitArguments } = require("./lib/argumentFile.js")
console.log(JSON.stringify(splitArguments("\\ufeffa b\\r\\n# c\\r\\nd\\r\\n")))
console.log(JSON.stringify(splitArguments("\\"a\\r\\nb\\"")))'`),
      '["a","b","d"]',
    ),
    edit(
      'tests/argument-files.test.js',
      `  ['a hash inside a word', 'a#b', ['a#b']],
`,
      `  ['a hash inside a word', 'a#b', ['a#b']],
  ['Windows line ends and a byte order mark', '\\ufeffa b\\r\\n# c\\r\\nd\\r\\n', ['a', 'b', 'd']],
`,
    ),
  ),
  interrupted(
    say(
      'Two more checks together: the tests, and how long a wide tree of nested files takes.',
      shows(shell('node --test "tests/*.test.js"'), 'pass 29', 'fail 0'),
      lasting(shell(STRESS, 300), seconds(41)),
    ),
    1,
  ),
  user(
    'Please no load tests on this machine, others build here. The tests are enough. Go on with types and Readme.',
    {
      after: 5_000,
    },
  ),
  say(
    'Understood, no load tests here. Types first: the same place as the neighbouring switch.',
    read('typings/index.d.ts', 763, 26),
    fails(
      edit('typings/index.d.ts', '   * @returns `this` command for chaining\n   */\n', TYPES.after),
      'old_string occurs',
    ),
  ),
  say(
    'That line stands behind every method; I take the signature in front of it as well.',
    edit('typings/index.d.ts', TYPES.before, TYPES.after),
    read('Readme.md', 984, 40),
  ),
  say(
    'And the Readme: the end of "Parsing Configuration", with the note about option values that you asked for.',
    edit('Readme.md', README.before, README.after),
    shows(shell('node --test "tests/*.test.js"'), 'pass 29', 'fail 0'),
    featureTodo(6),
  ),
  say(`Argument files are in, for all three tickets, and \`node --test "tests/*.test.js"\` passes with 29 tests.

- lib/argumentFile.js splits and expands, lib/command.js calls it once at the end of _prepareUserArgs. The first version in parseOptions is gone without leftovers.
- fern-2: white space, quotes, backslash in double quotes, # comments; CRLF and a byte order mark are fine.
- slate-6: nested paths are relative to the naming file, at most 8 levels deep; a cycle ends in the same error.
- amber-3: @@name is literal, nothing after -- is touched, and a -- in a file counts for everything behind it.
- Errors: code commander.argumentFile, for a missing file, an open quote and the nesting.
- typings/index.d.ts and Readme.md ("Parsing Configuration") describe it. I could not run the type tests, there is no TypeScript in this copy.

package.json and typings/esm.d.mts are untouched; the new module ships, because "files" in package.json already has lib/*.js.`),
];
