import { isTokenLimit } from './window.ts';

// Client heuristics, not rules of an API: the figures are those of agents that are widely used.

/** At most this much of the window is set aside for the reply, in tokens. */
const OUTPUT_RESERVE_TOKENS = 20_000;
/** Automatic compaction starts this far below the effective window, in tokens. */
const AUTOCOMPACT_BUFFER_TOKENS = 13_000;
/** Warnings and errors start this far below their base, in tokens. */
const WARNING_BUFFER_TOKENS = 20_000;
/** Kept free so that a compaction by hand can still run, in tokens. */
const BLOCKING_BUFFER_TOKENS = 3_000;

export interface WindowOptions {
  readonly windowTokens: number;
  /** The most a model can reply, in tokens. Left out, the whole reserve is set aside. */
  readonly maxOutputTokens?: number | undefined;
  /** For tests: shrinks the window before the reserve is taken off; it can never widen it. */
  readonly shrinkWindowToTokens?: number | undefined;
}

/** What of the window a conversation can fill: the window less room for the reply, in tokens; never below 0. */
export function effectiveWindow(options: WindowOptions): number {
  const { windowTokens, maxOutputTokens = OUTPUT_RESERVE_TOKENS, shrinkWindowToTokens } = options;
  const window = isTokenLimit(shrinkWindowToTokens)
    ? Math.min(windowTokens, shrinkWindowToTokens)
    : windowTokens;
  return Math.max(0, window - Math.min(maxOutputTokens, OUTPUT_RESERVE_TOKENS));
}

export interface AutocompactOptions extends WindowOptions {
  /**
   * Compact at this share of the effective window, above 0 and up to 100. It can only make compaction earlier; anything
   * else is ignored.
   */
  readonly autocompactPercent?: number | undefined;
}

/** From this size on, in tokens, a conversation is compacted by itself. */
export function autocompactThreshold(options: AutocompactOptions): number {
  const effective = effectiveWindow(options);
  const threshold = Math.max(0, effective - AUTOCOMPACT_BUFFER_TOKENS);
  const { autocompactPercent } = options;
  if (!isPercent(autocompactPercent)) return threshold;
  return Math.min(threshold, Math.floor((effective * autocompactPercent) / 100));
}

function isPercent(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= 100;
}

export interface ContextLimitsOptions extends AutocompactOptions {
  /** @default true */
  readonly autocompact?: boolean | undefined;
  /** @default 20,000 tokens */
  readonly warningBufferTokens?: number | undefined;
  /** @default 20,000 tokens */
  readonly errorBufferTokens?: number | undefined;
  /** Refuse to send from this size on, in tokens; anything but an integer above 0 is ignored. */
  readonly blockingLimitTokens?: number | undefined;
}

/** Sizes in tokens at which something happens. */
export interface ContextLimits {
  readonly windowTokens: number;
  readonly effectiveTokens: number;
  /** What percentages and warnings are measured against. */
  readonly baseTokens: number;
  readonly warningTokens: number;
  readonly errorTokens: number;
  /** Absent where automatic compaction is off. */
  readonly autocompactTokens?: number;
  readonly blockingTokens: number;
}

/** Every limit of a window at once. Computed once per model, asked with `warningState`. */
export function contextLimits(options: ContextLimitsOptions): ContextLimits {
  const { windowTokens, autocompact = true, blockingLimitTokens } = options;
  const { warningBufferTokens = WARNING_BUFFER_TOKENS } = options;
  const { errorBufferTokens = WARNING_BUFFER_TOKENS } = options;
  const effectiveTokens = effectiveWindow(options);
  const threshold = autocompactThreshold(options);
  const baseTokens = autocompact ? threshold : effectiveTokens;
  return {
    windowTokens,
    effectiveTokens,
    baseTokens,
    warningTokens: baseTokens - warningBufferTokens,
    errorTokens: baseTokens - errorBufferTokens,
    ...(autocompact ? { autocompactTokens: threshold } : {}),
    blockingTokens: isTokenLimit(blockingLimitTokens)
      ? blockingLimitTokens
      : effectiveTokens - BLOCKING_BUFFER_TOKENS,
  };
}

/**
 * What to tell a user: `free` below half of the window, `watch` from 50 %, `compact-now` from 70 %, and above 90 %
 * `clear-or-compact` at once.
 */
export type AdviceBand = 'free' | 'watch' | 'compact-now' | 'clear-or-compact';

export interface WarningState {
  /** What is left until the base, in whole percent of it; never below 0. */
  readonly percentLeft: number;
  /** What is used of the window, in percent; above 100 where the conversation no longer fits. */
  readonly percentUsed: number;
  readonly aboveWarning: boolean;
  readonly aboveError: boolean;
  readonly aboveAutocompact: boolean;
  /** Nothing may be sent any more: compact or clear first. */
  readonly atBlockingLimit: boolean;
  /** More is used than the window of this model holds. */
  readonly overflow: boolean;
  readonly advice: AdviceBand;
}

/** How full a conversation is, for a user interface. `usedTokens` is the whole size: plain, read and written alike. */
export function warningState(usedTokens: number, limits: ContextLimits): WarningState {
  const { windowTokens, baseTokens, autocompactTokens } = limits;
  const left = baseTokens > 0 ? Math.round(((baseTokens - usedTokens) / baseTokens) * 100) : 0;
  return {
    percentLeft: Math.max(0, left),
    percentUsed: (usedTokens / windowTokens) * 100,
    aboveWarning: usedTokens >= limits.warningTokens,
    aboveError: usedTokens >= limits.errorTokens,
    aboveAutocompact: autocompactTokens !== undefined && usedTokens >= autocompactTokens,
    atBlockingLimit: usedTokens >= limits.blockingTokens,
    overflow: usedTokens > windowTokens,
    advice: adviceBand(usedTokens, windowTokens),
  };
}

/** The advice for a size, by the share of the window it fills. */
export function adviceBand(usedTokens: number, windowTokens: number): AdviceBand {
  const percent = (usedTokens * 100) / windowTokens;
  if (percent < 50) return 'free';
  if (percent < 70) return 'watch';
  return percent <= 90 ? 'compact-now' : 'clear-or-compact';
}

export interface ThresholdWatchOptions {
  readonly thresholdTokens: number;
  /** Called once each time the size reaches the threshold from below. */
  readonly onCross?: ((tokens: number) => void) | undefined;
}

export interface ThresholdWatch {
  /**
   * Takes the size of the next request. `crossed` the first time it is at or above the threshold, then `above` until it
   * was `below` again.
   */
  update(tokens: number): 'below' | 'crossed' | 'above';
}

/** Says once that a threshold was reached, however many sizes above it follow. */
export function createThresholdWatch(options: ThresholdWatchOptions): ThresholdWatch {
  const { thresholdTokens, onCross } = options;
  let isAbove = false;
  return {
    update(tokens) {
      const was = isAbove;
      isAbove = tokens >= thresholdTokens;
      if (!isAbove) return 'below';
      if (was) return 'above';
      onCross?.(tokens);
      return 'crossed';
    },
  };
}
