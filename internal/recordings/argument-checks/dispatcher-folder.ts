import type { Step } from '../../src/record/recording.ts';
import {
  edit,
  fails,
  grep,
  minutes,
  read,
  say,
  shell,
  shows,
  user,
  write,
} from '../../src/record/steps.ts';
import { allGreen, basaltTodo, changes, migrated, replaced } from './shared.ts';
import { SECOND_CHECK_MODULE, STRICT_NUMBER } from './sources.ts';

const TYPE_CHECKS = [
  `    if (socketPath != null && typeof socketPath !== 'string') {
      throw new InvalidArgumentError('invalid socketPath')
    }

`,
  `    // h2
    if (allowH2 != null && typeof allowH2 !== 'boolean') {
      throw new InvalidArgumentError('allowH2 must be a valid boolean value')
    }

`,
] as const;

const KEEP_ALIVE = `    if (keepAlive !== undefined) {
      throw new InvalidArgumentError('unsupported keepAlive, use pipelining=0 instead')
    }
`;

const TABLE = `    for (const [value, type, message] of [
      [socketPath, 'string', 'invalid socketPath'],
      [allowH2, 'boolean', 'allowH2 must be a valid boolean value']
    ]) {
      check.optional(value, type, message)
    }

${KEEP_ALIVE}`;

export const dispatcherFolder: readonly Step[] = [
  user(
    `Nearly. I would rather see one object than a dozen imports: const check = require('../core/check'), then check.function(factory, ...), check.connector(connect). Everything else is right. Go on in this order: dispatcher, api, handler and interceptor, mock, core.`,
    { after: minutes(6) + 17_000 },
  ),
  say(
    'One object then. The module gets all the forms that I found, and agent.js moves to the new spelling.',
    write('lib/core/check.js', SECOND_CHECK_MODULE),
    edit(
      'lib/dispatcher/agent.js',
      `const { checkFunction, checkConnector } = require('../core/check')`,
      `const check = require('../core/check')`,
    ),
    edit(
      'lib/dispatcher/agent.js',
      `    checkFunction(factory, 'factory must be a function.')
    checkConnector(connect)
`,
      `    check.function(factory, 'factory must be a function.')
    check.connector(connect)
`,
    ),
    allGreen(),
  ),
  say(
    'client.js has the most: 25 places. Some of its options differ only in type, so I try a small table at the top for those, that would be shorter still.',
    edit('lib/dispatcher/client.js', KEEP_ALIVE, TABLE),
    edit('lib/dispatcher/client.js', TYPE_CHECKS[0], ''),
    edit('lib/dispatcher/client.js', TYPE_CHECKS[1], '    // h2\n'),
    edit(
      'lib/dispatcher/client.js',
      `const Request = require('../core/request.js')
`,
      `const Request = require('../core/request.js')
const check = require('../core/check.js')
`,
    ),
  ),
  say(
    'The golden tests decide.',
    fails(shell('node --test "test/*.test.js"'), 'two wrong options', '+ actual - expected'),
  ),
  say(
    'The single options are all right, but pairs of wrong options now give another message: the table is looked at first, so the order changed, and your rule says it stays. A table can only be right if all checks are in it in their order, and then it is longer than the calls. I take it back completely.',
    edit('lib/dispatcher/client.js', TABLE, KEEP_ALIVE),
    edit(
      'lib/dispatcher/client.js',
      `    if (connectTimeout != null &&`,
      `${TYPE_CHECKS[0]}    if (connectTimeout != null &&`,
    ),
    edit(
      'lib/dispatcher/client.js',
      '    // h2\n    if (maxConcurrentStreams',
      `${TYPE_CHECKS[1]}    if (maxConcurrentStreams`,
    ),
    edit('lib/dispatcher/client.js', `const check = require('../core/check.js')\n`, ''),
    shows(
      shell('diff .before/lib/dispatcher/client.js lib/dispatcher/client.js && echo as before'),
      'as before',
    ),
  ),
  replaced(
    'lib/dispatcher/client.js',
    'Back to the agreed form: one call per check, in their order. maxHeaderSize (it has a default in its else branch) and localAddress (it asks net) stay.',
  ),
  say(
    'And the tests.',
    fails(shell('node --test "test/*.test.js"'), 'Client maxConcurrentStreams', 'NaN'),
  ),
  say(
    'A difference that reading alone would have missed: NaN was let through for maxConcurrentStreams (`NaN < 1` is false), and the string "1" was not. My optionalNumber asked for `value >= min`, which turns both around. Whether NaN should pass is another question; here it has to stay.',
    edit('lib/core/check.js', STRICT_NUMBER.strict, STRICT_NUMBER.before),
    allGreen(),
  ),
  ...migrated(
    'lib/dispatcher/pool.js',
    'Next: the pools, which have the same three checks.',
    'All three have the common form, so the import of the error goes as well.',
  ),
  ...migrated(
    'lib/dispatcher/round-robin-pool.js',
    'The round-robin pool is a sibling of the pool.',
    'The same three.',
  ),
  ...migrated(
    'lib/dispatcher/balanced-pool.js',
    'The balanced pool checks its factory only.',
    'One check here.',
  ),
  ...migrated(
    'lib/dispatcher/dispatcher-base.js',
    'The base class of all dispatchers: callbacks and handlers.',
    'The callback check stands there twice with the same text.',
  ),
  ...migrated(
    'lib/dispatcher/proxy-agent.js',
    'The proxy agent has seven places; most of them hand an error to a callback or compare two options.',
    'Only "is mandatory" of the wrapper and the factory have a common form. The condition of `opts` with the URL is special, and so are the ones that do not throw.',
  ),
  ...migrated(
    'lib/dispatcher/socks5-proxy-agent.js',
    'And the SOCKS agent.',
    'One of two; the protocol check is its own.',
  ),
  say(
    'The three that are left in this folder: are they argument checks at all?',
    grep('InvalidArgumentError', { glob: 'lib/dispatcher/*.js' }),
    read('lib/dispatcher/h2c-client.js'),
    read('lib/dispatcher/client-h1.js', 1120, 120),
    read('lib/dispatcher/client-h2.js', 430, 80),
  ),
  say(
    'h2c-client compares two options with each other, client-h1 and client-h2 report a bad request at run time: all three stay. The folder is through: tests and difference, as you asked.',
    allGreen(),
    changes('lib/dispatcher'),
    basaltTodo(2),
  ),
];
