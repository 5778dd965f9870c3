import type { Found, SecretKind } from './kind.ts';
import { isHashOrId } from './kind.ts';
import {
  isMade,
  isNumbered,
  isRandom,
  isReference,
  isWords,
  keysOf,
  VENDOR_KEYS,
} from './named.ts';
import { isBetweenTexts, isValue, QUOTE, valueIn } from './value.ts';

/** A value as it stands in a sentence: in quotes of any language, or up to what no password of a machine is made of. */
const SAID = `(?:[“”„«‘’‹「『《]\\s?)?(?:(?<quote>${QUOTE})|(?<bare>[!#$%*+\\-./0-9:=?@A-Z^_a-z~[\\]&]{1,511}[!#$%*+\\-/0-9=?@A-Z^_a-z~&]))`;

const PASSWORD = 'pass(?:word|phrase|code|wd)|pwd|pw|pass';
const KEY =
  '(?:api|access|secret|private|license|openai|anthropic|claude|gemini|mistral|cohere|groq|deepseek|openrouter|stripe|twilio|sendgrid|mailgun|algolia|datadog|sentry|azure|aws|gcp|google|github|gitlab|cloudflare|pinecone|tavily|serp|exa|elevenlabs|replicate|hugging ?face|supabase)[ \\u00a0-]key|(?<=\\b(?:my|our|your|this|the) )key';
const ENGLISH = `(?<![A-Za-z0-9-])(?:(?<password>${PASSWORD}|pin)|token|secret|credentials?|pat|${KEY})`;

const ENGLISH_STARTS = [
  ...'pass|pw|pin|token|secret|credential|pat|key'.split('|'),
  ...keysOf('api|access|secret|private|license'),
  ...VENDOR_KEYS,
];

const LOGIN_STARTS =
  'login|logins|log in|logged in|loggedin|loggedin|credential|credentials|creds|sign in|user|username|account|auth'
    .split('|')
    .flatMap((word) => [`${word} `, `${word}:`]);

/** Nothing but a blank, where what follows may be a value. */
const NEXT = '\\s{1,2}(?=["\'`\\\\]|[^\\s0-9]{0,64}\\d)';

/** What follows a word in English up to its value. */
const GOES_ON =
  "(?:\\s{1,2}(?:for|of|to|on|in|at|from)(?:\\s{1,2}[\\w'@./-]{1,40}){1,7}?)?" +
  `(?<sign>\\s{0,2}[:=]\\s{1,3}|\\s{1,2}(?:-{1,2}>?|–|—|→|=>?)\\s{1,2}|\\s{1,2}(?:is(?:\\s{1,2}(?:now|still))?|was|are|to|as|will be|should be|must be|would be|set to|changed to)\\s{0,2}:?\\s{1,2}|${NEXT})`;

/** Words for a password in other languages. */
const LATIN =
  "pass?wort|kennwort|zugangscode|zugangsschlüssel|contraseñas?|contrasena|clave|mot de passe|mots de passe|mdp|senha|palavra-passe|parola d'ordine|parola|wachtwoord|palabra clave|lösenord|passord|adgangskode|kodeord|has[łl]o|[şs]ifre|heslo|geslo|salasana|jelszó|lozinka|mật khẩu|contrasenya|pass?wörter|kata sandi|slaptažodis|parole";
const LATIN_STARTS =
  'passw|pasw|kennwort|zugangscode|zugangsschlüssel|contrase|clave|mot|mdp|senha|palavra-passe|parol|wachtwoord|palabra clave|lösenord|passord|adgangskode|kodeord|hasło|haslo|şifre|sifre|heslo|geslo|salasana|jelszó|lozinka|mật khẩu|kata sandi|slaptažodis'.split(
    '|',
  );
const OTHER =
  'пароль|пароля|паролем|лозинка|парола|κωδικός|סיסמה|סיסמא|كلمة المرور|كلمة السر|पासवर्ड|รหัสผ่าน|密码|密碼|口令|パスワード|暗証番号|비밀번호|패스워드|암호';
const LATIN_KEYS =
  '(?:api|zugangs|geheim)?[- ]?schlüssel|jeton|clé(?: d.)?(?: secrète| api)?|(?:clave|chave|llave|chiave)(?: de| da| del)? api';
const OTHER_KEYS = 'api-?ключ|ключ(?: api)?|токен|секрет|密钥|密鑰|令牌|トークン|キー|토큰|키';
const OTHER_KEY_STARTS =
  'apiключ|api-ключ|ключ|токен|секрет|密钥|密鑰|令牌|トークン|キー|토큰|키'.split('|');
const SHARED = 'token|password|api[- ]?key';
const COPULA =
  "is|ist|c['’]est|det är|lautet|es|est|é|è|jest|är|er|on|to|je|là|adalah|คือ|है|это|есть|είναι|הוא|היא|هي|هو";
const CJK_COPULA = '是|为|為|は|が|는|은|이|가|を|를';

const SIGN = `(?<sign>\\s{0,3}[:：=＝]\\s{0,3}|\\s{1,2}(?:${COPULA})\\s{0,2}[:：]?\\s{1,2}|\\s{0,2}(?:${CJK_COPULA})\\s{0,2}[:：]?\\s{0,2}|\\s{1,2}[-–—→]\\s{1,2}|${NEXT})`;
const GAP = '(?:\\s{1,2}[^\\s:：=,.;!?"\'`\\\\]{1,24}){0,5}?';

/** What a person says of a secret. A value has the looks of one, or stands in quotes or behind a colon. */
export const SAID_KINDS: readonly SecretKind[] = [
  {
    name: 'password',
    starts: ENGLISH_STARTS,
    pattern: new RegExp(`${ENGLISH}${GOES_ON}${SAID}`, 'gi'),
    isSecret: isSaid,
  },
  {
    name: 'password',
    needs: [
      [' is ', ' as '],
      ['pass', 'pwd', 'token', 'secret', 'key'],
    ],
    sign: /\s(?:is|as)\s{1,2}(?:(?:the|my|our|your|a|its)\s{1,2})?(?:[\w-]{1,16}\s{1,2}){0,2}(?:pass|pwd|token|secret|api key|key)/i,
    pattern:
      /(?<![^\s"'`(“„«])(?<secret>[!#$%*+\-./0-9:=?@A-Z^_a-z~&]{7,255}[!#$%*+0-9=?@A-Z^_a-z~&])(?=(?:\\{0,15}["'`]|[”“»])?\s{1,2}(?:is|as)\s{1,2}(?:(?:the|my|our|your|a|its)\s{1,2})?(?:[\w-]{1,16}\s{1,2}){0,2}(?:pass(?:word|phrase|code|wd)|pwd|token|secret|api key|key)(?![\w-]))/g,
    isSecret: (found) => isWhole(found) && isMade(found.secret) && !isHashOrId(found.secret),
  },
  {
    name: 'user and password',
    starts: LOGIN_STARTS,
    pattern: new RegExp(
      `(?<![\\w-])(?:log(?:ged)? ?in|logins?|credentials?|creds|sign in|user(?:name)?|account|auth)(?:\\s{1,2}(?:is|are|as|with|data|details|using|via|to use)){0,2}\\s{0,2}[: ]\\s{0,2}(?:${QUOTE})?[\\w.@+-]{1,64}(?:${QUOTE})?(?<slash>\\s{0,2}[/|:,]\\s{0,2}|\\s{1,2}and\\s{1,2})${SAID}`,
      'gi',
    ),
    isSecret: (found) => {
      const value = valueIn(found);
      if (!isWhole(found)) return false;
      return /^\s.*\s$/.test(found.groups.slash ?? '')
        ? isMade(value) ||
            (isShort(value) &&
              (KNOWN_USER.test(found.match) || !(isNumbered(value) || isWords(value))))
        : isMade(value);
    },
  },
  foreign('password', LATIN_STARTS, `(?<![A-Za-z])(?:${LATIN})(?:et|en|e|n|s|m|si)?(?![A-Za-z])`),
  foreign('password', OTHER.split('|'), OTHER),
  foreign(
    'api key',
    'apischlüssel|api-schlüssel|api schlüssel|zugangs|geheim|-schlüssel| schlüssel|schlüssel|jeton|clé|clave|chave|llave|chiave'.split(
      '|',
    ),
    `(?<![A-Za-z])(?:${LATIN_KEYS})(?![A-Za-z])`,
  ),
  foreign('api key', OTHER_KEY_STARTS, OTHER_KEYS),
  {
    name: 'secret',
    starts: ['token', 'password', 'api key', 'api-key', 'apikey'],
    pattern: new RegExp(
      `(?<![\\w-])(?<word>${SHARED})(?<gap>(?:\\s{1,2}(?:für|fuer|de|del|da|do|pour|per|от|для|for|till|til|voor|dla)(?:\\s{1,2}[^\\s:=,.;!?"'\`\\\\]{1,24}){1,4}?)?)(?:\\s{1,2}(?:${COPULA})\\s{0,2}:?\\s{1,2}|\\s{0,2}(?:${CJK_COPULA})\\s{0,2})${SAID}`,
      'gi',
    ),
    isSecret: (found) =>
      isWhole(found) &&
      isRandom(valueIn(found), 6) &&
      !isHashOrId(valueIn(found)) &&
      kindOf(found.groups.word),
  },
];

/** What other languages call it, words between, and the value. */
function foreign(
  name: 'password' | 'api key',
  starts: readonly string[],
  words: string,
): SecretKind {
  return {
    name,
    starts,
    pattern: new RegExp(`(?:${words})(?<gap>${GAP})${SIGN}${SAID}`, 'gi'),
    isSecret:
      name === 'password' ? isForeign : (found) => isWhole(found) && isRandom(valueIn(found), 8),
  };
}

const kindOf = (word = ''): string =>
  /^p/i.test(word) ? 'password' : /key/i.test(word) ? 'api key' : 'token';

/** A value, and no code: a call, a member, a place. */
const isWhole = (found: Found): boolean => {
  const value = found.groups.secret ?? valueIn(found);
  return (
    isValue(value) &&
    !/\s/.test(value) &&
    !/^[./~-]|:\/\//.test(value) &&
    !isBetweenTexts(found.groups.quoted ?? '') &&
    !(found.groups.bare !== undefined && isReference(value, found.after))
  );
};

/** Whose name nobody takes for anything else. */
const KNOWN_USER =
  /[\s:"'`](?:admin|root|user|test|demo|postgres|sa|guest|[\w.+-]{1,64}@[\w.-]{1,64})["'`]?\s/i;

/** A word and digits, or short: enough where nothing else is said at its place. */
const isShort = (value: string): boolean =>
  /\d/.test(value) && /[A-Za-z]/.test(value) && value.length >= 6 && !/[/\\]/.test(value);

/** Where a sentence gives a password: `use the password X`. */
const GIVES =
  /\b(?:use|using|with|enter|type|try|my|our|your|its|and|user\s\S{1,40}|as)\s(?:the\s|this\s)?$/i;
/** A sentence ends, or goes on with what it is for. */
const GOES_ON_AFTER =
  /^(?:\\{0,15}["'`]|[”“»’›」』])?(?:$|[.,;:!?)\n\r\\"'`]|\s{1,4}(?:to|for|on|at|and|when|in|please|as|with|if|then|so|or|works?|\\n)\b|\s*[\r\n])/;

function isSaid(found: Found): string | false {
  const { groups } = found;
  const { sign = '', quote } = groups;
  const value = valueIn(found);
  if (!isWhole(found) || isHashOrId(value)) return false;
  const line = found.before().split('\n').at(-1) ?? '';
  if (/(?:invalid|unexpected|missing|no|wrong|bad|reset|forgot|csrf|next|expected)\s$/i.test(line))
    return false;
  const isStated = /is|was|are|be|to|:/.test(sign);
  if (/^pin$/i.test(groups.password ?? ''))
    return isStated && (/^\d{4,12}$/.test(value) || isMade(value)) && 'password';
  const isPassword = /^(?!pass$)/i.test(groups.password ?? 'pass');
  const name =
    groups.password !== undefined
      ? 'password'
      : /key/i.test(found.match.slice(0, 24))
        ? 'api key'
        : /^t/i.test(found.match)
          ? 'token'
          : 'secret';
  const hasGap = /^\S+(?: key)?\s+(?:for|of|to|on|in|at|from)\s/i.test(found.match);
  // right behind a name it is a field
  if (/^\s*[:=]/.test(sign) && !hasGap) return false;
  if (/^pass$/i.test(groups.password ?? '') && !/\b(?:user|username|login|account)\b/i.test(line))
    return false;
  if (name === 'secret' && /^[\w.@-]{1,64}:/.test(value)) return false; // a user stands in front
  if (isMade(value)) return name;
  if (!isPassword)
    return (
      hasGap &&
      isStated &&
      isShort(value) &&
      !/^[A-Za-z]+\d{1,2}$/.test(value) &&
      isRandom(value, 8) &&
      name
    );
  if (!GOES_ON_AFTER.test(found.rest())) return false;
  if (quote !== undefined)
    return (
      value.length >= 4 &&
      !/pass|pwd/i.test(value) &&
      !/^\W+$/.test(value) &&
      (GIVES.test(line) || isStated) &&
      name
    );
  if (isShort(value)) return (isStated || GIVES.test(line)) && name;
  return hasGap && isStated && /^\d{4,12}$/.test(value) && name;
}

function isForeign(found: Found): string | false {
  const { sign = '', quote, gap = '' } = found.groups;
  const value = valueIn(found);
  if (!isWhole(found) || isHashOrId(value)) return false;
  const hasSign = /\d/.test(value) || /[!@#$%^&*+=?~]/.test(value);
  const isAtColon = /[:：=＝]/.test(sign);
  if (quote !== undefined)
    return value.length >= 4 && (hasSign || (!isAtColon && /^[!-~]+$/.test(value))) && 'password';
  if (isAtColon && gap === '') {
    if (hasSign) return value.length >= 4 && 'password';
    return value.length >= 6 && /^[a-z]+$/.test(value) && isAlone(found) && 'password';
  }
  if (sign.trim() === '') return isMade(value) && 'password';
  return (isShort(value) || /^\d{4,12}$/.test(value)) && 'password';
}

/** Nothing else stands in its line. */
const isAlone = (found: Found): boolean =>
  /(?:^|\n)\s{0,40}(?:[-*] )?$/.test(found.before()) && /^\s{0,8}(?:$|[\r\n])/.test(found.rest());
