import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redact } from '../src/index.ts';
import { SECRET_KINDS } from '../src/testing.ts';

const runs = Number(process.env.VARVE_LAW_RUNS ?? 200);
const someSecret = fc
  .tuple(fc.nat(SECRET_KINDS.length - 1), fc.nat(100_000))
  .map(([index, seed]) => (SECRET_KINDS[index] as (typeof SECRET_KINDS)[number]).make(seed));

/** Ways in which a text comes into a conversation. */
const wrappings: readonly [string, (text: string) => string][] = [
  ['alone', (text) => text],
  ['between lines', (text) => `first\n${text}\nlast`],
  ['in a sentence', (text) => `Use this: ${text}, please.`],
  ['in quotes', (text) => `echo '${text}'`],
  ['in JSON', (text) => JSON.stringify({ command: text })],
  ['in JSON in JSON', (text) => JSON.stringify(JSON.stringify({ command: text }))],
  ['in Windows lines', (text) => text.replaceAll('\n', '\r\n')],
];

describe('redact', () => {
  test('L325: there are at least 45 kinds', () => {
    expect(new Set(SECRET_KINDS.map(({ name }) => name)).size).toBeGreaterThanOrEqual(45);
  });

  test.each(SECRET_KINDS.map((kind, index) => [`${index} ${kind.name}`, kind] as const))(
    'L325: takes out %s, and says what it was',
    (_, { name, make }) => {
      for (let seed = 1; seed <= 20; seed++) {
        const { text, secret } = make(seed);
        expect(redact(text)).toContain(`[redacted: ${name}]`);
        for (const [, wrap] of wrappings) {
          const redacted = redact(wrap(text));
          expect(redacted).not.toContain(secret);
          expect(redacted).toContain('[redacted: ');
          expect(redact(redacted)).toBe(redacted);
        }
        expect(() => JSON.parse(redact(JSON.stringify({ text })))).not.toThrow();
      }
    },
  );

  test.each([
    [
      'a reference to a variable',
      'PASSWORD=$PASSWORD API_KEY="$'.concat('{KEY}" TOKEN=$(cat t) SECRET={{ x }}'),
    ],
    ['a placeholder', 'API_KEY=<your-key> PASSWORD=******** TOKEN=... SECRET=xxxxxxxx'],
    [
      'a type',
      'interface A { password: string; token: string | null; secret: Buffer; apiKey?: Key }',
    ],
    ['a call', 'const token = getToken(); const password = await prompt("x");'],
    ['a field of an object', 'const token = config.auth.token; password = req.body.password;'],
    ['the environment', "token: process.env.GH_TOKEN, key = os.environ['API_KEY']"],
    [
      'a count of tokens',
      'max_tokens=4096 "total_tokens": 129000, tokens: 12345678, token_count = 12345678',
    ],
    [
      'a token of a language model',
      '"eos_token": "<|endoftext|>", pad_token = "<pad>", "cls_token": "[CLS]"',
    ],
    ['a page', '"nextPageToken": "abc123def456", next_token=abc123def456'],
    ['a file', 'PASSWORD_FILE=/run/secrets/db token: ./token.txt --token ~/.config/token'],
    ['words', 'The password is required. Use --token to log in; a secret should never be logged.'],
    ['a sentence in a field', '"password": "Password is required", token: "the token to use"'],
    [
      'a user of a container',
      'docker run -u 1000:1000 node; chown -R 0:0 x; docker exec -u app:app c ls',
    ],
    [
      'a path in a URL',
      'http://localhost:3000/@scope/pkg git@github.com:org/repo https://a.b/c:d@2x.png',
    ],
    ['a version', '"js-tokens": "^4.0.0", "secret-stack": "6.4.2"'],
    [
      'a flag that begins alike',
      '--author "Jane Doe 1" --passWithNoTests --token-count 5 file_path=src/a1.ts',
    ],
    ['what is nobody’s', 'true false null undefined 12345678 ………… \u0000\ud800'],
    ['nothing', ''],
  ])('leaves %s', (_, text) => {
    expect(redact(text)).toBe(text);
  });

  test.each([
    ['a git commit', 'commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b'],
    [
      'a UUID',
      '"id": "550e8400-e29b-41d4-a716-446655440000", token: 550e8400-e29b-41d4-a716-446655440000',
    ],
    ['an MD5', 'd41d8cd98f00b204e9800998ecf8427e  empty.txt'],
    ['a SHA-256', 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    [
      'an integrity',
      `"integrity": "sha512-${'q8Y7/t+0'.repeat(11)}==", integrity sha1-${'q8Y7/t+0'.repeat(3)}=`,
    ],
    ['a go sum', `github.com/a/b v1.2.3 h1:${'aB3dE5fG7hJ'.repeat(4)}=`],
    [
      'a cache key',
      'cache_key=9f86d081884c7d659a2feaa0c55ad015 "etag": "9f86d081884c7d659a2feaa0c55ad015"',
    ],
    [
      'a picture',
      `data:image/png;base64,${'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4'.repeat(40)}=`,
    ],
    ['lines of base64', `${'A'.repeat(76)}\n`.repeat(20)],
    [
      'an id of a call',
      'toolu_01CXdtMT6AgAdWpVWDqPWVr7 call_aB3dE5fG7hJ9kLaB3dE5fG7h msg_01XFDUDYJgAACzvnptvVoYEL',
    ],
  ])('L325: takes no hash, id or integrity string for a secret: %s', (_, text) => {
    expect(redact(text)).toBe(text);
    expect(redact(JSON.stringify({ text }))).toBe(JSON.stringify({ text }));
  });

  test('a hash is a secret where a flag, a variable or a header says so', () => {
    const hash = '9f86d081884c7d659a2feaa0c55ad015';
    expect(redact(`--token ${hash}`)).toBe('--token [redacted: token]');
    expect(redact(`SESSION_SECRET=${hash}`)).toBe('SESSION_SECRET=[redacted: secret]');
    expect(redact(`Authorization: Bearer ${hash}`)).not.toContain(hash);
  });

  test('tokens that a terminal or a shell broke into lines are taken whole', () => {
    const github = SECRET_KINDS.find(({ name }) => name === 'github token');
    for (let seed = 1; seed <= 20; seed++) {
      const { secret } = (github as (typeof SECRET_KINDS)[number]).make(seed);
      for (const lineBreak of ['\n', '\r\n', '\n    ', '\\\n  ']) {
        for (let cut = 4; cut < secret.length; cut += 5) {
          const broken = `${secret.slice(0, cut)}${lineBreak}${secret.slice(cut)}`;
          expect(redact(`a ${broken} b`)).toBe('a [redacted: github token] b');
        }
      }
    }
  });

  test('what stands around a secret stays, and twice is once', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            someSecret.map(({ text }) => text),
            fc.string(),
            fc.lorem(),
          ),
          {
            maxLength: 8,
          },
        ),
        fc.constantFrom(' ', '\n', ' ; ', '\n\n'),
        (parts, separator) => {
          const redacted = redact(parts.join(separator));
          expect(redact(redacted)).toBe(redacted);
        },
      ),
      { numRuns: runs },
    );
  });

  test.each([4_090, 4_096, 4_097, 10_000])('a value of %i units goes whole', (length) => {
    const value = 'S3cret-9x'.repeat(Math.ceil(length / 9)).slice(0, length);
    expect(redact(`password=${value}\nnext`)).toBe('password=[redacted: password]\nnext');
  });

  test('a text without a secret is the same text', () => {
    fc.assert(
      fc.property(
        fc
          .array(fc.constantFrom('a', ' ', '\n', 'file.ts', '42', '{', '"', ':', '='))
          .map((parts) => parts.join('')),
        (text) => {
          expect(redact(text)).toBe(text);
        },
      ),
      { numRuns: runs },
    );
  });
});
