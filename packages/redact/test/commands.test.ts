import { describe, expect, test } from 'vitest';
import { redact, redactJson } from '../src/index.ts';

/** Put together when the test runs, so that no file holds what a scanner would take for a secret. */
const SECRET = ['Zx9k', 'Q2mB', '7vT4', 'wL8p'].join('');
const fill = (text: string): string => text.replaceAll('§', SECRET);

function expectRedacted(given: string, redacted: string): void {
  const text = fill(given);
  expect(redact(text)).toBe(redacted);
  expect(redact(`${text}\n\n${text}`)).toBe(`${redacted}\n\n${redacted}`);
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
      'npm config set //npm.example.org/:_authToken §',
      'npm config set //npm.example.org/:_authToken [redacted: registry credential]',
    ],
    [
      'npm config set //npm.example.org/:_authToken=§',
      'npm config set //npm.example.org/:_authToken=[redacted: registry credential]',
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
    ['PASS=§', 'PASS=[redacted: password]'],
    ['dbpass="§"', 'dbpass="[redacted: password]"'],
    ['PGPASSWORD=§ psql', 'PGPASSWORD=[redacted: password] psql'],
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
    ["spawn('mysql', ['-uroot', '-p§'])", "spawn('mysql', ['-uroot', '-p[redacted: password]'])"],
    [
      '{"command": "mysql", "args": ["-uroot", "-p§"]}',
      '{"command": "mysql", "args": ["-uroot", "-p[redacted: password]"]}',
    ],
    ["PGPASSWORD='§' pg_dump", "PGPASSWORD='[redacted: password]' pg_dump"],
    ['MYSQL_PWD=§ mysql', 'MYSQL_PWD=[redacted: password] mysql'],
    ['NEO4J_AUTH=neo4j/§', 'NEO4J_AUTH=neo4j/[redacted: database password]'],
    ['REDISCLI_AUTH=§ redis-cli', 'REDISCLI_AUTH=[redacted: database password] redis-cli'],
    [
      'TF_VAR_db_password=§ terraform apply',
      'TF_VAR_db_password=[redacted: password] terraform apply',
    ],
    [
      'pulumi config set --secret dbPassword §',
      'pulumi config set --secret dbPassword [redacted: password]',
    ],
    [
      'helm upgrade x y --set db.password=§',
      'helm upgrade x y --set db.password=[redacted: password]',
    ],
    [
      'docker build --build-arg NPM_TOKEN=§ .',
      'docker build --build-arg NPM_TOKEN=[redacted: token] .',
    ],
    ['gh secret set X -b§', 'gh secret set X -b[redacted: password]'],
    [
      'echo §|docker login --password-stdin',
      'echo [redacted: secret]|docker login --password-stdin',
    ],
    [
      'ConvertTo-SecureString "§" -AsPlainText -Force',
      'ConvertTo-SecureString "[redacted: password]" -AsPlainText -Force',
    ],
    ['net user bob § /add', 'net user bob [redacted: password] /add'],
    ['xfreerdp /u:a /p:§ /v:h', 'xfreerdp /u:a /p:[redacted: password] /v:h'],
    ['curl --user a:§ h', 'curl --user a:[redacted: user and password] h'],
    ['/usr/bin/curl -u a:§ h', '/usr/bin/curl -u a:[redacted: user and password] h'],
    ["curl -H 'PRIVATE-TOKEN: §' h", "curl -H 'PRIVATE-TOKEN: [redacted: token]' h"],
    ['curl -d \'{"password":"§"}\' h', 'curl -d \'{"password":"[redacted: password]"}\' h'],
    ['psql "host=h user=u password=§"', 'psql "host=h user=u password=[redacted: password]"'],
    ["mysqladmin -u root password '§'", "mysqladmin -u root password '[redacted: password]'"],
    ['sqlplus u/§@db', 'sqlplus u/[redacted: database password]@db'],
    ['ssh-keygen -t ed25519 -N § -f k', 'ssh-keygen -t ed25519 -N [redacted: password] -f k'],
    ['gpg --passphrase § -c f', 'gpg --passphrase [redacted: password] -c f'],
    ['keytool -storepass § -list', 'keytool -storepass [redacted: password] -list'],
    ['openssl passwd -1 §', 'openssl passwd -1 [redacted: password]'],
    ['7z a -p§ a.7z b', '7z a -p[redacted: password] a.7z b'],
    ['pdftk a user_pw § output b', 'pdftk a user_pw [redacted: password] output b'],
    ['rar a -hp§ b c', 'rar a -hp[redacted: password] b c'],
    ['snyk auth §', 'snyk auth [redacted: token]'],
    ['wandb login §', 'wandb login [redacted: api key]'],
    [
      'mc alias set local http://h minio §',
      'mc alias set local http://h minio [redacted: password]',
    ],
    ['cqlsh -u a -p § h', 'cqlsh -u a -p [redacted: password] h'],
    ['arangosh --server.password §', 'arangosh --server.password [redacted: password]'],
    ['lftp -u me,§ h', 'lftp -u me,[redacted: password] h'],
    ['etcdctl --user root:§ get a', 'etcdctl --user root:[redacted: user and password] get a'],
    ['smtp.login("me", "§")', 'smtp.login("me", "[redacted: user and password]")'],
    [
      'new NetworkCredential("u", "§")',
      'new NetworkCredential("u", "[redacted: user and password]")',
    ],
    ["request.auth('u', '§')", "request.auth('u', '[redacted: user and password]')"],
    ['client.basicAuth("u", "§")', 'client.basicAuth("u", "[redacted: user and password]")'],
    ["'auth' => ['u', '§'],", "'auth' => ['u', '[redacted: user and password]'],"],
    ['ENV API_TOKEN §', 'ENV API_TOKEN [redacted: token]'],
    ['mi clave es §', 'mi clave es [redacted: password]'],
    ['here are the creds: admin / §', 'here are the creds: admin / [redacted: user and password]'],
    ['the client secret for the app is §', 'the client secret for the app is [redacted: secret]'],
  ])('%s', expectRedacted);

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
    ['git commit -m "Fix token: refresh2 logic"'],
    ['secret: docker.io/library/foo1'],
    ['secret: vault/data/app1'],
    ['--auth oauth2 --auth=basic'],
    ['--auth-provider github1'],
    ['mkpasswd -m sha512'],
    ['fix: token: rotate2 keys'],
    ['net user list'],
    ["login('user', 'password')"],
    ["render('login', 'layout')"],
    ["setItem('theme', 'dark1')"],
    ["append('token', token)"],
    ['ENV NODE_VERSION 20.1.0'],
    ['ENV PATH /usr/local/bin2'],
    ['token: abc'],
    ['const token = await getToken1()'],
    ['password_hash = hash2(password)'],
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
    [(s) => ({ command: 'mysql', cmd: 'run', args: ['-uroot', `-p${s}`] })],
    [(s) => ({ command: 'launch', program: 'mysql', cmd: 'run', args: ['-uroot', `-p${s}`] })],
    [(s) => ({ args: ['-uroot', `-p${s}`], program: 'debug', cmd: 'mysql' })],
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
    [['mysql is slow', '-pabc123']],
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

// siblings looked for: every command of the list whose name is known only with a blank behind it
describe('L325: a list of arguments is read as a command also where no word of the text says that it is one', () => {
  test.each([
    ['["7z","a","-p§","a.7z"]', '["7z","a","-p[redacted: password]","a.7z"]'],
    [`["mysql","-p§","['ls','-la']","x"]`, `["mysql","-p[redacted: password]","['ls','-la']","x"]`],
    [
      `"mysql", ["-p§"]; ${'and on '.repeat(40)}`,
      `"mysql", ["-p[redacted: password]"]; ${'and on '.repeat(40)}`,
    ],
    ['["zip","-P","§","a.zip"]', '["zip","-P","[redacted: password]","a.zip"]'],
    ['["rar","a","-hp§"]', '["rar","a","-hp[redacted: password]"]'],
    ['["rar","a","-hp§;§","a"]', '["rar","a","-hp[redacted: password]","a"]'],
    ['["bcp","db","-P","§"]', '["bcp","db","-P","[redacted: password]"]'],
    ['["net","user","bob","§"]', '["net","user","bob","[redacted: password]"]'],
    ['["setx","API_TOKEN","§"]', '["setx","API_TOKEN","[redacted: token]"]'],
    ['["docker","login","-p","§;§","h"]', '["docker","login","-p","[redacted: password]","h"]'],
    ['["docker","login","-p","§(§"]', '["docker","login","-p","[redacted: password]"]'],
  ])('%s', (text, redacted) => {
    expect(redact(text.replaceAll('§', 'hunt3r-x'))).toBe(redacted);
  });
});

test('a value is not looked into again: what names a secret inside of it goes with it, once', () => {
  const value = ['a;pass', 'word=hunt3r-x'].join('');
  expect(redact(`password="${value}" and more`)).toBe('password="[redacted: password]" and more');
});
