import { TokensError } from '../error.ts';

/** All tokens end to end: rank `r` is `arena[offsets[r]..offsets[r + 1])`. */
export interface TokenBytes {
  readonly arena: Uint8Array;
  readonly offsets: Int32Array;
  readonly count: number;
}

const SPACE = 0x20;
const PADDING = 0x3d;
const HEADER = '! 0 ';

/** Decodes `! 0 <base64> <base64> …`, one token a word, ranks from 0 on. */
export function decodeTokens(text: string): TokenBytes {
  if (!text.startsWith(HEADER)) throw invalid('it does not start with its first rank');
  const arena = new Uint8Array(text.length);
  const offsets = new Int32Array(text.length >> 1);
  let length = 0;
  let count = 0;
  let bits = 0;
  let held = 0;
  for (let index = HEADER.length; index <= text.length; index++) {
    const code = index === text.length ? SPACE : text.charCodeAt(index);
    if (code === SPACE) {
      offsets[++count] = length;
      held = 0;
    } else if (code !== PADDING) {
      const value = SEXTETS[code] ?? NOT_BASE64;
      if (value === NOT_BASE64) throw invalid('a token is not base64');
      bits = ((bits << 6) | value) & 0xff_ff;
      held += 6;
      if (held >= 8) {
        held -= 8;
        arena[length++] = bits >>> held;
      }
    }
  }
  if (count > MOST_TOKENS) throw invalid('it holds too many tokens');
  if (singleBytes(offsets, count) < BYTE_VALUES) throw invalid('it lacks tokens of one byte');
  return { arena: arena.slice(0, length), offsets: offsets.slice(0, count + 1), count };
}

// Ranks have 18 bits in the lookup tables.
const MOST_TOKENS = 2 ** 18 - 1;

const BYTE_VALUES = 256;

/** How many tokens are a single byte; with all of them there, any text can be counted. */
function singleBytes(offsets: Int32Array, count: number): number {
  let found = 0;
  for (let rank = 0; rank < count; rank++) {
    if ((offsets[rank + 1] as number) - (offsets[rank] as number) === 1) found++;
  }
  return found;
}

const invalid = (reason: string): TokensError =>
  new TokensError(
    'vocabulary-invalid',
    `the vocabulary cannot be read (${reason}); pass the file of the tiktoken package`,
  );

const NOT_BASE64 = 0xff;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SEXTETS = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = ALPHABET.indexOf(String.fromCharCode(code));
  return value < 0 ? NOT_BASE64 : value;
});
