import type { Message } from '@varve/messages';
import type { ModelInfo } from '@varve/tokens';
import type { CacheRequest } from './cache-request.ts';
import type { CacheResult, SendOptions } from './cache-result.ts';
import { effectiveMarkers, refuseMarkers } from './effective-markers.ts';
import { PromptCacheError } from './error.ts';
import { createMarkerCache } from './marker-cache.ts';
import type { CachePolicy } from './policy.ts';
import { createPartIndex } from './prefix-parts.ts';
import { checkedSizes, estimatedSizes, type PromptSizes, tokenCount } from './prompt-sizes.ts';
import { requestCost } from './request-cost.ts';
import type { ScopeCache } from './scope-cache.ts';
import { advanceThread, createThreads, settleThread } from './simulator-thread.ts';
import { applyBill, splitTokens } from './split-billed-tokens.ts';
import { createBlockCache } from './whole-prefix-cache.ts';

export interface CacheSimulatorOptions {
  /**
   * Tokens of blocks, messages and heads; an estimator of `@varve/tokens` fits.
   * @default an estimate for the policy's tokenizer
   */
  readonly sizeOf?: PromptSizes | undefined;
  /**
   * Prices of one's own: entries that win over the model table.
   * @default []
   */
  readonly prices?: readonly ModelInfo[] | undefined;
}

export interface CacheSimulator {
  /**
   * What a request is billed as, and what it leaves in the cache. Costs O(new blocks): messages are known by reference
   * and taken to be immutable. Throws `invalid-marker` where the provider would refuse the request, `invalid-time` for
   * times that are no numbers or run backwards, `invalid-size` for sizes that are no numbers.
   */
  send(request: CacheRequest, options: SendOptions): CacheResult;
  /**
   * Reads what the next request of a thread adds, so that sending it costs less: for moments in which there is time. It
   * counts as nothing.
   */
  read(request: CacheRequest, thread?: string): void;
  /** Tokens the next request of a thread would read at this time if it only added something; 0 on a cold cache. */
  warmTokens(atMs: number, thread?: string): number;
}

/** Creates an empty cache under a provider's policy. */
export function createCacheSimulator(
  policy: CachePolicy,
  options: CacheSimulatorOptions = {},
): CacheSimulator {
  const { prices = [] } = options;
  const sizeOf = checkedSizes(options.sizeOf ?? estimatedSizes(policy));
  const parts = createPartIndex(policy, sizeOf);
  const cache = cacheOf(policy);
  const threads = createThreads(policy, sizeOf);
  return {
    send(request, sendOptions) {
      refuseMarkers(request, policy);
      const { billed } = sendOptions;
      const outputTokens = tokenCount(sendOptions.outputTokens ?? 0, 'outputTokens');
      for (const [name, tokens] of Object.entries(billed ?? {})) {
        tokenCount(tokens ?? 0, `billed.${name}`);
      }
      const timing = timingOf(sendOptions);
      const thread = threads.get(sendOptions);
      const { request: seen, appliedEdits, unsimulated } = thread.view(request);
      const markers = effectiveMarkers(seen, policy);
      threads.keep(sendOptions, thread);
      const step = advanceThread(thread, seen, { parts, policy, timing });
      const promptTokens = applyBill(thread.prefix, cache.reach(thread.prefix, markers), billed);
      const served = cache.serve(thread.prefix, { ...timing, markers, wanted: step.reachable });
      const tokens = splitTokens(served, promptTokens);
      const cost = requestCost(tokens, { request: seen, policy, prices, outputTokens });
      const loss = settleThread(thread, served, {
        ...{ step, policy, billed },
        readTokens: tokens.read,
        hasMarkers: markers.length > 0,
      });
      return { ...cost, tokens, ...loss, appliedEdits, unsimulated };
    },
    read({ messages }, thread) {
      const { prefix } = threads.get({ thread });
      for (const message of messages.slice(prefix.messages.length)) {
        if (typeof message.content !== 'string') parts.message(message as Message);
      }
    },
    warmTokens: (atMs, thread = 'main') => threads.warmTokens(thread, atMs),
  };
}

function cacheOf(policy: CachePolicy): ScopeCache {
  switch (policy.writes) {
    case 'markers':
      return createMarkerCache(policy);
    case 'everywhere':
      return createBlockCache(policy);
    case 'none':
      return NOTHING_CACHED;
  }
}

const NOTHING_CACHED: ScopeCache = {
  reach: () => 0,
  serve: () => ({
    readCount: 0,
    readTokens: 0,
    write5mTokens: 0,
    write1hTokens: 0,
    cachedCount: 0,
    cachedTokens: 0,
  }),
};

function timingOf({ startMs, firstTokenMs = startMs }: SendOptions) {
  if (Number.isFinite(startMs) && firstTokenMs >= startMs && firstTokenMs < Infinity) {
    return { startMs, firstTokenMs };
  }
  throw new PromptCacheError(
    'invalid-time',
    `Expected \`startMs\` and \`firstTokenMs\` to be milliseconds, the second not before the first, got \`${startMs}\` and \`${firstTokenMs}\`.`,
  );
}
