import { promptTokens, type Usage } from '@varve/messages';
import { type BreakMeasures, createBreakMeasures } from './break-measures.ts';
import type { BreakCause, CacheBreak } from './cache-break.ts';
import type { BilledSizes } from './cache-result.ts';
import { billedBreaks, type SentRequest } from './explain-break.ts';
import type { CachePolicy } from './policy.ts';
import type { PromptSizes } from './prompt-sizes.ts';
import { createCacheSimulator } from './simulator.ts';

export interface BreakDetectorOptions {
  readonly policy: CachePolicy;
  /** @default an estimate for the policy's tokenizer */
  readonly sizeOf?: PromptSizes | undefined;
  /**
   * Tokens a read may fall short of what was expected without counting as a drop.
   * @default 1_000
   */
  readonly toleranceTokens?: number | undefined;
  /**
   * The same as a share of what was expected, from 0 to 1; the larger of the two holds.
   * @default 0.05
   */
  readonly toleranceShare?: number | undefined;
}

/** A response to observe: its request as it was sent, its times, and what was billed. */
export interface BilledRequest extends SentRequest {
  /** In Anthropic's shape, as everywhere in varve. */
  readonly usage: Usage;
  /** @default 'main' */
  readonly thread?: string | undefined;
  /** On the first request of a thread: the thread it branches off from. */
  readonly forkOf?: string | undefined;
}

/**
 * What the usage of a response says. `expected`: fewer tokens were read, for an announced reason, because the lifetime had
 * passed, because the first image or citation came in, or because the prompt before was shorter than the provider caches (`below-minimum`). `alarm`: fewer were read and
 * nobody said why; the causes are the simulator's. `no-marker` among them: the request before marked nothing, so that
 * nothing could be read. `markers-ignored` and `not-reported` are said once, whatever was
 * announced, until a bill shows a token that was cached.
 */
export type BreakObservation = {
  readonly readTokens: number;
  /** What the request before had left in the cache, as it was billed. */
  readonly expectedReadTokens: number;
} & (
  | { readonly kind: 'no-drop' }
  | { readonly kind: 'expected'; readonly reason: string; readonly breaks: readonly CacheBreak[] }
  | { readonly kind: 'alarm'; readonly breaks: readonly CacheBreak[] }
);

export interface BreakDetector {
  /** Announces that the next response of a thread may read less, e.g. `compaction`, `clearing` or `model-switch`. */
  expect(reason: string, thread?: string): void;
  /** Reads what a request adds that was sent, so that its response is observed faster: for while a model answers. */
  read(request: SentRequest['request'], thread?: string): void;
  /**
   * Call with every response that carries usage, in the order in which the requests started. Throws `invalid-marker` if
   * no provider with this policy can have accepted the request.
   */
  observe(response: BilledRequest): BreakObservation;
  measures(): BreakMeasures;
}

/**
 * Watches billed usage for drops of cached tokens and names their cause. Known edits are announced beforehand, a lifetime
 * that passed explains itself, and only what is left raises an alarm, with the first thing that changed.
 */
export function createBreakDetector(options: BreakDetectorOptions): BreakDetector {
  const { policy, sizeOf, toleranceTokens = 1_000, toleranceShare = 0.05 } = options;
  const cache = createCacheSimulator(policy, { sizeOf });
  const announced = new Map<string, string>();
  const measures = createBreakMeasures();
  const silence = createSilence(policy, sizeOf);
  const isDrop = (lostTokens: number, expectedTokens: number) =>
    lostTokens > Math.max(toleranceTokens, expectedTokens * toleranceShare);
  return {
    expect(reason, thread = 'main') {
      announced.set(thread, reason);
    },
    read: cache.read,
    observe(response) {
      const { request, usage, thread = 'main' } = response;
      const reason = announced.get(thread);
      announced.delete(thread);
      const billed = billedSizes(usage, policy);
      const { breaks, uncached, expectedReadTokens } = cache.send(request, { ...response, billed });
      const readTokens = usage.cache_read_input_tokens ?? 0;
      const lostTokens = expectedReadTokens - readTokens;
      const predictedTokens = breaks.reduce((sum, each) => sum + each.lostTokens, 0);
      const silent = silence.take({ request, usage, thread });
      const found = isDrop(lostTokens, expectedReadTokens)
        ? classify(silent.named(billedBreaks(breaks, lostTokens, policy)), reason)
        : classifyUncached(readTokens === 0 ? (silent.ignored ?? uncached) : undefined, reason);
      const observation: BreakObservation = { readTokens, expectedReadTokens, ...found };
      const wasWarned = reason !== undefined || isDrop(predictedTokens, expectedReadTokens);
      measures.add(observation, { usage, wasWarned });
      return observation;
    },
    measures: measures.get,
  };
}

function classify(breaks: readonly CacheBreak[], announced: string | undefined) {
  if (breaks.length === 0) return { kind: 'no-drop' } as const;
  // what happens between is no edit's doing, and is told but once
  if (breaks.some(({ cause }) => TOLD_ONCE.has(cause))) return { kind: 'alarm', breaks } as const;
  const [first] = breaks;
  const isPlain = breaks.every(({ cause }) => cause === first?.cause && EXPLAINED.has(cause));
  const reason = announced ?? (isPlain ? first?.cause : undefined);
  return reason === undefined
    ? ({ kind: 'alarm', breaks } as const)
    : ({ kind: 'expected', reason, breaks } as const);
}

/** Nobody changed anything that was there. */
const EXPLAINED: ReadonlySet<BreakCause> = new Set([
  'ttl-expired',
  'images-changed',
  'citations-changed',
]);
const TOLD_ONCE: ReadonlySet<BreakCause> = new Set(['markers-ignored', 'not-reported']);

/** Bills that say nothing of the cache, or that nothing of a marked request was cached: each is told once for a thread. */
function createSilence(policy: CachePolicy, sizeOf: PromptSizes | undefined) {
  const ignored = new Map<string, number>();
  const unreported = new Set<string>();

  /** What a provider that sees the markers would write at least; a size near its minimum is no sign. */
  function wouldWrite(request: BilledRequest['request'], usage: Usage): number {
    if (!isMarked(request)) return 0;
    const alone = createCacheSimulator(policy, { sizeOf });
    const billed = { promptTokens: usage.input_tokens };
    const { tokens } = alone.send(request, { startMs: 0, billed });
    const written = tokens.write5m + tokens.write1h;
    return written > policy.minimumTokens * NEAR_MINIMUM ? written : 0;
  }

  const isMarked = ({ markers }: BilledRequest['request']): boolean =>
    policy.writes === 'markers' && markers.length > 0;

  return {
    take({
      request,
      usage,
      thread,
    }: Pick<BilledRequest, 'request' | 'usage'> & { readonly thread: string }) {
      const isReported = speaksOfCache(usage);
      if (isReported && promptTokens(usage) > usage.input_tokens) {
        ignored.delete(thread);
        unreported.delete(thread);
      }
      // a bill may leave out what was written, or what was read
      const isSilent = isReported && promptTokens(usage) === usage.input_tokens;
      const count = ignored.get(thread) ?? 0;
      // one such bill may be a slip, and what was told is told
      const lost = isSilent && count < TOLD ? wouldWrite(request, usage) : 0;
      if (lost > 0) ignored.set(thread, count + 1);
      const isToldNow = lost > 0 && count + 1 === TOLD;
      const wasTold = isSilent && count >= TOLD && isMarked(request);

      /** The cause that is told of what should have been there; undefined: it was told. */
      function tell(lostTokens: number): CacheBreak | undefined {
        if (isToldNow) return { cause: 'markers-ignored', lostTokens };
        if (isReported || unreported.has(thread)) return undefined;
        unreported.add(thread);
        return { cause: 'not-reported', lostTokens };
      }

      return {
        ignored: isToldNow ? ({ cause: 'markers-ignored', lostTokens: lost } as const) : undefined,
        named(breaks: readonly CacheBreak[]): readonly CacheBreak[] {
          if (isReported && !isToldNow && !wasTold) return breaks;
          const rest = breaks.filter(({ cause }) => cause === 'unexplained' || cause === 'evicted');
          const others = breaks.filter((each) => !rest.includes(each));
          const lostTokens = rest.reduce((sum, each) => sum + each.lostTokens, 0);
          const told = lostTokens > 0 ? tell(lostTokens) : undefined;
          // where an edit explains all of it, the next such bill is told
          if (isToldNow && told === undefined) ignored.set(thread, count);
          return told ? [...others, told] : others;
        },
      };
    },
  };
}

/** Whether a bill says anything of the cache. One without a token of the prompt says nothing at all. */
function speaksOfCache(usage: Usage): boolean {
  const counts = [usage.cache_read_input_tokens, usage.cache_creation_input_tokens];
  return promptTokens(usage) > 0 && counts.some((count) => typeof count === 'number');
}

/** The bill of this number without a cached token is told. */
const TOLD = 2;
const NEAR_MINIMUM = 1.1;

/** A prompt that is too short is nobody's fault; one without a marker is never read, however long it gets. */
function classifyUncached(uncached: CacheBreak | undefined, announced: string | undefined) {
  if (uncached === undefined) return { kind: 'no-drop' } as const;
  const breaks = [uncached];
  return uncached.cause === 'below-minimum'
    ? ({ kind: 'expected', reason: announced ?? uncached.cause, breaks } as const)
    : classify(breaks, announced);
}

/** A provider that does not report what it wrote leaves the whole prompt in its cache, as far as anybody can tell. */
function billedSizes(usage: Usage, policy: CachePolicy): BilledSizes {
  const prompt = promptTokens(usage);
  if (prompt === 0) return {};
  const read = usage.cache_read_input_tokens ?? 0;
  const written = usage.cache_creation_input_tokens;
  const isReported = policy.chargesWrites && written !== null && written !== undefined;
  return isReported
    ? { promptTokens: prompt, cachedTokens: read + written }
    : { promptTokens: prompt };
}
