import type { Step } from '../../src/record/recording.ts';
import { glob, grep, read, say, shell, shows, todo, user, write } from '../../src/record/steps.ts';
import { HELPERS, TESTS_OF_TODAY } from './tests.ts';

const STEPS = [
  'tests for what parsing does with @ today',
  'fern-2: read a file into arguments',
  'slate-6: nested files, relative to the file, at most 8 deep',
  'amber-3: @@ for a literal @, nothing after --',
  'errors through .error() with a code',
  'types and Readme',
];

/** The todo list of the feature. */
export const featureTodo = (done: number) => todo(STEPS, done);

export const explore: readonly Step[] = [
  user(`We ship this copy of commander 14.0.3 to our build teams. Their command lines got too long, so please add argument files: program.argumentFiles() turns it on, and an argument @path is then replaced by the arguments in that file.

Three tickets, all needed:
- fern-2: the file holds arguments separated by white space or line ends. Single and double quotes group, a backslash escapes inside double quotes, and # starts a comment where an argument would start.
- slate-6: a file may name other files with @. Those paths are relative to the file that names them. At most 8 levels deep, so that a cycle ends in a proper error.
- amber-3: @@name is the literal argument @name, and nothing after -- is touched.

Errors go through .error() like all others, with a code of their own. Types and the Readme belong to it.

House rules, for everything you do here:
1. Never touch package.json or typings/esm.d.mts, the release script writes them.
2. No new dependency.
3. Before you report anything as finished, run node --test "tests/*.test.js". There is no tests folder in this copy, so make one.
4. Error messages start with "error: " and a small letter, like the existing ones.`),
  say(
    'I will read how parsing works before I decide where this belongs.',
    glob('**/*'),
    read('package.json'),
    read('index.js'),
  ),
  say(
    'Everything happens in lib/command.js. First its shape, then all of the parsing part.',
    grep('^  (async )?[a-zA-Z_]+\\(.*\\) \\{$', { path: 'lib/command.js' }),
    read('lib/command.js', 1, 200),
  ),
  say(
    'Now how the arguments come in, and the state that parse() saves.',
    read('lib/command.js', 985, 200),
  ),
  say(
    'How a command takes them apart and hands the rest to a subcommand.',
    read('lib/command.js', 1340, 100),
    read('lib/command.js', 1535, 112),
  ),
  say('And the option loop itself.', read('lib/command.js', 1725, 175)),
  say(
    'Error handling: which codes and messages exist, and how error() ends.',
    read('lib/error.js'),
    grep("code: 'commander|this\\.error\\(|const message = ", { path: 'lib' }),
    read('lib/command.js', 1928, 40),
  ),
  say(
    'The settings that work like this one (a switch with a default) and where their types and texts are.',
    read('lib/command.js', 828, 60),
    grep('allowExcessArguments|enablePositionalOptions|_allowExcessArguments'),
    read('typings/index.d.ts', 755, 60),
  ),
  say(
    'I write the list down, and first a test that holds what parsing does with @ today, because without the switch nothing may change.',
    featureTodo(0),
    write('tests/helpers.js', HELPERS),
    write('tests/parsing-today.test.js', TESTS_OF_TODAY),
  ),
  say(
    'It has to pass on the untouched code. I also keep a copy of what I may change, to compare in the end.',
    shell('mkdir .before && cp -r lib typings package.json Readme.md .before/'),
    shows(shell('node --test "tests/*.test.js"'), 'pass 8', 'fail 0'),
    featureTodo(1),
  ),
];
