import { redact } from '@varve/redact';
import { checkText } from './check-text.ts';

/**
 * A text without its secrets, each replaced by a marker that names its kind. Beyond what `redact` finds in plain text it looks
 * through what a memory may have around a secret: characters that are not seen or look like others, marks of Markdown and HTML,
 * tables, a label in the line above, and a password that is only said behind the word. Without a secret it is the same text.
 */
export function withoutSecrets(text: string): string {
  checkText('text', text);
  const plain = redact(text);
  const seen = plain.replace(UNSEEN, '').normalize('NFKC');
  const masked = redact(seen);
  const lines = (masked === seen ? plain : masked).split(/(\r\n|\n|\r)/);
  let label = '';
  let heads: readonly string[] = [];
  for (let at = 0; at < lines.length; at += 2) {
    const line = withoutSpoken(withoutMarked(lines[at] as string));
    const bare = bareOf(line);
    const isRow = ROW.test(line);
    if (!isRow) heads = [];
    else if (heads.length === 0) heads = line.split('|').map(bareOf);
    lines[at] = isRow ? withoutCells(line, heads) : withoutValue(line, label);
    if (HEADING.test(line) || /[:：]$/.test(bare)) label = bare.replace(/\s*[:：]$/, '');
    else if (bare !== '' && !LEAD.test(line)) label = '';
  }
  return lines.join('');
}

/** A text without its secrets where a name stands above it, which may say what a word of the text is. */
export function withoutSecretsBelow(name: string, text: string): string {
  const label = `# ${name}\n\n`;
  const masked = withoutSecrets(`${label}${text}`);
  return masked.startsWith(label) ? masked.slice(label.length) : withoutSecrets(text);
}

/** The kinds that markers of a text name. */
export const kindsOf = (masked: string): readonly string[] =>
  [...masked.matchAll(/\[redacted: ([a-z0-9 -]{1,40})\]/g)].map(([, kind = '']) => kind);

const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
const ROW = /^[\s>]*\|.*\|\s*$/;
const HEADING = /^\s{0,3}#{1,6}\s/;
const LEAD = /^(?:\s|>|#{1,6}\s|[-*+•]\s|\d{1,3}[.)]\s)+/;
const MARKS =
  /\*+|~~|`+|\\(?=[-_*])|<\/?[a-z][^<>]{0,99}>|(?<![A-Za-z0-9])_+|_+(?![A-Za-z0-9])|\]\(|\)$/gi;

/** What is read of a line, without marks. */
const bareOf = (line: string): string =>
  line
    .replace(LEAD, '')
    .replace(MARKS, (mark) => (/^[<\]]/.test(mark) ? ' ' : ''))
    .replace(/\s+/g, ' ')
    .trim();

/** Takes out what is a secret where marks are not looked at; where they stand inside of it, the marks of the line go too. */
function withoutMarked(line: string): string {
  const bare = bareOf(line);
  const masked = redact(bare);
  if (masked === bare || redact(line) !== line) return line;
  const [before = '', after = '', ...more] = masked.split(/\[redacted: [^\]]*\]/);
  const secret = bare.slice(before.length, bare.length - after.length);
  const isOne = more.length === 0 && secret.length > 2 && line.includes(secret);
  const marker = masked.slice(before.length, masked.length - after.length);
  return isOne ? line.replaceAll(secret, marker) : `${LEAD.exec(line)?.[0] ?? ''}${masked}`;
}

/** The cells of a row, by what stands above them and in front of them. */
function withoutCells(row: string, heads: readonly string[]): string {
  const cells = row.split('|');
  return cells
    .map((cell, at) =>
      [heads[at], bareOf(cells[at - 1] ?? '')].reduce<string>(
        (left, label) => withoutValue(left, label ?? ''),
        cell,
      ),
    )
    .join('|');
}

/** `password hunter2`, `root pass s3cr3tZeta`: no sign between the word and what follows tells that it is one. */
function withoutSpoken(line: string): string {
  if (!/pass|pw|kennwort|cred|login/i.test(line)) return line;
  return line.replace(
    SPOKEN,
    (said: string, before: string, word: string, value: string, at: number) => {
      const rest = line.slice(at + said.length);
      const isNamed = /^pass(?:wor[dt]|wd|phrase|code)$|^pwd$|^kennwort$/i.test(word);
      const isPlain = isNamed || /(?:pass|pw)$/i.test(word);
      const isSecret = isMade(value) || (isPlain && isWordWithNumber(value) && ENDS.test(rest));
      return isSecret && !isTechnical(value) ? `${before}[redacted: password]` : said;
    },
  );
}

const SPOKEN =
  /((?<![\p{L}\p{N}_-])(pass(?:wor[dt]|wd|phrase|code)|pwd|kennwort|(?:credentials?|creds|login)(?:\s+[\w.@-]{2,32}(?:\s*[/:])?)?|(?:root|admin|db|database|sudo|ssh|ftp|mail|smtp|wi-?fi|wlan|vpn|redis|mysql|postgres|pg)[ -](?:pass|pw))[*_`]{0,3}(?:\s+(?:for|of|on|to|für|von)\s+(?:the\s+)?[\w.@-]{2,32})?(?:\s*[:=]|\s+(?:is|ist|lautet))?\s+[*_`"']{0,3})([\w!@#$%^&*+=?~.-]{5,64}(?<![.?!]))/giu;
/** What may follow a word that ends what is said. */
const ENDS = /^[*_`"')]{0,3}(?:\s*$|[.,;!?]|\s*\||\s+(?:for|on|of|at|in|and|or|für|auf|und)\b)/i;

/** Letters and digits by turns, as no word and no name of a thing has them. */
const isMade = (value: string): boolean =>
  !/@\w+\./.test(value) &&
  value.split(/[-_.]/).some((part) => {
    const turns = part.match(/[A-Z]?[a-z]+|[A-Z]+|\d+|[^A-Za-z0-9]+/g) ?? [];
    const isHex = /^(?:[\da-f]+|[\dA-F]+)$/.test(part);
    return turns.length >= 5 && part.length <= 3.2 * turns.length && /\d/.test(part) && !isHex;
  });

const isWordWithNumber = (value: string): boolean =>
  /^[A-Za-z]{3,24}\d{1,6}[!#$*]{0,2}$/.test(value);

/** Types of columns, algorithms, protocols, and things that are counted. */
const TECHNICAL =
  /^(?:n?var)?(?:char|binary)\d*$|^(?:tiny|small|medium|big|u)?(?:int(?:eger)?|text|blob|float|double|decimal|numeric|string|str|bytes?|bytea|uuid|date|time|datetime|timestamp|bool|json|bits?)\d*$|^(?:sha|md|hmac|argon|bcrypt|scrypt|pbkdf|base|utf|aes|rsa|ecdsa|hs|rs|es|ps|ed|secp|curve|oauth|openid|saml|auth|http|ipv|tls|ssl|ldap|ntlm|kerberos|totp|fido|webauthn|rfc|cwe|cve|owasp|asvs|nist|iso|pci|soc|gdpr|python|node|java|php|perl|ruby|rails|mysql|postgres|pg|redis|ubuntu|debian|windows|win|ios|android)(?:[-_]?\d+(?:[-_.]?\d+)*)?(?:id|d|i|z)?$|^(?:step|phase|page|field|rule|part|level|layer|tier|version|test|form|case|section|chapter|option|input|column|table|line|figure|user|role|team|env|stage|round|attempt|day|week|sprint|ticket|issue|task|story|bug|release|build|api|wave|milestone|item|group|file|doc|arg|param|key|slot|screen|view|route|host|server|client|node|example|sample|demo|policy|module|package|release|draft|rev|plan)\d+$/i;

const isTechnical = (value: string): boolean => TECHNICAL.test(value);

/** One word that a label would make a secret, e.g. `hunter2-Zeta9` below `Password:`. */
function withoutValue(text: string, label: string): string {
  const value = bareOf(text);
  const isWord = /^\S{4,256}$/.test(value) && /[\d!@#$%^&*+=?~]/.test(value) && !isTechnical(value);
  if (!/^[\p{L}\p{N} .,()'’/-]{1,80}$/u.test(label) || !isWord) return text;
  const said = `${label}: ${value}`;
  const masked = redact(said);
  if (masked === said || !masked.startsWith(`${label}: `)) return text;
  const marker = masked.slice(label.length + 2);
  return text.includes(value) ? text.replace(value, marker) : marker;
}
