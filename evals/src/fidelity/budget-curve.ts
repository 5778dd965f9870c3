import type { BudgetCurve, CurvePoint, FidelityRow, FidelityTotal } from './fidelity-schema.ts';
import { nameOf } from './fidelity-totals.ts';
import { groupBy, mean } from './means.ts';

/** How each compactor does as it is given more room, over all budgets that are shares. */
export function budgetCurves(
  rows: readonly FidelityRow[],
  totals: readonly FidelityTotal[],
): readonly BudgetCurve[] {
  const sized = rows.filter(({ budget }) => budget !== null);
  return [...groupBy(sized, ({ compactor }) => nameOf(compactor))].map(([compactor, own]) => {
    const points = totals
      .filter((total) => total.compactor === compactor)
      .flatMap(pointOf)
      .sort((one, other) => one.budget - other.budget);
    const sessions = [...groupBy(own, ({ session }) => session).values()];
    const needed = sessions.map((each) => neededOf(each, ENOUGH));
    return {
      compactor,
      points,
      area: areaOf(points),
      sessions: sessions.length,
      reached: needed.filter(({ tokens }) => tokens < Number.POSITIVE_INFINITY).length,
      neededTokens: median(needed.map(({ tokens }) => tokens)),
      neededShare: median(needed.map(({ share }) => share)),
    };
  });
}

/** The vital recall that a budget has to be enough for. */
const ENOUGH = 0.9;

const pointOf = ({ budget, share, vital, hindsight, normalised }: FidelityTotal): CurvePoint[] =>
  budget === null ? [] : [{ budget, share, vital, hindsight, normalised }];

/** Mean of the normalised hindsight recall over the logarithm of the budget; null below two budgets. */
function areaOf(points: readonly CurvePoint[]): number | null {
  const known = points.flatMap(({ budget, normalised }) =>
    normalised === null ? [] : [{ at: Math.log(budget), height: normalised }],
  );
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last || first.at === last.at) return null;
  let area = 0;
  for (const [index, { at, height }] of known.slice(1).entries()) {
    const before = known[index] as { readonly at: number; readonly height: number };
    area += ((height + before.height) / 2) * (at - before.at);
  }
  return area / (last.at - first.at);
}

interface Needed {
  readonly tokens: number;
  readonly share: number;
}

/** What was left where a session first has enough, on a line between two budgets over the logarithm of what each left. */
function neededOf(rows: readonly FidelityRow[], enough: number): Needed {
  const steps = [...groupBy(rows, ({ budget }) => budget as number)]
    .sort(([one], [other]) => one - other)
    .map(([, own]) => ({
      vital: mean(own.map(({ vital }) => vital)) ?? 0,
      tokens: mean(own.map(({ tokens }) => tokens)) ?? 0,
      share: mean(own.map(({ share }) => share)) ?? 0,
    }));
  const at = steps.findIndex(({ vital }) => vital >= enough);
  const [below, above] = [steps[at - 1], steps[at]];
  if (!above) return { tokens: Number.POSITIVE_INFINITY, share: Number.POSITIVE_INFINITY };
  if (!below) return above;
  const part = (enough - below.vital) / (above.vital - below.vital);
  const between = (from: number, to: number): number =>
    from > 0 ? from * (to / from) ** part : to;
  return {
    tokens: between(below.tokens, above.tokens),
    share: between(below.share, above.share),
  };
}

/** The lower of two in the middle; null where that half of the sessions never gets there. */
function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  return middle === undefined || middle === Number.POSITIVE_INFINITY ? null : middle;
}
