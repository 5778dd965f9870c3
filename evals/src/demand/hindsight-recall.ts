import type { NeedsAt } from './needs.ts';

/** Where something is that is needed: in the request, one call away, or neither. */
export type Reach = 'at-hand' | 'one-call' | 'gone';

/** Sums over the requests of a session. */
export interface HindsightRecall {
  /** Weight of the units that were at hand. */
  readonly kept: number;
  /** Weight of those that one call would bring. */
  readonly near: number;
  readonly wanted: number;
}

export const NO_RECALL: HindsightRecall = { kept: 0, near: 0, wanted: 0 };

/** Adds up where the needs before a request are. */
export function addNeeds(
  sum: HindsightRecall,
  { units, weights }: NeedsAt,
  reachOf: (unit: number) => Reach,
): HindsightRecall {
  let { kept, near, wanted } = sum;
  for (const [at, unit] of units.entries()) {
    const weight = weights[at] as number;
    const reach = reachOf(unit);
    wanted += weight;
    if (reach === 'at-hand') kept += weight;
    if (reach === 'one-call') near += weight;
  }
  return { kept, near, wanted };
}

/** Share of what is wanted at one place that is visible; null where nothing is. */
export function recallAt({ units, weights }: NeedsAt, isVisible: (unit: number) => boolean) {
  const { kept, wanted } = addNeeds(NO_RECALL, { units, weights }, (unit) =>
    isVisible(unit) ? 'at-hand' : 'gone',
  );
  return wanted === 0 ? null : kept / wanted;
}
