import type { SecretKind } from './kind.ts';
import { TOKEN_KINDS } from './tokens.ts';

/** Fewer characters of base64 hold no token. */
const SHORTEST = 32;
/** UTF-16 units of base64 that are read from where it begins. */
const LONGEST = 65_536;
const UNIT = '[A-Za-z0-9+/_-]';
const LINE = '(?:\\r?\\n|(?:\\\\{1,15}r)?\\\\{1,15}n)';

/**
 * What the beginning of a token becomes in base64, at each of the three places of a byte, without what its neighbours change. Less
 * than four characters stand in any text: a beginning of three letters is only known at the first place.
 */
const STARTS: readonly string[] = TOKEN_KINDS.flatMap(({ starts = [] }) => starts)
  .flatMap((start) =>
    [0, 1, 2].map((before) => {
      const encoded = btoa(`${' '.repeat(before)}${start}  `);
      const end = Math.floor((8 * (before + start.length)) / 6);
      return encoded.slice(Math.ceil((8 * before) / 6), end);
    }),
  )
  .filter((word) => word.length >= 4);

/** A token whose form stands only in what base64 decodes to, in one line or in several. */
export const ENCODED_KIND: SecretKind = {
  name: 'token in base64',
  needs: [STARTS.map((start) => start.toLowerCase())],
  sign: new RegExp(STARTS.map((start) => start.replaceAll('+', '\\+')).join('|')),
  // where a run of its characters begins; the letter of a line break of JSON is none of it
  pattern: new RegExp(`(?:(?<![A-Za-z0-9+/_\\\\-])|(?<=\\\\[nrt]))${UNIT}{${SHORTEST},4096}`, 'g'),
  end: encodedEnd,
};

/** What stands in front where it does not begin: more of its line, or a line before it. */
const GOES_ON = new RegExp(`(?<!\\\\)${UNIT}$|(?<=${UNIT}{20}${LINE}[ \\t]{0,40})$`);
const MOST_BEFORE = 72;

const REST_OF_LINE = new RegExp(`${UNIT}{0,4096}={0,2}`, 'y');
const NEXT_LINE = new RegExp(`${LINE}[ \\t]{0,40}(?=${UNIT})`, 'y');
/** A line that base64 is wrapped at, but for the last one. */
const SHORTEST_LINE = 40;

/** Where the base64 ends that begins at `start`, if it holds a token. */
function encodedEnd(text: string, start: number): number | undefined {
  if (GOES_ON.test(text.slice(Math.max(0, start - MOST_BEFORE), start))) return undefined;
  let encoded = '';
  let end = start;
  let next = start;
  let length = 0;
  /** Without the last line, which may be other text. */
  let before = { encoded: '', end };
  for (;;) {
    REST_OF_LINE.lastIndex = next;
    const line = REST_OF_LINE.exec(text)?.[0] ?? '';
    // another line of other text ends what is encoded
    if (length > 0 && line.length > length) break;
    before = { encoded, end };
    encoded += line;
    end = next + line.length;
    length ||= line.length;
    if (line.endsWith('=') || line.length < Math.max(length, SHORTEST_LINE)) break;
    if (encoded.length > LONGEST) break;
    NEXT_LINE.lastIndex = end;
    const gap = NEXT_LINE.exec(text)?.[0].length;
    if (gap === undefined) break;
    next = end + gap;
  }
  if (holdsToken(decoded(encoded))) return end;
  return holdsToken(decoded(before.encoded)) ? before.end : undefined;
}

/** Text in ASCII; empty for what is none. */
function decoded(encoded: string): string {
  const plain = encoded.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');
  const whole = plain.length % 4 === 1 ? plain.slice(0, -1) : plain;
  const text = atob(whole);
  return BINARY.test(text) ? '' : text;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what they tell is that it is no text
const BINARY = /[\x00-\x08\x0e-\x1f]/;

/** Any beginning of a token, looked for in one pass. */
const MAY_HOLD = new RegExp(
  TOKEN_KINDS.flatMap(({ starts = [] }) => starts)
    .map((word) => word.replaceAll(/[.$^\\|/]/g, '\\$&'))
    .join('|'),
);

function holdsToken(text: string): boolean {
  if (!MAY_HOLD.test(text)) return false;
  return TOKEN_KINDS.some(({ pattern, starts = [], isSecret }) => {
    if (starts.length === 0 || !starts.some((word) => text.includes(word))) return false;
    return [...text.matchAll(pattern)].some((match) => {
      const groups = match.groups ?? {};
      const secret = groups.secret ?? match[0];
      const found = {
        secret,
        match: match[0],
        groups,
        before: () => '',
        after: '',
        rest: () => '',
      };
      return isSecret === undefined || isSecret(found) !== false;
    });
  });
}
