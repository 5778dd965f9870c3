import type { Step } from '../../src/record/recording.ts';
import { editAll, grep, read, say, shell, shows } from '../../src/record/steps.ts';
import { checkEdits } from './migrate.ts';
import { allGreen, basaltTodo, changes, migrated } from './shared.ts';

const PER_HEADER = 'invalid host header';

const GIVEN_FILES = [
  'lib/core/check.js',
  'lib/core/socks5-client.js',
  'lib/dispatcher/proxy-agent.js',
  'lib/dispatcher/socks5-proxy-agent.js',
  'lib/handler/unwrap-handler.js',
  'lib/handler/wrap-handler.js',
];

export const coreFolder: readonly Step[] = [
  ...migrated(
    'lib/core/connect.js',
    'Now lib/core, smallest file first.',
    'One check, one import.',
  ),
  say(
    'util.js next: parseURL and assertRequestHandler are in it.',
    read('lib/core/util.js', 1, 280),
    read('lib/core/util.js', 530, 75),
  ),
  (workspace) => [
    say(
      'parseURL has chains and protocol tests that stay; assertRequestHandler is nearly all common. `onBodySent` allows undefined but not null, unlike check.optional, so it stays as well.',
      ...checkEdits('lib/core/util.js', workspace.read('lib/core/util.js')),
    ),
  ],
  say(
    'check.js requires only errors.js, and util.js requires check.js: is there a circle now? And request.js, the one with the hot path, once more, because I read it a long time ago.',
    shows(
      shell(`node -e '
const seen = []
const Module = require("node:module"), load = Module._load
Module._load = function (name, parent) { if (/core\\/(check|util|errors)|\\.\\/(check|util|errors)$/.test(name)) seen.push(parent.filename.split("/").at(-1) + " -> " + name); return load.apply(this, arguments) }
require("./lib/core/util.js"); console.log(seen.join("\\n"))'`),
      'util.js -> ./check',
      'check.js -> ./errors',
    ),
    read('lib/core/request.js', 1, 130),
    read('lib/core/request.js', 375, 110),
  ),
  (workspace) => [
    say(
      'No circle. In request.js there are five common checks in the constructor, which run once per request. processHeader runs per header: the host check in there has a common form too, but your rule says nothing new per header, so I leave all of processHeader alone. The else-if chains of path and method stay too.',
      ...checkEdits('lib/core/request.js', workspace.read('lib/core/request.js')).filter(
        ({ input }) => !String(input.old_string).includes(PER_HEADER),
      ),
    ),
  ],
  ...migrated(
    'lib/core/socks5-client.js',
    'The last file with a common form.',
    'Only "socket is required"; the others compare the state of a handshake.',
  ),
  say('Tests and folder.', allGreen(), changes('lib/core')),
  say(
    'Now the rename from check.given to check.present. Every place:',
    grep('check\\.given|\\bgiven ?\\(|is given|given\\b', {
      path: 'lib',
      glob: 'lib/{core,dispatcher,handler}/*.js',
    }),
  ),
  say(
    'The definition and five files; the word in comments of other files has nothing to do with it.',
    editAll('lib/core/check.js', '  given (value, message)', '  present (value, message)'),
    ...GIVEN_FILES.slice(1).map((path) => editAll(path, 'check.given(', 'check.present(')),
  ),
  say(
    'The comment above it and the one on `defined` should say what each means, since the name was the trouble.',
    read('lib/core/check.js', 1, 50),
    editAll(
      'lib/core/check.js',
      '  // Anything that is true as a condition.',
      '  // Anything that is true as a condition: 0 and an empty string are not.',
    ),
    editAll(
      'lib/core/check.js',
      '  // Anything but undefined; null counts as given.',
      '  // Anything but undefined: null is.',
    ),
    shows(grep('check\\.given'), 'No matches.'),
    allGreen(),
    basaltTodo(6),
  ),
];
