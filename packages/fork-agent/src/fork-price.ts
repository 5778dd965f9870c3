import type { Request } from '@varve/messages';
import { type CachePolicy, createCacheSimulator, type placeMarkers } from '@varve/prompt-cache';
import type { PrefixDifference } from './differences.ts';

/** What one request would cost, from estimated sizes. */
export interface RequestPrice {
  readonly readTokens: number;
  readonly writtenTokens: number;
  /** Neither read nor written. */
  readonly plainTokens: number;
  readonly promptTokens: number;
  /** Of the prompt alone; undefined where no price is known. */
  readonly dollars: number | undefined;
}

/** What the first request of a fork would cost, before anything is sent. */
export interface ForkPlan {
  readonly differs: readonly PrefixDifference[];
  /** Whether all of the parent's prefix can be read: nothing that differs loses any of it. */
  readonly isShared: boolean;
  /** As the fork is set up. */
  readonly asAsked: RequestPrice;
  /** The same directive without anything that differs. */
  readonly asParent: RequestPrice;
  /** `asAsked` less `asParent`; undefined where either is unknown. */
  readonly extraDollars: number | undefined;
}

export interface PlanOptions {
  /** The parent's request, as it was sent. */
  readonly sent: Request;
  /** The fork's first request, and that of a fork that differs in nothing. */
  readonly asked: Request;
  readonly shared: Request;
  readonly policy: CachePolicy;
  readonly askedPolicy: CachePolicy;
  readonly differs: readonly PrefixDifference[];
  /** Milliseconds between the parent's request and the fork's. */
  readonly idleMs: number;
}

/** Prices a fork both ways. Reads the whole prompt once: for a decision, not for every turn. */
export function forkPlan(options: PlanOptions): ForkPlan {
  const { sent, asked, shared, policy, askedPolicy, differs, idleMs } = options;
  const isSameModel = sent.head.model === asked.head.model;
  const asAsked = priceOf(isSameModel ? sent : undefined, asked, { policy: askedPolicy, idleMs });
  const asParent = priceOf(sent, shared, { policy, idleMs });
  const areKnown = asAsked.dollars !== undefined && asParent.dollars !== undefined;
  return {
    differs,
    isShared: losing(differs).length === 0,
    asAsked,
    asParent,
    extraDollars: areKnown ? (asAsked.dollars ?? 0) - (asParent.dollars ?? 0) : undefined,
  };
}

/** The differences that lose any of the prefix. */
export const losing = (differs: readonly PrefixDifference[]): readonly PrefixDifference[] =>
  differs.filter(({ loses }) => loses !== 'nothing');

/** What a request costs after another on the same cache, or on an empty one. */
export function priceOf(
  before: Request | undefined,
  request: ReturnType<typeof placeMarkers<Request>>,
  { policy, idleMs }: { readonly policy: CachePolicy; readonly idleMs: number },
): RequestPrice {
  const cache = createCacheSimulator(policy);
  if (before) cache.send(before, { startMs: 0 });
  const { tokens, dollars } = cache.send(request, { startMs: Math.max(0, idleMs) }); // clocks are set back
  return {
    readTokens: tokens.read,
    writtenTokens: tokens.write5m + tokens.write1h,
    plainTokens: tokens.plain,
    promptTokens: tokens.total,
    dollars,
  };
}
