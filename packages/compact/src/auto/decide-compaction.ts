import { checkOptions, number, required } from '@varve/guards';
import { type BreakerState, isThrashing, MOST_FAILURES } from './breaker.ts';

/** Why nothing is compacted now. */
export type NoCompaction =
  | 'own-fork'
  | 'disabled'
  | 'auto-disabled'
  | 'reactive-only'
  | 'collapse-on'
  | 'below-threshold'
  | 'breaker-open'
  | 'irreducible-overhead'
  | 'no-headroom';

export type CompactionDecision =
  | { readonly kind: 'compact'; readonly reason: 'over-threshold'; readonly tokens: number }
  | {
      readonly kind: 'none';
      readonly reason: NoCompaction;
      /** Size of the next request less what a snip freed. */
      readonly tokens: number;
      readonly thresholdTokens: number;
      readonly overheadTokens: number;
      readonly windowTokens: number;
    };

export interface DecisionInput {
  /** Size of the next request, in tokens. */
  readonly contextTokens: number;
  /** Tokens that a snip freed and `contextTokens` still counts. @default 0 */
  readonly snipFreedTokens?: number | undefined;
  /** From here on a conversation is compacted, in tokens. */
  readonly thresholdTokens: number;
  /** A larger request leaves no room for its reply, in tokens. @default `windowTokens` */
  readonly effectiveTokens?: number | undefined;
  readonly windowTokens: number;
  /** What no compaction can take away, in tokens: system prompt, tools, a request that is not done. Asked at the threshold only. */
  readonly overheadTokens?: (() => number) | undefined;
  readonly breaker: BreakerState;
  readonly switches?: AutoSwitches | undefined;
}

/** What turns automatic compaction off. */
export interface AutoSwitches {
  /** Who sends the request. Summaries, notes and the agent of collapse would wait for themselves. @default 'main' */
  readonly source?: 'main' | 'sub-agent' | 'compact' | 'session-memory' | 'collapse' | undefined;
  /** False turns compaction off, by hand as well. @default true */
  readonly enabled?: boolean | undefined;
  /** False turns off the automatic one only; a person's own setting goes in here too. @default true */
  readonly auto?: boolean | undefined;
  /** Only a refused request leads to a compaction. @default false */
  readonly reactiveOnly?: boolean | undefined;
  /** Collapse is on and would be overtaken. @default false */
  readonly collapse?: boolean | undefined;
}

/**
 * In smaller windows, in tokens, a few results are the whole conversation: compactions follow each other closely although
 * each of them helps.
 */
const SMALL_WINDOW_TOKENS = 32_000;

/**
 * Whether to compact before the next request, and why not. Pure; costs nothing below the threshold. A compaction that gains
 * little waits until the next request would not fit.
 *
 * @throws RangeError for sizes that are no numbers.
 */
export function decideCompaction(input: DecisionInput): CompactionDecision {
  checkOptions<DecisionInput>(input, EXPECTED);
  const { contextTokens, snipFreedTokens = 0, thresholdTokens, windowTokens } = input;
  const tokens = contextTokens - snipFreedTokens;
  const sizes = { tokens, thresholdTokens, windowTokens, overheadTokens: 0 };
  const off = switchedOff(input.switches ?? {});
  if (off) return { kind: 'none', reason: off, ...sizes };
  if (tokens < thresholdTokens) return { kind: 'none', reason: 'below-threshold', ...sizes };
  const overheadTokens = input.overheadTokens?.() ?? 0;
  const pointless = pointlessNow(input, tokens, overheadTokens);
  if (pointless) return { kind: 'none', reason: pointless, ...sizes, overheadTokens };
  return { kind: 'compact', reason: 'over-threshold', tokens };
}

const EXPECTED = {
  contextTokens: required(number()),
  snipFreedTokens: number(),
  thresholdTokens: required(number()),
  effectiveTokens: number(),
  windowTokens: required(number()),
  overheadTokens: 'a function',
} as const;

/** In this order, so that the first reason is the one to change. */
function switchedOff(switches: AutoSwitches): NoCompaction | undefined {
  const { source = 'main', enabled = true, auto = true, reactiveOnly, collapse } = switches;
  if (source !== 'main' && source !== 'sub-agent') return 'own-fork';
  if (!enabled) return 'disabled';
  if (!auto) return 'auto-disabled';
  if (reactiveOnly) return 'reactive-only';
  return collapse ? 'collapse-on' : undefined;
}

function pointlessNow(
  { breaker, thresholdTokens, windowTokens, effectiveTokens = windowTokens }: DecisionInput,
  tokens: number,
  overheadTokens: number,
): NoCompaction | undefined {
  if (breaker.failures >= MOST_FAILURES) return 'breaker-open';
  const fits = tokens < effectiveTokens;
  if (overheadTokens >= (fits ? thresholdTokens : effectiveTokens)) return 'irreducible-overhead';
  if (!isThrashing(breaker)) return undefined;
  return fits || windowTokens >= SMALL_WINDOW_TOKENS ? 'no-headroom' : undefined;
}
