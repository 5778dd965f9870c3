import { decideByCount } from './decide-by-count.ts';
import { decideByIdleTime } from './decide-by-idle-time.ts';
import { type Decide, type Decision, nothing } from './decision-types.ts';
import type { Mechanism, MicrocompactOptions } from './options.ts';
import { decideByRent } from './rent/decide-by-rent.ts';

/**
 * When results are cleared: the triggers as one, the first that clears something, else the reason of the last. By default `rent`
 * is the only one: results go once reading them on costs more than writing anew what follows them.
 */
export function decideClearing(
  options: MicrocompactOptions,
  mechanisms: readonly Mechanism[],
): Decide {
  if (options.decide) return options.decide;
  const triggers = mechanisms.map((mechanism) => triggerOf(mechanism, options));
  return (candidates, context) => {
    let decision: Decision = nothing('no-mechanism');
    for (const trigger of triggers) {
      decision = trigger(candidates, context);
      if (decision.clear.length > 0) break;
    }
    return decision;
  };
}

function triggerOf(mechanism: Mechanism, options: MicrocompactOptions): Decide {
  const { keepRecent, minSavingsTokens, time, count, rent } = options;
  const kept = keepRecent === undefined ? {} : { keepRecent };
  const floor = minSavingsTokens === undefined ? {} : { minSavingsTokens };
  switch (mechanism) {
    case 'time': {
      const all = { ...kept, ...time };
      return (candidates, context) => decideByIdleTime(candidates, context, all);
    }
    case 'count': {
      const all = { ...floor, ...kept, ...count };
      return (candidates) => decideByCount(candidates, all);
    }
    case 'rent': {
      const all = { ...kept, ...rent };
      return (candidates, context) => decideByRent(candidates, context, all);
    }
  }
}
