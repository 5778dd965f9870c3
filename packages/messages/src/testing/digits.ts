/** Choices that follow from a number alone. */
export interface Digits {
  /** A whole number from 0 and below `count`. */
  below(count: number): number;
  /** True once in `odds` times. */
  once(odds: number): boolean;
}

/** An endless row of choices; the same `seed` gives the same ones. Marsaglia's xorshift with 32 bits. */
export function createDigits(seed: number): Digits {
  let state = Math.imul(seed + 1, 0x9e3779b1) || 1;
  function below(count: number): number {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((Math.imul(state, 0x9e3779b1) >>> 8) * count) >>> 24;
  }
  return { below, once: (odds) => below(odds) === odds - 1 };
}
