import type { Head } from '@varve/messages';
import { type CacheResult, createCacheSimulator } from '@varve/prompt-cache';
import type { Pricing } from '../resolve-pricing.ts';
import type { Sizes } from '../session/sizes.ts';

type Simulator = ReturnType<typeof createCacheSimulator>;

/** A simulated cache that loses what conversations left in it when it is told to. */
export interface LossyCache extends Simulator {
  /** From here on nothing but system prompt and tools is cached, as another session of the same agent leaves them. */
  lose(atMs: number): void;
}

export interface LossyCacheOptions {
  readonly pricing: Pick<Pricing, 'policy' | 'model'>;
  readonly sizes: Sizes;
  readonly head: Head;
}

/** Starts empty. */
export function createLossyCache({ pricing, sizes, head }: LossyCacheOptions): LossyCache {
  const { policy, model } = pricing;
  const create = (): Simulator => createCacheSimulator(policy, { sizeOf: sizes, prices: [model] });
  let simulator = create();
  return {
    send: (request, options): CacheResult => simulator.send(request, options),
    warmTokens: (atMs, thread) => simulator.warmTokens(atMs, thread),
    lose(startMs) {
      simulator = create();
      const marker = { at: 'system', ttl: policy.defaultTtl } as const;
      const request = {
        head,
        messages: [{ id: 'other', role: 'user', content: [OTHER_TEXT] } as const],
        markers: policy.writes === 'markers' ? [marker] : [],
        maxOutputTokens: 1,
      };
      simulator.send(request, { startMs, thread: 'another session' });
    },
  };
}

const OTHER_TEXT = { type: 'text', text: 'what another session asks' } as const;
