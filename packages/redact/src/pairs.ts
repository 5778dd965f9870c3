import type { Found, SecretKind } from './kind.ts';
import { NAME_WORDS, namedSecret } from './named.ts';
import { QUOTE, VALUE, valueIn } from './value.ts';

/** Names of fields that hold a name, and of those that hold its value. */
const NAME_FIELD = '(?:(?<![\\w-])|(?<=\\\\[nrt]))(?:name|key|variable|header|field)';
const VALUE_FIELD = '(?:(?<![\\w-])|(?<=\\\\[nrt]))(?:value|val|default)';
const SIGN = '\\s{0,4}[:=]\\s{0,4}';
const FIELD = '(?<field>[A-Za-z0-9_.-]{2,64})';
/** Between two fields: of JSON, of YAML, of an element. */
const GAP =
  '(?:[\\s,;]|\\\\{1,15}[nrt]|(?<=(?:\\n|\\\\n) {0,8})(?:\\d{1,6}(?:[→|:]|(?=\\t|\\\\{1,15}t))|[+>#|](?=\\s)|-(?=[ \\t]{2}))){1,40}';
/** What a program puts in front of each line: a number, or the mark of a difference; a number is never part of the line. */
const NUMBER = ' {0,8}\\d{1,6}(?:[→|:]|\\t|\\\\{1,15}t)';
const LEAD = `(?:${NUMBER}|[+-]|(?!${NUMBER}))`;
const OTHER_FIELD = `${QUOTE}?(?=[A-Za-z_])[\\w-]{1,32}${QUOTE}?${SIGN}(?:${QUOTE}[^"'\`\\\\\\r\\n]{0,128}${QUOTE}|[^\\s"'\`,;{}\\\\]{1,64})${GAP}`;
const LINE_BREAK = '(?:\\r?\\n|(?:\\\\{1,15}r)?\\\\{1,15}n)';
const TEXT_IN_ELEMENT =
  '\\s{0,8}(?:<!\\[CDATA\\[)?(?<secret>[^<>\\s\\]](?:[^<>\\r\\n\\]]{0,1022}[^<>\\s\\]])?)(?=\\]{0,2}>?\\s{0,8}<\\\\{0,15}\\/)';

const NAME_FIELDS = ['name', 'key', 'variable', 'header', 'field'];
const VALUE_FIELDS = ['val', 'default'];
const ATTRIBUTES = ['name', 'key', 'id'].flatMap((each) => [`${each}=`, `${each} =`]);
const CLOSING_TAG = ['</', '<\\'];
const BLOCKS = [': ', ':  ', ':   ', ':    '].flatMap((each) => [`${each}|`, `${each}>`]);
const PERCENTS = ['%', '%25', '%2525', '%252525'].flatMap((each) => [`${each}3d`, `${each}3a`]);

/** Values whose name stands apart from them: in a field of its own, in the line above, in the tag around them, in an address. */
export const PAIR_KINDS: readonly SecretKind[] = [
  pair(
    { starts: NAME_FIELDS, needs: [VALUE_FIELDS, NAME_WORDS] },
    `${NAME_FIELD}${QUOTE}?${SIGN}${QUOTE}?${FIELD}${QUOTE}?${GAP}(?:${OTHER_FIELD}){0,3}${QUOTE}?${VALUE_FIELD}${QUOTE}?${SIGN}${VALUE}`,
  ),
  pair(
    { starts: VALUE_FIELDS, needs: [NAME_FIELDS, NAME_WORDS] },
    `${VALUE_FIELD}${QUOTE}?${SIGN}${QUOTE}?(?<secret>[^\\s"'\`\\\\,;{}<>]{3,1024})(?=${QUOTE}?${GAP}(?:${OTHER_FIELD}){0,3}${QUOTE}?${NAME_FIELD}${QUOTE}?${SIGN}${QUOTE}?${FIELD})`,
  ),
  block('^', '\\r?\\n', '[^\\r\\n]'),
  block('(?<=\\\\n|["\'])', '(?:\\\\{1,15}r)?\\\\{1,15}n', '[^\\r\\n"\\\\]'),
  pair(
    { needs: [CLOSING_TAG, NAME_WORDS] },
    `<(?:[\\w.-]{1,40}:)?${FIELD}(?:\\s[^<>]{0,400})?(?<!\\/)>${TEXT_IN_ELEMENT}`,
  ),
  pair(
    { starts: ATTRIBUTES, needs: [CLOSING_TAG, NAME_WORDS] },
    `(?:name|key|id)\\s?=\\s?${QUOTE}${FIELD}${QUOTE}[^<>]{0,200}(?<![\\/=-])>${TEXT_IN_ELEMENT}`,
  ),
  pair(
    {
      needs: [
        ['?', '&'],
        ['assertion', 'code_verifier', 'samlresponse', ...NAME_WORDS],
      ],
    },
    '[?&](?<field>[A-Za-z0-9_.-]{1,64})=(?<secret>[^\\s&#"\'`<>\\\\(){}$,;|]{3,2048})',
    { isSecret: isQuerySecret },
  ),
  pair(
    { starts: ['form-data;'] },
    `form-data;\\s{0,4}name=${QUOTE}(?<field>[^"\\\\\\r\\n]{1,64})${QUOTE}(?:[^\\r\\n\\\\]{0,200}${LINE_BREAK}){1,4}?${LINE_BREAK}(?<secret>[^\\r\\n\\\\]{3,1024})`,
    { isSecret: ({ groups, secret }) => namedSecret(groups.field ?? '', secret, { strong: true }) },
  ),
  pair(
    { needs: [PERCENTS, NAME_WORDS] },
    '(?<![A-Za-z0-9_.-])(?<field>[A-Za-z0-9_.-]{1,64})(?:%(?:25){0,3}22)?%(?:25){0,3}3[da](?:%(?:25){0,3}2[02]){0,2}(?<secret>(?:[A-Za-z0-9_.~!*+-]|%(?!(?:25){0,3}(?:2[26c]|3b|7d|0[ad]))[0-9a-f]{2}){3,1024})',
    { isSecret: ({ groups, secret }) => namedSecret(groups.field ?? '', secret, { strong: true }) },
  ),
];

interface Pair {
  readonly flags?: string;
  readonly isSecret?: SecretKind['isSecret'];
}

function pair(
  signs: Pick<SecretKind, 'starts' | 'needs'>,
  pattern: string,
  { flags = 'gi', isSecret = isPair }: Pair = {},
): SecretKind {
  return { name: 'secret', ...signs, pattern: new RegExp(pattern, flags), isSecret };
}

function isPair(found: Found): string | false {
  const value = found.groups.secret ?? valueIn(found);
  return namedSecret(found.groups.field ?? '', value);
}

/** `password: |` and the lines below it that are further in. */
function block(start: string, lineBreak: string, unit: string): SecretKind {
  return pair(
    { needs: [BLOCKS, NAME_WORDS] },
    `${start}${LEAD}(?<lead>[ \\t]{0,40}(?:- )?)["']?${FIELD}["']?:[ \\t]{1,4}[|>][-+0-9]{0,2}[ \\t]{0,8}${lineBreak}${LEAD}(?<indent>[ \\t]{1,40})(?<secret>(?![ \\t])${unit}{1,4096}(?:${lineBreak}${LEAD}\\k<indent>${unit}{1,4096}){0,200})`,
    {
      flags: 'gim',
      isSecret: ({ groups: { lead = '', indent = '', field = '' }, secret }) => {
        if (indent.length <= lead.length) return false;
        const lines = secret.split(new RegExp(lineBreak + LEAD)).map((line) => line.trim());
        const isPassword = /pass|pwd/i.test(field);
        if (lines.length > 1 && lines.some((line) => /\s/.test(line))) return false;
        return namedSecret(field, lines.join(''), { strong: isPassword });
      },
    },
  );
}

/** What a query names `key` or `auth` is a credential where it looks made, and no hash that names a version. */
function isQuerySecret({ groups: { field = '' }, secret }: Found): string | false {
  if (/^(?:key|auth|access_?key|subscription-key)$/i.test(field)) {
    const looksMade = /\d/.test(secret) && /[A-Za-z]/.test(secret) && secret.length >= 16;
    return looksMade && !/[/%]/.test(secret) && namedSecret('API_KEY', secret);
  }
  if (/^(?:client_)?assertion$|^code_verifier$|^SAMLResponse$/i.test(field))
    return secret.length >= 8 && 'token';
  return namedSecret(field, secret, { strong: true });
}
