import { type Found, isHashOrId, type SecretKind } from './kind.ts';
import { isMarkNext } from './marks.ts';
import { closingQuote, isBetweenTexts, isMixed, isValue, QUOTE, VALUE, valueIn } from './value.ts';

/**
 * `NAME=value`, `name: value`, `"name": "value"`, `--name value`, "the name is value". The name may go on on both sides of
 * the word that tells; only the value is replaced.
 */
function named(name: string, starts: readonly string[], words: readonly string[]): SecretKind {
  const sign =
    '\\s{0,8}(?::=|=>|={1,2}|:)\\s{0,8}|\\s{1,3}(?:is|was|provided|given)(?:\\s{0,2}:)?\\s{1,3}|[ \\t]{1,3}|\\s{0,2},\\s{0,8}';
  const pattern = `(?<word>${words.join('|')})(?<rest>[A-Za-z0-9_-]{0,32})(?<nameQuote>${QUOTE})?\\]?(?<sign>${sign})${VALUE}`;
  return {
    name,
    starts,
    pattern: new RegExp(pattern, 'gi'),
    isSecret,
    bareEnd,
  };
}

const KEY_WORDS =
  'private|secret|access|auth|encryption|decryption|signing|master|account|service|license|shared|session|storage|webhook|subscription|ssh';

/** Whose keys have no form of their own, or are also written without it. */
const VENDORS =
  'openai|anthropic|claude|gemini|mistral|cohere|groq|deepseek|openrouter|stripe|twilio|sendgrid|mailgun|algolia|datadog|sentry|' +
  'azure|aws|gcp|google|github|gitlab|cloudflare|pinecone|tavily|serp|exa|elevenlabs|replicate|hugging_?face|supabase';

/** `api|app`: each of them in front of `key`. */
export function keysOf(words: string): string[] {
  return words.split('|').flatMap((word) => ['', '-', '_', ' '].map((sign) => `${word}${sign}key`));
}

/** Keys by the name of who gives them. */
export const VENDOR_KEYS = keysOf(
  VENDORS.replace('hugging_?face', 'huggingface|hugging_face|hugging face'),
);

/** The words of a name that tell. The more telling ones first. */
const NAMES: readonly (readonly [
  kind: string,
  starts: readonly string[],
  words: readonly string[],
])[] = [
  [
    'aws secret key',
    ['aws', 'secretaccesskey'],
    ['aws_?secret_?(?:access_?)?key', 'secretAccessKey'],
  ],
  ['aws session token', ['aws', 'sessiontoken'], ['aws_?session_?token', 'sessionToken']],
  [
    'password',
    ['pass', 'pw'],
    [
      'pass(?:word|wd|phrase|code)',
      'pwd',
      '(?<=_)(?:pass|pw)(?![A-Za-z])',
      'pass(?<=(?<![A-Za-z])(?:ssh|my|db|root|user|admin|sudo|mysql|pg|smtp|mail|ftp|redis|app|wifi|login|vault|become|neo4j)?pass)(?![A-Za-z])',
      '(?<![A-Za-z0-9_-])pw(?![A-Za-z0-9_-])',
      '(?<=--)pass(?![A-Za-z])',
    ],
  ],
  [
    'api key',
    [...keysOf('api|app'), 'api.key', ...VENDOR_KEYS],
    [
      'api[-_. ]?key',
      'apikey',
      'app[-_ ]?key',
      `(?<![A-Za-z0-9])(?:${VENDORS})[-_ ]?key(?![A-Za-z])`,
    ],
  ],
  ['secret key', keysOf(KEY_WORDS), [`(?:${KEY_WORDS})[-_]?key`]],
  ['token', ['token', 'pat'], ['token', '(?<=_)pat(?![A-Za-z])']],
  ['secret', ['secret', 'credential', 'auth'], ['secret', 'credential', '(?<=--)auth(?![A-Za-z])']],
  ['api key', ['key'], ['(?<=[A-Z0-9]_)key(?![A-Za-z0-9_-])']],
];

export const NAMED_KINDS: readonly SecretKind[] = NAMES.map(([kind, starts, words]) =>
  named(kind, starts, words),
);

/** A name of a secret holds one of these. */
export const NAME_WORDS = [
  'pass',
  'pw',
  'key',
  'token',
  '_pat',
  'secret',
  'credential',
  'auth',
  'cookie',
];

const NAME_PATTERNS = NAMES.map(([kind, , words]) => {
  const pattern = new RegExp(`(?<word>${words.join('|')})(?<rest>[A-Za-z0-9_-]{0,32})$`, 'i');
  return [kind, pattern] as const;
});

/**
 * The kind of a value by the name that stands somewhere beside it, e.g. in a field of its own; false where it is none.
 * `strong`: it stands where only a value stands, as in the query of an address. `shut`: the name ends with the word that tells.
 */
export function namedSecret(
  name: string,
  value: string,
  { strong = false, shut = false } = {},
): string | false {
  if (!isValue(value)) return false;
  if (/^(?:proxy-)?authorization$/i.test(name)) return value.length >= 6 && 'authorization header';
  if (/^(?:set-)?cookie$/i.test(name)) return value.includes('=') && 'cookie';
  for (const [kind, pattern] of NAME_PATTERNS) {
    const match = pattern.exec(name);
    if (match === null) continue;
    const { word = '', rest = '' } = match.groups ?? {};
    const isUpper = !/[a-z]/.test(name);
    const groups = { word, rest, sign: isUpper || strong ? '=' : ':', quote: '"', quoted: value };
    const before = () => (strong ? '?' : '') + name.slice(0, match.index);
    const found = { secret: value, match: name, groups, before, after: '"', rest: () => '' };
    if (shut && (rest !== '' || /\s/.test(value))) continue;
    if (isSecret(found)) return kind;
  }
  return false;
}

/** What a name goes on with where it names no secret: `token_count`, `passwordField`, `secrets`. */
const NO_SECRET =
  /^(?:s$|izer|ize|less|_?ed|ary|board|word|pad)|count|limit|type|ur[il]|file|path|name|(?:^|_|-)id|(?:^|_|-)env|hash|length|size|usage|budget|expir|index|field|label|policy|requir|min|max|mode|method|algo|server|domain|mechanism|host|port|plugin|level|flow|encod|cipher|header|issuer|endpoint|ref|manager|arn|version|ttl|format|rotat|strength|scope|kind|status|error|valid|reset|hint|ratio|per_|lifetime|age|total|estimate|used|left|price|cost|prompt|store|provider|config|rule|regex|pattern|example|placeholder|class|schema|input|output|vector|source|set|list|map|stream|position|offset|start|end|text|value_?from|stdin/i;

/** What stands before a name that names no secret. */
const BEFORE_NO_SECRET =
  /(?:max|min|num|total|next|page|prev|previous|continuation|cancel|cancellation|eos|bos|pad|unk|sep|cls|mask|stop|special|start|end|input|output|prompt|completion|cached|public|design|syntax|current|last|first|expected|count|sort|primary|foreign|partition|cache|idempotency|invalid|missing|no|unexpected|bad|sync|resume|cursor|show|hide|toggle|reveal|forgot|forgotten|remember|tik)[-_]?$/i;

function isSecret(found: Found): boolean {
  const { groups, before, after } = found;
  const { word = '', rest = '', sign = '', quoted, quote, nameQuote = '' } = groups;
  const value = valueIn(found);
  const line = before().split('\n').at(-1) ?? '';
  const lead = /[A-Za-z0-9_-]*$/.exec(line)?.[0] ?? '';
  if (NO_SECRET.test(rest) || BEFORE_NO_SECRET.test(lead)) return false;
  if (!isValue(value) || isPlace(value) || isColumnType(value)) return false;
  if (/^pwd$/i.test(word) && /[\\/]/.test(value)) return false;
  if (/^pat$/i.test(word) && /[*?]/.test(value)) return false;
  const isOpening = quote === closingQuote(nameQuote);
  if (quoted !== undefined && !isOpening && isBetweenTexts(quoted)) return false;
  const isFlag = /(?:^|[\s"'])--?[a-z0-9.-]*$/i.test(line);
  if (/^auth$/i.test(word) && (rest !== '' || /^[a-z]+\d{0,2}$/i.test(value))) return false;
  const hasDigit = /\d/.test(value);
  // in a list of arguments
  if (sign.includes(',')) return isFlag && nameQuote !== '' && rest === '' && isArgument(value);
  if (sign.trim() === '') {
    // a switch, before a setting whose value was found: `config set --secret name [redacted: …`
    if (isFlag && SETS.test(line) && isMarkNext(found.rest())) return false;
    if (isFlag) return isArgument(value);
    return SPOKEN_KEY.test(word) && rest === '' && isRandom(value, quoted === undefined ? 16 : 8);
  }
  const isPassword = /^p/i.test(word);
  if (value.length < (isPassword ? 3 : 6)) return false;
  if (/^\d+$/.test(value)) return isPassword && value.length >= 4;
  // said right before it in words, which is more than its form says
  if (/[a-z]/i.test(sign)) {
    if (quote !== undefined) return !/\s/.test(value);
    return hasDigit && !(/^s?[-_][a-z]/i.test(rest) && isWords(value)); // `secrets-last is Layer-1`
  }
  const isSpoken =
    rest === '' && (/ /.test(word) || /\b(?:my|our|your) (?:\w+ ){0,2}$/i.test(line));
  const isEnvironment = word === word.toUpperCase() && !/\s/.test(sign) && sign.includes('=');
  const isQuery =
    sign === '=' && (/[?&][\w.-]*$/.test(line) || (after === '&' && bareInForm(groups)));
  const isStrong = isFlag || isEnvironment || isQuery || (sign === '=' && ASSIGNED.test(line));
  if (/^(?:pass|pw)$/i.test(word) && lead === '' && !isStrong)
    return (
      isMade(value) ||
      (sign === '=' &&
        value.length >= 6 &&
        hasDigit &&
        /[a-z]/i.test(value) &&
        !/[/\\]/.test(value))
    );
  if (/^key$/i.test(word)) return isKeyOfEnvironment(found, { isEnvironment, lead, value });
  if (isHashOrId(value)) return isStrong || isSpoken || (isPassword && quoted !== undefined);
  if (hasDigit && rest === '' && isOAuthToken(word, lead))
    return quoted !== undefined || !isReference(value, after);
  if (quoted !== undefined) {
    const isOwn = rest === '' && (isPassword || /^secret$/i.test(word)) && /[=:]/.test(sign);
    return isQuotedSecret(value, { isPassword, isStrong, isOwn });
  }
  if (isReference(value, after)) return false;
  if (isStrong) return true;
  if (!isPassword && (isWords(value) || isNumbered(value) || isInPath(value))) return false;
  if (holdsName(value, word) || isType(value, line)) return false;
  const hasSymbol = /[^A-Za-z0-9_.-]/.test(value);
  if (hasDigit || (isPassword && hasSymbol)) return !/\b(?:const|let|var|return|val)\b/.test(line);
  // a line of YAML or of a properties file; what begins with a capital is a type
  const isLine =
    /^\s*(?:- )?[\w.-]*$/.test(line) && (after === '' || after === '\n' || after === '\r');
  return isPassword && isLine && value.length >= 6 && /^[a-z][^.]*$/.test(value);
}

const isColumnType = (value: string): boolean => /^n?(?:var)?char\d{1,5}$/i.test(value);

/** What takes `--secret` as a switch, and the name of a setting next. */
const SETS = /\bset(?: -{1,2}[\w-]{1,24}){0,3} -{1,2}$/;

const SPOKEN_KEY = new RegExp(`^(?:api|${VENDORS}) key$`, 'i');

/** `refresh_token`: what such a field holds is opaque, also where it reads like words and a number. */
const isOAuthToken = (word: string, lead: string): boolean =>
  /^token$/i.test(word) && /(?:refresh|access|id|bearer|oauth)[-_]?$/i.test(lead);

/** `user=a&password=b`, which is no code that compares and joins two names. */
const bareInForm = ({ nameQuote, bare }: Found['groups']): boolean =>
  nameQuote === undefined && bare !== undefined;

/** A name of the environment that ends in `_KEY` may be one of a cache, a table or a keyboard: the value has to look made. */
function isKeyOfEnvironment(
  { groups: { word = '', sign = '' } }: Found,
  { isEnvironment, lead, value }: { isEnvironment: boolean; lead: string; value: string },
): boolean {
  if (word !== 'KEY' || !/^[A-Z][A-Z0-9_]*_$/.test(lead)) return false;
  if (!isEnvironment && sign.trim() !== ':') return false;
  return isRandom(value, 8) && (isEnvironment || !isHashOrId(value));
}

/** Letters and digits in one word, as no word of a language and no name in code has them. */
export const isRandom = (value: string, least: number): boolean =>
  value.length >= least &&
  /\d/.test(value) &&
  /[A-Za-z]/.test(value) &&
  !/[\s/\\]/.test(value) &&
  !isWords(value);

const LONGEST_VARIABLE = 96;
const LONGEST_VALUE = 4_096;
const VARIABLE = /^[A-Z0-9_]+=/;
const NEXT_VARIABLE = /,[A-Za-z_][\w.-]{0,64}=/y;
const MORE = /,[^\s"'`;,&|<>(){}\\]{1,4096}/y;
const REST_OF_LINE = /[^\s"'`\\]{1,4096}(?=[\r\n]|$|\\{1,15}[nr])/y;

/**
 * A value of the environment goes on behind a comma unless the next variable stands there, and to the end of a line that
 * holds nothing else.
 */
function bareEnd(text: string, start: number, bareEnded: number): number {
  let from = start;
  while (start - from < LONGEST_VARIABLE && /[A-Z0-9_]/.test(text[from - 1] ?? '')) from--;
  if (!VARIABLE.test(text.slice(from, start + LONGEST_VARIABLE))) return bareEnded;
  if (/(?:^|[\r\n]|\\[nr])(?:export |set )?$/.test(text.slice(Math.max(0, from - 10), from))) {
    REST_OF_LINE.lastIndex = bareEnded;
    const rest = REST_OF_LINE.exec(text)?.[0].length ?? 0;
    if (rest > 0) return bareEnded + rest;
  }
  let end = bareEnded;
  while (end - start < LONGEST_VALUE) {
    NEXT_VARIABLE.lastIndex = end;
    MORE.lastIndex = end;
    const more = NEXT_VARIABLE.test(text) ? undefined : MORE.exec(text)?.[0].length;
    if (more === undefined) return end;
    end += more;
  }
  return end;
}

interface ValueFacts {
  readonly isPassword: boolean;
  /** Named by a flag or by a variable of the environment, which hold values and not words about them. */
  readonly isStrong: boolean;
  /** The name ends with the word for a password: what follows is one, or is said of it. */
  readonly isOwn: boolean;
}

function isQuotedSecret(value: string, { isPassword, isStrong, isOwn }: ValueFacts): boolean {
  if (/\s/.test(value))
    return (
      (isStrong || (isOwn && isWordsOfSecret(value, isPassword))) &&
      /^\S+(?: \S+){1,8}$/.test(value)
    );
  if (isStrong) return true;
  if (isPassword) return !isLabel(value);
  return !isWords(value) && (/\d/.test(value) || value.length >= 16);
}

/** Words and a number, or a list of words, and no sentence, label or code. */
function isWordsOfSecret(value: string, isPassword: boolean): boolean {
  if (value.length > 128 || /[^ -~]|[(){}[\]<>;=|"'`,:]/.test(value)) return false;
  const words = value.split(' ');
  const plain = words.map((word) => word.toLowerCase().replace(/[.!?]+$/, ''));
  if (plain.some((word) => OF_SENTENCES.has(word))) return false;
  const joining = plain.filter((word) => JOINING.has(word)).length;
  if (/^[a-z]{3,}\d{1,4}$/i.test(words[0] ?? '') && !TECHNICAL.test(words[0] ?? ''))
    return joining <= 1;
  if (joining > 0) return false;
  if (words.some((word) => TECHNICAL.test(word))) return false;
  if (isPassword && /\d/.test(value))
    return words.every((word) => /^[\w!@#$%^&*+?~-]+$/.test(word)) && /^[a-z]/.test(value);
  return words.length >= 4 && words.every((word) => /^[a-z]{3,12}$/.test(word));
}

const TECHNICAL =
  /^(?:sha|base|md|utf|oauth|pbkdf|argon|ed|x|http|aes|rsa|hs|rs|es|blake|scrypt|bcrypt|v|ipv|uuid|python|log|option|step|line|part|test|case|level|phase|version|rule|item|user|field|type|key|slot|node)-?\d+$/i;

/** A sentence of prose holds one of these, and a list of words none. */
const JOINING: ReadonlySet<string> = new Set(
  'a an the of for to in on at by with from and or not no is are was were be been has have had it its this that these those as if when then than so but do does did will would can could may might must should shall we you i they he she our my his her their de del la le el das der die und et y von des du'.split(
    ' ',
  ),
);
const OF_SENTENCES: ReadonlySet<string> = new Set(
  (
    'password passwords passphrase passwd passcode pwd secret secrets token credential credentials your yours here please ' +
    'enter type confirm repeat choose change reset forgot forgotten show hide new old current same must should need needs ' +
    'required optional missing invalid incorrect wrong empty blank unknown default example placeholder dummy sample fake ' +
    'redacted hidden masked field fields input string text value values number numbers character characters char chars ' +
    'letters digits symbols least most minimum maximum min max length long short strong weak too match matches matching ' +
    'user users username login account email admin set unset used use using stored saved encrypted hashed plain returns ' +
    'return error failed fails generated random only never always any some all none null undefined true false ago days ' +
    'hours minutes updated changed expired expires attempts attempt times replace todo tbd see above below via'
  ).split(' '),
);

/** What a form shows beside a field: `Passwort`, `Пароль`. */
const isLabel = (value: string): boolean =>
  /^\p{Lu}\p{L}*$/u.test(value) || (/^\p{L}+$/u.test(value) && /[^ -~]/.test(value));

/** A name and a number: `refresh2`. */
export const isNumbered = (value: string): boolean =>
  /^[A-Za-z]?[a-z]{2,14}(?:[A-Z][a-z]{2,14}){0,3}\d{1,2}$/.test(value);

/** `kubernetes.io/secret1`. */
const isInPath = (value: string): boolean =>
  /^[a-z][a-z0-9.-]*(?:\/[a-z0-9._-]+)+$/.test(value) && !value.split('/').some(isMixed);

/** Behind these flags a variable is given a value. */
const ASSIGNED =
  /(?:^|\s)(?:-var|--var|--set(?:-string|-literal)?|-e|--env|--build-arg|--from-literal|-D|-P|--extra-vars|-o)[ \t=]{0,4}(?:\\{0,15}["'])?[\w.-]*$/;

/**
 * Made by a machine or by somebody who wants a secret: letters, digits and signs by turns. `refresh2`, `sha256Hash` and
 * `cart-state-v2` are names.
 */
export function isMade(value: string): boolean {
  if (!isRandom(value, 8) || isHashOrId(value) || /^[A-Za-z_][\w.]*=/.test(value)) return false;
  if (/[!@#$%^&*+=?~]/.test(value)) return true;
  const parts = value.split(/[-_.:/]/);
  return parts.some(isMixed) || isPassphrase(parts);
}

/** Two words with a number glued to each, in both cases: `hunter2-Zeta9`, which no name of a version or a machine is. */
const isPassphrase = (parts: readonly string[]): boolean =>
  parts.filter((part) => /^[A-Za-z]{3,}\d{1,4}$/.test(part)).length >= 2 &&
  /[a-z]/.test(parts.join('')) &&
  /[A-Z]/.test(parts.join(''));

/** Words joined by signs, with a number at most behind them: `cart-state-v2`, the name of something that is kept. */
export const isWords = (value: string): boolean =>
  /^[A-Za-z]{2,24}(?:[-_.:/][A-Za-z]{2,24}){0,8}(?:[-_.:/]?v?\d{1,3})?$/.test(value) &&
  /[-_.:/]/.test(value);

/** An identifier that holds the word of the name: `passphrase = passphrase`, `token: csrfToken2`. */
const holdsName = (value: string, word: string): boolean =>
  /^[A-Za-z_$][\w$]*[!?]?$/.test(value) &&
  value
    .replaceAll('_', '')
    .toLowerCase()
    .includes(word.replaceAll(/[-_. ]/g, '').toLowerCase());

/** A type in the list of parameters of a function: `pbkdf2(password: Uint8Array`. */
const isType = (value: string, line: string): boolean =>
  /^[A-Z][A-Za-z0-9]*$/.test(value) && /[\w$>]\([^)]*$/.test(line);

/** Words that follow a flag where a sentence is about it. */
const AFTER_FLAG: ReadonlySet<string> = new Set(
  (
    'flag option argument parameter param value values is are was and or to with from for in on as of the a an if when ' +
    'via can must should instead was works uses takes support handling here again'
  ).split(' '),
);

const isArgument = (value: string): boolean =>
  value.length >= 3 &&
  !value.startsWith('-') &&
  !AFTER_FLAG.has(value.toLowerCase().replace(/[.:]$/, ''));

/** A path, an address, a version or a type with parameters. */
const isPlace = (value: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ||
  /^(?:~|\.{0,2})\/[\w.-]+(?:\/[\w.-]+)*\/?$/.test(value) ||
  /^[A-Za-z]:[\\/]/.test(value) ||
  /^[\^~><=v]*\d+\.\d+\.\d+(?:[-+][\w.]+)?$/.test(value) ||
  /^[\w-]+\.(?:ts|js|tsx|jsx|py|go|rs|java|json|ya?ml|toml|txt|md|env|pem|key|crt|sh)$/i.test(
    value,
  );

/** Code that gets a value elsewhere: `config.token`, `read()`, `tokens[0]`, `Option<T>`. */
export const isReference = (value: string, after: string): boolean =>
  after === '(' ||
  /^[*&!]+[A-Za-z_]/.test(value) ||
  after === '<' ||
  /^[A-Za-z_$][\w$]*(?:(?:\?|!)?\.[A-Za-z_$][\w$]*)+[!?\])]*$/.test(value) ||
  /^[A-Za-z_$][\w$.]*\[/.test(value) ||
  /^[A-Za-z_$][\w$]*::/.test(value);
