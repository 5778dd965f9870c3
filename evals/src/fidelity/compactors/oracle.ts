import type { Message } from '@varve/messages';
import type { Cut } from '../../demand/hindsight.ts';
import type { UnitIndex } from '../../demand/unit-index.ts';
import type { Compactor } from '../compactor.ts';
import { type Candidate, fitting, keepSome } from './keep-some.ts';

/**
 * Whole messages chosen with knowledge of the future: the most needed weight a token first, or the one message that is
 * needed most and then the same, whichever has more. The best choice is not always found, but no method that was seen beats it.
 */
export const oracleMessages = (cut: Cut, index: UnitIndex): Compactor =>
  keepSome('oracle', (messages, budget) => {
    const waiting = messages.map((message, at) => ({ message, at }));
    const choose = (first: Candidate | undefined): Chosen =>
      greedy(waiting, { cut, index, first, ...budget });
    const plain = choose(undefined);
    const single = waiting.reduce<Chosen | undefined>((best, each) => {
      if (budget.sizeOf(each.message) > budget.tokens) return best;
      const weight = weightOf(each.message, { weights: weightsOf(cut), index });
      return weight > (best?.weight ?? 0) ? { chosen: [each], weight } : best;
    }, undefined);
    const large = choose(single?.chosen[0]);
    return fitting((large.weight > plain.weight ? large : plain).chosen, budget);
  });

interface Chosen {
  readonly chosen: readonly Candidate[];
  /** Needed weight that they hold. */
  readonly weight: number;
}

interface GreedyOptions {
  readonly cut: Cut;
  readonly index: UnitIndex;
  /** Taken before any other. */
  readonly first: Candidate | undefined;
  readonly tokens: number;
  readonly sizeOf: (message: Message) => number;
}

function greedy(
  all: readonly Candidate[],
  { cut, index, first, tokens, sizeOf }: GreedyOptions,
): Chosen {
  const weights = weightsOf(cut);
  const waiting = [...all];
  const chosen: Candidate[] = [];
  let [left, weight] = [tokens, 0];
  let next = first ?? bestOf(waiting, { weights, index, left, sizeOf });
  while (next !== undefined) {
    chosen.push(next);
    left -= sizeOf(next.message);
    weight += weightOf(next.message, { weights, index });
    for (const unit of index.unitsOf(next.message)) weights.delete(unit);
    waiting.splice(waiting.indexOf(next), 1);
    next = bestOf(waiting, { weights, index, left, sizeOf });
  }
  return { chosen, weight };
}

const weightsOf = (cut: Cut): Map<number, number> =>
  new Map([...cut.calls.units].map((unit, at) => [unit, cut.calls.weights[at] as number]));

function weightOf(message: Message, { weights, index }: Pick<Choice, 'weights' | 'index'>): number {
  let weight = 0;
  for (const unit of index.unitsOf(message)) weight += weights.get(unit) ?? 0;
  return weight;
}

interface Choice {
  readonly weights: ReadonlyMap<number, number>;
  readonly index: UnitIndex;
  readonly left: number;
  readonly sizeOf: (message: Message) => number;
}

function bestOf(
  waiting: readonly Candidate[],
  { weights, index, left, sizeOf }: Choice,
): Candidate | undefined {
  let best: Candidate | undefined;
  let bestDensity = 0;
  for (const each of waiting) {
    const size = sizeOf(each.message);
    if (size > left) continue;
    const density = weightOf(each.message, { weights, index }) / Math.max(1, size);
    if (density > bestDensity) {
      best = each;
      bestDensity = density;
    }
  }
  return best;
}
