import type { PlanContext, Request } from '@varve/messages';
import type { StrategyContext } from '../strategy.ts';

/** Knows what is still in the cache, as far as the lifetime of its entries says. */
export interface CacheClock {
  /** A request goes out now. */
  sent(request: Request): void;
  state(): PlanContext['cache'];
}

/** Starts with a cold cache. */
export function createCacheClock({ policy, now }: StrategyContext): CacheClock {
  const { short, long = short } = policy.lifetimes;
  const { ms } = policy.defaultTtl === '1h' ? long : short;
  let last: { readonly atMs: number; readonly markers: readonly number[] } | undefined;
  return {
    sent({ markers }) {
      const places = markers.flatMap((each) => (each.at === 'message' ? [each.messageIndex] : []));
      last = { atMs: now(), markers: places };
    },
    state() {
      if (policy.writes === 'none' || last === undefined) return { warm: false, markers: [] };
      const warm = ms === null || now() - last.atMs <= ms;
      return { warm, markers: warm ? last.markers : [] };
    },
  };
}

/** Dollars per million tokens at a prompt size; without a cache everything is read and written at the plain price. */
export function planPrices(
  { model, policy }: StrategyContext,
  promptTokens: number,
): PlanContext['prices'] {
  const tiers = [...model.prices].sort((a, b) => a.fromPromptTokens - b.fromPromptTokens);
  const tier = tiers.findLast((each) => each.fromPromptTokens <= promptTokens) ?? tiers[0];
  if (tier === undefined) return { read: 0, write: 0, output: 0 };
  const { short, long = short } = policy.lifetimes;
  const multiplier = (policy.defaultTtl === '1h' ? long : short).writeMultiplier ?? 1;
  return {
    read: policy.writes === 'none' ? tier.input : tier.cacheRead,
    write: policy.chargesWrites ? tier.input * multiplier : tier.input,
    output: tier.output,
  };
}
