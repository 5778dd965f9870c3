import { describe, expect, test } from 'vitest';
import { redact, redactJson } from '../src/index.ts';

/** Put together when the test runs, so that no file holds what a scanner would take for a secret. */
const HEX = '0a1b2c3d4e5f'.repeat(4).slice(0, 32);
const fill = (text: string): string =>
  text
    .replaceAll('§hex', HEX)
    .replaceAll('§word', ['swo', 'rdf', 'ish'].join(''))
    .replaceAll('§', 'hunt3r-x');

// siblings looked for: fields in both orders and with others between, in JSON, YAML, TOML, XML, lists of arguments and inside of
// JSON text; block scalars of several lines; CDATA; flags glued together; statements of several dialects; twice-encoded text
describe('L325: a secret whose name stands apart from it', () => {
  test.each<[text: string, redacted: string]>([
    ['{"name":"API_KEY","value":"§"}', '{"name":"API_KEY","value":"[redacted: api key]"}'],
    ['{"name":"API_KEY","value":"§hex"}', '{"name":"API_KEY","value":"[redacted: api key]"}'],
    ['{"key":"password","value":"§word"}', '{"key":"password","value":"[redacted: password]"}'],
    ['{"name":"PASSWORD","value":123456}', '{"name":"PASSWORD","value":"[redacted: password]"}'],
    [
      '{"Key": "DB_PASSWORD",\n  "Type": "text",\n  "Value": "§word"}',
      '{"Key": "DB_PASSWORD",\n  "Type": "text",\n  "Value": "[redacted: password]"}',
    ],
    ['{"value":"§","name":"TOKEN"}', '{"value":"[redacted: token]","name":"TOKEN"}'],
    [
      '{"name":"Authorization","value":"Negotiate ab"}',
      '{"name":"Authorization","value":"[redacted: authorization header]"}',
    ],
    ['{"name":"Cookie","value":"a=§"}', '{"name":"Cookie","value":"[redacted: cookie]"}'],
    ['- name: API_KEY\n  value: §', '- name: API_KEY\n  value: [redacted: api key]'],
    ['- name: API_KEY\n  value: "§"\n', '- name: API_KEY\n  value: "[redacted: api key]"\n'],
    ['- value: §\n  name: API_KEY', '- value: [redacted: api key]\n  name: API_KEY'],
    ['name = "DB_PASSWORD"\nvalue = "§"', 'name = "DB_PASSWORD"\nvalue = "[redacted: password]"'],
    ['<add key="DbPassword" value="§"/>', '<add key="DbPassword" value="[redacted: password]"/>'],
    ['["--password", "§word"]', '["--password", "[redacted: password]"]'],
    ['password: |\n  §word\nnext: 1', 'password: |\n  [redacted: password]\nnext: 1'],
    ['a:\n  token: >-\n    §\n  b: 1', 'a:\n  token: >-\n    [redacted: token]\n  b: 1'],
    ['secret: |2\n    abc1\n    def2\nb: 1', 'secret: |2\n    [redacted: secret]\nb: 1'],
    ['- password: |\r\n    §\r\n', '- password: |\r\n    [redacted: password]\r\n'],
    ['<password>§word</password>', '<password>[redacted: password]</password>'],
    ['<m:ApiKey a="b"> § </m:ApiKey>', '<m:ApiKey a="b"> [redacted: api key] </m:ApiKey>'],
    ['<password><![CDATA[§]]></password>', '<password><![CDATA[[redacted: password]]]></password>'],
    ['<string name="api_key">§</string>', '<string name="api_key">[redacted: api key]</string>'],
    ['<db user="a" password="§word"/>', '<db user="a" password="[redacted: password]"/>'],
  ])('%s', (given, redacted) => {
    const text = fill(given);
    expect(redact(text)).toBe(redacted);
    expect(redact(redacted)).toBe(redacted);
    for (const secret of ['hunt3r-x', fill('§word'), HEX, 'Negotiate ab', 'abc1', '123456'])
      expect(redact(JSON.stringify({ text }))).not.toContain(secret);
    expect(JSON.parse(redact(JSON.stringify({ text })))).toBeTypeOf('object');
  });

  test.each<[text: string, redacted: string]>([
    ["mysql -p'§' a", "mysql -p'[redacted: password]' a"],
    ['mysqldump -p"two words" a', 'mysqldump -p"[redacted: password]" a'],
    ['curl -su user:pass h', 'curl -su user:[redacted: user and password] h'],
    ["curl -sSu 'a:b c' h", "curl -sSu 'a:[redacted: user and password]' h"],
    ['openssl rsa -passin pass:§ -in a', 'openssl rsa -passin pass:[redacted: password] -in a'],
    ['mongosh h -u a -p § b', 'mongosh h -u a -p [redacted: password] b'],
    ["CREATE USER a IDENTIFIED BY '§'", "CREATE USER a IDENTIFIED BY '[redacted: password]'"],
    [
      "create user a identified with sha256_password by '§word'",
      "create user a identified with sha256_password by '[redacted: password]'",
    ],
    ['ALTER USER a IDENTIFIED BY §;', 'ALTER USER a IDENTIFIED BY [redacted: password];'],
    ["CREATE ROLE a LOGIN PASSWORD '§word'", "CREATE ROLE a LOGIN PASSWORD '[redacted: password]'"],
    ["alter role a\n with password '§'", "alter role a\n with password '[redacted: password]'"],
    [
      "SET PASSWORD FOR a = PASSWORD('§word')",
      "SET PASSWORD FOR a = PASSWORD('[redacted: password]')",
    ],
    ['password%3D§word%26b%3D1', 'password%3D[redacted: password]%26b%3D1'],
    ['x%253Dy%2526api_key%253D§%2526b', 'x%253Dy%2526api_key%253D[redacted: api key]%2526b'],
    ['%22token%22%3A%22§%22', '%22token%22%3A%22[redacted: token]%22'],
    ['https://h/a?token=§word#b', 'https://h/a?token=[redacted: token]#b'],
    ['https://h/a?b=1&api_key=§hex&c', 'https://h/a?b=1&api_key=[redacted: api key]&c'],
    ['https://h/a?key=abcd1234efgh5678', 'https://h/a?key=[redacted: api key]'],
    ['-d password=§word&user=a', '-d password=[redacted: password]&user=a'],
    ['OPENAI_KEY=§', 'OPENAI_KEY=[redacted: api key]'],
    ['MY_SERVICE_KEY=§hex', 'MY_SERVICE_KEY=[redacted: secret key]'],
    ['openai_key: "§"', 'openai_key: "[redacted: api key]"'],
    [
      'Authorization: Digest username="a", realm="b c", response="§hex"',
      'Authorization: Digest [redacted: authorization header]',
    ],
    [
      '{"Authorization":"Digest username=\\"a\\", response=\\"§hex\\""}',
      '{"Authorization":"Digest [redacted: authorization header]"}',
    ],
    ['https://u:p@ss@h/x', 'https://u:[redacted: password in a url]@h/x'],
    ['postgres://u:p@s@s@h/x', 'postgres://u:[redacted: database password]@h/x'],
    [
      'https://u:abc1@h,https://v:def2@h',
      'https://u:[redacted: password in a url]@h,https://v:[redacted: password in a url]@h',
    ],
    ['DB_PASSWORD=abc,def', 'DB_PASSWORD=[redacted: password]'],
    ['export DB_PASSWORD=a1b;c|d\nx', 'export DB_PASSWORD=[redacted: password]\nx'],
    ['run -e DB_PASSWORD=a1,b2,c d', 'run -e DB_PASSWORD=[redacted: password] d'],
    [
      'deploy --env A_PASSWORD=abc,B_TOKEN=§',
      'deploy --env A_PASSWORD=[redacted: password],B_TOKEN=[redacted: token]',
    ],
    ['DB_PASSWORD=abc1; run', 'DB_PASSWORD=[redacted: password]; run'],
    ['my api key is §hex', 'my api key is [redacted: api key]'],
    ['My API key is: §hex', 'My API key is: [redacted: api key]'],
    ['my key: our token: §hex', 'my key: our token: [redacted: token]'],
    ['Incorrect API key provided: §', 'Incorrect API key provided: [redacted: api key]'],
    ['Invalid API key: §hex', 'Invalid API key: [redacted: api key]'],
    ["The API key '§' is not valid", "The API key '[redacted: api key]' is not valid"],
  ])('%s', (given, redacted) => {
    expect(redact(fill(given))).toBe(redacted);
    expect(redact(redacted)).toBe(redacted);
  });

  test.each<[text: string]>([
    ['{"name":"password","value":"$PASSWORD"}'],
    ['{"name":"token_count","value":"12345678a"}'],
    ['{"key":"title","value":"hunt3r-x"}'],
    ['{"username":"password","value":"a"}'],
    ['- name: CACHE_KEY\n  value: hunt3r-x'],
    ['tokens: |\n  a1b2c3d4\n'],
    ['token: |\n  the token of a user\n  is secret1\n'],
    ['password: |\nabcdef1\n'],
    ['<label for="password">hunt3r-x</label>'],
    ['/a?limit=20&access_token=redacted&b'],
    ['<password/>hunt3r-x</p>'],
    ['<Password>{value1}</Password>'],
    ['entries are identified by `name1` and by strategy1'],
    ['it is identified by users1'],
    ['the password "hunt3r" was wrong'],
    ['mysql -p; echo "a1"'],
    ['https://h/a?page_token=abcdef12&sort_key=abcdef12'],
    ['https://h/a?key=some-words-of-a-name'],
    ['PRIMARY_KEY=a1b2c3d4e5 REDIS_CACHE_KEY=a1b2c3d4'],
    ['GAME_STATE_KEY=cart-state-v2'],
    ['SORT_KEY: a1b2c3d4'],
    ['const API_KEY: string'],
    ['commit is 0a1b2c3d4e5f0a1b2c3d4e5f0a1b2c3d4e5f0a1b'],
    ['["--tokens", "a1b2c3"]'],
    ['mail a@b.c and d@e.f, https://h/a@b'],
  ])('leaves %s', (text) => {
    expect(redact(text)).toBe(text);
    expect(redact(JSON.stringify({ text }))).toBe(JSON.stringify({ text }));
  });

  test.each<[value: unknown, redacted: unknown]>([
    [
      { name: 'API_KEY', value: HEX },
      { name: 'API_KEY', value: '[redacted: api key]' },
    ],
    [
      { Key: 'password', Value: 'letmein' },
      { Key: 'password', Value: '[redacted: password]' },
    ],
    [
      { value: 123456, name: 'PASSWORD' },
      { value: '[redacted: password]', name: 'PASSWORD' },
    ],
    [
      { header: 'Authorization', value: 'Bearer a' },
      { header: 'Authorization', value: '[redacted: authorization header]' },
    ],
    [
      { header: 'Authorization', value: 'a1b2c3' },
      { header: 'Authorization', value: '[redacted: authorization header]' },
    ],
    [
      { header: 'Authorization', value: 'a1b2c' },
      { header: 'Authorization', value: 'a1b2c' },
    ],
    [
      ['run', '--password', 'letmein'],
      ['run', '--password', '[redacted: password]'],
    ],
  ])('redactJson: %j', (value, redacted) => {
    expect(redactJson(value)).toEqual(redacted);
    expect(redactJson(redacted)).toBe(redacted);
  });

  test.each([
    [{ name: 'title', value: 'letmein' }],
    [{ name: 'password', other: 'letmein' }],
    [{ name: 5, value: 'letmein' }],
    [{ name: 'password', value: { a: 1 } }],
    [['password', 'letmein']],
    [['--tokens', 'a1b2c3']],
  ])('redactJson leaves %j', (value) => {
    expect(redactJson(value)).toBe(value);
  });
});
