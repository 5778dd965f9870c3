import { describe, expect, test } from 'vitest';
import { redact, redactJson } from '../src/index.ts';

describe('values with spaces under the name of a password', () => {
  test.each([
    ['{"password":"hunter2 with space"}', '{"password":"[redacted: password]"}'],
    ["password: 'correct horse 99'", "password: '[redacted: password]'"],
    ['passphrase: "correct horse battery staple"', 'passphrase: "[redacted: password]"'],
    [
      'const o = { dbPassword: "correct horse battery staple" };',
      'const o = { dbPassword: "[redacted: password]" };',
    ],
    ["passwd = 'blue otter 4711'", "passwd = '[redacted: password]'"],
    ['"pwd" : "blue otter 4711"', '"pwd" : "[redacted: password]"'],
    ['client_secret: "seven purple otters dancing"', 'client_secret: "[redacted: secret]"'],
    ['{\\"password\\":\\"hunter2 with space\\"}', '{\\"password\\":\\"[redacted: password]\\"}'],
  ])('%s', (text, redacted) => {
    expect(redact(text)).toBe(redacted);
    expect(redact(redacted)).toBe(redacted);
  });

  test('in a value of JSON', () => {
    expect(
      redactJson({
        password: 'hunter2 with space',
        login: { passphrase: 'correct horse battery staple' },
      }),
    ).toEqual({ password: '[redacted: password]', login: { passphrase: '[redacted: password]' } });
  });

  test.each([
    'password: the user must choose one',
    '"password": "the user must choose one"',
    'password: "Enter your password"',
    "password: 'must be at least 8 characters'",
    '{"password":"Mot de passe"}',
    '{"password":"mot de passe"}',
    '{"password":"Current password"}',
    'password: "string | null"',
    'password: "a b"',
    'password: ""',
    'password: "   "',
    'password: "<your password here>"',
    'password: "change me please now"',
    'password: "not set"',
    'secret: "sha256 of the body"',
    'secret: "base64 encoded"',
    'secret: "oauth2 flow for servers"',
    'password: "user.name + user.id"',
    'passwordHint: "correct horse battery staple"',
    '{"password_policy":"three words and one 99"}',
    '"tokens": "correct horse battery staple"',
    'password: "wrong 3 times"',
    'secret: "stored in vault for 30 days"',
  ])('%s stays', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('case 142: a token in base64', () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const around = [
    token,
    `token ${token}\n`,
    `GITHUB_TOKEN=${token}; and more text behind it\n`,
    `xy${' '.repeat(40)}\n${token}`,
  ];
  const wrapped = (text: string, width: number, line: string) =>
    (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(line);

  test.each(around)('of %j, plain, for addresses, and wrapped', (text) => {
    const plain = Buffer.from(text).toString('base64');
    const long = Buffer.from(`${'some text in front '.repeat(12)}${text}`).toString('base64');
    const safe = Buffer.from(text).toString('base64url');
    for (const encoded of [
      plain,
      safe,
      long,
      wrapped(long, 76, '\n'),
      wrapped(long, 64, '\r\n'),
      wrapped(plain, 76, '\n'),
    ]) {
      expect(redact(`data: ${encoded}\nend`)).toBe('data: [redacted: token in base64]\nend');
    }
    const json = JSON.stringify({ data: wrapped(long, 76, '\n'), x: 1 });
    expect(redact(json)).toBe('{"data":"[redacted: token in base64]","x":1}');
  });

  test('what decodes to no token stays', () => {
    const texts = [
      Buffer.from('some text that is long enough to be looked at').toString('base64'),
      Buffer.from(Array.from({ length: 600 }, (_, at) => (at * 7_919) % 256)).toString('base64'),
      `sha512-${Buffer.from('x'.repeat(64)).toString('base64')}`,
      'packages/redact/test/some-long-folder/with_many_parts/and-more.ts',
      'A'.repeat(100_000),
    ];
    for (const text of texts) expect(redact(text)).toBe(text);
  });
});
