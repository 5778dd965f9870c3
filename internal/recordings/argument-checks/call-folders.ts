import type { Step } from '../../src/record/recording.ts';
import {
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
import { allGreen, basaltTodo, changes, migrated, replaced } from './shared.ts';

export const callFolders: readonly Step[] = [
  say(
    'On to lib/api. Five of the six files with checks follow one scheme; I have seen api-request.js, here are the other four.',
    read('lib/api/api-stream.js'),
    read('lib/api/api-pipeline.js'),
    read('lib/api/api-connect.js'),
    read('lib/api/api-upgrade.js'),
  ),
  replaced(
    'lib/api/api-request.js',
    'The request first. The checks inside the try have to stay inside, because a failing one destroys the body.',
  ),
  replaced('lib/api/api-stream.js', 'The stream call has the same, plus its factory.'),
  replaced('lib/api/api-pipeline.js', 'The pipeline has no callback but a handler.'),
  replaced('lib/api/api-connect.js', 'Connect and upgrade are short.'),
  replaced('lib/api/api-upgrade.js', 'Upgrade, the same.'),
  steered(
    say(
      'The sixth, readable.js, rejects a promise instead of throwing; a look to be sure, and then tests and difference of the folder.',
      read('lib/api/readable.js', 255, 40),
      allGreen(),
      changes('lib/api'),
    ),
    2,
    'Before you get to lib/mock: leave lib/mock/snapshot-agent.js, snapshot-recorder.js and snapshot-utils.js alone, Ines has them open in another branch.',
  ),
  say(
    'Noted: the three snapshot files in lib/mock stay as they are. readable.js stays too, it rejects. Next are lib/handler and lib/interceptor; what is there?',
    basaltTodo(3),
    grep('InvalidArgumentError', { glob: 'lib/{handler,interceptor}/*.js' }),
  ),
  ...migrated(
    'lib/handler/redirect-handler.js',
    'The redirect handler checks the same number twice.',
    'Both go; the redirect loop further down is found while following and stays.',
  ),
  ...migrated(
    'lib/handler/wrap-handler.js',
    'The two wrappers refuse a handler without an error method.',
    'Here `!this.#handler.onError` asks only whether it is there, so check.given is the right form.',
  ),
  ...migrated(
    'lib/handler/unwrap-handler.js',
    'Its counterpart:',
    'The same in the other direction.',
  ),
  ...migrated(
    'lib/interceptor/dump.js',
    'The interceptors: dump first.',
    'A finite number from 1 on. Infinity is refused here, unlike in dns, so it is optionalFinite.',
  ),
  ...migrated(
    'lib/interceptor/dns.js',
    'dns has seven.',
    'Five of the seven: affinity (4 or 6) and storage (four methods) are special. maxTTL and maxItems are bare numbers, so Infinity passes, as before.',
  ),
  say(
    'And decompress, whose size is a safe integer and not optional:',
    read('lib/interceptor/decompress.js', 1, 175),
  ),
  say(
    'That check (Number.isSafeInteger, null refused) exists nowhere else, so it stays. Tests and both folders:',
    allGreen(),
    changes('lib/handler'),
    changes('lib/interceptor'),
    basaltTodo(4),
  ),
  interrupted(
    say(
      'While I am here: everything since the start in one view, with full context, to check the order of all calls once more, and the types next to it.',
      shows(
        grep('check\\.[a-zA-Z]+\\(', { path: 'lib', mode: 'count' }),
        'lib/dispatcher/client.js:21',
      ),
      lasting(shell('diff -r -U 100000 .before/lib lib'), seconds(3)),
    ),
    1,
  ),
  user(
    'Stop, not all of lib in one piece, I cannot read that. Folder by folder is fine. Where are we?',
    { after: 6_000 },
  ),
  say(`- Done: lib/dispatcher, lib/api, lib/handler and lib/interceptor. The last run of the tests had 157 of 157, after the last change in lib/interceptor.
- Stays on purpose: lib/dispatcher/h2c-client.js, client-h1.js, client-h2.js, lib/api/readable.js, lib/interceptor/decompress.js, and single checks in agent.js, client.js, proxy-agent.js, socks5-proxy-agent.js, redirect-handler.js and dns.js. All of them are special or do not throw.
- Left: lib/mock without the three snapshot files, lib/core with nothing new per header, then the numbers.
- In the way: nothing. I will not show lib in one piece again.`),
];
