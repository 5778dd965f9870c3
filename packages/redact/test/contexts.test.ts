import { describe, expect, test } from 'vitest';
import { redact, redactJson } from '../src/index.ts';

/** Stands for a secret in a text; put in when the test runs, so that no file holds what a scanner would take for one. */
const fill = (text: string): string =>
  text
    .replaceAll('§hex', '0a1b2c3d4e5f'.repeat(4).slice(0, 40))
    .replaceAll('§b64', 'aB3dE5fG7hJ9'.repeat(5).slice(0, 43))
    .replaceAll('§word', ['swo', 'rdf', 'ish', '7'].join(''))
    .replaceAll('§', 'hunt3r-x');

describe('secrets that their surroundings name', () => {
  test.each<[text: string, redacted: string]>([
    ['Private-Lines: 2\nAAAA\nBBBB\n', 'Private-Lines: 2[redacted: putty private key]\n'],
    ['mysql://u:§@h/d', 'mysql://u:[redacted: database password]@h/d'],
    ['redis://:§@h', 'redis://:[redacted: database password]@h'],
    ['mongodb+srv://u:a/§@h', 'mongodb+srv://u:[redacted: database password]@h'],
    ['jdbc:oracle://u:§@h', 'jdbc:oracle://u:[redacted: database password]@h'],
    ['ftp://u:§@h/d', 'ftp://u:[redacted: password in a url]@h/d'],
    ['https://§hex@h/d', 'https://[redacted: token in a url]@h/d'],
    ['root:§@tcp(db:3306)/app', 'root:[redacted: database password]@tcp(db:3306)/app'],
    ['root:§@unix(/s)/app', 'root:[redacted: database password]@unix(/s)/app'],
    [
      'Authorization: Digest username=a, response=§hex',
      'Authorization: Digest [redacted: authorization header]',
    ],
    [
      "headers['Authorization'] = 'token §hex'",
      "headers['Authorization'] = 'token [redacted: authorization header]'",
    ],
    [
      'set("Authorization", "Bearer §b64")',
      'set("Authorization", "Bearer [redacted: authorization header]")',
    ],
    ['with bearer: §b64 there', 'with bearer: [redacted: bearer token] there'],
    ['Cookie: a=§; b=2', 'Cookie: [redacted: cookie]'],
    ['"set-cookie": "a=§word"', '"set-cookie": "[redacted: cookie]"'],
    ['curl -b sid=§word https://h', 'curl -b [redacted: cookie]'],
    ['curl --cookie "sid=§word" https://h', 'curl --cookie "[redacted: cookie]" https://h'],
    ['curl -u a:§ h', 'curl -u a:[redacted: user and password] h'],
    ['curl --user "a:§" h', 'curl --user "a:[redacted: user and password]" h'],
    ['curl --proxy-user a:§ h', 'curl --proxy-user a:[redacted: user and password] h'],
    ['curl -u 1:§ h', 'curl -u 1:[redacted: user and password] h'],
    ['mysqldump -u root -p§ app', 'mysqldump -u root -p[redacted: password] app'],
    ['sshpass -p § ssh h', 'sshpass -p [redacted: password] ssh h'],
    ['docker login -u a -p § h', 'docker login -u a -p [redacted: password] h'],
    ['redis-cli -h x -a § ping', 'redis-cli -h x -a [redacted: password] ping'],
    ['ldapsearch -x -w § -b dc', 'ldapsearch -x -w [redacted: password] -b dc'],
    ['zip -r -P § a.zip a', 'zip -r -P [redacted: password] a.zip a'],
    [
      'machine h login a account b password §',
      'machine h login a account b password [redacted: password]',
    ],
    ['default login a password §', 'default login a password [redacted: password]'],
    ['db.example:5432:app:me:§', 'db.example:5432:app:me:[redacted: database password]'],
    ['*:*:*:me:§', '*:*:*:me:[redacted: database password]'],
    ['SharedAccessKey=§b64=', 'SharedAccessKey=[redacted: azure storage key]'],
    [
      'https://h/a?X-Amz-Signature=§hex&b=1',
      'https://h/a?X-Amz-Signature=[redacted: signature in a url]&b=1',
    ],
    ['https://h/a?b=1&signature=§hex', 'https://h/a?b=1&signature=[redacted: signature in a url]'],
    [
      'otpauth://hotp/a?issuer=b&secret=ABCDEFGH',
      'otpauth://hotp/a?issuer=b&secret=[redacted: one-time-password seed]',
    ],
    ['token-data: §b64', 'token-data: [redacted: kubernetes credential]'],
    ['".dockerconfigjson": "§b64"', '".dockerconfigjson": "[redacted: kubernetes credential]"'],
    ['//r/:_password="§b64"', '//r/:_password="[redacted: registry credential]"'],
    ['_auth = §b64', '_auth = [redacted: registry credential]'],
    ['{"auth": "§b64="}', '{"auth": "[redacted: registry credential]"}'],
    ['PresharedKey = §b64=', 'PresharedKey = [redacted: wireguard key]'],
  ])('%s', (text, redacted) => {
    expect(redact(fill(text))).toBe(redacted);
  });

  test.each<[what: string, text: string]>([
    [
      'a placeholder in an address',
      'postgres://user:$PASSWORD@h ftp://u:<password>@h x://u:****@h',
    ],
    ['a name in an address', 'https://some-name-of-twenty-letters@h/d'],
    ['a placeholder of a driver', 'root:$PW@tcp(db)/app'],
    ['an authorization that is read', 'authorization: req.headers.authorization'],
    ['an authorization of short words', 'Authorization: required'],
    ['an authorization by a variable', 'Authorization: Bearer $TOKEN'],
    ['words about bearers', 'the bearer authentication-scheme is used'],
    ['a cookie by a variable', 'Cookie: sid=$SID'],
    ['a cookie flag of another program', 'foo -b sid=abcd1234'],
    ['a user of numbers', 'run -u 1000:1000 x'],
    ['a user of a container', 'docker run -u app:staff1 x; podman exec -u app:staff1 c'],
    ['an address behind -a', 'foo -a http://h -u http://h'],
    ['-a that is no user', 'foo -a key:val1'],
    ['-p of another program', 'mkdir -pabc1 && ssh -p2222 h'],
    ['-p of a later program', 'mysql -u root; tar -pxvf1 a'],
    ['a port behind -p', 'redis-cli -h x -p 6379; sshpass -p $PW ssh h'],
    ['-p in front of another command', 'docker ps -p abc123 h'],
    ['a line of numbers', '1:2:3:4:5 a:99:b:c'],
    ['a placeholder of a .pgpass', 'db:5432:app:me:$PW'],
    ['a registry by a variable', '//r/:_authToken=$'.concat('{NPM_TOKEN}')],
    ['a short signature', 'https://h/a?sig=abc'],
    ['a short key', 'PrivateKey = abc AccountKey=abc'],
  ])('leaves %s', (_, text) => {
    expect(redact(text)).toBe(text);
  });

  test('a password in .netrc may be any word but a marker', () => {
    const marked = 'machine h login a password [redacted: password]';
    expect(redact(marked)).toBe(marked);
  });

  test('the command stands at most 400 characters before', () => {
    const far = (length: number) => redact(fill(`sshpass ${'a'.repeat(length)} -p § h`));
    expect(far(391)).toContain('[redacted: password]');
    expect(far(392)).not.toContain('[redacted');
  });
});

describe('values that their names make secret', () => {
  test.each<[text: string, redacted: string]>([
    ['AWS_SECRET_ACCESS_KEY=§b64', 'AWS_SECRET_ACCESS_KEY=[redacted: aws secret key]'],
    ['secretAccessKey: "§b64"', 'secretAccessKey: "[redacted: aws secret key]"'],
    ['sessionToken: "§b64"', 'sessionToken: "[redacted: aws session token]"'],
    ['aws_session_token = §b64', 'aws_session_token = [redacted: aws session token]'],
    ['passphrase: "§word"', 'passphrase: "[redacted: password]"'],
    ['passwd := §', 'passwd := [redacted: password]'],
    ['DB_PW=§', 'DB_PW=[redacted: password]'],
    ['app --pass § x', 'app --pass [redacted: password] x'],
    ['PIN_PASSWORD=1234', 'PIN_PASSWORD=[redacted: password]'],
    ['pwd: abc1', 'pwd: [redacted: password]'],
    // said right before it, which is more than its form says
    ['api key is §hex', 'api key is [redacted: api key]'],
    ['api key was "§hex"', 'api key was "[redacted: api key]"'],
    ['apikey="§hex"', 'apikey="§hex"'],
    ['apikey="a§hex"', 'apikey="[redacted: api key]"'],
    ['APP_KEY=§hex', 'APP_KEY=[redacted: api key]'],
    ['signing_key: "a1b2c3d4"', 'signing_key: "[redacted: secret key]"'],
    ['GH_PAT=§word', 'GH_PAT=[redacted: token]'],
    ['credential: "a1b2c3"', 'credential: "[redacted: secret]"'],
    ['app --auth § x', 'app --auth [redacted: secret] x'],
    ['the password is §', 'the password is [redacted: password]'],
    ['  password: letters', '  password: [redacted: password]'],
    ['- password: letters', '- password: [redacted: password]'],
    ['SECRET="several words with blanks"', 'SECRET="[redacted: secret]"'],
    ['"token": "abcdefghijklmnop"', '"token": "[redacted: token]"'],
    ['password="0123456789abcdef0123456789abcdef"', 'password="[redacted: password]"'],
  ])('%s', (text, redacted) => {
    expect(redact(fill(text))).toBe(fill(redacted));
  });

  test.each<[what: string, text: string]>([
    ['words behind a flag', 'the --token flag is used, --password to log in'],
    ['a flag behind a flag', '--token --verbose'],
    ['two characters behind a flag', '--token ab'],
    ['two characters', 'password: a1'],
    ['five characters', 'token: "a1b2c"'],
    ['three digits', 'password: 123'],
    ['digits of a token', 'token: 12345678'],
    ['a digest of a token', 'token: 0123456789abcdef0123456789abcdef'],
    ['a short word in quotes', '"token": "abcdefghijklmno"'],
    ['words in quotes', '"secret": "several words 12"'],
    ['words that are not quoted', 'the password is letters'],
    ['letters of a capital', '  password: Letters'],
    ['five letters', '  password: lette'],
    ['letters of a token', '  token: letters'],
    ['letters with more behind', '  password: letters and more'],
    ['code', 'const token = abc123; let password = abc123; return token = abc123'],
    ['a call', 'token = read1()'],
    ['a member', 'token = a.b1'],
    ['an index', 'token = abc1[0]'],
    ['a pointer', 'token = &abc1 token: *abc1'],
    ['a path of code', 'token: a1::b'],
    ['a generic', 'token: Opt1on<T>'],
    ['a version', 'token: ^1.2.3 token: >=1.2.3-a'],
    ['a file', 'token: abc123.json token: ./a1/b token: ~/a1'],
    ['an address', 'token: https://h/a1'],
  ])('leaves %s', (_, text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('redactJson: fields by their names', () => {
  const NAME = 'password';

  test.each([
    [128, true],
    [129, false],
  ])('a name of %d characters', (length, isRead) => {
    const name = NAME.padStart(length, 'x_');
    const value = { [name]: 'swordfish' };
    expect(redactJson(value)).toEqual(isRead ? { [name]: '[redacted: password]' } : value);
  });

  test.each([
    [4_096, true],
    [4_097, false],
  ])('a value of %d characters', (length, isRead) => {
    const value = { password: 'ab'.repeat(length).slice(0, length) };
    expect(redactJson(value)).toEqual(isRead ? { password: '[redacted: password]' } : value);
  });

  test.each([
    [128, 8_192, true],
    [129, 8_192, false],
    [128, 8_193, false],
  ])('a name of %d characters beside a value of %d', (nameLength, length, isRead) => {
    const name = NAME.padStart(nameLength, 'x_');
    const value = { name, value: 'a1'.repeat(length).slice(0, length) };
    expect(redactJson(value)).toEqual(isRead ? { name, value: '[redacted: password]' } : value);
  });

  test.each([
    [62, true],
    [63, false],
  ])('a name and a value beside %i other fields', (others, isRead) => {
    const fields = Object.fromEntries(Array.from({ length: others }, (_, at) => [`a${at}`, at]));
    const value = { name: NAME, value: 'swordfish', ...fields };
    expect(redactJson(value)).toEqual(isRead ? { ...value, value: '[redacted: password]' } : value);
  });

  test('other objects, and what `skip` names, stay as they are', () => {
    class Box {
      password = 'swordfish';
    }
    const signed = { type: 'thinking', password: 'swordfish' };
    const bare = Object.assign(Object.create(null), { password: 'swordfish' });
    const value = { box: new Box(), signed, list: [signed], bare, at: new Date(0) };
    const skip = (inner: object) => inner === signed;
    const redacted = redactJson(value, { skip });
    expect(redacted).toEqual({ ...value, bare: { password: '[redacted: password]' } });
    expect([redacted.box, redacted.signed, redacted.list]).toEqual([value.box, signed, value.list]);
    expect(redacted.list).toBe(value.list);
    expect(redactJson(signed, { skip })).toBe(signed);
    expect(redactJson(signed, { skip: () => false })).not.toBe(signed);
  });

  test('one object in two places is no circle', () => {
    const twice = { password: 'swordfish' };
    expect(redactJson([twice, { twice }])).toEqual([
      { password: '[redacted: password]' },
      { twice: { password: '[redacted: password]' } },
    ]);
  });

  test('a text, and the item of a list under a name', () => {
    expect(redactJson('password: hunt3r-x')).toBe('password: [redacted: password]');
    expect(redactJson({ token: [['a1b2c3d4e5f6']] })).toEqual({ token: [['a1b2c3d4e5f6']] });
  });
});

test('what is a marker alone is no secret, and what is glued to one is', () => {
  const text = 'PASSWORD=[redacted: token]';
  expect(redact(text)).toBe(text);
  expect(redact('PASSWORD=abc1[redacted: token]')).toBe('PASSWORD=[redacted: password]');
});

test('values that are neither text nor number stay, whatever their field is called', () => {
  const value = { password: 12345n, token: true, secret: new Date(0), apiKey: null };
  expect(redactJson(value)).toBe(value);
});

test('a text of seven characters is too short to hold a secret, one of eight is not', () => {
  expect([redact('pwd=a1b'), redact('pwd=a1b2')]).toEqual(['pwd=a1b', 'pwd=[redacted: password]']);
});
