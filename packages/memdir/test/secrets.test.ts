import { describe, expect, test } from 'vitest';
import { withoutSecrets } from '../src/secrets.ts';
import { newMemory, testMemory } from './support.ts';

const SECRET = ['hunter2', 'Zeta9'].join('-');

describe('208 a secret with something around it', () => {
  test.each([
    `db password ${SECRET}`,
    `| password | ${SECRET} |`,
    `| db | password |\n|---|---|\n| prod | ${SECRET} |`,
    `password \`${SECRET}\``,
    `**Password:** ${SECRET}`,
    `Password:\n\n- ${SECRET}`,
    `pass\u200Bword: ${SECRET}`,
    `ｐａｓｓｗｏｒｄ：${SECRET}`,
  ])('is kept out of every file: %j', async (body) => {
    const { memory, everything } = testMemory();
    expect((await memory.save(newMemory('Access', body))).kind).toBe('saved');
    expect(await everything()).not.toContain(SECRET);
  });

  test('a key of another program keeps none, and an index that is rebuilt tells none', async () => {
    const header = `---\nname: A\ndescription: db password ${SECRET}\ntype: project\ndb_password: ${SECRET}\n---\n\nText.\n`;
    const { memory, textOf } = testMemory({ 'a.md': header });
    await memory.rebuild();
    expect(await textOf('MEMORY.md')).not.toContain(SECRET);
    const basis = (await memory.read('a.md'))?.hash;
    await memory.save(newMemory('A', 'New.', { path: 'a.md', basis }));
    expect(await textOf('a.md')).not.toContain(SECRET);
  });
});

const MADE = ['s3cr3t', 'Zeta'].join('');
const SPOKEN = ['hunter', '2'].join('');

describe('208 a secret that is only said', () => {
  test.each([
    [`password ${SPOKEN}`, SPOKEN],
    [`The password ${SPOKEN} is for staging.`.replace(' is', ''), SPOKEN],
    [`- **password** ${SPOKEN}`, SPOKEN],
    [`Log in with the password \`${SPOKEN}\`.`, SPOKEN],
    [`root pass ${MADE}`, MADE],
    [`the db pass ${SPOKEN}, on staging`, SPOKEN],
    ['credentials admin X9f2kQ7bLm', 'X9f2kQ7bLm'],
    ['creds: admin / X9f2kQ7bLm', 'X9f2kQ7bLm'],
    ['login deploy X9f2kQ7bLm on the old host', 'X9f2kQ7bLm'],
    [`password for staging ${SPOKEN}`, SPOKEN],
    [`password of the vault: ${MADE}`, MADE],
    [`Das Passwort lautet ${SPOKEN}.`, SPOKEN],
    ['wifi password P@ssw0rd-Brno', 'P@ssw0rd'],
    ['passphrase tr0ub4dor&3 for the key', 'tr0ub4dor'],
    ['password admin2024!', 'admin2024'],
  ])('%j', (text, secret) => {
    const masked = withoutSecrets(text);
    expect(masked).not.toContain(secret);
    expect(masked).toContain('[redacted: ');
    expect(withoutSecrets(masked)).toBe(masked);
  });

  test.each([
    'The password must be long.',
    'The forgot password page is slow.',
    'A password reset works.',
    'The password has 12 characters at least.',
    'Passwords are hashed with argon2id.',
    'Hash the password with SHA256.',
    'The password bcrypt12 hash is stored.',
    'Check the password against OAuth2.',
    'A password step2 form comes next.',
    'The password policy v2 holds since May 2026.',
    'Password login is off in release 4.2.1.',
    'The password field2 is hidden.',
    'All 312 tests pass on Node 22.18.',
    'Tests pass with python3 and node22.',
    'Pass arg1 and arg2 to the function.',
    'The first pass takes 20s, the second pass 35s.',
    'The users pass x86_64 builds on.',
    'The login page1 has a password box.',
    'The login flow of web3 wallets is new.',
    'The login commit 4f3a2b1 was taken back.',
    'Credentials rotate every 90 days.',
    'Credentials come from the provider OAuth2Client.',
    'The credentials helper is osxkeychain.',
    'Credentials live in ~/.aws/credentials.',
    'The staging password is in the vault.',
    'The password for staging lives in 1Password.',
    'Ask Mara for the root password.',
    'The database pass is done by hand.',
    'The password column is varchar255.',
    'password: varchar255',
    '| password | varchar255 |',
    '| column | type |\n|---|---|\n| password | varchar255 |',
    '| password | argon2id |',
    '| login | password |\n|---|---|\n| form1 | text |',
    'secrets-last is Layer-1 only.',
    'Password rules follow NIST 800-63B.',
    'Das Passwort muss 12 Zeichen haben.',
    'The password manager is Bitwarden 2026.',
    'Set PASSWORD_MIN_LENGTH to 12.',
    'The admin pass-through proxy2 is off.',
    'Never log a password, a token or a key.',
    'login as user2 on the test host',
    'The wifi password hangs on the wall of room B12.',
    'PIN and password in step 3b of the flow.',
  ])('an ordinary text stays whole: %j', (text) => {
    expect(withoutSecrets(text)).toBe(text);
  });
});
