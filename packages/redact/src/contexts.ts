import type { Found, SecretKind } from './kind.ts';
import { BEGUN } from './marks.ts';
import { isReference } from './named.ts';
import { KEY_BEGIN, privateKeyEnd } from './private-key.ts';
import { inOneLine, SPACE } from './shell-line.ts';
import { isBetweenTexts, isValue, QUOTE, VALUE, valueIn } from './value.ts';

/** The name of the header up to its value, in a header line, an object of headers or a call that sets one. */
const AUTHORIZATION = `authorization(?:\\]?\\s{0,4}[:=]|${QUOTE}(?:\\]?\\s{0,4}[:=]|\\s{0,4},))\\s{0,4}(?<open>${QUOTE})?`;

/** A parameter of a header, `name="value"`: in quotes stands nothing that ends a field of JSON. */
const PARAMETER = `[\\w-]{1,40}=(?:${QUOTE}(?![\\s:])[^"'\`\\\\\\r\\n,{}[\\]]{0,512}${QUOTE}|[^\\s"'\`,\\\\$<>(){}]{1,1024})`;

const SCHEMES =
  'postgres mysql mariadb mongodb redis valkey amqp mssql sqlserver clickhouse cockroachdb cassandra neo4j nats kafka oracle ldap snowflake jdbc:'.split(
    ' ',
  );

/** Kinds that say by what stands around them what they are. */
export const CONTEXT_KINDS: readonly SecretKind[] = [
  {
    name: 'private key',
    starts: ['-----begin '],
    pattern: KEY_BEGIN,
    end: privateKeyEnd,
  },
  {
    name: 'putty private key',
    starts: ['private-lines:'],
    pattern:
      /Private-Lines: ?\d{1,4}(?<secret>(?:(?:\r?\n|(?:\\{1,15}r)?\\{1,15}n)[A-Za-z0-9+/=]{1,64}(?![A-Za-z0-9+/=:-])){1,200})/g,
  },
  {
    name: 'database password',
    starts: SCHEMES,
    pattern:
      /(?<scheme>(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|valkeys?|amqps?|mssql|sqlserver|clickhouse|cockroachdb|cassandra|neo4j|nats|kafka|oracle|ldaps?|snowflake|jdbc:[a-z]{2,12})(?:\+[a-z0-9]{2,12})?):\/\/[^\s:@/"'`<>]{0,128}:(?<secret>[^\s@"'`<>/]{1,256}(?:\/[^\s@"'`<>/]{1,64})?(?:@[^\s@"'`<>/?#,]{1,128}){0,3})(?=@)/gi,
    isSecret: ({ secret }) => isValue(secret),
  },
  {
    name: 'password in a url',
    starts: ['://'],
    pattern:
      /:\/\/[^\s:@/"'`<>]{0,128}:(?<secret>[^\s@/"'`<>]{1,256}(?:@[^\s@/?#"'`<>,]{1,128}){0,3})(?=@)/g,
    isSecret: ({ secret }) => isValue(secret),
  },
  {
    name: 'token in a url',
    starts: ['http'],
    pattern: /https?:\/\/(?<secret>[A-Za-z0-9_.~+=-]{20,256})(?=@[A-Za-z0-9])/g,
    isSecret: ({ secret }) => isValue(secret) && /\d/.test(secret),
  },
  {
    name: 'database password',
    needs: [['@tcp(', '@unix(']],
    pattern: /(?<=[A-Za-z0-9_.-]:)(?<secret>[^\s@"'`:]{1,128})(?=@(?:tcp|unix)\()/g,
    isSecret: ({ secret }) => isValue(secret),
  },
  {
    name: 'authorization header',
    starts: ['authorization'],
    pattern: new RegExp(
      `${AUTHORIZATION}[a-z][a-z0-9-]{2,20}\\s{1,4}(?<secret>${PARAMETER}(?:\\s{0,4},\\s{0,4}${PARAMETER}){1,30})`,
      'gi',
    ),
    isSecret: ({ secret }) => isValue(secret),
  },
  {
    name: 'authorization header',
    starts: ['authorization'],
    pattern: new RegExp(
      `${AUTHORIZATION}(?:digest|aws4-hmac-sha256|hmac[a-z0-9-]{0,12}|oauth|negotiate|mac|signature)\\s{1,4}(?<secret>[^\\r\\n"'\`\\\\$<>(){}]{6,2048})`,
      'gi',
    ),
    isSecret: ({ secret }) => isValue(secret),
  },
  {
    name: 'authorization header',
    starts: ['authorization'],
    pattern: new RegExp(
      `${AUTHORIZATION}(?:(?:bearer|basic|token|apikey|ssws|bot|key|genieKey|splunk)\\s{1,4})?(?<secret>(?!:)[^\\s"'\`\\\\,;<>(){}$\\]]{6,4096})`,
      'gi',
    ),
    isSecret: ({ secret, groups, after }) =>
      isValue(secret) &&
      /\d|[A-Za-z0-9+/_-]{16}/.test(secret) &&
      !(groups.open === undefined && isReference(secret, after)) &&
      !/^(?:[a-z]+\.)+[a-z]+$/i.test(secret),
  },
  {
    name: 'bearer token',
    starts: ['bearer'],
    pattern: /(?<![A-Za-z])bearer[ \t:]{1,4}(?<secret>[A-Za-z0-9._~+/=-]{12,4096})/gi,
    isSecret: ({ secret }) => /\d/.test(secret) && isValue(secret),
  },
  {
    name: 'cookie',
    starts: ['cookie', 'set-cookie'],
    pattern:
      /(?:(?<![A-Za-z])|(?<=\\[nrt]))(?:set-)?cookie(?:\\{0,3}["'])?\s{0,2}[:=]\s{0,2}(?:\\{0,3}["'])?(?<secret>[A-Za-z0-9_.%-]{1,64}=[^\r\n"'`\\<>(){}$]{4,4096})/gi,
    isSecret: ({ secret }) => isValue(secret),
  },
  {
    name: 'cookie',
    needs: [['curl']],
    pattern:
      /(?<=\s)(?:-b|--cookie)(?:=|[ \t]{1,4})(?:\\{0,15}["'])?(?<secret>[A-Za-z0-9_.%-]{1,64}=[^\r\n"'`\\<>(){}$]{4,4096})/g,
    isSecret: ({ secret, before }) => isValue(secret) && /curl/i.test(before()),
  },
  {
    name: 'user and password',
    needs: [['curl', 'wget', 'http', 'xh', 'etcdctl']],
    pattern: new RegExp(
      `(?<=\\s)(?:-[A-Za-z]{0,6}[uU]|-a|--user|--proxy-user|--auth)(?:[ =]{0,2}|${SPACE})(?:(?<quote>${QUOTE})[^\\s:"'\`\\\\/$]{1,128}:|(?:[^\\s:"'\`\\\\/$]{1,128}:|(?=${BEGUN}))(?<bare>[^\\s"'\`\\\\]{1,256}))`,
      'g',
    ),
    isSecret: isUserPassword,
  },
  {
    name: 'password',
    needs: [['mysql', 'mariadb']],
    pattern: new RegExp(
      `(?<=\\s)-p(?:(?<quote>${QUOTE})|(?<bare>[^\\s"'\`\\\\$-][^\\s"'\`\\\\]{1,128}))`,
      'g',
    ),
    isSecret: (found) =>
      isValue(valueIn(found)) &&
      !isBetweenTexts(found.groups.quoted ?? '') &&
      /(?:mysql|mysqldump|mysqladmin|mysqlimport|mysqlshow|mariadb)[^\n|;]*$/i.test(
        inOneLine(found.before()),
      ),
  },
  {
    name: 'password',
    starts: ['identified'],
    pattern: new RegExp(
      `identified\\s{1,4}(?:(?:with|via)\\s{1,4}[^\\s;]{1,64}\\s{1,4})?(?:by|as|using)\\s{1,4}(?:password\\s{0,4}\\(?\\s{0,4})?${VALUE}`,
      'gi',
    ),
    isSecret: (found) =>
      isValue(valueIn(found)) &&
      (/^IDENTIFIED/.test(found.match) || isSql(`${found.before()}${found.match}`)),
  },
  {
    name: 'password',
    starts: ['password'],
    pattern:
      /(?<![\w-])password\s{0,4}(?:for\s{1,4}[^\s;=]{1,128}\s{0,4})?(?:=\s{0,4})?(?:password\s{0,4})?\(?\s{0,4}(?<quote>'|\\{0,15}")/gi,
    isSecret: (found) =>
      isValue(valueIn(found)) &&
      !isBetweenTexts(found.groups.quoted ?? '') &&
      ((/^PASSWORD[^A-Za-z=:"]*'$/.test(found.match) && !/\s/.test(valueIn(found))) ||
        isSql(`${found.before()}${found.match}`)),
  },
  {
    name: 'password',
    needs: [['pass:']],
    pattern: /(?<=-pass(?:in|out)?[ =]\\{0,15}["']?pass:)(?<secret>[^\s"'`\\$]{1,256})/g,
    isSecret: ({ secret }) => isValue(secret),
  },
  {
    name: 'password',
    starts: ['machine', 'default'],
    needs: [['login']],
    pattern:
      /(?:(?<![A-Za-z])|(?<=\\[nrt]))(?:machine\s{1,8}\S{1,128}|default)\s{1,8}login\s{1,8}\S{1,128}\s{1,8}(?:account\s{1,8}\S{1,128}\s{1,8})?password\s{1,8}(?<secret>[^\s"'`\\]{1,256})/g,
  },
  {
    name: 'database password',
    starts: [...'0123456789*'].map((each) => `:${each}`),
    pattern:
      /:(?:\d{4,5}|\*)(?<=(?:^|\\n|["'`])(?<line>[\w.*-]{1,128}:(?:\d{4,5}|\*))):[\w*-]{1,64}:[\w*-]{1,64}:(?<secret>[^\s:"'`\\]{1,128})(?=$|\\|["'`])/gm,
    isSecret: ({ secret, groups }) => isPgpass(`${groups.line}:`, secret),
  },
  {
    name: 'azure storage key',
    starts: ['accountkey', 'sharedaccesskey', 'sharedsecretvalue'],
    pattern:
      /(?:AccountKey|SharedAccessKey|SharedSecretValue)=(?<secret>[A-Za-z0-9+/%=]{16,4096})/gi,
  },
  {
    name: 'signature in a url',
    starts: ['sig', 'x-amz-signature', 'x-goog-signature'].flatMap((each) => [
      `?${each}`,
      `&${each}`,
    ]),
    pattern:
      /[?&](?:sig|signature|x-amz-signature|x-goog-signature)=(?<secret>[A-Za-z0-9%+/=_-]{20,4096})/gi,
  },
  {
    name: 'one-time-password seed',
    starts: ['otpauth:'],
    pattern: /otpauth:\/\/[^\s"'`<>]{1,256}[?&]secret=(?<secret>[A-Z2-7=]{8,128})/gi,
  },
  {
    name: 'kubernetes credential',
    starts: ['client-key-data', 'token-data', '.dockerconfigjson'],
    pattern:
      /(?:client-key-data|token-data|\.dockerconfigjson)["']?\s{0,4}:\s{0,4}["']?(?<secret>[A-Za-z0-9+/=_-]{16,4096})(?![\w+/=.-])/g,
  },
  {
    name: 'registry credential',
    starts: ['_auth', '_password'],
    pattern:
      /(?<=[:\s"'/]|^)_(?:authToken|auth|password)["']?\s{0,4}[=:]\s{0,4}["']?(?<secret>(?!:)[^\s"'`\\$,;}\])]{4,1024})/g,
    isSecret: ({ secret }) => isValue(secret),
  },
  {
    name: 'registry credential',
    starts: ['"auth'],
    pattern:
      /"auth\\{0,3}"\s{0,8}:\s{0,8}\\{0,3}"(?<secret>[A-Za-z0-9+/]{12,512}={0,2})(?=\\{0,3}")/g,
  },
  {
    name: 'wireguard key',
    starts: ['privatekey', 'presharedkey'],
    pattern: /(?:PrivateKey|PresharedKey)\s{0,4}=\s{0,4}(?<secret>[A-Za-z0-9+/]{43}=)/g,
  },
];

/** A statement that gives a user a password. */
const isSql = (before: string): boolean =>
  /\b(?:create|alter|set|grant)\s+(?:user|role|login|group|password|database|foreign|server|subscription|all|usage|select)\b/i.test(
    before.slice(before.lastIndexOf(';') + 1),
  );

/** A user and a password are given to a program that speaks HTTP; elsewhere `-u a:b` may be a user and a group, a file, a range. */
function isUserPassword(found: Found): boolean {
  const secret = valueIn(found);
  if (!isValue(secret) || /^\d{1,6}$/.test(secret) || secret.startsWith('//')) return false;
  const command = found.before().split(HTTP_COMMAND);
  return command.length > 1 && !/[|;\n]|&&|\\n/.test(withoutQuoted(command.at(-1) ?? ''));
}

const HTTP_COMMAND =
  /(?:(?:(?<![\w.-])|(?<=\\[nrt]))(?:curl|wget|etcdctl)|(?:(?<![\w./-])|(?<=\\[nrt]))(?:https?|xh))(?:\.exe)?(?=\s)/;

const withoutQuoted = (command: string): string =>
  inOneLine(command).replaceAll(/"[^"\n]*"|'[^'\n]*'/g, '');

/** A line of `.pgpass`, and not a place in a file, a mapping or a time. */
const isPgpass = (line: string, secret: string): boolean =>
  isValue(secret) &&
  secret.length >= 3 &&
  /^(?:\*|[A-Za-z][\w.*-]*|\d{1,3}(?:\.\d{1,3}){3}):(?:\d{4,5}|\*):/.test(line) &&
  !/^[\w.-]+\.(?:ts|js|tsx|jsx|mjs|cjs|py|go|rs|java|rb|c|h|cc|cpp|cs|php|swift|kt|ex|exs|sh|json|ya?ml|toml|md|txt|log|css|html?|vue|svelte):/.test(
    line,
  );
