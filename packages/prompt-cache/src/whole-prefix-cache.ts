import { type CachePolicy, usableTokens } from './policy.ts';
import { checkOf, keyOf, type PrefixColumns, tokensOf } from './prefix-columns.ts';
import type { ScopeCache } from './scope-cache.ts';
import type { ThreadPrefix } from './thread-prefix.ts';
import { bornAt, type Life, stateAt } from './timing.ts';

interface Entry extends Life {
  anchorMs: number;
  readableMs: number;
  readonly check: number;
}

/**
 * The entries of a thread's prefix, so that a long one costs no look-ups. Its first `freshCount` entries were all read
 * or written by the thread's latest request; their anchors are brought up to date only when somebody looks at them.
 */
interface Path {
  readonly entries: Entry[];
  freshCount: number;
  fresh: Life;
}

/**
 * A cache that keeps every prefix, whatever a request marks: the longest one that still lives is read, down to a whole
 * number of units. Whole blocks are compared: two blocks that only begin alike share nothing.
 */
export function createBlockCache(policy: CachePolicy): ScopeCache {
  const entries = new Map<number, Entry>();
  const paths = new WeakMap<ThreadPrefix, Path>();
  let latest: Path | undefined;
  return {
    reach: ({ columns }) => columns.length,
    serve(thread, { wanted, ...timing }) {
      const { columns } = thread;
      const young = bornAt(policy.defaultTtl, timing, policy);
      const path = paths.get(thread) ?? { entries: [], freshCount: 0, fresh: young };
      paths.set(thread, path);
      // Threads share entries, so what one left undone has to be done before another looks.
      if (latest !== path && latest) freshen(latest, 0);
      latest = path;
      follow(path, columns, { entries, ttl: policy.defaultTtl });
      const readCount = read(path, { young, startMs: timing.startMs, policy });
      const blocking = path.entries[readCount];
      const obstacle = blocking && stateAt(blocking, timing.startMs, policy);
      write(path, readCount, { young, startMs: timing.startMs, policy });
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

/** Writes down what the latest request did to the entries from `start` on. */
function freshen(path: Path, start: number): void {
  for (let position = start; position < path.freshCount; position++) {
    const entry = path.entries[position] as Entry;
    entry.anchorMs = Math.max(entry.anchorMs, path.fresh.anchorMs);
  }
  path.freshCount = Math.min(path.freshCount, start);
}

interface EntryOptions {
  readonly entries: Map<number, Entry>;
  readonly ttl: '5m' | '1h';
}

/** Moves a path on to the thread's next prefix. */
function follow(path: Path, columns: PrefixColumns, options: EntryOptions): void {
  freshen(path, Math.min(path.entries.length, columns.shared));
  path.entries.length = Math.min(path.entries.length, columns.shared);
  while (path.entries.length < columns.length) {
    path.entries.push(entryAt(columns, path.entries.length, options));
  }
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

/** Refreshes the leading entries that can be read, and tells how many they are. */
function read(path: Path, { young, startMs, policy }: PathOptions): number {
  const isInOrder = young.anchorMs >= path.fresh.anchorMs;
  if (!isInOrder || stateAt(path.fresh, startMs, policy) !== 'live') freshen(path, 0);
  let count = path.freshCount;
  for (; count < path.entries.length; count++) {
    const entry = path.entries[count] as Entry;
    if (stateAt(entry, startMs, policy) !== 'live') break;
    if (policy.refreshOnRead) entry.anchorMs = Math.max(entry.anchorMs, young.anchorMs);
  }
  return count;
}

function write(path: Path, start: number, { young, startMs, policy }: PathOptions): void {
  for (let position = start; position < path.entries.length; position++) {
    const entry = path.entries[position] as Entry;
    if (stateAt(entry, startMs, policy) === 'expired') entry.readableMs = young.readableMs;
    entry.readableMs = Math.min(entry.readableMs, young.readableMs);
    entry.anchorMs = Math.max(entry.anchorMs, young.anchorMs);
  }
  path.fresh = young;
  path.freshCount = policy.refreshOnRead ? path.entries.length : 0;
}
