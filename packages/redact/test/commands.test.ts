import { describe, expect, test } from 'vitest';
import { redact, redactJson } from '../src/index.ts';

/** Put together when the test runs, so that no file holds what a scanner would take for a secret. */
const SECRET = ['Zx9k', 'Q2mB', '7vT4', 'wL8p'].join('');
const fill = (text: string): string => text.replaceAll('§', SECRET);

function expectRedacted(given: string, redacted: string): void {
  const text = fill(given);
  expect(redact(text)).toBe(redacted);
  expect(redact(redacted)).toBe(redacted);
  for (const json of [{ text }, { json: JSON.stringify({ text }) }]) {
    const line = redact(JSON.stringify(json));
    expect(line).not.toContain(SECRET);
    expect(JSON.parse(line)).toBeTypeOf('object');
  }
}

function expectLeft(text: string): void {
  expect(redact(text)).toBe(text);
  expect(redact(JSON.stringify({ text }))).toBe(JSON.stringify({ text }));
}

// siblings looked for: flags with and without a blank, in quotes of each kind; places without a flag; settings by name; what comes
// from the command in front or from a here-string; calls that set a name; lists of arguments as values and in texts
describe('L325: a secret that a command takes', () => {
  test.each<[text: string, redacted: string]>([])('%s', expectRedacted);

  test.each<[text: string]>([
    ['git commit -m "Fix token: refresh2 logic"'],
    ['secret: kubernetes.io/secret1'],
    ['--auth-mode=login1'],
    ['az storage blob list --auth-mode login1'],
    ['mongo --auth-mechanism=SCRAM1 --auth-method oauth2'],
    ['type: kubernetes.io/service-account-token1'],
    ['password: string'],
    ['token = getToken()'],
    ['fix(token): refresh2 is called'],
    ['secretName: tls-secret1'],
    ['secret: my-secret-2'],
    ['pass: 12'],
    ['2 pass, 1 fail: pass=2'],
    ['pass: true'],
    ['bypass=cache1'],
    ['vault login help'],
    ['cargo login registry'],
    ['echo hello1 | grep x'],
    ['echo build2024done | tee log'],
    ['echo user1:group2 | cut -d: -f1'],
    ['tests pass 12345'],
    ['set -e; setx'],
    ['openssl enc -kfile f1'],
    ['smbclient -U user1 //h/s'],
    ['-var region=us-east-1'],
    ['kubectl get secret db1 --from x'],
    ['gh secret list --repo a/b1'],
    ['secret_key_base_of_the_application_config'],
    ["['a','b','c1']"],
    ['echo hello1 | grep stdin'],
    ['use pass `base:` or no target, and pass max_checks=1 for one'],
    ['-e NEO4J_AUTH=neo4j/password neo4j:latest'],
  ])('leaves %s', expectLeft);
});

describe('L325: a list of texts is looked at as a command, too', () => {
  test.each<[make: (secret: string) => object]>([
    [(s) => ({ command: ['curl', '-u', `admin:${s}`, 'https://h'] })],
    [(s) => ({ command: ['mysql', '-uroot', `-p${s}`] })],
    [(s) => ({ command: ['deploy', '--token', s] })],
    [(s) => ({ command: ['sshpass', '-p', s, 'ssh', 'h'] })],
    [(s) => ({ command: ['docker', 'login', '-u', 'a', '-p', s, 'h'] })],
    [(s) => ['redis-cli', '-a', s]],
    [(s) => ['bash', '-lc', `mysql -uroot -p${s} -e "select 1"`]],
    [(s) => ['env', `DB_PASSWORD=${s}`, 'x']],
    [(s) => ['curl', '-H', `Authorization: Bearer ${s}`, 'u']],
    [(s) => ['curl', '-H', `X-Api-Key: ${s}`, 'u']],
    [(s) => ['htpasswd', '-b', 'f', 'me', s]],
    [(s) => ['vault', 'login', s]],
    [(s) => ['curl', '-d', '{"a":1}', '-u', `admin:${s}`, 'https://h']],
    [(s) => ({ a: { b: [['mysql', '-uroot', `-p${s}`]] } })],
    [(s) => ({ pass: s })],
    [(s) => ({ auth: { user: 'u', pass: s } })],
    [
      (s) => ({
        arguments: JSON.stringify({ command: ['curl', '-u', `admin:${s}`, 'https://h'] }),
      }),
    ],
    [(s) => ({ command: 'mysql', args: ['-uroot', `-p${s}`] })],
    [(s) => ({ mcp: { cmd: '/usr/bin/curl', arguments: ['-u', `admin:${s}`] } })],
    [(s) => ['curl', '-u', `admin:a;b${s}|c`, 'h']],
    [(s) => ['sshpass', '-p', `a b ${s}`, 'ssh']],
    [(s) => ['docker', 'run', 'x', 'redis-server', '--requirepass', s]],
  ])('%s', (make) => {
    const redacted = redactJson(make(SECRET));
    expect(JSON.stringify(redacted)).not.toContain(SECRET);
    expect(JSON.stringify(redacted)).toContain('[redacted: ');
    expect(redactJson(redacted)).toBe(redacted);
    const line = redact(JSON.stringify(make(SECRET)));
    expect(JSON.parse(line)).toBeTypeOf('object');
  });

  test('only the secret goes, and the other arguments are the same', () => {
    const list = ['curl', '-d', '{"a": 1}', '-u', `admin:${SECRET}`, 'https://h'];
    const marked = [...list.slice(0, 4), 'admin:[redacted: user and password]', 'https://h'];
    expect(redactJson(list)).toEqual(marked);
    expect(JSON.parse(redact(JSON.stringify({ list })))).toEqual({ list: marked });
    const two = ['sshpass', '-p', SECRET, 'mysql', '-uroot', `-p${SECRET}`, 'app'];
    const both = [
      'sshpass',
      '-p',
      '[redacted: password]',
      'mysql',
      '-uroot',
      '-p[redacted: password]',
      'app',
    ];
    expect(redactJson({ two })).toEqual({ two: both });
  });

  test.each<[value: unknown]>([
    [['password', 'b1c2d3']],
    [['token', 'refresh2']],
    [['src/a.ts', 'src/b1.ts']],
    [['git', 'commit', '-m', 'Fix token: refresh2 logic']],
    [['mkdir', '-p', 'abc123']],
    [['docker', 'run', '-p', '8080:80', '-u', 'app:staff1']],
    [['ssh', '-p', '2222', 'h']],
    [{ lines: ['a', 'b c1', 'd "x1y2" '], tags: ['password', 'for', 'x1y2'] }],
    [
      [
        ['a1', 'b2'],
        ['mysql', '-u', 'x'],
      ],
    ],
  ])('leaves %j', (value) => {
    expect(redactJson(value)).toBe(value);
    expect(redact(JSON.stringify(value))).toBe(JSON.stringify(value));
  });
});

describe('L325: tokens of a form of their own', () => {
  test.each<[name: string, parts: readonly string[]]>([
    ['jwe', ['eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0', '', '§abcd', '§§§', '§abcd12']],
    ['jwe', ['eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ', '§§§', '§', '§§§§', '§ABCDEF']],
  ])('%s', (name, parts) => {
    expect(redact(`say ${fill(parts.join('.'))} now`)).toBe(`say [redacted: ${name}] now`);
  });
});
