import type { Step } from '../../src/record/recording.ts';
import {
  edit,
  editAll,
  fails,
  grep,
  read,
  say,
  seconds,
  shell,
  shows,
  todo,
  user,
} from '../../src/record/steps.ts';

const CONTENTS_LINE = '    - [Parsing Configuration](#parsing-configuration)\n';

export const finish: readonly Step[] = [
  say(
    'Types and Readme next.',
    editAll('typings/index.d.ts', 'argumentFiles', 'responseFiles'),
    editAll('Readme.md', 'argumentFile', 'responseFile'),
    read('Readme.md', 1016, 28),
    read('Readme.md', 44, 10),
  ),
  say(
    'Now the heading. The new section goes between "Parsing Configuration" and "Legacy options as properties", and its line to the same place in the table of contents.',
    edit(
      'Readme.md',
      'Command lines can be too long for the shell. To read arguments from files, use `.responseFiles()`.',
      '### Response files\n\nCommand lines can be too long for the shell. To read arguments from files, use `.responseFiles()`.',
    ),
    edit('Readme.md', CONTENTS_LINE, `${CONTENTS_LINE}    - [Response files](#response-files)\n`),
  ),
  say(
    'Nothing of the old name, and nothing of the old number, may be left.',
    shows(grep('argument[- ]?files?', { ignore_case: true }), 'No matches.'),
    grep('\\b(8|12) levels|MAX_DEPTH|commander\\.responseFile'),
  ),
  say(
    'One look at the finished section as a reader sees it, and at the complete difference to the start.',
    read('Readme.md', 1012, 36),
    fails(
      shell(
        'diff -ru .before/lib lib; diff -u .before/typings/index.d.ts typings/index.d.ts; diff -u .before/Readme.md Readme.md',
      ),
      '_expandResponseFiles',
      '### Response files',
    ),
    shows(
      shell(
        'diff .before/package.json package.json && diff .before/typings/esm.d.mts typings/esm.d.mts && echo same',
      ),
      'same',
    ),
  ),
  say(
    'The difference holds the feature and nothing else. A last trial with a real program, as a user would meet it, then all tests.',
    shows(
      shell(`mkdir trial && cd trial && printf '%s\\n' '--port 80 # the usual' '@more/words.args' > a.args && mkdir more && printf '"my file.txt" @@joe' > more/words.args && cat > tool.js <<'END'
const { program } = require('../')
program.responseFiles().option('-p, --port <n>').argument('[words...]').action((words, options) => console.log(words, options))
program.parse()
END
node tool.js @a.args last; node tool.js @nothing.args; echo "exit $?"; cd .. && rm -r trial`),
      "[ 'my file.txt', '@joe', 'last' ] { port: '80' }",
      "error: response file 'nothing.args' cannot be read",
      'exit 1',
    ),
    shell('rm -r .before'),
    shows(shell('node --test "tests/*.test.js"'), 'tests 29', 'pass 29', 'fail 0'),
    todo(
      [
        'nesting limit 12 instead of 8, everywhere',
        'rename module and code to response files',
        'rename in tests',
        'rename in types and Readme',
        'one place in the Readme table of contents',
      ],
      5,
    ),
  ),
  say(`Both corrections are in, and \`node --test "tests/*.test.js"\` passes with 29 tests.

- The limit is 12 levels, in lib/responseFile.js (MAX_DEPTH), typings/index.d.ts, Readme.md and the slate-6 test. The 8 is gone.
- The feature is called response files: program.responseFiles(), code commander.responseFile, module lib/responseFile.js, tests/response-files.test.js. No alias; nothing in the copy says argument files any more.
- Readme.md has the section "Response files" after "Parsing Configuration", and its line in the table of contents.

package.json and typings/esm.d.mts are byte for byte what they were. The type tests still could not be run here.`),
  user(
    'What exactly do I tell the wrapper team: which errors can they check for, and what is different from gcc?',
    {
      after: seconds(75),
    },
  ),
  say(`One code, commander.responseFile, exit code 1, with three messages:

- \`error: response file '<path>' cannot be read\`
- \`error: response file '<path>' has an unclosed quote\`
- \`error: response files are nested more than 12 levels deep at '<path>'\` (a cycle ends here as well)

Different from gcc, going by what I know of gcc and not by a test: gcc keeps @name as it is when the file cannot be read, here it is an error; nested paths are relative to the naming file here; @@name for a literal @name and # comments exist only here. The same: an @file in the place of an option value is read.`),
  user(
    'Good. Note for yourself: in this project nobody says "argument files" again, only response files. That is all for today.',
    { after: seconds(50) },
  ),
  say('Noted: response files only. Nothing is left open.'),
];
