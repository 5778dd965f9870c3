import { type CacheResult, createCacheSimulator } from '@varve/prompt-cache';
import type { Pricing } from '../resolve-pricing.ts';
import type { Sizes } from '../session/sizes.ts';

type Simulator = ReturnType<typeof createCacheSimulator>;

/** A simulated cache that loses what conversations left in it when it is told to. */
export interface LossyCache extends Simulator {
  /** From here on nothing but system prompt and tools is cached, as another session of the same agent leaves them. */
  lose(): void;
}

export interface LossyCacheOptions {
  readonly pricing: Pick<Pricing, 'policy' | 'model'>;
  readonly sizes: Sizes;
}

/** Starts empty. */
export function createLossyCache({ pricing, sizes }: LossyCacheOptions): LossyCache {
  const { policy, model } = pricing;
  const create = (): Simulator => createCacheSimulator(policy, { sizeOf: sizes, prices: [model] });
  let simulator = create();
  let isLost = false;
  return {
    send(request, options): CacheResult {
      if (isLost) warm(request, options.startMs);
      isLost = false;
      return simulator.send(request, options);
    },
    read: (request, thread) => simulator.read(request, thread),
    warmTokens: (atMs, thread) => (isLost ? 0 : simulator.warmTokens(atMs, thread)),
    lose() {
      simulator = create();
      isLost = true;
    },
  };

  /** Another session of the same agent, with the same head, was there before. */
  function warm({ head }: Parameters<Simulator['send']>[0], startMs: number): void {
    const marker = { at: 'system', ttl: policy.defaultTtl } as const;
    const other = {
      head,
      messages: [{ id: 'other', role: 'user', content: [OTHER_TEXT] } as const],
      markers: policy.writes === 'markers' ? [marker] : [],
      maxOutputTokens: 1,
    };
    simulator.send(other, { startMs, thread: 'another session' });
  }
}

const OTHER_TEXT = { type: 'text', text: 'what another session asks' } as const;
