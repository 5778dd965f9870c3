import { expect, test } from 'vitest';
import { isWhole, oneIn } from '../../../internal/src/share.ts';
import { redact } from '../src/index.ts';
import { SECRET_KINDS } from '../src/testing.ts';

/** Beginnings, middles and ends of every kind, which a backtracking pattern would read again and again. */
const HOSTILE = [
  'a',
  'A',
  'password',
  'password=',
  'password: ',
  'password is ',
  'password"]',
  '"password":"',
  'password=\\"',
  'api_key\\\\\\"',
  '\\',
  '\\"',
  '"',
  "'a",
  'token\n',
  '--',
  '--a',
  '--token ',
  'secret key ',
  'secret_',
  `-----BEGIN ${'PRIVATE'} KEY-----`,
  `-----BEGIN ${'PRIVATE'} KEY-----\n`,
  'Private-Lines: 1\n',
  '://',
  '://a:',
  'postgres://a:b',
  '@tcp(',
  'a@',
  'eyJ',
  'eyJaaaaaaaa.',
  'sk-',
  'sk-\n',
  'ghp_a',
  'ghp_a\n',
  'xoxb-1',
  'MNOa.a.',
  'AAAAAAAAAAAAAAAAAAAAA',
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
  'Bearer ',
  'cookie: a=',
  'machine a login b password ',
  '_auth',
  '$',
  '=',
  '\n',
  ' ',
  '[redacted: ',
  '[redacted:',
  '[redacted: a ',
  '[redacted: a]',
  '[redacted: token]',
  'password=[redacted: a ',
  '"auth":"[redacted: a b[redacted: ',
  '&sig=[redacted: token]]',
  '\ue000',
  '?sig=',
  'client-key-data: ',
];

const LENGTH = isWhole ? 64_000 : 16_000;

/** How time grows with them is judged by `pnpm bench text-scaling`; here what costs a cube runs past the time of a test. */
test.each(HOSTILE)(
  'L326: a text made of %j is read to its end, and hides no secret behind it',
  (unit) => {
    const { text, secret } = githubToken();
    const redacted = redact(`${unit.repeat(Math.ceil(LENGTH / unit.length))}\n${text}\n`);
    expect(redacted).not.toContain(secret);
    expect(redact(redacted) === redacted).toBe(true);
  },
);

function githubToken() {
  const kind = SECRET_KINDS.find(({ name }) => name === 'github token');
  if (kind === undefined) throw new Error('no such kind');
  return kind.make(7);
}

/** Each pattern that begins somewhere and goes on for as long as the characters allow. */
test('a run of megabytes without a break is no harm', { timeout: 120_000 }, () => {
  const starts = SECRET_KINDS.map(({ make }) => {
    const { text, secret } = make();
    return text.slice(0, text.indexOf(secret) + secret.length);
  });
  for (const run of oneIn(2, ['A', 'a7'])) {
    for (const start of starts) expect(() => redact(start + run.repeat(10_000))).not.toThrow();
    const long = run.repeat(6_000_000);
    expect(redact(long)).toBe(long);
  }
});
