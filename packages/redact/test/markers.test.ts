import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWhole } from '../../../internal/src/share.ts';
import { redact, redactJson } from '../src/index.ts';
import { SECRET_KINDS } from '../src/testing.ts';

const runs = Number(process.env.VARVE_LAW_RUNS ?? 200);
/** No word of a marker, and no form of its own. */
const VALUE = ['S3c', 'ret9', 'xxA'].join('');
const kindNames = [...new Set(SECRET_KINDS.map(({ name }) => name))];

/** What somebody may write next to a secret: markers, what looks like one, and halves of both. */
const LOOKALIKES = [
  '[redacted:',
  '[redacted: ',
  '[redacted: x]',
  '[redacted: some-kind 2]',
  '[redacted: ]',
  '[redacted:]',
  '[redacted: git',
  '[redacted',
  '[redacted: [redacted: ',
  '[redacted: [redacted: token]',
  '\ue000',
  '\ue0c0',
  '\ue0e0\ue0f0',
];
const WHOLE = kindNames.map((name) => `[redacted: ${name}]`);

/** In front, behind, on both sides, and as if the secret were the name of a kind. */
const around = (mark: string, secret: string): readonly string[] => [
  mark + secret,
  secret + mark,
  mark + secret + mark,
  ...(mark.startsWith('[redacted') && LOOKALIKES.includes(mark) ? [`${mark}${secret}]`] : []),
];

const expectGone = (text: string, secret: string): void => {
  const redacted = redact(text);
  expect([text, redacted.includes(secret)]).toEqual([text, false]);
  expect(redact(redacted)).toBe(redacted);
};

// siblings looked for: markers of known and unknown kinds, begun, cut, empty and inside of each other, the characters markers are read
// as; in front of a secret, behind it and on both sides; in front of what names it; in fields of JSON and in lists of arguments
describe('L325: nothing that looks like a marker keeps a secret in the text', () => {
  test.each(SECRET_KINDS.map((kind, index) => [`${index} ${kind.name}`, kind] as const))(
    '%s',
    (_, { make, name }) => {
      const { text, secret } = make(3);
      const failed: string[] = [];
      const whole = [name, 'token', 'user and password'].map((kind) => `[redacted: ${kind}]`);
      for (const mark of [...LOOKALIKES, ...whole]) {
        const texts = [
          ...around(mark, secret).map((each) => text.replace(secret, () => each)),
          // behind letters no word begins
          ...(/[a-z]$/.test(mark) ? [] : [mark + text]),
          `${mark}\n${text}`,
          text + mark,
        ];
        for (const given of texts) {
          for (const said of [given, JSON.stringify({ text: given })]) {
            const redacted = redact(said);
            if (redacted.includes(secret)) failed.push(given);
            if (redact(redacted) !== redacted) failed.push(`twice: ${said}`);
          }
          if (JSON.stringify(redactJson({ given, list: [given] })).includes(secret))
            failed.push(`redactJson: ${given}`);
          JSON.parse(redact(JSON.stringify({ text: given })));
        }
      }
      expect(failed).toEqual([]);
    },
  );

  const ASSIGNED: readonly [name: string, wrap: (value: string) => string][] = [
    ['bare', (value) => `password=${value}`],
    ['in quotes', (value) => `password="${value}"`],
    ['a variable', (value) => `export DB_PASSWORD='${value}'`],
    ['JSON', (value) => JSON.stringify({ password: value })],
    ['JSON in JSON', (value) => JSON.stringify({ a: JSON.stringify({ password: value, b: 1 }) })],
    ['a bearer', (value) => `Authorization: Bearer ${value}`],
    ['a header', (value) => `curl -H "X-Api-Key: ${value}" https://a.example`],
    ['a URL', (value) => `postgres://user:${value}@db.example/app`],
    ['a query', (value) => `https://a.example/b?access_token=${value}&c=1`],
    ['a user', (value) => `curl -u user:${value} https://a.example`],
    ['a user in quotes', (value) => `curl -u "user:${value}" https://a.example`],
    ['a flag', (value) => `deploy --token ${value}`],
    ['YAML', (value) => `a:\n  password: ${value}\n`],
    ['an element', (value) => `<password>${value}</password>`],
    ['arguments', (value) => JSON.stringify(['mysql', `-p${value}`])],
    ['a name beside it', (value) => JSON.stringify({ name: 'API_KEY', value })],
  ];
  test.each(ASSIGNED)('a value that only its name makes a secret: %s', (_, wrap) => {
    expectGone(wrap(VALUE), VALUE);
    for (const mark of [...LOOKALIKES, ...WHOLE]) {
      for (const value of around(mark, VALUE)) expectGone(wrap(value), VALUE);
    }
  });

  test.each([
    ...['password', 'token', 'apiKey', 'Authorization', 'client_secret', 'DB_PASSWORD'].map(
      (name) => [name],
    ),
  ])('redactJson: a field named %s', (name) => {
    for (const mark of [...LOOKALIKES, ...WHOLE]) {
      for (const value of around(mark, VALUE)) {
        for (const field of [{ [name]: value }, { name, value }, ['--password', value]]) {
          const redacted = redactJson(field);
          expect([field, JSON.stringify(redacted).includes(VALUE)]).toEqual([field, false]);
          expect(redactJson(redacted)).toEqual(redacted);
        }
      }
    }
  });

  test.each([
    ['password%3D[redacted: PASSWORD]%26B%3D1', 'password%3D[redacted: password]%26B%3D1'],
    ['<password>[redacted]hunt3r</password>', '<password>[redacted: password]</password>'],
    ['mysql://u:ab1[redacted: [redacted password]@h', 'mysql://u:[redacted: database password]@h'],
    ['7z x -p[redacted: xoxs- ', '7z x -p[redacted: password] '],
    ['--password hunt3r-x [redacted: token]', '--password [redacted: password] [redacted: token]'],
    ['şifre: 12345hun[redactedt3r-x12', 'şifre: [redacted: password]'],
    [
      `пароль${[1, 2, 3, 4, 5, 6].map((number) => ` a1b2-c3d4x${number}`).join('')}`,
      `пароль${' [redacted: password]'.repeat(6)}`,
    ],
  ])('%s', (text, redacted) => {
    expect(redact(text)).toBe(redacted);
  });

  test('a secret beside another one in a field goes with it', () => {
    const github = SECRET_KINDS.find(({ name }) => name === 'github token')?.make().secret;
    expect(redactJson({ password: `${VALUE} ${github}` })).toEqual({
      password: '[redacted: password]',
    });
  });

  test.each([...WHOLE, WHOLE.slice(0, 2).join('')])('%s is left alone', (mark) => {
    for (const [name, wrap] of ASSIGNED) {
      if (name !== 'a flag') expect(redact(wrap(mark))).toBe(wrap(mark));
      expect(redact(redact(wrap(mark)))).toBe(redact(wrap(mark)));
    }
    expect(redactJson({ password: mark, token: mark })).toEqual({ password: mark, token: mark });
  });

  test('what a text has of its own stays, the characters that markers are read as too', () => {
    const text =
      '\ue000\ue0ff\ue0c0 [redacted: x] [redacted: [redacted: token] \ue0e0\ue0f5 [redacted:';
    expect(redact(text)).toBe(text);
    expect(redact(`${text} password=${VALUE} ${text}`)).toBe(
      `${text} password=[redacted: password] ${text}`,
    );
  });

  test('twice is once, and JSON stays JSON, for any mixture', () => {
    const part = fc.oneof(
      fc.constantFrom(...LOOKALIKES),
      fc.constantFrom(...WHOLE),
      fc.constantFrom(
        'password=',
        '"',
        "'",
        ' ',
        '\n',
        ': ',
        '=',
        ']',
        ',',
        '{',
        '\\',
        '@',
        '://a:',
      ),
      fc.constantFrom(
        '-u ',
        'curl ',
        'Authorization: ',
        'Bearer ',
        'token',
        'is ',
        VALUE,
        'hunt3r-x',
      ),
      fc
        .tuple(fc.nat(SECRET_KINDS.length - 1), fc.nat(1_000))
        .map(([index, seed]) => SECRET_KINDS[index]?.make(seed).text ?? ''),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        const redacted = redact(text);
        expect(redact(redacted)).toBe(redacted);
        const json = redact(JSON.stringify({ text, password: 12_345_678, a: [text, 1] }));
        expect(() => JSON.parse(json)).not.toThrow();
        expect(redact(json)).toBe(json);
        const value = redactJson({ text, password: text, list: ['--token', text] });
        expect(redactJson(value)).toEqual(value);
      }),
      { numRuns: runs * (isWhole ? 5 : 2) },
    );
  });
});
