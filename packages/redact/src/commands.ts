import type { Found, SecretKind } from './kind.ts';
import { isMade, NAME_WORDS, namedSecret } from './named.ts';
import { inOneLine, SPACE, within } from './shell-line.ts';
import { isBetweenTexts, isValue, QUOTE, VALUE, valueIn } from './value.ts';

const OPTIONS = `(?:${SPACE}--?\\w[\\w-]{0,30}(?:=[^\\s"'\`]{1,64})?){0,6}`;

/** What may stand between the name of a command and what is looked for behind it. */
const NEAR = within(80);

const listed = (words: string): readonly string[] => words.split('|');

/** What a setting may be given to. */
const SETTERS = listed(
  'aws |npm |pnpm |yarn |git |poetry |composer |bundle |pip |pip3 |gem |gcloud |conda |gh |glab |pulumi |firebase |minikube |snyk |doctl |setx |setenv |env |set |user-secrets ',
);

/** Where a program takes what is secret from the command in front of it, and the words that stand in each of them. */
const STDIN =
  '--(?:password|token|secret|key|passphrase)-stdin|--with-token|(?<![\\w-])sudo(?: -[A-Za-z]+)* (?:-[A-Za-z]*S|--stdin)|--passphrase-fd|-pass(?:in|out)? stdin|' +
  'passwd --stdin|secrets? (?:set|put|create|versions add)|(?:vault|bao) login -|login --stdin|kinit|smbpasswd|cryptsetup|vercel env add';
const TAKERS = listed(
  'stdin|with-token|sudo|passphrase-fd|secret |secrets |login -|kinit|smbpasswd|cryptsetup|vercel',
);
const TAKES_STDIN = new RegExp(STDIN);
const TO_STDIN = new RegExp(`^(?:\\\\{0,15}["'\`])?\\s{0,4}\\|[^\\n;&]{0,300}?(?:${STDIN})`);
const TO_CHPASSWD = /^(?:\\{0,15}["'`])?\s{0,4}\|[^\n;&]{0,200}?chpasswd/;

/**
 * Which flag of which command is followed by a password; another command may have another use for it. A text without any of the
 * words holds none of the commands.
 */
const FLAGS: readonly FlagOfCommand[] = [
  [
    /^-p$/,
    'sshpass|login |twine|poetry|cypher-shell|rdesktop|beeline|cqlsh|psexec|evil-winrm|mongo|7z|rar |useradd|usermod',
    /sshpass|(?<![\w-])(?:docker|podman|nerdctl|buildah|skopeo|oras|crane|helm registry|az|az acr|cf|oc|ibmcloud|argocd|heroku|snyk) login|twine upload|poetry publish|cypher-shell|rdesktop|beeline|cqlsh|psexec\S*|evil-winrm|(?<![\w./-])mongo(?:sh|dump|restore|import|export|stat|top|files)?(?![\w-])|(?<![\w-])7z[a-z]? |(?<![\w-])(?:un)?rar |(?<![\w-])user(?:add|mod) /,
  ],
  [/^-hp$/, 'rar ', /(?<![\w-])rar /],
  [/^-a$|^--pass$/, 'redis-cli|valkey-cli', /(?:redis|valkey)-cli/],
  [/^-w$/, 'ldap', /(?<![\w-])ldap[a-z]{2,12} /],
  [/^-s$/, 'ldap', /ldappasswd/],
  [
    /^-P$/,
    'zip |sqlcmd|osql|tsql|bcp |ipmitool|mosquitto|ssh-keygen',
    /(?<![A-Za-z])(?:un)?zip |(?<![\w-])(?:sqlcmd|osql|tsql|bcp|ipmitool|mosquitto_(?:pub|sub|rr)) |ssh-keygen /,
  ],
  [/^-N$/, 'ssh-keygen', /ssh-keygen /],
  [/^-k$/, 'openssl', /openssl (?:enc|aes|des|camellia|chacha|bf|rc)/],
  [/^-pw$/, 'plink|pscp|psftp|putty', /(?<![\w-])(?:plink|pscp|psftp|putty)(?:\.exe)? /],
  [/^-(?:src|dest)?(?:store|key)pass$/, 'keytool|jarsigner', /keytool|jarsigner/],
  [/^(?:-b|--body)$/, 'secret', /(?<![\w-])gh secret set/],
  [/^--value$/, 'secret|securestring', /secret set|SecureString/],
  [/^--secret-string$/, 'secret', /secretsmanager/],
  [
    /^-t$/,
    'auth |login ',
    /doctl auth init|netlify login|(?<![\w-])fly(?:ctl)? (?!.*-t [\w.]+$)auth/,
  ],
];

type FlagOfCommand = readonly [flag: RegExp, words: string, command: RegExp];

/** Secrets that a command takes: behind a flag, at a place of their own, or from the command in front of it. */
export const COMMAND_KINDS: readonly SecretKind[] = [
  {
    name: 'password',
    needs: [[...new Set(FLAGS.flatMap(([, words]) => listed(words)))]],
    pattern: new RegExp(
      `(?<=\\s)(?<flag>-pw|-(?:src|dest)?(?:store|key)pass|-p|-a|-w|-P|-k|-b|-N|-t|-s|-hp|--body|--value|--pass(?=[ =])|--secret-string)(?:=|${SPACE})?${VALUE}`,
      'g',
    ),
    isSecret: (found) =>
      isGiven(found) &&
      !/^\d{1,5}$/.test(valueIn(found)) &&
      FLAGS.some(([flag, , command]) => flag.test(found.groups.flag ?? '') && isOf(command, found)),
  },
  at(
    ['htpasswd'],
    `htpasswd(?=${NEAR}[ \\t]-\\w{0,8}b)(?=${NEAR}[ \\t]-\\w{0,8}n)${flags()}${words(1)}`,
  ),
  at(
    ['htpasswd'],
    `htpasswd(?=${NEAR}[ \\t]-\\w{0,8}b)(?!${NEAR}[ \\t]-\\w{0,8}n)${flags()}${words(2)}`,
  ),
  at(
    ['openssl', 'mkpasswd', 'wpa_passphrase'],
    `(?:openssl${SPACE}passwd${OPTIONS}|mkpasswd(?:${SPACE}-m${SPACE}[\\w-]{1,32})?${OPTIONS}|wpa_passphrase${words(1).slice(0, -SPACE.length)})${SPACE}`,
    { isSecret: (found) => hasDigit(valueIn(found)) && !/^(?:sha|md)-?\d/.test(valueIn(found)) },
  ),
  at(['net '], `net${SPACE}user${words(1)}`, { isSecret: (found) => hasDigit(valueIn(found)) }),
  at(['user_pw', 'owner_pw'], `(?:user|owner)_pw${SPACE}`),
  at(['mc '], `mc${SPACE}(?:alias${SPACE}set|config${SPACE}host${SPACE}add)${words(3)}`),
  at(['wandb'], `wandb${SPACE}login${OPTIONS}${SPACE}`, {
    name: 'api key',
    isSecret: (found) => hasDigit(valueIn(found)),
  }),
  at(['convertto-securestring'], `ConvertTo-SecureString(?:${SPACE}-String)?${SPACE}`, {
    isSecret: ({ groups }) => groups.quote !== undefined,
  }),
  at(['mysqladmin'], `mysqladmin${NEAR}${SPACE}password${SPACE}`),
  at(['lftp'], `lftp${NEAR}${SPACE}-u${SPACE}[\\w.@-]{1,64},`),
  {
    name: 'password',
    needs: [['/p:', '/pass:', '/password:']],
    pattern: /(?<=\s\/p(?:ass(?:word)?)?:(?:\\{0,15}["'])?)(?<secret>[^\s"'`\\]{3,256})/gi,
    isSecret: ({ secret, before }) =>
      isValue(secret) && /freerdp|cmdkey|wmic|mstsc/i.test(before()),
  },
  {
    name: 'database password',
    starts: ['sqlplus', 'impdp', 'expdp', 'sqlldr', 'neo4j_auth', 'rediscli_auth'],
    pattern:
      /(?:(?<![\w-])(?:sqlplus|impdp|expdp|sqlldr)(?: -\w+){0,4} \\{0,15}["']?[\w.$#]{1,64}\/|NEO4J_AUTH[=:] ?\\{0,15}["']?\w{1,64}\/|REDISCLI_AUTH=\\{0,15}["']?)(?<secret>[^\s"'`\\@/]{3,256})/g,
    isSecret: ({ secret }) => isValue(secret),
  },
  at(
    ['requirepass', 'masterauth', '--requirepass', '--masterauth'],
    `(?:--)?(?:requirepass|masterauth)${SPACE}`,
  ),
  at(['config'], `config${OPTIONS}${SPACE}http-basic\\.[\\w.-]{1,64}${words(1)}`),
  at(
    ['vault', 'cargo', 'bao', 'ngrok', 'snyk', 'cf '],
    `(?:(?:vault|cargo|bao)${SPACE}login|(?:vault|bao)${SPACE}operator${SPACE}unseal|ngrok${SPACE}(?:config${SPACE}add-)?authtoken|snyk${SPACE}auth|cf${SPACE}auth${SPACE}[^\\s"'\`]{1,64})(?:${SPACE}--registry${SPACE}[\\w.-]{1,64})?${OPTIONS}${SPACE}(?:token=)?`,
    { name: 'token', isSecret: ({ groups, ...found }) => hasDigit(valueIn({ groups, ...found })) },
  ),
  {
    name: 'user and password',
    starts: ['bundle'],
    pattern: new RegExp(
      `bundle${SPACE}config(?:${SPACE}set)?${OPTIONS}${SPACE}[\\w.:/-]{1,128}${SPACE}[\\w.@-]{1,64}:(?<secret>[^\\s"'\`\\\\]{3,256})`,
      'g',
    ),
    isSecret: ({ secret }) => isValue(secret) && !secret.startsWith('//') && hasDigit(secret),
  },
  {
    name: 'user and password',
    needs: [['smbclient', 'rpcclient', 'winexe', 'smbmap', 'smbget', 'net ']],
    pattern:
      /(?<=\s(?:-U|--user(?:name)?=?)[ \t=]{0,4}\\{0,15}["']?)[^\s"'`%]{1,128}%(?<secret>[^\s"'`\\]{1,256})/g,
    isSecret: ({ secret, before }) =>
      isValue(secret) && /(?:smb|rpc)client|winexe|smbmap|smbget|net rpc/.test(inOneLine(before())),
  },
  {
    name: 'secret',
    starts: SETTERS,
    pattern: new RegExp(
      `(?:(?:aws|npm|pnpm|yarn|git|poetry|composer|bundle|pip|pip3|gem|gcloud|conda|gh|glab|pulumi|firebase|minikube|snyk|doctl)${SPACE}(?:config(?:ure)?(?:${SPACE}(?:set|add))?|set)${OPTIONS}|(?<![\\w-])(?:setx|setenv|ENV|set${SPACE}-{1,2}[A-Za-z-]{1,24}(?:${SPACE}-{1,2}[A-Za-z-]{1,24}){0,3}|user-secrets${SPACE}set${OPTIONS}))${SPACE}(?:${QUOTE})?(?<field>[\\w./:@-]{2,160})(?:${QUOTE})?[ \\t=]{1,4}${VALUE}`,
      'g',
    ),
    isSecret: isSetting,
  },
  {
    name: 'secret',
    starts: ['("', "('", '(`', '(\\', '( '],
    needs: [NAME_WORDS],
    pattern: new RegExp(
      `\\((?<=(?:set|put|append|define|add|header)\\w{0,40}\\()\\s{0,8}${QUOTE}(?<field>[\\w.-]{2,64})${QUOTE}\\s{0,4},\\s{0,8}(?<quote>${QUOTE})`,
      'gi',
    ),
    isSecret: (found) =>
      isGiven(found) && namedSecret(found.groups.field ?? '', valueIn(found), { shut: true }),
  },
  {
    name: 'user and password',
    starts: ['auth', 'login', 'credential'],
    pattern: new RegExp(
      `(?:auth|login|credentials?)\\w{0,12}\\\\{0,15}["']?(?:\\s{0,4}(?:=>|[=:])\\s{0,4}(?:[\\w.]{1,40})?[([]|\\()\\s{0,8}${QUOTE}[\\w.@+-]{1,128}${QUOTE}\\s{0,4},\\s{0,8}(?<quote>${QUOTE})`,
      'gi',
    ),
    isSecret: (found) =>
      isGiven(found) &&
      !/\s/.test(valueIn(found)) &&
      /^[\])]/.test(found.rest().replace(/^[\\"'`\s]+/, '')) &&
      (/auth\w*\\*["']?\s*=\s*\(/i.test(found.match) ||
        /basic|digest/i.test(found.match) ||
        hasDigit(valueIn(found))),
  },
  {
    name: 'secret',
    needs: [['secret', 'vault ', 'bao ', 'from-literal']],
    pattern: new RegExp(
      `(?<=\\s)(?<literal>--from-literal(?:=|${SPACE}))?(?:${QUOTE})?(?<field>[\\w.-]{1,64})=${VALUE}`,
      'g',
    ),
    isSecret: (found) => {
      const { literal, field = '' } = found.groups;
      if (!isGiven(found) || valueIn(found).length < 3) return false;
      if (
        /^(?:user|user_?name|host|port|url|region|db_?name|database|email|ttl|policies|type)$/i.test(
          field,
        )
      )
        return false;
      if (literal !== undefined) return isOf(/secret/, found);
      return isOf(/secrets? set|(?:vault|bao) kv (?:put|patch)|vault write/, found);
    },
  },
  {
    name: 'password',
    starts: ['echo', 'printf', '<<<'],
    needs: [['chpasswd']],
    pattern: new RegExp(
      `(?:(?:echo|printf)(?:${SPACE}-[neE]{1,3})?${SPACE}|<<<${SPACE}?)(?:${QUOTE})?[\\w.-]{1,64}:(?<secret>[^\\s"'\`\\\\|;$]{1,256})`,
      'g',
    ),
    isSecret: (found) =>
      isValue(found.secret) &&
      (/^<<</.test(found.match)
        ? isOf(/chpasswd/, found)
        : TO_CHPASSWD.test(inOneLine(found.rest()))),
  },
  {
    name: 'secret',
    starts: ['echo', 'printf'],
    needs: [TAKERS],
    pattern: new RegExp(
      `(?:(?<![\\w.-])|(?<=\\\\[nrt]))(?:echo|printf)(?:${SPACE}-[neE]{1,3})?${SPACE}(?:${QUOTE}?%s(?:\\\\{1,16}n)?${QUOTE}?${SPACE})?${VALUE}`,
      'g',
    ),
    isSecret: (found) =>
      isGiven(found) && valueIn(found).length >= 3 && TO_STDIN.test(inOneLine(found.rest())),
  },
  {
    name: 'secret',
    starts: ['<<<'],
    pattern: new RegExp(`<<<[ \\t]{0,4}${VALUE}`, 'g'),
    isSecret: (found) => isGiven(found) && valueIn(found).length >= 3 && isOf(TAKES_STDIN, found),
  },
];

/** Whether it belongs to such a command: no other begins in between. */
const isOf = (command: RegExp, { before }: Found): boolean => {
  const line =
    inOneLine(before())
      .split(/[\n;]|&&|\|\||(?<!\\)\\n/)
      .at(-1) ?? '';
  return command.test(line.split('|').at(-1) ?? '');
};

const isGiven = (found: Found): boolean =>
  isValue(valueIn(found)) &&
  !valueIn(found).startsWith('-') &&
  !isBetweenTexts(found.groups.quoted ?? '');

const hasDigit = (value: string): boolean => /\d/.test(value);

/** `npm config set //registry/:_authToken X`, `setx API_TOKEN X`: a part of the name says it. */
function isSetting(found: Found): string | false {
  const value = valueIn(found);
  if (!isGiven(found) || value.length < 3) return false;
  const { field = '' } = found.groups;
  if (/:_(?:auth|authToken|password)$/.test(field)) return 'registry credential';
  for (const part of field.split(/[./:]/)) {
    const kind = namedSecret(part, value, { strong: true });
    if (kind) return kind;
  }
  return found.match.startsWith('user-secrets') && isMade(value) && 'secret';
}

function flags(): string {
  return `(?:${SPACE}-[A-Za-z]{1,10}(?:${SPACE}\\d{1,2}(?= ))?){1,5}`;
}

/** So many words, then the secret. */
function words(count: number): string {
  return `(?:${SPACE}(?:${QUOTE}[^"'\`\\\\\\n]{0,128}${QUOTE}|[^\\s"'\`\\\\|;-][^\\s"'\`\\\\|;]{0,255})){${count}}${SPACE}`;
}

/** A secret that stands behind these words of a command. */
function at(
  starts: readonly string[],
  before: string,
  {
    name = 'password',
    isSecret = () => true,
  }: Partial<Pick<SecretKind, 'name'>> & {
    readonly isSecret?: (found: Found) => boolean;
  } = {},
): SecretKind {
  return {
    name,
    starts,
    pattern: new RegExp(`(?:(?<![\\w-])|(?<=\\\\[nrt]))${before}${VALUE}`, 'g'),
    isSecret: (found) => isGiven(found) && valueIn(found).length >= 3 && isSecret(found),
  };
}
