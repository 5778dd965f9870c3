import { CONTEXT_KINDS } from './contexts.ts';
import { type Found, marker, type SecretKind } from './kind.ts';
import { NAMED_KINDS } from './named.ts';
import { PAIR_KINDS } from './pairs.ts';
import { TOKEN_KINDS } from './tokens.ts';
import { closingQuote, QUOTE, quotedAt } from './value.ts';

/**
 * Replaces each secret in a text by a marker that names its kind, e.g. `[redacted: github token]`. What stands around it
 * stays, and a text that is JSON stays JSON. Without a secret it is the same text. Redacting twice changes nothing more.
 * Time grows with the length, whatever the text is made of.
 *
 * It knows secrets by their form or by their name, so one that has neither stays; and a hash, an id or an integrity string
 * is none unless a flag, a variable or a header says so.
 */
export function redact(text: string): string {
  if (text.length < SHORTEST) return text;
  let redacted = text;
  for (const { kinds, sign } of GROUPS) {
    if (!sign.test(text)) continue;
    for (const kind of kinds) if (kind.sign.test(redacted)) redacted = replaceKind(redacted, kind);
  }
  return redacted;
}

/** `-pX1` and the like stand behind the name of a command. */
const SHORTEST = 8;
const BEFORE_LENGTH = 400;

/** The signs of all kinds in one: a text that holds none of them is read twice, whatever the number of kinds. */
const groupOf = (kinds: readonly SecretKind[], flags: string) => ({
  kinds,
  sign: new RegExp([...new Set(kinds.map(({ sign }) => sign.source))].join('|'), flags),
});

const GROUPS = [
  groupOf(TOKEN_KINDS, ''),
  groupOf([...CONTEXT_KINDS, ...PAIR_KINDS, ...NAMED_KINDS], 'i'),
];

function replaceKind(text: string, kind: SecretKind): string {
  const { name, pattern, end: endOf, isSecret, bareEnd } = kind;
  let result = '';
  let copied = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { index } = match;
    const matched = index + match[0].length;
    let end = endOf === undefined ? matched : (endOf(text, index, matched) ?? index);
    if (end === index) continue;
    const given = match.groups ?? {};
    const quoted = given.quote === undefined ? undefined : quotedAt(text, end, given.quote);
    if (given.quote !== undefined && quoted === undefined) continue;
    end += quoted?.length ?? 0;
    let { bare } = given;
    if (bare !== undefined && bareEnd !== undefined) {
      const start = end - bare.length;
      end = bareEnd(text, index, end);
      bare = text.slice(start, end);
    }
    const groups: Found['groups'] = { ...given, quoted, bare };
    const secret = groups.secret ?? quoted ?? groups.bare ?? text.slice(index, end);
    const found: Found = {
      secret,
      match: match[0],
      groups,
      before: () => text.slice(Math.max(0, index - BEFORE_LENGTH), index),
      after: text.slice(end, end + 1),
    };
    const kindOf = isSecret?.(found) ?? true;
    if (kindOf === false) continue;
    // the secret is the last of its match in every pattern
    const start = end - secret.length;
    result +=
      text.slice(copied, start) +
      inQuotes(marker(kindOf === true ? name : kindOf), text.slice(index, start));
    copied = end;
    pattern.lastIndex = end;
  }
  return copied === 0 ? text : result + text.slice(copied);
}

/** A value without quotes behind a name in quotes may be a number of JSON; what stands in its place is a text of the same depth. */
function inQuotes(text: string, before: string): string {
  const quote = closingQuote(BARE_VALUE.exec(before.slice(-BARE_LENGTH))?.[1] ?? '');
  return quote + text + quote;
}

const BARE_VALUE = new RegExp(`(${QUOTE})\\s{0,8}[:,]\\s{0,8}$`);
const BARE_LENGTH = 40;
