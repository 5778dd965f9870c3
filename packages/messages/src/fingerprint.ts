import { expected } from '@varve/guards';

/**
 * A synchronous 128-bit hash of a string as 32 hexadecimal digits. It tells equal prefixes from different ones; it is not
 * meant to withstand somebody who constructs collisions. Every UTF-16 unit counts, half surrogates included.
 *
 * With `seed`, the fingerprint of what stands before, it continues: the result depends on both. The algorithm is frozen,
 * because stamps in logs hold what it returned.
 *
 * @throws RangeError when `seed` is neither empty nor a fingerprint
 */
export function fingerprint(text: string, seed = ''): string {
  if (seed === '') LANES.set(START);
  else parse(seed);
  const rest = absorb(LANES, text);
  return finish(LANES, text, rest);
}

/** The first 128 bits of the fraction of pi. */
const START = [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344];

/** What a call works with; none is at work while another is. */
const LANES = new Int32Array(4);

/** Takes in whole groups of eight units and returns where they end. Each lane also hears of the one before it. */
function absorb(lanes: Int32Array, text: string): number {
  let a = lanes[0] as number;
  let b = lanes[1] as number;
  let c = lanes[2] as number;
  let d = lanes[3] as number;
  const end = text.length - (text.length % 8);
  for (let index = 0; index < end; index += 8) {
    a = Math.imul(a ^ (text.charCodeAt(index) | (text.charCodeAt(index + 1) << 16)), 0x9e3779b1);
    b = Math.imul(
      b ^ (text.charCodeAt(index + 2) | (text.charCodeAt(index + 3) << 16)),
      0x85ebca77,
    );
    c = Math.imul(
      c ^ (text.charCodeAt(index + 4) | (text.charCodeAt(index + 5) << 16)),
      0xc2b2ae3d,
    );
    d = Math.imul(
      d ^ (text.charCodeAt(index + 6) | (text.charCodeAt(index + 7) << 16)),
      0x27d4eb2f,
    );
    a = (((a << 13) | (a >>> 19)) + d) | 0;
    b = (((b << 15) | (b >>> 17)) + a) | 0;
    c = (((c << 17) | (c >>> 15)) + b) | 0;
    d = (((d << 19) | (d >>> 13)) + c) | 0;
  }
  lanes[0] = a;
  lanes[1] = b;
  lanes[2] = c;
  lanes[3] = d;
  return end;
}

function finish(lanes: Int32Array, text: string, rest: number): string {
  let a = lanes[0] as number;
  let b = lanes[1] as number;
  let c = lanes[2] as number;
  let d = lanes[3] as number;
  a = mix(a ^ pair(text, rest));
  b = mix(b ^ pair(text, rest + 2));
  c = mix(c ^ pair(text, rest + 4));
  d = mix(d ^ pair(text, rest + 6) ^ text.length);
  for (let round = 0; round < 2; round++) {
    a = mix(a + d);
    b = mix(b + a);
    c = mix(c + b);
    d = mix(d + c);
  }
  return digits(a) + digits(b) + digits(c) + digits(d);
}

/** Two units in one word; behind the end of the text `charCodeAt` is NaN, which counts as 0 here. */
function pair(text: string, index: number): number {
  return text.charCodeAt(index) | (text.charCodeAt(index + 1) << 16);
}

function mix(value: number): number {
  let word = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return word ^ (word >>> 16);
}

const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function digits(word: number): string {
  const byte = (shift: number) => BYTES[(word >>> shift) & 255] as string;
  return byte(24) + byte(16) + byte(8) + byte(0);
}

const A_FINGERPRINT = { what: 'a fingerprint of 32 hex digits', error: RangeError };

/** What a character stands for as a hex digit; -1 for one that is none. */
const VALUES = Int8Array.from({ length: 128 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code)),
);

function parse(seed: string): void {
  if (seed.length !== 32) throw expected('seed', A_FINGERPRINT, seed);
  for (let index = 0; index < 32; index++) {
    const digit = VALUES[seed.charCodeAt(index)];
    if (digit === undefined || digit < 0) throw expected('seed', A_FINGERPRINT, seed);
    LANES[index >> 3] = ((LANES[index >> 3] as number) << 4) | digit;
  }
}
