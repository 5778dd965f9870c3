import type { Cut } from './hindsight.ts';

/** Sums over the cuts of a session. */
export interface HindsightRecall {
  /** Weight of the units that were at hand. */
  readonly kept: number;
  readonly wanted: number;
  /** How many units were wanted, unweighted. */
  readonly units: number;
}

/** Adds up what is visible at a cut. */
export function addCut(
  sum: HindsightRecall,
  cut: Cut | undefined,
  isVisible: (unit: number) => boolean,
): HindsightRecall {
  if (cut === undefined) return sum;
  let { kept, wanted } = sum;
  for (const { unit, weight } of cut.units) {
    wanted += weight;
    if (isVisible(unit)) kept += weight;
  }
  return { kept, wanted, units: sum.units + cut.units.length };
}

export const NO_RECALL: HindsightRecall = { kept: 0, wanted: 0, units: 0 };
