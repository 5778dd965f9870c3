import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWhole } from '../../../internal/src/share.ts';
import { redact } from '../src/index.ts';

const runs = Number(process.env.VARVE_LAW_RUNS ?? 200);

describe('L325: what was JSON is JSON afterwards', () => {
  test.each<[json: string, redacted: string]>([
    ['{"password":12345678}', '{"password":"[redacted: password]"}'],
    ['{"password": 12345678, "a": 1}', '{"password": "[redacted: password]", "a": 1}'],
    ['{"token":-1e22}', '{"token":-1e22}'],
    ['{"token":-1e+22}', '{"token":"[redacted: token]"}'],
    ['{"passphrase":1.25}', '{"passphrase":"[redacted: password]"}'],
    ['{"authorization":1234567}', '{"authorization":"[redacted: authorization header]"}'],
    ['{"authorization":12345678901234567}', '{"authorization":"[redacted: authorization header]"}'],
    ['["authorization",1234567]', '["authorization","[redacted: authorization header]"]'],
    ['{"_password":12345678}', '{"_password":"[redacted: registry credential]"}'],
    ['{"a":{"_auth":12345678},"b":2}', '{"a":{"_auth":"[redacted: registry credential]"},"b":2}'],
    ['{"token-data":1234567890123456}', '{"token-data":"[redacted: kubernetes credential]"}'],
    ['{\\"password\\":12345678}', '{\\"password\\":\\"[redacted: password]\\"}'],
    [
      '{\\\\\\"password\\\\\\":1234}',
      '{\\\\\\"password\\\\\\":\\\\\\"[redacted: password]\\\\\\"}',
    ],
    ['{"Authorization=":12345678}', '{"Authorization=":12345678}'],
    ['{"_auth=":12345678}', '{"_auth=":12345678}'],
    ['{\\"a_password\\\\\\\\\\":12345}', '{\\"a_password\\\\\\\\\\":\\"[redacted: password]\\"}'],
    ['["password=",12345678,"b"]', '["password=",12345678,"b"]'],
    // behind a number the brackets are those of the lists around it
    ['{"password":[["--password",0]]}', '{"password":[["--password",0]]}'],
    ['[["--password",12345678]]', '[["--password","[redacted: password]"]]'],
    ['[[["--token",1.5e+300]], 1]', '[[["--token","[redacted: token]"]], 1]'],
    ['[["--password",null]]', '[["--password",null]]'],
    ['[["--password",true]]', '[["--password",true]]'],
    ['[["--password"],12345678]', '[["--password"],"[redacted: password]"]'],
    ['[[\\"--password\\",12345678]]', '[[\\"--password\\",\\"[redacted: password]\\"]]'],
    ['["curl","--auth","hunter2-x"]', '["curl","--auth","[redacted: secret]"]'],
    ['{"password=":12345678,"b":1}', '{"password=":12345678,"b":1}'],
    ['{"a":"password=\\"","b":"x\\"y"}', '{"a":"password=\\"","b":"x\\"y"}'],
    [`{"a":"password='","b":"x'y"}`, `{"a":"password='","b":"x'y"}`],
  ])('%s', (json, redacted) => {
    expect(redact(json)).toBe(redacted);
    expect(redact(redacted)).toBe(redacted);
  });

  test.each([
    ...['hunt3r', 'abc1\\', 'abc1\\\\', 'abc1"d', 'a\\"b1', 'abc1"', 'ab\nc1', 'ab\\nc1', "ab'c1"],
  ])('a password of %j, in JSON in JSON', (password) => {
    for (let text = JSON.stringify({ password }), depth = 1; depth <= 3; depth++) {
      let inner: unknown = redact(text);
      for (let at = 1; at <= depth; at++) {
        inner = JSON.parse(inner as string);
        if (at < depth) inner = (inner as { text: string }).text;
      }
      expect([depth, inner]).toEqual([depth, { password: '[redacted: password]' }]);
      text = JSON.stringify({ text });
    }
  });

  const NAMES = [
    ...['password', '_password', 'passphrase', 'token', '_authToken', '_auth', 'apiKey', 'api_key'],
    ...['authorization', 'Authorization', 'cookie', 'secret', 'client-key-data', 'token-data'],
    ...['aws_secret_access_key', 'DB_PASSWORD', '--password', 'password=', 'token: ', "secret='"],
    ...['name', 'value', 'auth', 'x-api-key', 'password is ', 'pw', 'pass', 'OPENAI_KEY'],
    `-----BEGIN ${'PRIVATE'} KEY-----`,
  ];
  const piece = fc.constantFrom(
    ...[
      '"',
      "'",
      '`',
      '\\',
      ',',
      ':',
      '=',
      '{',
      '}',
      '[',
      ']',
      ' ',
      '\n',
      'hunt3r-x',
      'A1'.repeat(12),
    ],
    ...[
      'Bearer ',
      'Digest ',
      'a:b@',
      '://',
      '|',
      '>',
      '<',
      '/',
      '%3D',
      '-u a:b',
      'curl ',
      'mysql -p',
    ],
    ...NAMES,
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.string(),
    fc.constantFrom('swordfish', 'DB_PASSWORD', 'a1b2c3d4e5f6'),
  );
  const number = fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true }),
    fc.nat(99_999_999),
    fc.maxSafeInteger(),
  );
  const name = fc.oneof(fc.constantFrom(...NAMES), text);
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(number, text, fc.constantFrom(true, false, null)),
      fc.dictionary(name, tie('json'), { maxKeys: 4 }),
      fc.array(tie('json'), { maxLength: 4 }),
    ),
  }));

  test.each([undefined, 2])(
    'any JSON under names of secrets, as text and in texts: %s',
    (space) => {
      fc.assert(
        fc.property(json, (value) => {
          const once = JSON.stringify(value, undefined, space);
          const plain = redact(once);
          expect(() => JSON.parse(plain)).not.toThrow();
          expect(redact(plain)).toBe(plain);
          const twice = JSON.parse(redact(JSON.stringify({ text: once })));
          expect(() => JSON.parse(twice.text)).not.toThrow();
          const thrice = JSON.parse(redact(JSON.stringify([JSON.stringify({ text: once })])));
          expect(() => JSON.parse(JSON.parse(thrice[0]).text)).not.toThrow();
        }),
        { numRuns: runs * (isWhole ? 10 : 4) },
      );
    },
  );
});

// siblings: names that stand apart from their values, and values that read like words
describe('O353: fields of forms and of answers to a login', () => {
  const part = (name: string, value: string, end = '\r\n') =>
    `--b${end}Content-Disposition: form-data; name="${name}"${end}${end}${value}${end}--b--${end}`;
  test.each([
    [part('password', 'mpsecret2x9')],
    [part('api_key', 'mpsecret2x9')],
    [part('client_secret', 'mpsecret2x9', '\n')],
    [
      part('token', 'mpsecret2x9').replace(
        '"token"',
        '"token"; filename="t"\r\nContent-Type: text/plain',
      ),
    ],
    [JSON.stringify({ body: part('password', 'mpsecret2x9') })],
    ['grant_type=jwt&assertion=mpsecret2x9&scope=a'],
    ['grant_type=jwt&client_assertion=mpsecret2x9'],
  ])('%j', (text) => {
    expect(redact(text)).toContain('[redacted: ');
    expect(redact(text)).not.toContain('mpsecret2x9');
  });

  test.each(['rt-live-abc-123', 'tok-live-7', 'my-app-v2', 'tok-opaque-8812'])(
    '"refresh_token": %j',
    (value) => {
      for (const name of ['refresh_token', 'access_token', 'refreshToken', 'id_token']) {
        expect(JSON.parse(redact(JSON.stringify({ [name]: value })))[name]).toBe(
          '[redacted: token]',
        );
      }
      expect(JSON.parse(redact('{"color_token":"color-gray-100"}'))).toEqual({
        color_token: 'color-gray-100',
      });
    },
  );

  test.each([
    part('purpose', 'batch1x9'),
    part('max_tokens', '1024'),
    'name="password"\n\nIs asked for.',
  ])('%j stays', (text) => {
    expect(redact(text)).toBe(text);
  });
});
