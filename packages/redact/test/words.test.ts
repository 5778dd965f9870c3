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
    ['SSHPASS=§ sshpass -e ssh h', 'SSHPASS=[redacted: password] sshpass -e ssh h'],
    [
      'aws configure set aws_secret_access_key §',
      'aws configure set aws_secret_access_key [redacted: aws secret key]',
    ],
    [
      'aws configure set aws_secret_access_key § --profile x',
      'aws configure set aws_secret_access_key [redacted: aws secret key] --profile x',
    ],
    [
      'aws configure set profile.dev.aws_session_token §',
      'aws configure set profile.dev.aws_session_token [redacted: aws session token]',
    ],
    [
      'aws configure set default.aws_secret_access_key "§"',
      'aws configure set default.aws_secret_access_key "[redacted: aws secret key]"',
    ],
    [
      'npm config set //registry.npmjs.org/:_authToken §',
      'npm config set //registry.npmjs.org/:_authToken [redacted: registry credential]',
    ],
    [
      'npm config set //registry.npmjs.org/:_authToken=§',
      'npm config set //registry.npmjs.org/:_authToken=[redacted: registry credential]',
    ],
    [
      'npm set //npm.corp.example/:_password "§"',
      'npm set //npm.corp.example/:_password "[redacted: registry credential]"',
    ],
    ['yarn config set npmAuthToken §', 'yarn config set npmAuthToken [redacted: token]'],
    [
      'pnpm config set //r.example/:_auth §',
      'pnpm config set //r.example/:_auth [redacted: registry credential]',
    ],
    ['terraform apply -var db_password=§', 'terraform apply -var db_password=[redacted: password]'],
    [
      "terraform apply -var 'db_password=§' -auto-approve",
      "terraform apply -var 'db_password=[redacted: password]' -auto-approve",
    ],
    ['terraform plan -var="api_token=§"', 'terraform plan -var="api_token=[redacted: token]"'],
    [
      'kubectl create secret generic db --from-literal=db=§',
      'kubectl create secret generic db --from-literal=db=[redacted: secret]',
    ],
    [
      "kubectl create secret generic db --from-literal=username=a --from-literal db='§'",
      "kubectl create secret generic db --from-literal=username=a --from-literal db='[redacted: secret]'",
    ],
    [
      'oc create secret generic db --from-literal="db=§"',
      'oc create secret generic db --from-literal="db=[redacted: secret]"',
    ],
    [
      'kubectl create secret docker-registry r --docker-username=a --docker-password=§',
      'kubectl create secret docker-registry r --docker-username=a --docker-password=[redacted: password]',
    ],
    ['gh secret set X --body §', 'gh secret set X --body [redacted: password]'],
    ['gh secret set X -b"§"', 'gh secret set X -b"[redacted: password]"'],
    ['gh secret set X -b § --repo a/b', 'gh secret set X -b [redacted: password] --repo a/b'],
    ['gh secret set X <<< "§"', 'gh secret set X <<< "[redacted: secret]"'],
    [
      'echo § | docker login -u a --password-stdin r.example',
      'echo [redacted: secret] | docker login -u a --password-stdin r.example',
    ],
    [
      'echo "§" | docker login -u a --password-stdin r.example',
      'echo "[redacted: secret]" | docker login -u a --password-stdin r.example',
    ],
    [
      "echo -n '§' | podman login --password-stdin -u a r",
      "echo -n '[redacted: secret]' | podman login --password-stdin -u a r",
    ],
    [
      "printf '%s' '§' | docker login --password-stdin",
      "printf '%s' '[redacted: secret]' | docker login --password-stdin",
    ],
    [
      'printf § | helm registry login r -u a --password-stdin',
      'printf [redacted: secret] | helm registry login r -u a --password-stdin',
    ],
    [
      'docker login -u a --password-stdin <<< "§"',
      'docker login -u a --password-stdin <<< "[redacted: secret]"',
    ],
    ['echo "root:§" | chpasswd', 'echo "root:[redacted: password]" | chpasswd'],
    ['echo root:§ | sudo chpasswd', 'echo root:[redacted: password] | sudo chpasswd'],
    ["chpasswd <<< 'root:§'", "chpasswd <<< 'root:[redacted: password]'"],
    ['echo § | sudo -S apt update', 'echo [redacted: secret] | sudo -S apt update'],
    ["echo '§' | sudo -S -k ls", "echo '[redacted: secret]' | sudo -S -k ls"],
    ['sudo -S ls <<< §', 'sudo -S ls <<< [redacted: secret]'],
    ['echo § | gh auth login --with-token', 'echo [redacted: secret] | gh auth login --with-token'],
    ['echo § | passwd --stdin root', 'echo [redacted: secret] | passwd --stdin root'],
    ['echo § | wrangler secret put X', 'echo [redacted: secret] | wrangler secret put X'],
    [
      'echo § | openssl enc -aes-256-cbc -pass stdin',
      'echo [redacted: secret] | openssl enc -aes-256-cbc -pass stdin',
    ],
    [
      'echo § | gpg --batch --passphrase-fd 0 -c f',
      'echo [redacted: secret] | gpg --batch --passphrase-fd 0 -c f',
    ],
    ['echo § | vault login -', 'echo [redacted: secret] | vault login -'],
    [
      'az login --service-principal -u x -p § --tenant t',
      'az login --service-principal -u x -p [redacted: password] --tenant t',
    ],
    ["az login -u x -p '§'", "az login -u x -p '[redacted: password]'"],
    ['az login -u x --password §', 'az login -u x --password [redacted: password]'],
    [
      "sqlcmd -S h -U sa -P § -Q 'select 1'",
      "sqlcmd -S h -U sa -P [redacted: password] -Q 'select 1'",
    ],
    ["sqlcmd -S h -U sa -P'§'", "sqlcmd -S h -U sa -P'[redacted: password]'"],
    ['bcp db in f -U sa -P §', 'bcp db in f -U sa -P [redacted: password]'],
    ['openssl rsa -in k -passin pass:§', 'openssl rsa -in k -passin pass:[redacted: password]'],
    [
      'openssl pkcs12 -export -passout "pass:§" -out a',
      'openssl pkcs12 -export -passout "pass:[redacted: password]" -out a',
    ],
    [
      'openssl enc -aes-256-cbc -pass pass:§',
      'openssl enc -aes-256-cbc -pass pass:[redacted: password]',
    ],
    [
      'openssl enc -aes-256-cbc -k § -in a',
      'openssl enc -aes-256-cbc -k [redacted: password] -in a',
    ],
    [
      'openssl enc -d -aes256 -in a -k "§"',
      'openssl enc -d -aes256 -in a -k "[redacted: password]"',
    ],
    ['vault login §', 'vault login [redacted: token]'],
    ['vault login token=§', 'vault login token=[redacted: token]'],
    [
      'vault login -method=userpass username=a password=§',
      'vault login -method=userpass username=a password=[redacted: password]',
    ],
    ['vault operator unseal §', 'vault operator unseal [redacted: token]'],
    ['vault kv put secret/db value=§', 'vault kv put secret/db value=[redacted: secret]'],
    ['setx API_TOKEN §', 'setx API_TOKEN [redacted: token]'],
    ['setx API_TOKEN "§" /M', 'setx API_TOKEN "[redacted: token]" /M'],
    ['set -gx API_TOKEN §', 'set -gx API_TOKEN [redacted: token]'],
    ["set -Ux DB_PASSWORD '§'", "set -Ux DB_PASSWORD '[redacted: password]'"],
    ['setenv API_TOKEN §', 'setenv API_TOKEN [redacted: token]'],
    ['set API_TOKEN=§', 'set API_TOKEN=[redacted: token]'],
    ["$env:API_TOKEN = '§'", "$env:API_TOKEN = '[redacted: token]'"],
    ['$Env:DB_PASS="§"', '$Env:DB_PASS="[redacted: password]"'],
    ['mypass=§', 'mypass=[redacted: password]'],
    ['pass=§', 'pass=[redacted: password]'],
    ['PASS=§', 'PASS=[redacted: password]'],
    ['dbpass="§"', 'dbpass="[redacted: password]"'],
    ['PGPASSWORD=§ psql', 'PGPASSWORD=[redacted: password] psql'],
    ['pw=§', 'pw=[redacted: password]'],
    [
      'twine upload -u __token__ -p § dist/*',
      'twine upload -u __token__ -p [redacted: password] dist/*',
    ],
    [
      'twine upload --username a --password § dist/*',
      'twine upload --username a --password [redacted: password] dist/*',
    ],
    ['cargo login §', 'cargo login [redacted: token]'],
    ['cargo login --registry x §', 'cargo login --registry x [redacted: token]'],
    ['poetry config http-basic.foo me §', 'poetry config http-basic.foo me [redacted: password]'],
    ['poetry config pypi-token.pypi §', 'poetry config pypi-token.pypi [redacted: token]'],
    ['poetry publish -u a -p §', 'poetry publish -u a -p [redacted: password]'],
    [
      'poetry publish --build --username a --password §',
      'poetry publish --build --username a --password [redacted: password]',
    ],
    [
      'composer config http-basic.repo.example me §',
      'composer config http-basic.repo.example me [redacted: password]',
    ],
    [
      'bundle config gems.example.com me:§',
      'bundle config gems.example.com me:[redacted: user and password]',
    ],
    ["smbclient -U 'u%§' //h/s", "smbclient -U 'u%[redacted: user and password]' //h/s"],
    ['smbclient //h/s -U u%§', 'smbclient //h/s -U u%[redacted: user and password]'],
    ['smbclient //h/s -U "DOM\\u%§"', 'smbclient //h/s -U "DOM\\u%[redacted: user and password]"'],
    ["rpcclient -U 'u%§' h", "rpcclient -U 'u%[redacted: user and password]' h"],
    [
      'mount -t cifs //h/s /m -o username=u,password=§',
      'mount -t cifs //h/s /m -o username=u,password=[redacted: password]',
    ],
    ['mongo -u a -p § h', 'mongo -u a -p [redacted: password] h'],
    [
      'mongosh --username a --password § h',
      'mongosh --username a --password [redacted: password] h',
    ],
    ["mongodump -u a -p'§'", "mongodump -u a -p'[redacted: password]'"],
    ['htpasswd -b f me §', 'htpasswd -b f me [redacted: password]'],
    ['htpasswd -cb f me §', 'htpasswd -cb f me [redacted: password]'],
    ['htpasswd -nbB me "§"', 'htpasswd -nbB me "[redacted: password]"'],
    ['htpasswd -bnBC 10 "" §', 'htpasswd -bnBC 10 "" [redacted: password]'],
    ["curl 'https://h/a?key=§'", "curl 'https://h/a?key=[redacted: api key]'"],
    ['https://h/a?key=§&b=1', 'https://h/a?key=[redacted: api key]&b=1'],
    ['GET /v1/a?key=§ HTTP/1.1', 'GET /v1/a?key=[redacted: api key] HTTP/1.1'],
    ['https://maps.example/api?x=1&key=§', 'https://maps.example/api?x=1&key=[redacted: api key]'],
    ["define('DB_PASSWORD','§');", "define('DB_PASSWORD','[redacted: password]');"],
    ['define( \'DB_PASSWORD\', "§" );', 'define( \'DB_PASSWORD\', "[redacted: password]" );'],
    ["putenv('API_TOKEN=§')", "putenv('API_TOKEN=[redacted: token]')"],
    [
      'os.environ.setdefault("API_TOKEN", "§")',
      'os.environ.setdefault("API_TOKEN", "[redacted: token]")',
    ],
    ["localStorage.setItem('token', '§')", "localStorage.setItem('token', '[redacted: token]')"],
    [
      '[Environment]::SetEnvironmentVariable("API_TOKEN","§","User")',
      '[Environment]::SetEnvironmentVariable("API_TOKEN","[redacted: token]","User")',
    ],
    [
      'request.setHeader("X-Api-Key", "§")',
      'request.setHeader("X-Api-Key", "[redacted: api key]")',
    ],
    [
      "requests.get(u, auth=('u','§'))",
      "requests.get(u, auth=('u','[redacted: user and password]'))",
    ],
    [
      'requests.get(u, auth=("u", "§"))',
      'requests.get(u, auth=("u", "[redacted: user and password]"))',
    ],
    [
      "requests.get(u, auth=HTTPBasicAuth('u', '§'))",
      "requests.get(u, auth=HTTPBasicAuth('u', '[redacted: user and password]'))",
    ],
    [
      "axios.get(u, { auth: { username: 'u', password: '§' } })",
      "axios.get(u, { auth: { username: 'u', password: '[redacted: password]' } })",
    ],
    [
      "nodemailer({ auth: { user: 'u', pass: '§' } })",
      "nodemailer({ auth: { user: 'u', pass: '[redacted: password]' } })",
    ],
    ['tvly-dev-§abcd', '[redacted: tavily key]'],
    ['tvly-§§', '[redacted: tavily key]'],
    ['secret_§§§', '[redacted: notion token]'],
    ['secret_§§', '[redacted: notion token]'],
    ['ntn_12345678901§§', '[redacted: notion token]'],
    ['ntn_§§', '[redacted: notion token]'],
    ['db.example:5432:app:me:§', 'db.example:5432:app:me:[redacted: database password]'],
    [
      'x:\ndb.example:5432:app:me:§\nlocalhost:5432:*:me:§',
      'x:\ndb.example:5432:app:me:[redacted: database password]\nlocalhost:5432:*:me:[redacted: database password]',
    ],
    [
      '["curl","-u","admin:§","https://h"]',
      '["curl","-u","admin:[redacted: user and password]","https://h"]',
    ],
    [
      "subprocess.run(['curl', '-u', 'admin:§', 'https://h'])",
      "subprocess.run(['curl', '-u', 'admin:[redacted: user and password]', 'https://h'])",
    ],
    [
      'subprocess.run(["mysql", "-uroot", "-p§"])',
      'subprocess.run(["mysql", "-uroot", "-p[redacted: password]"])',
    ],
    [
      'args: ["mysql",\n  "-uroot",\n  "-p§"]',
      'args: ["mysql",\n  "-uroot",\n  "-p[redacted: password]"]',
    ],
    ['use the password § to log in', 'use the password [redacted: password] to log in'],
    ['log in with password §', 'log in with password [redacted: password]'],
    ['the password for the db is §', 'the password for the db is [redacted: password]'],
    [
      'The password for the staging server is: §',
      'The password for the staging server is: [redacted: password]',
    ],
    ['the token for CI is §', 'the token for CI is [redacted: token]'],
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
    ["spawn('mysql', ['-uroot', '-p§'])", "spawn('mysql', ['-uroot', '-p[redacted: password]'])"],
    [
      '{"command": "mysql", "args": ["-uroot", "-p§"]}',
      '{"command": "mysql", "args": ["-uroot", "-p[redacted: password]"]}',
    ],
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
  ])('leaves %s', expectLeft);
});
