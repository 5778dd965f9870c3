import type { Message } from '@varve/messages';
import type { Cut } from '../../demand/hindsight.ts';
import type { UnitIndex } from '../../demand/unit-index.ts';
import type { Compactor } from '../compactor.ts';
import { fitting, keepSome } from './keep-some.ts';

/** Whole messages chosen with knowledge of what the future needs, most needed weight a token first: no method is above it. */
export const oracleMessages = (cut: Cut, index: UnitIndex): Compactor =>
  keepSome('oracle', (messages, budget) => {
    const weights = new Map(cut.units.map(({ unit, weight }) => [unit, weight]));
    const chosen: { message: Message; at: number }[] = [];
    let left = budget.tokens;
    const waiting = messages.map((message, at) => ({ message, at }));
    for (;;) {
      const best = bestOf(waiting, { weights, index, left, sizeOf: budget.sizeOf });
      if (best === undefined) break;
      chosen.push(best);
      left -= budget.sizeOf(best.message);
      for (const unit of index.unitsOf(best.message)) weights.delete(unit);
      waiting.splice(waiting.indexOf(best), 1);
    }
    return fitting(chosen, budget);
  });

interface Choice {
  readonly weights: ReadonlyMap<number, number>;
  readonly index: UnitIndex;
  readonly left: number;
  readonly sizeOf: (message: Message) => number;
}

function bestOf(
  waiting: readonly { message: Message; at: number }[],
  { weights, index, left, sizeOf }: Choice,
) {
  let best: { message: Message; at: number } | undefined;
  let bestDensity = 0;
  for (const each of waiting) {
    const size = sizeOf(each.message);
    if (size > left) continue;
    let gain = 0;
    for (const unit of index.unitsOf(each.message)) gain += weights.get(unit) ?? 0;
    const density = gain / Math.max(1, size);
    if (density > bestDensity) {
      best = each;
      bestDensity = density;
    }
  }
  return best;
}
