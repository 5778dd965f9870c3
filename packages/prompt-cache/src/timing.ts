import type { CachePolicy, Lifetime } from './policy.ts';

/** When a request began and when its first token came, in milliseconds of any clock. */
export interface Timing {
  readonly startMs: number;
  readonly firstTokenMs: number;
}

/** The life of an entry: found from `readableMs` on, for a lifetime from `anchorMs`. */
export interface Life {
  readonly ttl: '5m' | '1h';
  readonly anchorMs: number;
  readonly readableMs: number;
}

export type LifeState = 'live' | 'in-flight' | 'expired';

function lifetimeOf(ttl: '5m' | '1h', { lifetimes }: CachePolicy): Lifetime {
  return ttl === '1h' ? (lifetimes.long ?? lifetimes.short) : lifetimes.short;
}

export function bornAt(ttl: '5m' | '1h', timing: Timing, policy: CachePolicy): Life {
  const at = { start: timing.startMs, 'first-token': timing.firstTokenMs };
  return { ttl, anchorMs: at[policy.ttlAnchor], readableMs: at[policy.readableFrom] };
}

export function stateAt(life: Life, startMs: number, policy: CachePolicy): LifeState {
  if (startMs < life.readableMs) return 'in-flight';
  const { ms, graceMs } = lifetimeOf(life.ttl, policy);
  return ms === null || startMs - life.anchorMs <= ms + graceMs ? 'live' : 'expired';
}

/** An entry that another request writes while it is still being written: readable at the earlier, alive as the later. */
export function merged(old: Life, young: Life, policy: CachePolicy): Life {
  const endOf = ({ ttl, anchorMs }: Life) => anchorMs + (lifetimeOf(ttl, policy).ms ?? Infinity);
  const lasting = endOf(old) > endOf(young) ? old : young;
  return { ...lasting, readableMs: Math.min(old.readableMs, young.readableMs) };
}
