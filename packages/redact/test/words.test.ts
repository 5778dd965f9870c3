import { describe, expect, test } from 'vitest';
import { redact } from '../src/index.ts';

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

// siblings looked for: with and without a verb, behind a colon, a dash, in quotes; words between the name and the value; a user in
// front; other languages and scripts
describe('L325: a secret in the words of a person', () => {
  test.each<[text: string, redacted: string]>([
    ['pass=§', 'pass=[redacted: password]'],
    ['pw=§', 'pw=[redacted: password]'],
    ['use the password § to log in', 'use the password [redacted: password] to log in'],
    ['log in with password §', 'log in with password [redacted: password]'],
    ['the password for the db is §', 'the password for the db is [redacted: password]'],
    [
      'The password for the staging server is: §',
      'The password for the staging server is: [redacted: password]',
    ],
    ['the token for CI is §', 'the token for CI is [redacted: token]'],
    ['our key is §', 'our key is [redacted: api key]'],
    ['my OpenAI key §', 'my OpenAI key [redacted: api key]'],
    ['my OpenAI key is §', 'my OpenAI key is [redacted: api key]'],
    ['here is my Anthropic API key: §', 'here is my Anthropic API key: [redacted: api key]'],
    ['our stripe key: §', 'our stripe key: [redacted: api key]'],
    ['login admin / §', 'login admin / [redacted: user and password]'],
    ['login: admin / §', 'login: admin / [redacted: user and password]'],
    ['log in as admin / §', 'log in as admin / [redacted: user and password]'],
    ['credentials: admin / §', 'credentials: admin / [redacted: user and password]'],
    ['the credentials are admin:§', 'the credentials are admin:[redacted: user and password]'],
    ['username admin, password §', 'username admin, password [redacted: password]'],
    ['user admin pass §', 'user admin pass [redacted: password]'],
    ['my password is §', 'my password is [redacted: password]'],
    ['password = §', 'password = [redacted: password]'],
    ['pw: §', 'pw: [redacted: password]'],
    ['password - §', 'password - [redacted: password]'],
    ['the password is “§”', 'the password is [redacted: password]'],
    ['use the password `§` please', 'use the password `[redacted: password]` please'],
    ['das Passwort ist §', 'das Passwort ist [redacted: password]'],
    [
      'Das Passwort für die Datenbank ist §.',
      'Das Passwort für die Datenbank ist [redacted: password].',
    ],
    ['Passwort: §', 'Passwort: [redacted: password]'],
    ['Kennwort lautet §', 'Kennwort lautet [redacted: password]'],
    ['contraseña: §', 'contraseña: [redacted: password]'],
    ['la contraseña es §', 'la contraseña es [redacted: password]'],
    ['mot de passe : §', 'mot de passe : [redacted: password]'],
    ['le mot de passe est §', 'le mot de passe est [redacted: password]'],
    ['mdp: §', 'mdp: [redacted: password]'],
    ['senha: §', 'senha: [redacted: password]'],
    ['a senha é §', 'a senha é [redacted: password]'],
    ['пароль: §', 'пароль: [redacted: password]'],
    ['пароль от базы §', 'пароль от базы [redacted: password]'],
    ['密码是§', '密码是[redacted: password]'],
    ['密码：§', '密码：[redacted: password]'],
    ['数据库密码为 §', '数据库密码为 [redacted: password]'],
    ['パスワードは§です', 'パスワードは[redacted: password]です'],
    ['パスワード：§', 'パスワード：[redacted: password]'],
    ['비밀번호는 § 입니다', '비밀번호는 [redacted: password] 입니다'],
    ['비밀번호: §', '비밀번호: [redacted: password]'],
    ['wachtwoord: §', 'wachtwoord: [redacted: password]'],
    ['hasło: §', 'hasło: [redacted: password]'],
    ['lösenord: §', 'lösenord: [redacted: password]'],
    ['şifre: §', 'şifre: [redacted: password]'],
    ['clave: §', 'clave: [redacted: password]'],
    ['Mein API-Schlüssel ist §', 'Mein API-Schlüssel ist [redacted: api key]'],
    ['la clé API est §', 'la clé API est [redacted: api key]'],
    ['consul kv get -token=§ a', 'consul kv get -token=[redacted: token] a'],
    ["usermod -p '§' bob", "usermod -p '[redacted: password]' bob"],
    ['my pin is §', 'my pin is [redacted: password]'],
    ['§ is the password', '[redacted: password] is the password'],
    ['use § as the password', 'use [redacted: password] as the password'],
    ['set `§` as the db password', 'set `[redacted: password]` as the db password'],
    ['password for the wifi: §', 'password for the wifi: [redacted: password]'],
    ['my GitHub PAT is §', 'my GitHub PAT is [redacted: secret]'],
    ["le mdp c'est §", "le mdp c'est [redacted: password]"],
    ['wachtwoord is §', 'wachtwoord is [redacted: password]'],
    ['lösenordet är §', 'lösenordet är [redacted: password]'],
    ['şifrem §', 'şifrem [redacted: password]'],
    ['пароль — §', 'пароль — [redacted: password]'],
    ['мой пароль: `§`', 'мой пароль: `[redacted: password]`'],
    ['登录密码：§', '登录密码：[redacted: password]'],
    ['パスワードは「§」です', 'パスワードは「[redacted: password]」です'],
    ['비밀번호는 §입니다', '비밀번호는 [redacted: password]입니다'],
    ['hasło to §', 'hasło to [redacted: password]'],
    ['heslo je §', 'heslo je [redacted: password]'],
    ['el token es §', 'el token es [redacted: token]'],
    ['Schlüssel: §', 'Schlüssel: [redacted: api key]'],
    ['токен: §', 'токен: [redacted: api key]'],
    ['API密钥是§', 'API密钥是[redacted: api key]'],
    ['APIキーは§です', 'APIキーは[redacted: api key]です'],
    ['creds admin:§', 'creds admin:[redacted: user and password]'],
    ['username: admin password: §', 'username: admin password: [redacted: password]'],
    ['Stripe API key §', 'Stripe API key [redacted: api key]'],
    ['API token §', 'API token [redacted: token]'],
    ['access token: §', 'access token: [redacted: token]'],
    ['the password should be §', 'the password should be [redacted: password]'],
    ['change the password to §', 'change the password to [redacted: password]'],
    ['password → §', 'password → [redacted: password]'],
  ])('%s', expectRedacted);

  test.each<[text: string]>([
    ['the password is wrong'],
    ['use the password field to log in'],
    ['the token for the request is invalid'],
    ['the password for the user is required'],
    ['das Passwort ist falsch'],
    ['contraseña: obligatoria aquí'],
    ['mot de passe oublié'],
    ['login page / sign up'],
    ['login src/app1/x'],
    ['the api key field1 of the form'],
    ['my key event handler2'],
    ["t('password', 'Passwort')"],
    ['password reset1 flow'],
    ['token type2 is used'],
    ['The token usage1 of it'],
    ['the password "hunt3r" was wrong'],
    ['the password for the staging server is not known yet'],
    ['use the password manager1 extension'],
    ['Unexpected token "x9" in JSON'],
    ['the token base64Url and the token sha256Hash'],
    ['the key for row 5 is a1b2'],
    ['la contraseña es incorrecta, le mot de passe est oublié, das Passwort ist falsch'],
    ['密码是错误的 パスワードは必須です'],
    ['refresh2 is the token'],
    ['use v2.1.0-beta1 as the key'],
    ['use sha256Hash as the key'],
    ['the pin is loose'],
    ['pin the version to 12345'],
    ['the clave es incorrecta'],
    ['is 12345 the token count'],
    ['the login page / route2 is'],
    ['user a and b2'],
    ['account: default / us-east-1'],
    ['login as user1 and user2'],
    ['login with google / github2'],
    ['credentials: include / same-origin1'],
    ['username and password2 fields'],
  ])('leaves %s', expectLeft);
});
