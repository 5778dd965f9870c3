import { expect, test } from 'vitest';
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
  '?sig=',
  'client-key-data: ',
];

const millisecondsFor = (unit: string, length: number): number => {
  const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3; run++) {
    const start = process.cpuUsage();
    redact(text);
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
};

/** A quadratic pattern takes 16 times as long for four times the text; a linear one four times. */
test('L326: time grows with the length, whatever the text is made of', { timeout: 120_000 }, () => {
  redact(HOSTILE.join(' ').repeat(100)); // compiles the patterns
  const slow = HOSTILE.filter((unit) => {
    const [small, large] = [64_000, 256_000].map((length) => millisecondsFor(unit, length));
    return (large as number) > 8 * (small as number) + 40;
  });
  expect(slow).toEqual([]);
});

test('a megabyte of repeats is done in seconds', { timeout: 120_000 }, () => {
  for (const unit of ['--token ', 'mysql -p', 'password is ', 'a', 'password=']) {
    expect(millisecondsFor(unit, 1_000_000)).toBeLessThan(10_000);
  }
});

/** Each pattern that begins somewhere and goes on for as long as the characters allow. */
test('a run of megabytes without a break is no harm', { timeout: 120_000 }, () => {
  const starts = SECRET_KINDS.map(({ make }) => {
    const { text, secret } = make();
    return text.slice(0, text.indexOf(secret) + secret.length);
  });
  for (const run of ['A', 'a7']) {
    for (const start of starts) expect(() => redact(start + run.repeat(10_000))).not.toThrow();
    const long = run.repeat(6_000_000);
    expect(redact(long)).toBe(long);
  }
});
