import type { Marker } from '@varve/messages';
import { createEntryStore, type EntryStore } from './entry-store.ts';
import { placesBack } from './lookback.ts';
import { ttlOf } from './marker-place.ts';
import { type CachePolicy, usableTokens } from './policy.ts';
import { tokensOf } from './prefix-columns.ts';
import type { Obstacle, ScopeCache, Served } from './scope-cache.ts';
import type { ThreadPrefix } from './thread-prefix.ts';
import { bornAt, type Life, merged, stateAt, type Timing } from './timing.ts';

/** A cache with one entry for each marker of a request: the longest entry a marker reaches is read, the rest written. */
export function createMarkerCache(policy: CachePolicy): ScopeCache {
  const store = createEntryStore(policy);
  return {
    reach(thread, markers) {
      const last = markers.at(-1);
      return last ? positionOf(last, thread) + 1 : 0;
    },
    serve(thread, { wanted, markers, ...timing }) {
      store.sweep(timing.startMs);
      const context = { thread, store, policy, timing };
      const placed = markers.map((marker) => ({
        position: positionOf(marker, thread),
        ttl: ttlOf(marker, policy),
      }));
      const readCount = Math.max(0, ...placed.map((marker) => readAt(marker, context)));
      const written = placed.filter(({ position }) => isLongEnough(position, context));
      const blocked = readCount < wanted ? obstacle({ readCount, wanted, written }, context) : {};
      for (const marker of written) write(marker, readCount, context);
      return { ...bill(written, readCount, context), ...blocked };
    },
  };
}

interface PlacedMarker {
  readonly position: number;
  readonly ttl: '5m' | '1h';
}

interface MarkerContext {
  readonly thread: ThreadPrefix;
  readonly store: EntryStore;
  readonly policy: CachePolicy;
  readonly timing: Timing;
}

function positionOf(marker: Marker, thread: ThreadPrefix): number {
  if (marker.at === 'tools') return toolPosition(marker, thread);
  if (marker.at === 'system') {
    return marker.blockIndex === undefined
      ? thread.headEnd - 2
      : thread.toolsEnd + 1 + marker.blockIndex;
  }
  return (thread.ends[marker.messageIndex - 1] ?? thread.headEnd) + marker.blockIndex;
}

/** Tools that stand elsewhere, as those of the server do, have no position: the nearest one before them counts. */
function toolPosition({ blockIndex }: Marker, { toolsEnd, head, headParts }: ThreadPrefix): number {
  if (blockIndex === undefined) return toolsEnd - 1;
  const before = head?.tools.slice(0, blockIndex + 1) ?? [];
  return before.filter((tool) => headParts?.ownTools.includes(tool)).length;
}

/** Positions up to the newest entry this marker reaches, which is refreshed; 0 if it reaches none. */
function readAt(marker: PlacedMarker, context: MarkerContext): number {
  const { thread, store, policy, timing } = context;
  for (const position of placesBack(thread, marker.position, policy.lookback)) {
    const life = store.find(thread.columns, position);
    if (!life || stateAt(life, timing.startMs, policy) !== 'live') continue;
    if (!isLongEnough(position, context)) continue;
    if (policy.refreshOnRead) {
      store.save(thread.columns, position, refreshed(life, marker, context));
    }
    return position + 1;
  }
  return 0;
}

function refreshed(life: Life, marker: PlacedMarker, { policy, timing }: MarkerContext): Life {
  const ttl = policy.refreshedLifetime === 'as-marked' ? marker.ttl : life.ttl;
  const { anchorMs } = bornAt(ttl, timing, policy);
  return { ttl, anchorMs: Math.max(anchorMs, life.anchorMs), readableMs: life.readableMs };
}

function isLongEnough(position: number, { thread, policy }: MarkerContext): boolean {
  const tokens = tokensOf(thread.columns, position + 1);
  return tokens > 0 && tokens >= policy.minimumTokens;
}

function write(marker: PlacedMarker, readCount: number, context: MarkerContext): void {
  const { thread, store, policy, timing } = context;
  const isInside = marker.position < readCount;
  if (isInside && !policy.writesInsideRead) return;
  const old = store.find(thread.columns, marker.position);
  const state = old && stateAt(old, timing.startMs, policy);
  if (state === 'live') return;
  const young = bornAt(marker.ttl, timing, policy);
  const life = old && state === 'in-flight' ? merged(old, young, policy) : young;
  store.save(thread.columns, marker.position, life);
}

function bill(written: readonly PlacedMarker[], readCount: number, context: MarkerContext): Served {
  const { thread, store, policy } = context;
  const end = (markers: readonly PlacedMarker[]) =>
    Math.max(readCount, ...markers.map(({ position }) => position + 1));
  const longCount = end(written.filter(({ ttl }) => ttl === '1h'));
  const cachedCount = end(written);
  const tokens = (count: number) => tokensOf(thread.columns, count);
  const life = cachedCount > 0 ? store.find(thread.columns, cachedCount - 1) : undefined;
  return {
    readCount,
    readTokens: usableTokens(tokens(readCount), policy),
    write1hTokens: tokens(longCount) - tokens(readCount),
    write5mTokens: tokens(cachedCount) - tokens(longCount),
    cachedCount,
    cachedTokens: tokens(cachedCount),
    ...(life && { life }),
  };
}

interface Missed {
  readonly readCount: number;
  readonly wanted: number;
  readonly written: readonly PlacedMarker[];
}

function obstacle(missed: Missed, context: MarkerContext): { readonly obstacle: Obstacle } {
  const { thread, store, policy, timing } = context;
  if (missed.written.length === 0) return { obstacle: 'below-minimum' };
  for (let position = missed.wanted - 1; position >= missed.readCount; position--) {
    const life = store.find(thread.columns, position);
    if (life) return { obstacle: stateAt(life, timing.startMs, policy) };
  }
  return { obstacle: 'no-entry' };
}
