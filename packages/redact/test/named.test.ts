import { expect, test } from 'vitest';
import { redact } from '../src/index.ts';

const MARKER = /\[redacted: [a-z ]+\]/g;

// Siblings looked for: each least length and the one below it, each sign, and each word of a name that tells less than others.
test.each([
  // a line of YAML or of a properties file
  ['password: ‹abcdef›', 'password: abcde'],
  ['- password: ‹abcdef›', 'my password: abcdef'],
  ['db.password: ‹abcdef›\r\n', 'password: abcdef # is asked for'],
  ['password: ‹Abcdef1›', 'password: Abcdef'],
  ['password: ‹1234›', 'password: 123'],
  ['password: ‹abc-def1›', 'password: abc.def'],
  // a sign of assignment
  ['token=‹abc123›', 'token=abc12'],
  ['TOKEN=‹abcdef›', 'TOKEN=abcde'],
  ['PASSWORD=‹abc›', 'PASSWORD=ab'],
  ['pass=‹abc12x›', 'pass=abc1x'],
  ['A_KEY=‹abcdefg1›', 'A_KEY=abcdef1'],
  ['DB_KEY: ‹abcdefg1›', 'a_KEY=abcdefg1'],
  ['PWD=‹ab12345›', 'PWD=/a/b12345'],
  ['gitlab_pat=‹abc1234›', 'gitlab_pat=abc123*'],
  ['password = ‹abc123›', 'const password = abc123'],
  ['user=a&password=‹abcdef›&c=d', 'x secret=abcdef'],
  ['x?token=‹abcdef›&c=d', 'token: abcdef'],
  ['-e TOKEN_a=‹abcdef›', '-q token_a=abcdef'],
  ['run API_KEY=‹abcdef,ghijkl›,B=c', 'run api_limit=abcdef,ghijkl,B=c'],
  ['export API_KEY=‹abcdef,ghi;jkl›\n', 'export API_KEY=abcde\n'],
  // in quotes
  ['secret: "‹abcdefghijklmnop›"', 'secret: "abcdefghijklmno"'],
  ['secret: "‹abcdef1›"', 'secret: "abcd1"'],
  ['password: "‹abc›"', 'password: "ab"'],
  ['password: "‹abc›"', 'password: "Abc"'],
  ['--password "‹a b c›"', 'password = "a b c"'],
  ['password: "‹processes.env.A›"', 'password: "process.env.A"'],
  ['password: "‹secretive.A›"', 'password: "secrets.A"'],
  // arguments
  ['--password ‹abc›', '--password ab'],
  ['--password ‹abc›', '--password -abc'],
  ['--token ‹within›', '--token with.'],
  ["['--password', '‹abc›']", "['--password', 'ab']"],
  // a reference or a word beside what looks made
  ['pass: ‹cart-a1B2c3D4›', 'pass: cart-state-v2'],
  ['PASSWORD=‹$' + '{USER}-word-a1B2c3D4›', 'PASSWORD=$' + '{USER}-word'],
  [
    "create user a; select 1; alter user b password '‹a-word›'",
    "select 1; create user a; show password 'a-word'",
  ],
  // in words
  ['openai key ‹abcdefghijklmno1›', 'openai key abcdefghijklmn1'],
  ['openai key "‹abcdefg1›"', 'openai key "abcdef1"'],
  ['token is ‹abc12x›', 'token is abcdefg'],
  ['my token: ‹0123456789abcdef0123456789abcdef›', 'token: 0123456789abcdef0123456789abcdef'],
  ['password: "‹0123456789abcdef0123456789abcdef›"', 'token: "0123456789abcdef0123456789abcdef"'],
  // what reads like a name, a place or code
  ['refresh_token: ‹abcdef2›', 'token: refresh2'],
  ['token: ‹abcdefghijklmn123›', 'token: abcdefghijklmn12'],
  ['token: ‹kubernetes.io/a1b2c3d4e5›', 'token: kubernetes.io/secret1'],
  ['token: ‹taken12x›', 'token: token12x'],
  ['password: ‹Abcdef1›', 'f(password: Abcdef1'],
  ['password: ‹v1x2x3›', 'password: v1.2.3'],
  ['password: ‹ajson1›', 'password: a.json'],
  // what a call defines, and blocks of YAML
  ["define('DB_PASSWORD', '‹hunt3r-x›')", "define('DB_PASSWORD_NEW', 'hunt3r-x')"],
  ["define('DB_PASSWORD', '‹two-words1›')", "define('DB_PASSWORD', 'two words1')"],
  ['password: |\n  ‹two-words1›', '  password: |\n two-words1'],
  ['password: |\n  ‹hunt3r\n  x1y2›\n', 'password: |\n  two words\n  more1 words\n'],
  // a quotation
  ["mysql -p'‹abc1›' a", "mysql -p'abc1 a"],
  ["mysql -p'‹a›' a", "mysql -p'' a"],
  ['password="‹abc-def1›"', 'password="abc\ndef1"'],
  ["PASSWORD='‹!@#%^&-+›'", "PASSWORD='********'"],
  // what follows a flag or a name of its own
  ['DB_KEY=‹abcdefg1›', 'DB_KEY = abcdefg1'],
  ['sshpass -p ‹v1x2y3›', 'sshpass -p --v1x2y3'],
  ['curl -u a:‹1234567›', 'curl -u a:123456'],
  ['http -a a:‹b1c2d3›', 'http -a a://b1c2d3'],
  ['vault kv put secret/x data=‹file1.json›', 'vault kv put secret/x data=@file1.json'],
  [
    'bundle config set mirror.x a:‹gems1.example›',
    'bundle config set mirror.x http://gems1.example',
  ],
  [
    'dotnet user-secrets set Db:Conn ‹a1B2c3D4e5›',
    'dotnet user-secrets set Db:Conn words-and-more',
  ],
  // in words
  ['pass is ‹hunt3r-x›', 'the password is a-word'],
  ['the password is "‹two-words1›"', 'the password is "two words1"'],
  ['token ‹hunt3r-x$›', 'token hunt3r-x'],
  ['token ‹k1v2w3x4$›', 'token k1=v2w3x4$'],
  ['log in with password ‹hunt3r-x›', 'log in, password hunt3r-x'],
  ['password for the wifi: ‹hunt3r-x›', 'password for the wifi: hunting'],
  ['heslo: ‹hunt3r-x›', 'heslo: [x]hunt3r-x'],
  ['şifrem: ‹hunt3r-x›', 'şifrem hunt3r-x'],
  ['lösenord = ‹pass1word›', 'lösenord = password'],
  ['login admin / ‹hunt3r-x›', 'login admin / config.hunt3r'],
])('%j is redacted, %j is left', (found, left) => {
  expect(redact(left)).toBe(left);
  const redacted = redact(found.replaceAll(/[‹›]/g, ''));
  expect(redacted.replace(MARKER, '‹›')).toBe(found.replace(/‹[^›]*›/, '‹›'));
});
