import { describe, expect, test } from 'vitest';
import { redact, redactJson } from '../src/index.ts';

/** Put together when the test runs, so that no file holds what a scanner would take for a secret. */
const SECRET = ['Zx9k', 'Q2mB', '7vT4', 'wL8p'].join('');
const fill = (text: string): string => text.replaceAll('§', SECRET);

const COMMANDS = [
  'sshpass -p § ssh h',
  'docker login -u me -p § registry.example',
  'echo § | docker login -u me --password-stdin',
  'echo -n § | gcloud secrets versions add db --data-file=-',
  'echo § | sudo -S ls',
  'mysql -u root -p§ app',
  'redis-cli -a § ping',
  'gh secret set DB --body §',
  'aws ssm put-parameter --type SecureString --value § --name x',
  'aws secretsmanager create-secret --name a --secret-string §',
  'az login --service-principal -u a -p § --tenant t',
  'az keyvault secret set --vault-name v --name n --value §',
  'kubectl create secret generic db --from-literal=admin=§',
  'vault kv put secret/db admin=§',
  'openssl enc -aes-256-cbc -k § -in a',
  'openssl passwd -6 §',
  'keytool -genkey -storepass §',
  'jarsigner -storepass § a.jar k',
  'plink -pw § u@h',
  'psftp -pw § u@h',
  'putty -pw § u@h',
  'pscp -pw § a u@h:',
  'ssh-keygen -t rsa -N § -f k',
  'zip -P § a.zip b',
  '7z a -p§ a.7z b',
  'ldapsearch -x -w § -D cn=a',
  'sqlcmd -S h -U sa -P § -Q q',
  'mongosh -u a -p § h',
  'twine upload -u a -p § dist/a',
  'ipmitool -H h -U a -P § power',
  'htpasswd -b f u §',
  'htpasswd -nb u §',
  'smbclient //h/s -U a%§',
  'curl -u a:§ https://h',
  'doctl auth init -t §',
  'helm install a --set admin.password=§',
  'npm config set //registry.example/:_authToken §',
];

// siblings looked for: one blank, more than one, a tab, a line that goes on in the next, with and without \r; blanks and lines also as
// JSON and as JSON inside of JSON; each command alone, so that no word of another one brings it to be tried
describe('L325: a command is read however it is written', () => {
  test.each(
    COMMANDS.flatMap((command) => [
      [command],
      [command.replaceAll(' ', '  ')],
      [command.replaceAll(' ', '\t')],
      [command.replaceAll(/ (?=-)/g, ' \\\n  ')],
      [command.replaceAll(/ (?=-)/g, ' \\\r\n\t')],
      [command.replaceAll(/ (?=\|)/g, ' \\\n  ')],
    ]),
  )('%j', (command) => {
    const text = fill(command);
    const redacted = redact(text);
    expect(redacted).toMatch(/^[^§]*\[redacted: [a-z ]+\]/);
    expect(redacted.split(/\[redacted: [a-z ]+\]/)).toEqual(text.split(SECRET));
    expect(redact(redacted)).toBe(redacted);
    expect(redactJson([{ text }])).toEqual([{ text: redacted }]);
    if (/[\t\r]/.test(text)) return;
    for (const json of [{ text }, { json: JSON.stringify({ text }) }]) {
      const line = redact(JSON.stringify(json));
      expect(line).not.toContain(SECRET);
      expect(JSON.parse(line)).toBeTypeOf('object');
    }
  });

  test.each([
    'docker login -u me \n git commit -p §',
    'az login \\\n --tenant t\nmkdir -p §',
    'mysql app\nmkdir -p§',
    'echo § \\\n  && docker login --password-stdin < file',
    'plink host; make -pw §',
  ])('another command begins in between: %j', (command) => {
    expect(redact(fill(command))).toBe(fill(command));
  });
});

// siblings looked for: line numbers with a tab, an arrow and a colon, added, removed and context lines, both as JSON; a name in front
// and behind, one line and more, an item of a list
describe('L325: a name in the line above, where a program puts something in front of each line', () => {
  const FILES = [
    'env:\n  - name: DB_PASSWORD\n    value: §',
    'env:\n  - value: §\n    name: DB_PASSWORD',
    'env:\n  - name: DB_PASSWORD\n    value: "§"\n  - name: PORT\n    value: "80"',
    'password: |\n  §\nuser: a',
    'db:\n  password: >-\n    §\n',
  ];
  const numbered = (sign: string) => (text: string) =>
    text
      .split('\n')
      .map((line, at) => `${String(at + 9).padStart(6)}${sign}${line}`)
      .join('\n');
  const marked = (sign: string) => (text: string) => text.replaceAll(/^/gm, sign);

  test.each([
    ['nothing', (text: string) => text],
    ['a number and a tab', numbered('\t')],
    ['a number and an arrow', numbered('→')],
    ['a number and a colon', numbered(':')],
    ['+', marked('+')],
    ['-', marked('-')],
  ])('%s', (_name, written) => {
    for (const file of FILES) {
      const text = fill(written(file));
      const redacted = redact(text);
      expect(redacted).not.toContain(SECRET);
      expect(redacted.split('\n')).toHaveLength(text.split('\n').length);
      expect(redact(redacted)).toBe(redacted);
      const line = redact(JSON.stringify({ text }));
      expect(line).not.toContain(SECRET);
      expect(JSON.parse(line).text).toBe(redacted);
    }
  });

  test.each([
    'env:\n  - name: DB_PASSWORD\n  - value: §',
    ' 1\tenv:\n 2\t  - name: DB_PASSWORD\n 3\t  - value: §',
    '+  - name: DB_PASSWORD\n+  - value: §',
    '-name: DB_PASSWORD\n+other: 1\n value: §',
  ])('the next item is another one: %j', (text) => {
    expect(redact(fill(text))).toBe(fill(text));
  });
});

test('L325: a cookie in quotes, in a text of JSON', () => {
  const line = redact(JSON.stringify({ text: fill('curl -b "sid=§" https://h') }));
  expect(JSON.parse(line).text).toBe('curl -b "[redacted: cookie]" https://h');
});

test('L325: a key of PuTTY in a text of JSON', () => {
  const text = JSON.stringify({ text: fill('Private-Lines: 1\n§§§§\nPrivate-MAC: 1') });
  expect(redact(text)).not.toContain(SECRET);
  expect(JSON.parse(redact(text)).text).toContain('Private-MAC');
});
