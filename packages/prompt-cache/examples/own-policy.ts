import { CACHE_POLICIES, createCacheSimulator, definePolicy } from '@varve/prompt-cache';

const ours = definePolicy({
  ...CACHE_POLICIES.blocks,
  name: 'our-server',
  unitTokens: 32,
  lifetimes: { short: { name: 'idle', ms: 600_000, graceMs: 0, writeMultiplier: 1 } },
});
console.log(ours.name, typeof createCacheSimulator(ours).send);
