import type { Step } from '../../src/record/recording.ts';
import { edit, glob, grep, read, say, shell, shows, user, write } from '../../src/record/steps.ts';
import { CASES, GOLDEN_TEST, MAKE_GOLDEN } from './golden-files.ts';
import { allGreen, basaltTodo } from './shared.ts';
import { FIRST_CHECK_MODULE } from './sources.ts';

export const explore: readonly Step[] = [
  user(`This is undici 7.30.2. The same argument checks stand in dozens of files, written slightly differently each time, and every new option copies one more. I want them in one module, lib/core/check.js, and used everywhere it makes sense. Ticket basalt-3.

The rules, and they hold until the end:
- Messages, classes and codes of errors stay exactly as they are, and so does the order of the checks. Prove it: before you change anything, record what every check answers today.
- Never touch lib/web, lib/llhttp, docs/ or types/.
- Nothing new per header in lib/core/request.js, that is our hot path.
- After every folder run node --test "test/*.test.js" (there is no test folder in this copy, make one), and show me the difference of that folder.
- Only replace checks that do nothing but refuse. If a check is special to one place, it stays where it is.

Start with one file, so that we agree on the form before you go through the rest.`),
  say(
    'First the size of it: the files, and every place that refuses an argument.',
    glob('lib/**/*.js'),
    grep('new InvalidArgumentError\\(', { path: 'lib', mode: 'count' }),
    read('package.json'),
  ),
  say(
    'Now the places themselves, in the folders I may touch.',
    grep('new InvalidArgumentError\\(', {
      glob: 'lib/{api,core,dispatcher,handler,interceptor,mock}/*.js',
    }),
    read('lib/core/errors.js'),
  ),
  say(
    'The forms repeat: not a function, not an object, optional integer with a minimum, and so on. How the conditions are written decides what can be shared, so I look at them with their messages.',
    grep('^ +if \\(.*(typeof|Number\\.is)', {
      glob: 'lib/{api,core,dispatcher,handler,interceptor,mock}/*.js',
      limit: 400,
    }),
  ),
  say(
    'Some differ in small ways that matter: `x && typeof x` lets 0 and an empty string through, `x != null && typeof x` does not; Number.isInteger, Number.isFinite and a bare typeof differ for 1.5, NaN and Infinity. Three typical files in full:',
    read('lib/dispatcher/client.js', 1, 340),
    read('lib/api/api-request.js'),
    read('lib/core/request.js', 1, 240),
  ),
  say(
    'Before anything changes: a list of cases that calls every check with fifteen values each, right and wrong ones, plus pairs of wrong options for the order. From that a golden file and a test.',
    basaltTodo(0),
    write('test/support/cases.js', CASES),
    write('test/support/make-golden.js', MAKE_GOLDEN),
    write('test/arguments.test.js', GOLDEN_TEST),
  ),
  say(
    'A copy of the sources to compare with, then the golden file from the untouched library.',
    shows(
      shell('mkdir .before && cp -r lib .before/lib && node test/support/make-golden.js'),
      'cases: 157, outcomes: 2355, refused: 1688, messages: 90',
    ),
    allGreen(),
  ),
  say(
    '2,355 outcomes with 90 different messages are held, and they pass on the untouched code. The first file: lib/dispatcher/agent.js, it has two of the common forms and two of its own.',
    basaltTodo(1),
    read('lib/dispatcher/agent.js'),
    write('lib/core/check.js', FIRST_CHECK_MODULE),
  ),
  say(
    'The two common ones use the module, `maxOrigins` and `opts.origin` stay, they are special to this file.',
    edit(
      'lib/dispatcher/agent.js',
      `    if (typeof factory !== 'function') {
      throw new InvalidArgumentError('factory must be a function.')
    }

    if (connect != null && typeof connect !== 'function' && typeof connect !== 'object') {
      throw new InvalidArgumentError('connect must be a function or an object')
    }
`,
      `    checkFunction(factory, 'factory must be a function.')
    checkConnector(connect)
`,
    ),
    edit(
      'lib/dispatcher/agent.js',
      `const { InvalidArgumentError, MaxOriginsReachedError } = require('../core/errors')
`,
      `const { InvalidArgumentError, MaxOriginsReachedError } = require('../core/errors')
const { checkFunction, checkConnector } = require('../core/check')
`,
    ),
    allGreen(),
  ),
  say(`Here is the form, in lib/core/check.js and lib/dispatcher/agent.js; all 157 golden tests pass with it.

- One small function per form, called with the value and the message of the caller: \`checkFunction(factory, 'factory must be a function.')\`. Where the message is the same everywhere it lives in the module: \`checkConnector(connect)\`.
- The order of the calls is the order of the old checks.
- Special checks stay. In this file: maxOrigins (it refuses NaN) and opts.origin.

By my count of the conditions about 100 of the 186 places have a common form; the rest are special, mostly in lib/core/request.js, lib/core/socks5-utils.js and lib/mock/mock-call-history.js. Is this the form you want?`),
];
