import { isRecord } from '@varve/guards';
import type { BreakCause, CacheBreak } from './cache-break.ts';
import type { PrefixChange } from './cache-change.ts';
import type { CacheRequest } from './cache-request.ts';
import { PromptCacheError } from './error.ts';
import type { CachePolicy } from './policy.ts';
import type { PromptSizes } from './prompt-sizes.ts';
import { createCacheSimulator } from './simulator.ts';

/** A request and its times, in milliseconds of one clock. */
export interface SentRequest {
  readonly request: CacheRequest;
  readonly startMs: number;
  /** @default startMs */
  readonly firstTokenMs?: number | undefined;
}

export interface ExplainBreakOptions {
  readonly policy: CachePolicy;
  /** @default an estimate for the policy's tokenizer */
  readonly sizeOf?: PromptSizes | undefined;
}

export interface BreakExplanation {
  /**
   * What was lost, by cause; empty where everything could be read. `first-request` where nothing came before; `no-marker` or
   * `below-minimum` where the request before left nothing in the cache.
   */
  readonly breaks: readonly CacheBreak[];
  /** The first thing in which the requests differ; undefined where something was only added. */
  readonly change: PrefixChange | undefined;
  readonly expectedReadTokens: number;
  readonly readTokens: number;
}

/**
 * What a request cannot read of what the one before it left in the cache, and why. Looks at these two alone: entries that
 * older requests or other threads left are not known here.
 */
export function explainBreak(
  previous: SentRequest | undefined,
  next: SentRequest,
  options: ExplainBreakOptions,
): BreakExplanation {
  for (const sent of previous ? [previous, next] : [next]) checkSent(sent);
  if (!previous) {
    const breaks = [{ cause: 'first-request', lostTokens: 0 } as const];
    return { breaks, change: undefined, expectedReadTokens: 0, readTokens: 0 };
  }
  const cache = createCacheSimulator(options.policy, { sizeOf: options.sizeOf });
  cache.send(previous.request, previous);
  const result = cache.send(next.request, next);
  const { uncached, change, expectedReadTokens, tokens } = result;
  const breaks = uncached ? [...result.breaks, uncached] : result.breaks;
  return { breaks, change, expectedReadTokens, readTokens: tokens.read };
}

/** Who passes a request alone would be told of a field inside of this package. */
function checkSent(sent: SentRequest): void {
  if (isRecord(sent) && isRecord(sent.request)) return;
  throw new PromptCacheError(
    'invalid-request',
    'Expected a request and its time, `{ request, startMs }`, not the request alone.',
  );
}

/**
 * The causes of a drop that was billed. What the simulator lost as well is explained; the rest should have been there:
 * evicted where the policy has no timer, else unexplained.
 */
export function billedBreaks(
  predicted: readonly CacheBreak[],
  lostTokens: number,
  policy: CachePolicy,
): readonly CacheBreak[] {
  let left = lostTokens;
  const breaks: CacheBreak[] = [];
  for (const each of predicted) {
    const tokens = Math.min(left, each.lostTokens);
    if (tokens > 0) breaks.push({ ...each, lostTokens: tokens });
    left -= tokens;
  }
  const rest: BreakCause = policy.lifetimes.short.ms === null ? 'evicted' : 'unexplained';
  return left > 0 ? [...breaks, { cause: rest, lostTokens: left }] : breaks;
}
