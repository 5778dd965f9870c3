/** One secret as it stands in a text, made up: it opens nothing. */
export interface SecretExample {
  /** What surrounds and names the secret, the secret included. */
  readonly text: string;
  /** The characters that must not be left. */
  readonly secret: string;
}

export interface ExampleKind {
  /** The words of its marker. Several examples may have one. */
  readonly name: string;
  /** The same seed gives the same example. */
  readonly make: (seed?: number) => SecretExample;
}

type Random = (alphabet: string, length: number) => string;

const HEX = '0123456789abcdef';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = UPPER.toLowerCase();
const WORD = `${UPPER}${LOWER}0123456789`;
const BASE32 = `${UPPER}234567`;

/**
 * At least one of each kind that is known. Examples are put together when they are asked for, so that no file holds what a
 * scanner of secrets would take for one.
 */
export const SECRET_KINDS: readonly ExampleKind[] = [
  token('anthropic key', 'sk-ant-', (some) => `api03-${some(WORD, 80)}`),
  token('openrouter key', 'sk-or-', (some) => `v1-${some(HEX, 64)}`),
  token('openai key', 'sk-proj', (some) => `-${some(WORD, 48)}`),
  token('openai key', 'sk-', (some) => some(WORD, 48)),
  token('google api key', 'AIza', (some) => some(WORD, 35)),
  token('google oauth secret', 'GOCSPX', (some) => `-${some(WORD, 28)}`),
  token('google access token', 'ya29', (some) => `.${some(WORD, 60)}`),
  token('google refresh token', '1//0', (some) => some(WORD, 60)),
  token('groq key', 'gsk_', (some) => some(WORD, 52)),
  token('xai key', 'xai-', (some) => some(WORD, 80)),
  token('perplexity key', 'pplx-', (some) => some(WORD, 48)),
  token('replicate token', 'r8_', (some) => some(WORD, 37)),
  token('hugging face token', 'hf_', (some) => some(UPPER + LOWER, 34)),
  token('aws access key id', 'AKIA', (some) => some(BASE32, 16)),
  around('aws secret key', 'aws_secret_access_key = ', (some) => some(`${WORD}/+`, 40)),
  around('aws session token', 'AWS_SESSION_TOKEN=', (some) => some(`${WORD}/+`, 120)),
  token('azure client secret', '', (some) => `${some(WORD, 3)}8Q~${some(WORD, 34)}`),
  around(
    'azure storage key',
    'DefaultEndpointsProtocol=https;AccountName=varve;AccountKey=',
    (some) => `${some(WORD, 86)}==`,
    ';EndpointSuffix=core.windows.net',
  ),
  around(
    'signature in a url',
    'https://varve.blob.core.windows.net/a/b?sv=2024-11-04&sig=',
    (some) => `${some(WORD, 42)}%3D`,
  ),
  token('github token', 'ghp_', (some) => some(WORD, 36)),
  token('github token', 'github_pat_', (some) => `${some(WORD, 22)}_${some(WORD, 59)}`),
  token('gitlab token', 'glpat-', (some) => some(WORD, 20)),
  token('bitbucket password', 'ATBB', (some) => some(WORD, 32)),
  token('atlassian token', 'ATATT3', (some) => some(WORD, 180)),
  token('slack token', 'xoxb-', (some) => `${some('0123456789', 12)}-${some(WORD, 24)}`),
  around(
    'slack webhook',
    'https://hooks.slack.com/services/',
    (some) => `T${some(UPPER, 8)}/B${some(UPPER, 8)}/${some(WORD, 24)}`,
  ),
  token(
    'discord bot token',
    'M',
    (some) => `${some(WORD, 22)}1.${some(WORD, 6)}.${some(WORD, 38)}`,
  ),
  around('discord webhook', 'https://discord.com/api/webhooks/123456789012345678/', (some) =>
    some(WORD, 68),
  ),
  token('telegram bot token', '', (some) => `123456789:AA${some(WORD, 33)}`),
  around(
    'teams webhook',
    'https://varve.webhook.office.com/webhookb2/',
    (some) => `${some(HEX, 32)}@${some(HEX, 32)}/IncomingWebhook/${some(HEX, 32)}`,
  ),
  token('stripe key', 'sk_live_', (some) => some(WORD, 24)),
  token('webhook signing secret', 'whsec_', (some) => some(WORD, 32)),
  token('square token', 'sq0atp-', (some) => some(WORD, 22)),
  token(
    'braintree token',
    'access_token$',
    (some) => `production$${some(HEX, 16)}$${some(HEX, 32)}`,
  ),
  token('shopify token', 'shpat_', (some) => some(HEX, 32)),
  token('twilio key', 'SK', (some) => some(HEX, 32)),
  token('sendgrid key', 'SG.', (some) => `${some(WORD, 22)}.${some(WORD, 43)}`),
  token('mailgun key', 'key-', (some) => some(HEX, 32)),
  token('mailchimp key', '', (some) => `${some(HEX, 32)}-us12`),
  token('npm token', 'npm_', (some) => some(WORD, 36)),
  around('registry credential', '//npm.example/:_authToken=', (some) => some(WORD, 20)),
  around(
    'registry credential',
    '{"auths":{"docker.example":{"auth":"',
    (some) => some(WORD, 28),
    '"}}}',
  ),
  token('pypi token', 'pypi-', (some) => `AgE${some(WORD, 80)}`),
  token('rubygems key', 'rubygems_', (some) => some(HEX, 48)),
  token('crates token', 'cio', (some) => some(WORD, 32)),
  token('nuget key', 'oy2', (some) => some(LOWER, 43)),
  token('docker token', 'dckr_pat_', (some) => some(WORD, 27)),
  token('artifactory token', 'AKCp', (some) => some(WORD, 69)),
  token('digitalocean token', 'dop_v1_', (some) => some(HEX, 64)),
  token('heroku key', 'HRKU-', (some) => some(WORD, 40)),
  token('databricks token', 'dapi', (some) => some(HEX, 32)),
  token('vault token', 'hvs.', (some) => some(WORD, 90)),
  token('terraform token', '', (some) => `${some(WORD, 14)}.atlasv1.${some(WORD, 64)}`),
  token('pulumi token', 'pul-', (some) => some(HEX, 40)),
  token('doppler token', 'dp.pt.', (some) => some(WORD, 43)),
  token('supabase key', 'sbp_', (some) => some(HEX, 40)),
  token('planetscale token', 'pscale_tkn_', (some) => some(WORD, 43)),
  token('linear key', 'lin_api_', (some) => some(WORD, 40)),
  token('notion token', 'ntn_', (some) => some(WORD, 46)),
  token('notion token', 'secret_', (some) => `7aB${some(WORD, 37)}7xQ`),
  token('tavily key', 'tvly-', (some) => `dev-${some(WORD, 31)}7`),
  token('figma token', 'figd_', (some) => some(WORD, 40)),
  token('airtable token', 'pat', (some) => `${some(WORD, 13)}1.${some(HEX, 64)}`),
  token('postman key', 'PMAK-', (some) => `${some(HEX, 24)}-${some(HEX, 34)}`),
  token('new relic key', 'NRAK-', (some) => some(UPPER, 27)),
  token('grafana token', 'glsa_', (some) => `${some(WORD, 32)}_${some(HEX, 8)}`),
  token('sentry token', 'sntrys_', (some) => some(WORD, 80)),
  token('sonar token', 'squ_', (some) => some(HEX, 40)),
  token('tailscale key', 'tskey-', (some) => `auth-${some(WORD, 30)}`),
  token('jwt', 'eyJ', (some) => `${some(WORD, 20)}.eyJ${some(WORD, 40)}.${some(WORD, 43)}`),
  token(
    'jwe',
    'eyJ',
    (some) => `${some(WORD, 30)}..${some(WORD, 16)}.${some(WORD, 60)}.${some(WORD, 22)}`,
  ),
  token('age secret key', 'AGE-SECRET-KEY', (some) => `-1${some(BASE32, 58)}`),
  pem('private key', 'RSA '),
  pem('private key', 'OPENSSH '),
  {
    name: 'private key',
    make: (seed = 1) => {
      const some = randomOf(seed);
      const secret = some(WORD, 64);
      const body = ['-----BEGIN', `PRIVATE KEY-----\\n${secret}\\n-----END`, 'PRIVATE KEY-----\\n'];
      return { text: `{"type": "service_account", "private_key": "${body.join(' ')}"}`, secret };
    },
  },
  around('database password', 'postgres://varve:', password, '@db.example:5432/app'),
  around('database password', 'mongodb+srv://varve:', password, '@cluster.example/app'),
  around('database password', 'Server=db.example;User Id=sa;Password=', password, ';', 'password'),
  around('password in a url', 'https://varve:', password, '@git.example/app.git'),
  around(
    'token in a url',
    'git clone https://',
    (some) => `${some(HEX, 39)}7`,
    '@git.example/app.git',
  ),
  around(
    'authorization header',
    'curl -H "Authorization: Bearer ',
    (some) => some(WORD, 40),
    '" https://api.example',
  ),
  around('authorization header', 'Authorization: Basic ', (some) => some(WORD, 24)),
  around('bearer token', 'sent with bearer ', (some) => `${some(WORD, 30)}7`),
  around(
    'api key',
    'curl -H "X-Api-Key: ',
    (some) => `${some(WORD, 30)}7`,
    '" https://api.example',
  ),
  around('cookie', 'Cookie: sid=', (some) => some(WORD, 32)),
  around('cookie', 'Set-Cookie: session=', (some) => some(WORD, 32), '; Path=/; HttpOnly'),
  around('user and password', 'curl -u admin:', password, ' https://api.example'),
  around('password', 'deploy --password ', password, ' --force'),
  around('token', 'deploy --token=', (some) => some(WORD, 24)),
  around('password', 'sshpass -p ', password, ' ssh root@host.example'),
  around('password', 'mysql -u root -p', password, ' app'),
  around('password', 'az login --service-principal -u varve -p ', password, ' --tenant a'),
  around('password', 'echo "root:', password, '" | chpasswd'),
  around('secret', 'echo ', password, ' | docker login -u varve --password-stdin'),
  around('password', 'htpasswd -b users varve ', password),
  around('user and password', '["curl","-u","varve:', password, '","https://api.example"]'),
  around('password', 'the password for the staging db is ', password, ', use it'),
  around('password', 'das Passwort ist ', password),
  around('password', 'пароль: ', password),
  around('password', 'export DB_PASSWORD=', password),
  around('secret', 'SESSION_SECRET="', (some) => some(WORD, 40), '"'),
  around('api key', 'WEATHER_API_KEY=', (some) => some(HEX, 32)),
  around('secret key', 'SECRET_KEY_BASE=', (some) => some(HEX, 64)),
  around('password', '{"user": "varve", "password": "', password, '"}'),
  around('secret', '{\\"client_secret\\": \\"', (some) => some(WORD, 32), '\\"}'),
  around('password', 'database:\n  password: ', password, '\n'),
  around('password', 'The password is ', password, '.'),
  around('password', 'machine git.example login varve password ', password),
  around('kubernetes credential', 'users:\n- user:\n    client-key-data: ', (some) =>
    some(WORD, 120),
  ),
  around('token', 'users:\n- user:\n    token: ', (some) => some(WORD, 40), '\n'),
  around('one-time-password seed', 'otpauth://totp/varve?secret=', (some) => some(BASE32, 32)),
  around('wireguard key', '[Interface]\nPrivateKey = ', (some) => `${some(WORD, 43)}=`),
];

/** A token with a start of its own, in the middle of a sentence. */
function token(name: string, start: string, rest: (some: Random) => string): ExampleKind {
  return {
    name,
    make: (seed = 1) => {
      const secret = start + rest(randomOf(seed));
      return { text: `it answers to ${secret} since today`, secret };
    },
  };
}

/** A secret between texts that say what it is. */
function around(
  name: string,
  before: string,
  secretOf: (some: Random) => string,
  after = '',
  marked = name,
): ExampleKind {
  return {
    name: marked,
    make: (seed = 1) => {
      const secret = secretOf(randomOf(seed));
      return { text: before + secret + after, secret };
    },
  };
}

function pem(name: string, algorithm: string): ExampleKind {
  return {
    name,
    make: (seed = 1) => {
      const some = randomOf(seed);
      const secret = some(WORD, 64);
      const ends = ['BEGIN', 'END'].map((end) => `-----${end} ${algorithm}PRIVATE KEY-----`);
      return { text: `${ends[0]}\n${secret}\n${some(WORD, 44)}==\n${ends[1]}\n`, secret };
    },
  };
}

/** Short, with a digit and a sign, as people make them. */
function password(some: Random): string {
  return `${some(LOWER, 7)}-7${some(WORD, 3)}`;
}

function randomOf(seed: number): Random {
  let state = (seed * 2_654_435_761 + 97) >>> 0;
  const next = (count: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  return (alphabet, length) =>
    Array.from({ length }, () => alphabet[next(alphabet.length)] as string).join('');
}
