import { type CachePolicy, usableTokens } from './policy.ts';
import { checkOf, keyOf, type PrefixColumns, tokensOf } from './prefix-columns.ts';
import type { ScopeCache } from './served.ts';
import type { ThreadPrefix } from './thread-prefix.ts';
import { bornAt, type Life, lifetimeOf, stateAt } from './timing.ts';

interface Entry extends Life {
  anchorMs: number;
  readableMs: number;
  readonly check: number;
}

/**
 * A cache that keeps every prefix, whatever a request marks: the longest one that still lives is read, down to a whole
 * number of units. Whole blocks are compared: two blocks that only begin alike share nothing.
 */
export function createBlockCache(policy: CachePolicy): ScopeCache {
  const entries = new Map<number, Entry>();
  // The entry of each position of a thread, so that a long prefix costs no look-ups.
  const paths = new WeakMap<ThreadPrefix, Entry[]>();
  return {
    reach: ({ columns }) => columns.length,
    serve(thread, { wanted, ...timing }) {
      const { columns } = thread;
      const path = paths.get(thread) ?? [];
      paths.set(thread, path);
      path.length = Math.min(path.length, columns.shared);
      while (path.length < columns.length) {
        path.push(entryAt(columns, path.length, { entries, ttl: policy.defaultTtl }));
      }
      const young = bornAt(policy.defaultTtl, timing, policy);
      const readCount = readFrom(path, { young, startMs: timing.startMs, policy });
      const blocking = path[readCount];
      const obstacle = blocking && stateAt(blocking, timing.startMs, policy);
      writeFrom(path, readCount, { young, startMs: timing.startMs, policy });
      return {
        readCount,
        readTokens: usableTokens(tokensOf(columns, readCount), policy),
        write5mTokens: 0,
        write1hTokens: 0,
        cachedCount: columns.length,
        cachedTokens: usableTokens(tokensOf(columns, columns.length), policy),
        life: young,
        ...(readCount < wanted && obstacle ? { obstacle } : {}),
      };
    },
  };
}

interface EntryOptions {
  readonly entries: Map<number, Entry>;
  readonly ttl: '5m' | '1h';
}

/** A prefix that was never sent gets an entry nobody can read yet. */
function entryAt(columns: PrefixColumns, position: number, { entries, ttl }: EntryOptions): Entry {
  const key = keyOf(columns, position);
  const check = checkOf(columns, position);
  const found = entries.get(key);
  if (found?.check === check) return found;
  const entry = { ttl, anchorMs: -Infinity, readableMs: Infinity, check };
  entries.set(key, entry);
  return entry;
}

interface PathOptions {
  readonly young: Life;
  readonly startMs: number;
  readonly policy: CachePolicy;
}

/**
 * Refreshes the leading entries that can be read, and tells how many they are. Walks the whole prefix on every request,
 * so it compares numbers and calls nothing.
 */
function readFrom(path: readonly Entry[], { young, startMs, policy }: PathOptions): number {
  const { ms, graceMs } = lifetimeOf(policy.defaultTtl, policy);
  const oldestMs = startMs - (ms ?? Infinity) - graceMs;
  const { anchorMs } = young;
  const { refreshOnRead } = policy;
  let count = 0;
  for (const entry of path) {
    if (entry.readableMs > startMs || entry.anchorMs < oldestMs) break;
    if (refreshOnRead && entry.anchorMs < anchorMs) entry.anchorMs = anchorMs;
    count++;
  }
  return count;
}

function writeFrom(
  path: readonly Entry[],
  start: number,
  { young, startMs, policy }: PathOptions,
): void {
  for (let position = start; position < path.length; position++) {
    const entry = path[position] as Entry;
    if (stateAt(entry, startMs, policy) === 'expired') entry.readableMs = young.readableMs;
    entry.readableMs = Math.min(entry.readableMs, young.readableMs);
    entry.anchorMs = Math.max(entry.anchorMs, young.anchorMs);
  }
}
