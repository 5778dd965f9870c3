/** What was said of an observation, and what came of it. */
export interface Told {
  readonly chance: number;
  readonly isNeeded: boolean;
  /** In requests. */
  readonly age: number;
}

/**
 * How often, of two of the same age of which one was needed and one was not, the one that was needed was given the larger
 * chance: 0.5 is none better than age alone. Null where no pair is.
 */
export function aucAtEqualAge(told: readonly Told[]): number | null {
  const ages = new Map<number, Told[]>();
  for (const each of told) {
    const same = ages.get(each.age);
    if (same) same.push(each);
    else ages.set(each.age, [each]);
  }
  let [right, pairs] = [0, 0];
  for (const same of ages.values()) {
    const counted = orderedPairs(same);
    right += counted.right;
    pairs += counted.pairs;
  }
  return pairs === 0 ? null : right / pairs;
}

/** A tie is half right. */
function orderedPairs(told: readonly Told[]): { readonly right: number; readonly pairs: number } {
  const sorted = [...told].sort((one, other) => one.chance - other.chance);
  let [below, right, needed] = [0, 0, 0];
  for (let start = 0; start < sorted.length; ) {
    let end = start;
    let tied = 0;
    while (end < sorted.length && sorted[end]?.chance === sorted[start]?.chance)
      tied += Number(sorted[end++]?.isNeeded);
    const others = end - start - tied;
    right += tied * (below + others / 2);
    below += others;
    needed += tied;
    start = end;
  }
  return { right, pairs: needed * below };
}

/** Of those that were given about the same chance: that chance, and the share that was needed. */
export interface CalibrationBin {
  readonly said: number;
  readonly was: number;
  readonly count: number;
}

/** Bounds of the bins as shares of all: most things are hardly ever needed, so that the upper ones are finer. */
const BINS = [0, 0.5, 0.8, 0.9, 0.95, 0.98, 1];

export function calibration(told: readonly Told[]): readonly CalibrationBin[] {
  const sorted = [...told].sort((one, other) => one.chance - other.chance);
  return BINS.slice(1).flatMap((end, at) => {
    const start = Math.floor((BINS[at] as number) * sorted.length);
    const own = sorted.slice(start, Math.floor(end * sorted.length));
    if (own.length === 0) return [];
    const said = own.reduce((sum, { chance }) => sum + chance, 0) / own.length;
    const was = own.filter(({ isNeeded }) => isNeeded).length / own.length;
    return [{ said, was, count: own.length }];
  });
}
