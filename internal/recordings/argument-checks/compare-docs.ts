import type { Step } from '../../src/record/recording.ts';
import { grep, read, say, shell, shows, user } from '../../src/record/steps.ts';

export const compareDocs: readonly Step[] = [
  user(
    `Good. I have to leave for a bit. Meanwhile something that needs no changes: our docs describe limits for many of these options. Compare what docs/docs/api and types/ say about the options of Client, Dispatcher, ProxyAgent, H2CClient and the mocks with what the golden file says is refused, and give me a list of the differences. Edit neither, the rule stands.`,
    { after: 33_000 },
  ),
  say(
    'I read the five pages and then ask the golden file, option by option.',
    read('docs/docs/api/Client.md'),
    read('docs/docs/api/Dispatcher.md', 1, 420),
    read('docs/docs/api/ProxyAgent.md'),
    read('docs/docs/api/H2CClient.md'),
  ),
  say(
    'The mocks, and where errors are described.',
    read('docs/docs/api/MockAgent.md', 1, 120),
    read('docs/docs/api/MockPool.md', 1, 120),
    read('docs/docs/api/MockCallHistory.md'),
    read('docs/docs/api/Errors.md'),
  ),
  say(
    'And what the types allow.',
    read('types/client.d.ts'),
    read('types/dispatcher.d.ts', 1, 290),
    grep('\\?: ', {
      glob: 'types/{pool,agent,proxy-agent,h2c-client,mock-agent,mock-interceptor}.d.ts',
    }),
  ),
  say(
    'Now what is refused, for every documented option of Client and Request, in one table.',
    shows(
      shell(`node -e '
const golden = require("./test/support/golden.json")
for (const [name, found] of Object.entries(golden)) {
  if (!/^(Client|Request|H2CClient|ProxyAgent|Mock\\w+|Pool|Agent) /.test(name)) continue
  const passed = Object.keys(found).filter((label) => found[label] === "ok")
  const refused = Object.values(found).find((text) => text !== "ok") || "nothing refused"
  console.log(name.padEnd(46), "passes:", passed.join(" ").padEnd(64), refused.split(" | ").at(-1))
}'`),
      'Client keepAliveTimeoutThreshold',
      'Client maxConcurrentStreams',
    ),
    grep('\\*\\*(\\w+)\\*\\* `[^`]*`.*(Default|default|must|between|positive|greater)', {
      path: 'docs/docs/api/Client.md',
    }),
  ),
  say(
    'Three things I want to see in the source before I list them as differences.',
    grep('maxResponseSize|autoSelectFamilyAttemptTimeout', { glob: 'lib/dispatcher/client.js' }),
    grep('pipelining', { glob: 'lib/dispatcher/{client,h2c-client}.js' }),
    grep('nthCall|times\\(|delay\\(', { path: 'docs/docs/api' }),
  ),
  say(`The differences between docs/docs/api, types/ and what is refused today, nine of them. I changed nothing in either folder.

1. Client.md, maxConcurrentStreams: the page says number, the message says "must be a positive integer", and 1.5, NaN and Infinity pass. initialWindowSize and connectionWindowSize are described with the same words and really want integers.
2. Client.md, maxResponseSize: the page says that -1 disables it, and -1 passes; the message says "must be a positive number". The page is right.
3. Client.md, autoSelectFamilyAttemptTimeout: -1 and 0 pass as well, which neither page nor message says.
4. Client.md, headersTimeout and bodyTimeout: the page says \`number | null\`, the constructor refuses 1.5. The same options of a single request (lib/core/request.js) take 1.5.
5. Client.md, keepAliveTimeout and keepAliveMaxTimeout: 0 is refused, the page does not say so. keepAliveTimeoutThreshold takes negative numbers.
6. Client.md, pipelining: \`number | null\` on the page, not checked in the constructor at all; only H2CClient compares it with maxConcurrentStreams.
7. Pool connections: 1.5 passes, and the message is just "invalid connections".
8. types/client.d.ts has no useH2c, which the page describes and the constructor checks; and most of its numbers do not allow null, which the constructor takes.
9. types/dispatcher.d.ts has throwOnError as a boolean; every value but null and undefined is refused.

None of these change with basalt-3, and the golden file now holds all of them. I would not fix any of them in this ticket.`),
];
