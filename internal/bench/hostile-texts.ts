import { KINDS } from '../../packages/redact/src/look.ts';

/** Put together, so that no scanner of secrets takes this file for a key. */
const DASHES = '-'.repeat(5);

/**
 * Repeats a unit up to a size in UTF-16 units, whole ones only: one that is cut at the end of some sizes sends a text another way
 * than at others, and the step looks like growth.
 */
const of =
  (unit: string) =>
  (size: number): string =>
    unit.repeat(size / unit.length);

/** One opening and then a long run that never closes it. */
const after =
  (opening: string, unit: string) =>
  (size: number): string =>
    opening + of(unit)(size - opening.length);

/** A run and what refuses it at its end. */
const before =
  (unit: string, end: string) =>
  (size: number): string =>
    of(unit)(size - end.length) + end;

/** Lines that differ, whole ones. */
const lines =
  (lineOf: (at: number) => string) =>
  (size: number): string => {
    const parts: string[] = [];
    for (let [at, left] = [0, size]; ; at++) {
      const line = `${lineOf(at)}\n`;
      left -= line.length;
      if (left < 0) return parts.join('');
      parts.push(line);
    }
  };

const RUNS = [
  ...'aZ0 \n\t"\'`\\<>()[]{}-#=/.,:;|&*_$%@+~!?\r\u001b\u0000\u2028é漢',
  '😀',
  '\ud83d',
  '\udc00',
];

const PAIRS = [
  ...[
    'a ',
    ' \n',
    '\r\n',
    '\n\n',
    '. ',
    'a.',
    'a, ',
    'a\n',
    'a: ',
    'a:b',
    'a=',
    'a=b ',
    'a@a.',
    'a@',
    'a-',
    'a_b',
    'aB',
  ],
  ...[
    '/a',
    './',
    '../',
    'a/b.ts ',
    'a/',
    '//',
    'C:\\',
    '~/',
    '*/',
    '/*',
    '**',
    '__',
    '``',
    '```\n',
    '`a`',
    '"a" ',
    '\\"',
    '\\\\',
    "'a' ",
    '“a” ',
    '“',
    '‘a’',
  ],
  ...[
    '<a',
    '</',
    '<a>',
    '<a></a>',
    '</a>',
    '<a b="',
    '<!--',
    '<<',
    '[[',
    '[]',
    '[a](',
    '[a]',
    '{{',
    '{}',
    '{"a":',
    '{"a":[',
    '[1,',
    '((',
    '()',
    '(a',
    '"a":"b",',
  ],
  ...[
    '- ',
    '\n- ',
    '\n# ',
    '# a\n',
    '## ',
    '\n---\n',
    '---',
    '===\n',
    '  - a\n',
    '1. ',
    '1.',
    '1,',
    '- [ ] a\n',
    '> ',
    '_a_\n',
    '| a ',
    '|-',
  ],
  ...[
    '\u001b[',
    '\u001b[0m',
    '\u001b]0;',
    '\u001b]8;;a',
    '\u001b[1;',
    '\u001b\\',
    '\u009b1',
    '\u0007',
    'a\b',
    '\r\u001b[K',
    '\u001bP',
    '\u001b[?',
  ],
  ...[
    '$(',
    '${',
    '$((',
    '`$(',
    '&& ',
    '; ',
    '| ',
    'a && ',
    'cd a && ',
    'cat <<E\n',
    '<<',
    '2>&1 ',
    '> a ',
    '>>a',
    'sudo ',
    'env A=b ',
    'bash -c "',
    "sh -c '",
    'sed -i s/a/b/ ',
    'a \\\n',
    'for a in ',
    'if ',
    'rm -rf ',
    'git ',
    'npx ',
    'xargs ',
    "\\'",
  ],
  ...[
    '*** Update File: a\n',
    '*** Begin Patch\n',
    '*** ',
    '@@ ',
    '@@ -1 +1 @@\n',
    '--- a\n',
    '+++ b\n',
    'diff --git a/a b/b\n',
    '+a\n',
    '-a\n',
    '*** Move to: b\n',
  ],
  ...[
    '<summary>',
    '</summary>',
    '<analysis>',
    '<system-reminder>',
    '</system-reminder>',
    '<persisted-output>',
    '<command-name>',
    '<local-command-stdout>',
    '<task-notification>',
    '[Request interrupted by user]',
    '<user-prompt-submit-hook>',
    '<tool_use_error>',
    '<result>',
  ],
  ...[
    `${DASHES}BEGIN PRIVATE KEY${DASHES}\n`,
    `${DASHES}BEGIN RSA `,
    'eyJ',
    'eyJhbGciOi',
    'eyJhbGciOi.eyJ',
    'ghp_',
    'github_pat_',
    'sk-',
    'sk-ant-',
    'AKIA',
    'xoxb-',
    'AIza',
    'Bearer ',
    'Basic ',
    'password=',
    'password: ',
    'secret',
    'token=',
    'api_key',
    'api-key-',
    'PASSWORD',
    'a_key',
    'postgres://a:',
    '://a:b',
    'https://',
    'http://a@',
    'Authorization: ',
    'SECRET_KEY=',
    '--password ',
    '-p',
    'curl -u a:',
    '"password":"',
    'Set-Cookie: a=',
    '&sig=',
    '?token=',
    'AccountKey=',
    'hooks.slack.com/services/',
  ],
  ...[
    'data:image/png;base64,',
    '"type":"image","data":"',
    'iVBORw0KGgo',
    'QUJD',
    'deadbeef',
    '0x',
    '0f-',
  ],
  ...[
    'Never ',
    'always ',
    "don't ",
    'do not ',
    'must ',
    'no, ',
    'please ',
    'instead of ',
    'instead ',
    'we decided ',
    'I will ',
    'the user said "',
    'user: "',
    'not only ',
    'only ',
    'because ',
    'remember: ',
    'from now on ',
    'is 1 ',
    'limit of a is 1. ',
    'Next: ',
  ],
  ...[
    'Error: ',
    'error ',
    'error: a\n',
    'TypeError: a\n    at b (c.ts:1:2)\n',
    '    at ',
    'at a (b:1:1)\n',
    'Traceback (most recent call last):\n',
    '  File "a", line 1\n',
    'FAIL a\n',
    'Tests: 1 failed, ',
    '1 passed',
    '1 failed, 2 passed\n',
    '✓ ',
    '✗ a\n',
    'Exit code 1\n',
    'exit code: ',
    'error TS1: ',
    'a.ts(1,2): error ',
    'a.ts:1:2 ',
    'a:1:',
    'npm ERR! ',
    'panicked at ',
    'warning: ',
    'ok 1 - ',
    'not ok ',
  ],
  ...[
    'prompt is too long: 1 tokens > ',
    'maximum context length is ',
    '1 tokens ',
    'tokens',
    'input length and max_tokens exceed context limit: 1 + 2 > ',
    '2026-01-31T12:00:00Z ',
    '10:00:00 ',
    '1.2.3 ',
  ],
  ...[
    'name: a\n',
    'tools: [a, ',
    'key: |\n  a\n',
    'a: "',
    '&a ',
    '*a ',
    '- - ',
    '? ',
    'user ',
    'assistant:',
    '"text":"',
    '\\u',
    '\\ud83d',
    '\\n',
    'é漢😀 ',
    'e\u0301',
    '\u200d',
    '👩‍👩‍👧',
    'ا',
    'ไทย',
  ],
];

const OPENED: readonly (readonly [string, string])[] = [
  ...(
    [
      '"',
      "'",
      '`',
      '“',
      '<',
      '<a ',
      '[',
      '{',
      '(',
      '/*',
      '<!--',
      '```\n',
      '---\n',
      '{"a":"',
      '["',
    ] as const
  ).map((opening) => [opening, 'a '] as const),
  ...(
    [
      '<summary>',
      '<system-reminder>',
      '<persisted-output>',
      `${DASHES}BEGIN PRIVATE KEY${DASHES}\n`,
      'eyJhbGciOi.',
      'https://a:',
      'Bearer ',
      'password=',
      'password="',
      'data:image/png;base64,',
      '\u001b]8;;',
      '\u001b[',
      '\u001bP',
      '$(',
      "cat <<'E'\n",
      'bash -c "',
      'https://',
      '/',
      'Never ',
      'a@',
      '# ',
    ] as const
  ).flatMap((opening) => [
    [opening, 'a'] as const,
    [opening, 'aB3/'] as const,
    [opening, 'a\n'] as const,
  ]),
];

const ENDED: readonly (readonly [string, string])[] = [
  ...[
    'a',
    '0',
    ' ',
    '\n',
    '\t',
    '.',
    '-',
    '_',
    '/',
    '\\',
    '"',
    '=',
    '[',
    '{"a":',
    'a.',
    'a/',
    'a-',
    'a ',
    'A0',
    '\n ',
    ' \n',
    '\u001b[',
    'a@a.',
    'a:',
    '# ',
  ].map((unit) => [unit, '!x'] as const),
  ...['a', ' ', '\n', 'a ', 'aB3'].flatMap((unit) =>
    ['"', '>', '\u0000', '@a', '://', '=', ':', '</summary>', '.ts'].map(
      (end) => [unit, end] as const,
    ),
  ),
];

/** In digits of which no word can be made: a word for a secret in long texts alone would be a step, and no growth. */
const word = (at: number): string => `word${at.toString(16)}`;

const WORDS =
  'the user asked to move every part of src/index.ts away, "never touch it", and 12 tests fail. ';

/** Texts of any size that are hard on patterns and loops: `name → (size) => text`. */
export const HOSTILE_TEXTS: Readonly<Record<string, (size: number) => string>> = Object.fromEntries(
  [
    ...[...RUNS, ...PAIRS].map((unit) => [`${shown(unit)} repeated`, of(unit)] as const),
    ...OPENED.map(
      ([opening, unit]) =>
        [`${shown(opening)} and ${shown(unit)} repeated`, after(opening, unit)] as const,
    ),
    ...ENDED.map(
      ([unit, end]) => [`${shown(unit)} repeated and ${shown(end)}`, before(unit, end)] as const,
    ),
    ['one long line of prose', of(WORDS)],
    ['lines of prose', of(`${WORDS}\n`)],
    ['lines of prose that differ', lines((at) => `Part ${at}: ${WORDS}${at}`)],
    [
      'lines of JSON',
      lines((at) => JSON.stringify({ id: at, path: `src/a${at}.ts`, note: WORDS })),
    ],
    ['paths that differ', lines((at) => `See src/part${at}/index.ts:${at} and src/index.ts.`)],
    ['words that differ', lines(word)],
    [
      'names without blanks that differ',
      (size) => lines((at) => `a${at.toString(16)}.b`)(size).replaceAll('\n', ''),
    ],
    [
      'quotes that differ',
      lines((at) => `The user said "please move part ${at} away" and 'b${at}'.`),
    ],
    [
      'rules that differ',
      lines((at) => `Never touch dir ${at}. Always use tool${at} instead of it${at - 1}.`),
    ],
    [
      'values that differ',
      lines((at) => `The limit of part ${at % 500} is ${at}. PORT_${at}=${at}`),
    ],
    [
      'errors that differ',
      lines((at) => `src/a${at}.ts(${at},2): error TS${at}: Cannot find name 'b${at}'.`),
    ],
    [
      'tests that differ',
      lines((at) => `FAIL test/a${at}.test.ts > b ${at}\nTests: ${at} failed, ${at + 1} passed`),
    ],
    [
      'rules of the user that differ',
      lines((at) => `The user insists on dep${at} and the user never allows x${at}.`),
    ],
    ['speakers that differ', lines((at) => `user: ${at}`)],
    ['numbered speakers that differ', lines((at) => `${at}. User ${at}: do part ${at}`)],
    ['headings that differ', lines((at) => `# Heading ${at}\n_Guidance ${at}_\ntext ${at}`)],
    ['to-dos that differ', lines((at) => `- [${at % 2 ? 'x' : ' '}] do ${at}\n${at}. next`)],
    [
      'commands that differ',
      lines((at) => `cd dir${at} && npm run build${at} > out${at}.log && git add file${at}`),
    ],
    [
      'patches that differ',
      lines((at) => `*** Update File: src/a${at}.ts\n@@ a\n-old ${at}\n+new ${at}`),
    ],
    [
      'secrets that differ',
      lines((at) => `API_KEY_${at}=sk-ant-api03-${'aB3'.repeat(30)}${at} password: "hunter${at}"`),
    ],
    ['opened tags that differ', lines((at) => `<tag${at} a="${at}"><b>`)],
    ['objects in objects', (size) => `${'{"a":'.repeat(size / 12)}1${'}'.repeat(size / 12)}`],
    ['lists in lists', (size) => '['.repeat(size / 2) + ']'.repeat(size / 2)],
    ['a large list in JSON', (size) => `[${of('{"a":"b","c":[1,2]},')(size - 22)}`],
    ['base64 in lines', of(`${'aB3/'.repeat(19)}\n`)],
    [
      'an image in JSON',
      (size) =>
        JSON.stringify({
          content: [
            {
              type: 'image',
              source: {
                type: 'base64',
                media_type: 'image/png',
                data: of('iVBORw0KGgoAAAANSUhEUgAA')(size),
              },
            },
          ],
        }),
    ],
    ['escapes in JSON', of(`${JSON.stringify({ out: '\u001b[31m"red"\\\u001b[39m' })},`)],
    [
      'images in JSON',
      of(
        `${JSON.stringify({ type: 'image', data: 'iVBORw0KGgo'.repeat(50), mimeType: 'image/png' })},`,
      ),
    ],
  ],
);

/** A word for each kind of secret and for what it needs, so that every kind is looked for. */
const SECRET_WORDS = KINDS.flatMap(({ starts = [], needs = [] }) =>
  [starts, ...needs].map(([first = '']) => first),
).join('\n');

/** Beginnings, middles and ends of secrets, for what looks for them: `name → (size) => text`. */
export const SECRET_TEXTS: Readonly<Record<string, (size: number) => string>> = Object.fromEntries([
  [
    'words that differ behind a word for each kind of secret',
    (size: number) => `${SECRET_WORDS}\n${lines(word)(size)}`.slice(0, size),
  ],
  ...[
    'A',
    'AAAAAAAAAAAAAAAAAAAAA',
    'password',
    'password is ',
    'password"]',
    'password=\\"',
    'api_key\\\\\\"',
    "'a",
    'token\n',
    '--',
    '--a',
    '--token ',
    'secret key ',
    'secret_',
    `${DASHES}BEGIN PRIVATE KEY${DASHES}`,
    'Private-Lines: 1\n',
    '://',
    '://a:',
    'postgres://a:b',
    '@tcp(',
    'eyJaaaaaaaa.',
    'sk-\n',
    'ghp_a',
    'ghp_a\n',
    'xoxb-1',
    'MNOa.a.',
    '0-',
    '1:',
    'x:',
    ':5432:a:',
    '-u a:',
    ' -u ',
    'mysql -p',
    'sshpass -p ',
    '-p ',
    'authorization: ',
    'authorization: bearer ',
    'cookie: a=',
    'machine a login b password ',
    '_auth',
    '[redacted: ',
    '?sig=',
    'client-key-data: ',
  ].map((unit) => [`${shown(unit)} repeated`, of(unit)] as const),
]);

/** As it stands in a page, which holds nothing that a search for secrets finds. */
function shown(unit: string): string {
  return JSON.stringify(unit.replace(/-{5}BEGIN [A-Z ]+-{5}/, '(opening of a private key)'));
}
