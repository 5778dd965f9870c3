import type { Request } from '@varve/messages';
import type { CacheResult } from '@varve/prompt-cache';
import type { OwnCall } from '../strategy.ts';
import { createLossyCache } from './lossy-cache.ts';
import type { SessionPlan } from './session-plan.ts';
import { countOwnPrice, countPriced, type ReReadKind, type Tally } from './tally.ts';

export interface PayOptions {
  readonly startMs: number;
  readonly outputTokens: number;
  readonly reRead?: ReReadKind | undefined;
}

export interface Payment {
  /** Puts a valid request into the simulated cache and counts what it costs. */
  pay(request: Request, options: PayOptions): CacheResult;
  /** The same for one that a strategy sends for itself: it reads and fills the same cache beside the conversation. */
  payOwn(call: OwnCall & { readonly startMs: number }): void;
  /** The provider lost what the conversation had left in the cache. */
  lose(): void;
}

/** Starts with an empty cache. */
export function createPayment({ recording, pricing }: SessionPlan, tally: Tally): Payment {
  const { window: windowTokens, rereadFactor } = pricing;
  const cache = createLossyCache({ pricing, sizes: recording.sizes });
  return {
    lose: cache.lose,
    pay(request, { reRead, ...timing }) {
      const result = cache.send(request, timing);
      countPriced(tally, result, { windowTokens, reRead, rereadFactor });
      return result;
    },
    payOwn({ request, startMs, outputTokens }) {
      countOwnPrice(tally, cache.send(request, { startMs, outputTokens, thread: 'own' }));
    },
  };
}
