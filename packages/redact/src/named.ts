import { type Found, isHashOrId, MARKER_START, type SecretKind } from './kind.ts';
import { closingQuote, isBetweenTexts, isValue, QUOTE, VALUE, valueIn } from './value.ts';

/**
 * `NAME=value`, `name: value`, `"name": "value"`, `--name value`, "the name is value". The name may go on on both sides of
 * the word that tells; only the value is replaced.
 */
function named(name: string, words: readonly string[]): SecretKind {
  const sign = '\\s{0,8}(?::=|=>|={1,2}|:)\\s{0,8}|\\s{1,3}(?:is|was)\\s{1,3}|[ \\t]{1,3}';
  const pattern = `(?<word>${words.join('|')})(?<rest>[A-Za-z0-9_-]{0,32})(?<nameQuote>${QUOTE})?\\]?(?<sign>${sign})${VALUE}`;
  return {
    name,
    sign: new RegExp(words.join('|'), 'i'),
    pattern: new RegExp(pattern, 'gi'),
    isSecret,
  };
}

const KEY_WORDS =
  'private|secret|access|auth|encryption|decryption|signing|master|account|service|license|shared|session|storage|webhook|subscription|ssh';

/** Kinds that a name tells. The more telling ones first. */
export const NAMED_KINDS: readonly SecretKind[] = [
  named('aws secret key', ['aws_?secret_?(?:access_?)?key', 'secretAccessKey']),
  named('aws session token', ['aws_?session_?token', 'sessionToken']),
  named('password', [
    'pass(?:word|wd|phrase|code)',
    'pwd',
    '(?<=_)(?:pass|pw)(?![A-Za-z])',
    '(?<=--)pass(?![A-Za-z])',
  ]),
  named('api key', ['api[-_. ]?key', 'apikey', 'app[-_]?key']),
  named('secret key', [`(?:${KEY_WORDS})[-_]?key`]),
  named('token', ['token', '(?<=_)pat(?![A-Za-z])']),
  named('secret', ['secret', 'credential', '(?<=--)auth(?![A-Za-z])']),
];

/** A name that is a word of a marker. */
const MARKER_BEGUN = /\[redacted: [a-z0-9 -]{0,40}$/;

/** What a name goes on with where it names no secret: `token_count`, `passwordField`, `secrets`. */
const NO_SECRET =
  /^(?:s$|izer|ize|less|_?ed|ary)|count|limit|type|ur[il]|file|path|name|(?:^|_|-)id|(?:^|_|-)env|hash|length|size|usage|budget|expir|index|field|label|policy|requir|min|max|header|issuer|endpoint|ref|manager|arn|version|ttl|format|rotat|strength|scope|kind|status|error|valid|reset|hint|ratio|per_|lifetime|age|total|estimate|used|left|price|cost|prompt|store|provider|config|rule|regex|pattern|example|placeholder|class|schema|input|output|vector|source|set|list|map|stream|position|offset|start|end|text|value_?from|stdin|model/i;

/** What stands before a name that names no secret. */
const BEFORE_NO_SECRET =
  /(?:max|min|num|total|next|page|prev|previous|continuation|cancel|cancellation|eos|bos|pad|unk|sep|cls|mask|stop|special|start|end|input|output|prompt|completion|cached|public|design|syntax|current|last|first|expected|count|sort|primary|foreign|partition|cache|idempotency|invalid|missing|no|unexpected|bad|sync|resume|cursor|show|hide|toggle|reveal|forgot|forgotten|remember|tik)[-_]?$/i;

function isSecret(found: Found): boolean {
  const { groups, before, after } = found;
  const { word = '', rest = '', sign = '', quoted, quote, nameQuote = '' } = groups;
  const value = valueIn(found);
  const line = before().split('\n').at(-1) ?? '';
  const lead = /[A-Za-z0-9_-]*$/.exec(line)?.[0] ?? '';
  if (line.includes(MARKER_START) && MARKER_BEGUN.test(line)) return false;
  if (NO_SECRET.test(rest) || BEFORE_NO_SECRET.test(lead)) return false;
  if (!isValue(value) || isPlace(value)) return false;
  if (/^pwd$/i.test(word) && /[\\/]/.test(value)) return false;
  if (/^pat$/i.test(word) && /[*?]/.test(value)) return false;
  const isOpening = quote === closingQuote(nameQuote);
  if (quoted !== undefined && !isOpening && isBetweenTexts(quoted)) return false;
  const isFlag = /(?:^|[\s"'])--?[a-z0-9-]*$/i.test(line);
  if (sign.trim() === '') return isFlag && isArgument(value);
  const isPassword = /^p/i.test(word);
  if (value.length < (isPassword ? 3 : 6)) return false;
  if (/^\d+$/.test(value)) return isPassword && value.length >= 4;
  const hasDigit = /\d/.test(value);
  if (/is|was/i.test(sign))
    return quote !== undefined ? !/\s/.test(value) : hasDigit && !isHashOrId(value);
  const isEnvironment = word === word.toUpperCase() && !/\s/.test(sign) && sign.includes('=');
  const isStrong = isFlag || isEnvironment;
  if (isHashOrId(value)) return isStrong || (isPassword && quoted !== undefined);
  if (quoted !== undefined) return isQuotedSecret(value, { isPassword, isStrong });
  if (isReference(value, after)) return false;
  if (isStrong) return true;
  if (holdsName(value, word) || isType(value, line)) return false;
  const hasSymbol = /[^A-Za-z0-9_.-]/.test(value);
  if (hasDigit || (isPassword && hasSymbol)) return !/\b(?:const|let|var|return|val)\b/.test(line);
  // a line of YAML or of a properties file; what begins with a capital is a type
  const isLine =
    /^\s*(?:- )?[\w.-]*$/.test(line) && (after === '' || after === '\n' || after === '\r');
  return isPassword && isLine && value.length >= 6 && /^[a-z][^.]*$/.test(value);
}

interface ValueFacts {
  readonly isPassword: boolean;
  /** Named by a flag or by a variable of the environment, which hold values and not words about them. */
  readonly isStrong: boolean;
}

function isQuotedSecret(value: string, { isPassword, isStrong }: ValueFacts): boolean {
  if (/\s/.test(value)) return isStrong && /^\S+(?: \S+){1,8}$/.test(value);
  if (isStrong) return true;
  if (isPassword) return !isLabel(value);
  return !isWords(value) && (/\d/.test(value) || value.length >= 16);
}

/** What a form shows beside a field: `Passwort`, `Пароль`. */
const isLabel = (value: string): boolean =>
  /^\p{Lu}\p{L}*$/u.test(value) || (/^\p{L}+$/u.test(value) && /[^ -~]/.test(value));

/** Words joined by signs, with a number at most behind them: `cart-state-v2`, the name of something that is kept. */
const isWords = (value: string): boolean =>
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
