import type { BlockPlace, PrefixChange } from './cache-change.ts';
import type { Obstacle } from './scope-cache.ts';

/**
 * Why less was read than the request before had left in the cache. `evicted` and `unexplained` are what billed usage can
 * show and a simulator cannot: the entry should have been there. `no-marker`, and `below-minimum` of a request that left
 * nothing at all, say why there was nothing to read: what the two requests have in common is lost. Only bills show
 * `markers-ignored` (marked requests are billed without a token read or written: something between, such as a gateway, strips the
 * markers) and `not-reported` (the bill says nothing of the cache).
 */
export type BreakCause =
  | 'first-request'
  | PrefixChange['cause']
  | 'ttl-expired'
  | 'marker-out-of-reach'
  | 'not-yet-available'
  | 'below-minimum'
  | 'no-marker'
  | 'markers-ignored'
  | 'not-reported'
  | 'evicted'
  | 'unexplained';

export interface CacheBreak {
  readonly cause: BreakCause;
  /** Tokens that could have been read and were not, for this cause. */
  readonly lostTokens: number;
  /** With `messages-changed`: the first block that differs, counted in the new request. */
  readonly place?: BlockPlace;
  /** With `params-changed`: the parameter, its path joined with dots. */
  readonly param?: string;
}

export interface LossOptions {
  /** What the request before left in the cache. */
  readonly expectedTokens: number;
  /** Those of them that are still the beginning of this request. */
  readonly reachableTokens: number;
  readonly readTokens: number;
  readonly change: PrefixChange | undefined;
  readonly obstacle: Obstacle | undefined;
  /** Whether all that the request before had left has expired. */
  readonly isCold: boolean;
}

/**
 * Splits what was lost by cause; the parts add up to it. A change loses what no longer matches, the rest is lost because
 * no entry that far back was left. On a cold cache everything is lost to time, whatever changed.
 */
export function breaksOf(loss: LossOptions): readonly CacheBreak[] {
  const { expectedTokens, reachableTokens, readTokens, change, obstacle, isCold } = loss;
  const lost = expectedTokens - readTokens;
  if (lost <= 0) return [];
  if (isCold) return [{ cause: 'ttl-expired', lostTokens: lost }];
  // a bill may have said less of the same positions than they are taken for now
  const unreachable = Math.max(0, expectedTokens - reachableTokens);
  const byChange = change ? Math.min(lost, unreachable) : 0;
  const breaks: CacheBreak[] = [];
  if (change && byChange > 0) breaks.push({ ...change, lostTokens: byChange });
  if (lost > byChange) breaks.push({ cause: causeOf(obstacle), lostTokens: lost - byChange });
  return breaks;
}

function causeOf(obstacle: Obstacle | undefined): BreakCause {
  switch (obstacle) {
    case 'in-flight':
      return 'not-yet-available';
    case 'expired':
      return 'ttl-expired';
    case 'below-minimum':
      return 'below-minimum';
    case 'live':
    case 'no-entry':
      return 'marker-out-of-reach';
    case undefined:
      return 'unexplained';
  }
}
