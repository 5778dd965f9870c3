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
  ['password: |\n  ‹hunt3r\n  x1y2›\n', 'password: |\n  two words\n  more1\n'],
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
  // the least length
  ['vault kv put secret/a value=‹ab1›', 'vault kv put secret/a value=ab'],
  ['echo ‹ab1› | sudo -S ls', 'echo ab | sudo -S ls'],
  ['sudo -S ls <<< ‹ab1›', 'sudo -S ls <<< ab'],
  ['setx DB_PASSWORD ‹ab1›', 'setx DB_PASSWORD ab'],
  ['npm config set //r/:_auth ‹ab1›', 'npm config set //r/:_auth ab'],
  ['net user bob ‹ab1›', 'net user bob b1'],
  ['db:5432:app:me:‹ab1›', 'db:5432:app:me:b1'],
  // a value, and the command that takes it
  ['xfreerdp /p:‹abc1› /v:h', 'xfreerdp /p:$PW1 /v:h; x'],
  ['cmdkey /p:‹abc1›', 'foo /p:abc1'],
  ['smbclient -U u%‹abc1› //h/s', 'smbclient -U u%$PW1 //h/s'],
  ['net rpc join -U u%‹abc1›', 'foo -U u%abc1; net x'],
  ['echo root:‹abc1› | chpasswd', 'echo root:$PW1 | chpasswd'],
  ['chpasswd <<< root:‹abc1›', 'echo root:abc1; chpasswd < file'],
  ['curl -b ‹sid=abcd1234›', 'foo -b sid=abcd1234; curl h'],
  ['curl -b "‹sid=abcd1234›" x', 'curl -b sid=$SID x'],
  ['curl -u a:‹hunt3r-x› h', 'foo -u a:hunt3r-x; curl h'],
  // two texts in a call
  ["auth=('u', '‹swordfish›')", "auth=('u', '$PASSWORD')"],
  ["auth=HTTPBasicAuth('u', '‹swordfish›')", "login('user', 'swordfish')"],
  ["auth: Digest('u', '‹swordfish›')", "auth: Digest('u', 'two words')"],
  ["login('u', '‹hunt3r-x›')", "login('u', 'hunt3r-x', 'more')"],
  // a reference, and what only begins like one
  ['token: ‹a1b2c3d4e5› x', 'token: a1b2c3d4e5(x)'],
  ['token: ‹a1b2c3d4-e5›', 'token: a1b2c3d4[0]'],
  ['token: ‹a1b2c3d4:e5›', 'token: a1b2c3d4::e5'],
  ['token: ‹a1*b2c3d4e5›', 'token: *a1b2c3d4e5'],
  ['refresh_token: "‹config.abc2›"', 'refresh_token: config.abc2'],
  // a form, and code that joins
  ['token=‹abcdef›&c=d', 'token="abcdef"&c=d'],
  ['x token=‹abcdef›&c', '"token"=abcdef&c=d'],
  ['x?token=‹abc[12]›', 'token=abc[12]'],
  ['https://h/a?client_assertion=‹abcdefgh›', 'https://h/a?client_assertion=abcdefg'],
  ['DB_KEY=‹abcdefg1›', 'DB_key=abcdefg1'],
  // blocks of YAML
  ['password: |\n  ‹two words1›', '  password: |\n  two-words1'],
  // variables, wherever in a text and however long
  [`${'# '.repeat(60)}\nexport DB_PASSWORD=‹a1b;c|d›\n`, 'export DB_PASSWORD='],
  ['export DB_PASSWORD=‹a1b2,c3› d', 'export DB_PASSWORD=a1, d'],
  [`${'x '.repeat(2_600)}run API_KEY=‹abcdef,ghijkl›,B=c`, 'run API_LIMIT=abcdef,ghijkl'],
  [`export ${'A'.repeat(95)}_PASSWORD=‹a1;b2›`, `export ${'A'.repeat(96)}_PASSWORD=a1;b2`],
  // in words
  ['token ‹abc1def2ghi›', 'token abcd1efgh2'],
  ['token ‹abcdefg1hijklm2n›', 'token abcdefg1hijklmn2o'],
  ['login bob / ‹hunt3r-x›', 'login bob / refresh2'],
  ['login admin / ‹refresh2›', 'login bob / words-and-more2'],
  ['log in with password ‹abc12x›', 'log in with password abc1x'],
  ['my pin is ‹1234›', 'my pin is 123'],
  ['the password is ‹a1b2:C3d4e5›', 'the password is a-word:more'],
  ['use the password "‹abcd›" now', 'use the password "abc" now'],
  ['Mein API-Schlüssel ist ‹hunt3r-x›', 'Mein API-Schlüssel ist wordword'],
  ['Mein API-Schlüssel ist ‹a1b2c3d4›', 'Mein API-Schlüssel ist config.a1b2c3d4'],
  ['пароль: "‹abc1›"', 'пароль: "ab1"'],
  ['das Passwort ist "‹swordfish›"', 'Passwort: "swordfish"'],
  ['das Passwort ist "‹abcd›"', 'das Passwort ist "größe"'],
  ['mdp: ‹abc1›', 'mdp: ab1'],
  ['mdp: ‹abcdef›', 'mdp: abcde'],
  ['- mdp: ‹swordfish›', 'mdp: swordfish x'],
  ['el token es ‹abc12x›', 'el token es abc1x'],
  ['token ‹a1b2c3d4$›', 'token ab1$c'],
  ['token ‹a1b2c3d4f5$›', 'token 9f86d081884c7d659a2feaa0c55ad015'],
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
