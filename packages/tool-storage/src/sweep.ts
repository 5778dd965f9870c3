import { checkOptions, number, required } from '@varve/guards';
import type { StoredItem, ToolResultStore } from './store.ts';

/** A stored result, with the two parts of its key. */
export interface SweepItem extends StoredItem {
  /** As in the key: `sessionKey(sessionId)`. */
  readonly session: string;
  readonly handle: string;
}

export interface SweepOptions {
  /**
   * What is referred to and therefore never removed: keys (`keyOf(sessionId, handle)`), or a function that is asked right
   * before a result is removed.
   */
  readonly keep: Iterable<string> | ((item: SweepItem) => boolean);
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Older results go. @default Infinity */
  readonly maxAgeMs?: number | undefined;
  /** The oldest results go until all together have no more bytes than this. @default Infinity */
  readonly maxTotalBytes?: number | undefined;
  /**
   * Younger results stay: the log that refers to them may not be written yet.
   * @default 3600000, one hour
   */
  readonly minAgeMs?: number | undefined;
  /** Only says what would go. @default false */
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SweepResult {
  readonly removed: readonly SweepItem[];
  /** What the store refused to remove, with what it threw. */
  readonly failed: readonly { readonly item: SweepItem; readonly cause: unknown }[];
  /** Bytes that are stored afterwards. */
  readonly bytes: number;
}

/**
 * Removes old results, and what interrupted writes have left. Rejects as the store does where it cannot even list; aborted,
 * it has removed whole results only. Rejects with a RangeError or TypeError for options that make no sense.
 */
export async function sweep(store: ToolResultStore, options: SweepOptions): Promise<SweepResult> {
  checkOptions(options, EXPECTED);
  const { nowMs, maxTotalBytes = Number.POSITIVE_INFINITY, dryRun = false, signal } = options;
  const isKept = keeper(options);
  const isTooOld = ageTest(options);
  const items = (await store.list('', { signal })).map(toItem).sort(byAge);
  let bytes = items.reduce((sum, item) => sum + item.bytes, 0);
  const removed: SweepItem[] = [];
  const failed: { item: SweepItem; cause: unknown }[] = [];
  for (const item of items) {
    signal?.throwIfAborted();
    if ((!isTooOld(item) && bytes <= maxTotalBytes) || isKept(item)) continue;
    const cause = dryRun ? undefined : await failureOfDelete(store, item, signal);
    if (cause === undefined) removed.push(item);
    else failed.push({ item, cause });
    if (cause === undefined) bytes -= item.bytes;
  }
  if (!dryRun) await store.tidy?.({ nowMs });
  return { removed, failed, bytes };
}

const EXPECTED = {
  keep: required({
    what: 'a list of keys or a function',
    fits: (value: unknown) =>
      typeof value === 'function' ||
      (typeof value === 'object' && value !== null && Symbol.iterator in value),
  }),
  nowMs: required(number()),
  maxAgeMs: number({ min: 0 }),
  maxTotalBytes: number({ min: 0 }),
  minAgeMs: number({ min: 0 }),
};

function keeper({ keep, nowMs, minAgeMs = 3_600_000 }: SweepOptions): (item: SweepItem) => boolean {
  const isNamed = keepTest(keep);
  return (item) => nowMs - item.modifiedMs < minAgeMs || isNamed(item);
}

export function keepTest(keep: SweepOptions['keep']): (item: SweepItem) => boolean {
  if (typeof keep === 'function') return keep;
  const keys = new Set(keep);
  return ({ key }) => keys.has(key);
}

function ageTest({ nowMs, maxAgeMs = Number.POSITIVE_INFINITY }: SweepOptions) {
  return ({ modifiedMs }: SweepItem): boolean => nowMs - modifiedMs > maxAgeMs;
}

function toItem(item: StoredItem): SweepItem {
  const slash = item.key.indexOf('/');
  return { ...item, session: item.key.slice(0, slash), handle: item.key.slice(slash + 1) };
}

/** Oldest first; by key where that does not decide, so that a sweep does the same wherever it runs. */
const byAge = (left: SweepItem, right: SweepItem): number =>
  left.modifiedMs - right.modifiedMs || (left.key < right.key ? -1 : 1);

async function failureOfDelete(store: ToolResultStore, { key }: SweepItem, signal?: AbortSignal) {
  try {
    await store.delete(key, { signal });
    return undefined;
  } catch (cause) {
    signal?.throwIfAborted();
    return cause ?? new Error('the store rejected without a reason');
  }
}
