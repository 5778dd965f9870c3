// A polynomial hash over bytes, kept in 32 bits: the hash of any stretch follows from the hashes of two prefixes, so that
// looking up a merge in a piece of a million bytes costs the same as in a word.

const MULTIPLIER = 0x01_00_01_93;
const SPREAD = 0x9e_37_79_b1;

/** The hash of some bytes and one more. */
export const extendHash = (hash: number, byte: number): number =>
  (Math.imul(hash, MULTIPLIER) + byte + 1) | 0;

/** The hash of `bytes[start..end)`. */
export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let index = start; index < end; index++) hash = extendHash(hash, bytes[index] as number);
  return hash;
}

/** `powers[length]` is what a prefix's hash is multiplied by before it is taken off a longer one's. */
export function createPowers(longest: number): Int32Array {
  const powers = new Int32Array(longest + 1);
  powers[0] = 1;
  for (let length = 1; length <= longest; length++) {
    powers[length] = Math.imul(powers[length - 1] as number, MULTIPLIER);
  }
  return powers;
}

/** Spreads a hash over all 32 bits. */
export const spreadHash = (hash: number): number => Math.imul(hash ^ (hash >>> 15), SPREAD);
