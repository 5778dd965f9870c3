/** How often two lists of grades are equal, and how much more often than by chance. */
export interface Agreement {
  readonly both: number;
  readonly same: number;
  /** Cohen's kappa; null where one could not but agree. */
  readonly kappa: number | null;
}

/** Of pairs of grades of the same things. */
export function agreementOf(pairs: readonly (readonly [boolean, boolean])[]): Agreement | null {
  if (pairs.length === 0) return null;
  const share = (test: (pair: readonly [boolean, boolean]) => boolean): number =>
    pairs.filter(test).length / pairs.length;
  const same = share(([one, other]) => one === other);
  const [one, other] = [share(([first]) => first), share(([, second]) => second)];
  const chance = one * other + (1 - one) * (1 - other);
  return { both: pairs.length, same, kappa: chance === 1 ? null : (same - chance) / (1 - chance) };
}

/** Kendall's tau-b of two figures of the same things; null where one of them is the same for all. */
export function kendallTauB(pairs: readonly (readonly [number, number])[]): number | null {
  let [sum, first, second] = [0, 0, 0];
  for (const [at, [one, other]] of pairs.entries()) {
    for (const [earlierOne, earlierOther] of pairs.slice(0, at)) {
      const [left, right] = [Math.sign(one - earlierOne), Math.sign(other - earlierOther)];
      sum += left * right;
      first += Math.abs(left);
      second += Math.abs(right);
    }
  }
  return first === 0 || second === 0 ? null : sum / Math.sqrt(first * second);
}
