// A polynomial hash over bytes, kept in 32 bits: the hash of any stretch follows from the hashes of two prefixes, so that
// looking up a merge in a piece of a million bytes costs the same as in a word.

const MULTIPLIER = 0x01_00_01_93;
const SPREAD = 0x9e_37_79_b1;

/** The hash of some bytes and one more. */
export const extendHash = (hash: number, byte: number): number =>
  (Math.imul(hash, MULTIPLIER) + byte + 1) | 0;

/** `powers[length]` is what a prefix's hash is multiplied by before it is taken off. */
export function createPowers(longest: number): Int32Array {
  const powers = new Int32Array(longest + 1);
  powers[0] = 1;
  for (let length = 1; length <= longest; length++) {
    powers[length] = Math.imul(powers[length - 1] as number, MULTIPLIER);
  }
  return powers;
}

/** Spreads a hash over the upper bits; take them with an unsigned shift. */
export const spreadHash = (hash: number): number => Math.imul(hash ^ (hash >>> 15), SPREAD);
