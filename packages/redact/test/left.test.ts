import { describe, expect, test } from 'vitest';
import { redact } from '../src/index.ts';

describe('L325: what only looks like a secret stays', () => {
  test.each<[text: string]>([
    ['docker login --password-stdin registry.example'],
    ['echo x | docker login -u me --password-stdin'],
    ['unzip -p foo.zip bar1 && zip -a x.zip y1 && zip -p a b12345'],
    ['src:80:in:out:fail'],
    ['12:34:56:78:90'],
    ['foo.test.ts:12:a:b:c'],
    ['foo.test.ts:1234:a:b:c1d'],
    ['1234:5678:a:b:c1d'],
    ['sort -u file:name1'],
    ['sudo -u user:group1 ls'],
    ['curl https://h/a | sort -u file:name1'],
    ['curl https://h/a && sudo -u user:group1 ls'],
    ['curl https://h/a\nsudo -u user:group1 ls'],
    ['app keyboard: qwertz123'],
    ['API keywords: foo123bar9'],
    ['app keypad: numeric10x'],
    ['FILE_PAT="*.ts1"'],
    ["storageKey: 'cart-state-v2'"],
    ["const storageKey = 'cart-state-v2';"],
    ['OLDPWD=C:/Users/me1'],
    ['pwd: "packages/foo1"'],
    ['"password": "Passwort", "password": "Пароль", "password": "contraseña"'],
    ['"showPassword": "Show", "hidePassword": "hide it1"'],
    ['    self._passphrase = passphrase'],
    ['    password: userPassword1'],
    ['password: varchar255'],
    ['secrets-last is Layer-1 only'],
    ['pbkdf2(password: Uint8Array, salt: Uint8Array)'],
    ['type X = RealtimeFactoryV4GetTokenOptions'],
    ['type GetTokenOptions = RealtimeFactoryV4GetTokenOptions'],
    ['token: RealtimeFactoryV4GetTokenOptions'],
    ['TiktokenModel = "davinci-002"'],
    ['headers["Authorization"] = self.build_digest_header(url1)'],
    ['headers["Authorization"] = self.digest_header1'],
  ])('%s', (text) => {
    expect(redact(text)).toBe(text);
    expect(redact(JSON.stringify({ text }))).toBe(JSON.stringify({ text }));
  });

  test.each<[text: string, redacted: string]>([
    [
      'curl -s "https://h/a?b|c" -u a:hunt3r',
      'curl -s "https://h/a?b|c" -u a:[redacted: user and password]',
    ],
    ['curl -X POST \\\n  -u a:hunt3r h', 'curl -X POST \\\n  -u a:[redacted: user and password] h'],
    ['http -a a:hunt3r h', 'http -a a:[redacted: user and password] h'],
    ['unzip -P hunt3r a.zip', 'unzip -P [redacted: password] a.zip'],
    ['7z x -phunt3r a.7z', '7z x -p[redacted: password] a.7z'],
    ['The db_secret is layer-1x2', 'The db_secret is [redacted: secret]'],
    ['DB_PASSWORD=password12', 'DB_PASSWORD=[redacted: password]'],
  ])('and a secret beside it goes: %s', (text, redacted) => {
    expect(redact(text)).toBe(redacted);
  });

  // siblings looked for: placeholders and references in front of a value, behind it and in quotes
  test.each<[text: string, redacted: string]>([
    ['password=[x]§', 'password=[redacted: password]'],
    ['password="<password>§"', 'password="[redacted: password]"'],
    ['password=...§', 'password=[redacted: password]'],
    ['token: "§$'.concat('{VAR}"'), 'token: "[redacted: token]"'],
    ['TOKEN=$'.concat('{BASE}?api-version=2024'), 'TOKEN=$'.concat('{BASE}?api-version=2024')],
    ['TOKEN=%FOO%', 'TOKEN=%FOO%'],
  ])('no placeholder hides a value that is glued to it: %s', (given, redacted) => {
    expect(redact(given.replace('§', ['S3c', 'ret9', 'xxA'].join('')))).toBe(redacted);
  });
});
