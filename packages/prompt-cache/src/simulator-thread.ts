import type { Request } from '@varve/messages';
import { breaksOf } from './cache-break.ts';
import { changeSince, type PrefixChange, rememberThread } from './cache-change.ts';
import type { CacheRequest } from './cache-request.ts';
import type { BilledSizes, CacheResult, SendOptions } from './cache-result.ts';
import { type CachePolicy, usableTokens } from './policy.ts';
import { tokensOf } from './prefix-columns.ts';
import type { PartIndex } from './prefix-parts.ts';
import type { PromptSizes } from './prompt-sizes.ts';
import type { Served } from './scope-cache.ts';
import { createServerView, type ServerView } from './server-view.ts';
import {
  advance,
  copyThreadPrefix,
  createThreadPrefix,
  type ThreadPrefix,
} from './thread-prefix.ts';
import { type Life, stateAt, type Timing } from './timing.ts';

/** One conversation: its latest prefix, and what its latest request left in the cache. */
export interface Thread {
  readonly view: (request: CacheRequest) => ServerView;
  readonly prefix: ThreadPrefix;
  cachedCount: number;
  cachedTokens: number;
  life: Life | undefined;
  /** Why its latest request left nothing in the cache, where it left nothing. */
  uncached: 'no-marker' | 'below-minimum' | undefined;
}

export interface Threads {
  /** The thread of a request, made up where it is new: it counts from `keep` on. */
  get(options: Pick<SendOptions, 'thread' | 'forkOf'>): Thread;
  keep(options: Pick<SendOptions, 'thread'>, thread: Thread): void;
  warmTokens(name: string, atMs: number): number;
}

export function createThreads(policy: CachePolicy, sizeOf: PromptSizes): Threads {
  const threads = new Map<string, Thread>();
  const stripsOldThinking = policy.oldThinking === 'stripped-at-user-turn';
  const keepThinkingTurns = stripsOldThinking ? 1 : 'all';
  const create = (): Thread => ({
    view: createServerView({ sizeOf, stripsOldThinking, keepThinkingTurns }),
    prefix: createThreadPrefix(),
    cachedCount: 0,
    cachedTokens: 0,
    life: undefined,
    uncached: undefined,
  });
  return {
    get({ thread: name = 'main', forkOf }) {
      const known = threads.get(name);
      if (known) return known;
      const parent = forkOf === undefined ? undefined : threads.get(forkOf);
      const created = create();
      if (parent)
        Object.assign(created, parent, {
          prefix: copyThreadPrefix(parent.prefix),
          view: created.view,
        });
      return created;
    },
    keep: ({ thread: name = 'main' }, thread) => void threads.set(name, thread),
    warmTokens(name, atMs) {
      const { life, cachedTokens = 0 } = threads.get(name) ?? {};
      return life && stateAt(life, atMs, policy) === 'live' ? cachedTokens : 0;
    },
  };
}

/** What a thread's next request is measured against. */
export interface ThreadStep {
  readonly change: PrefixChange | undefined;
  /** Positions that the request before left in the cache and this one still begins with. */
  readonly reachable: number;
  /** Whether all of it has expired. */
  readonly isCold: boolean;
}

export interface AdvanceOptions {
  readonly parts: PartIndex;
  readonly policy: CachePolicy;
  readonly timing: Timing;
}

export function advanceThread(
  thread: Thread,
  request: Request,
  { parts, policy, timing }: AdvanceOptions,
): ThreadStep {
  const before = rememberThread(thread.prefix);
  advance(thread.prefix, request, { parts, policy });
  const { life, cachedCount, prefix } = thread;
  return {
    change: changeSince(before, prefix),
    reachable: Math.min(cachedCount, prefix.columns.shared),
    isCold: life !== undefined && stateAt(life, timing.startMs, policy) === 'expired',
  };
}

export interface SettleOptions {
  readonly step: ThreadStep;
  readonly policy: CachePolicy;
  readonly readTokens: number;
  readonly billed: BilledSizes | undefined;
  readonly hasMarkers: boolean;
}

/** Remembers what a request left in the cache, and says what it lost of what the one before had left. */
export function settleThread(
  thread: Thread,
  served: Served,
  { step, policy, readTokens, billed, hasMarkers }: SettleOptions,
): Pick<
  CacheResult,
  'breaks' | 'uncached' | 'change' | 'commonPrefixTokens' | 'expectedReadTokens'
> {
  const { cachedCount, cachedTokens: expectedTokens, prefix } = thread;
  const { change, reachable, isCold } = step;
  const usable = () => usableTokens(tokensOf(prefix.columns, reachable), policy);
  const breaks = breaksOf({
    expectedTokens,
    reachableTokens: reachable < cachedCount ? usable() : expectedTokens,
    readTokens,
    change,
    obstacle: served.obstacle,
    isCold,
  });
  thread.cachedCount = served.cachedCount;
  thread.cachedTokens = billed?.cachedTokens ?? served.cachedTokens;
  thread.life = served.life;
  const commonPrefixTokens = tokensOf(prefix.columns, prefix.columns.shared);
  const { uncached: cause } = thread;
  thread.uncached = whyUncached(thread, policy, hasMarkers);
  const isUncached = cause !== undefined && readTokens === 0 && commonPrefixTokens > 0;
  return {
    breaks,
    ...(isUncached && { uncached: { cause, lostTokens: commonPrefixTokens } }),
    change,
    commonPrefixTokens,
    expectedReadTokens: expectedTokens,
  };
}

function whyUncached(
  { cachedTokens }: Thread,
  { writes }: CachePolicy,
  hasMarkers: boolean,
): Thread['uncached'] {
  if (cachedTokens > 0 || writes === 'none') return undefined;
  return writes === 'markers' && !hasMarkers ? 'no-marker' : 'below-minimum';
}
