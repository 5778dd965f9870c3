import { FULL_RESERVES_FROM_TOKENS, OUTPUT_RESERVE_TOKENS } from './fit-output.ts';
import { DEFAULT_WINDOW_TOKENS } from './resolve-model.ts';
import { isTokenLimit } from './window.ts';

// Client heuristics, not rules of an API: the figures are those of agents that are widely used. They are made for windows
// of 200,000 tokens and hold from 64,000 on. A smaller window has each of them in proportion, so that a conversation can
// still fill two thirds of it and is compacted before it overflows.

/** Automatic compaction starts this far below the effective window, in tokens. */
const AUTOCOMPACT_BUFFER_TOKENS = 13_000;
/** Warnings and errors start this far below their base, in tokens. */
const WARNING_BUFFER_TOKENS = 20_000;
/** Kept free so that a compaction by hand can still run, in tokens. */
const BLOCKING_BUFFER_TOKENS = 3_000;
/** A warning comes in the last two thirds before its base, however small the base was made. */
const MOST_OF_BASE = 2 / 3;

export interface ContextLimitsOptions {
  /** A fraction is rounded down. Left out, or not a number from 1 up: 200,000 are assumed. */
  readonly windowTokens?: number | undefined;
  /** The most a model can reply, in tokens. Left out, or not a number from 1 up: the whole reserve is set aside. */
  readonly maxOutputTokens?: number | undefined;
  /** For tests: shrinks the window before the reserve is taken off; it can never widen it. */
  readonly shrinkWindowToTokens?: number | undefined;
  /**
   * Compact at this share of the effective window, above 0 and up to 100. It can only make compaction earlier; anything
   * else is ignored.
   */
  readonly autocompactPercent?: number | undefined;
  /** @default true */
  readonly autocompact?: boolean | undefined;
  /** @default 20,000 tokens, less in windows below 64,000; never more than two thirds of the base */
  readonly warningBufferTokens?: number | undefined;
  /** @default 20,000 tokens, less in windows below 64,000; never more than two thirds of the base */
  readonly errorBufferTokens?: number | undefined;
  /** Refuse to send from this size on, in tokens; anything but an integer above 0 is ignored. */
  readonly blockingLimitTokens?: number | undefined;
}

/**
 * Sizes in tokens at which something happens. For every window from 4 tokens up: 0 < `warningTokens` <= `errorTokens` <=
 * `baseTokens` <= `effectiveTokens` < `windowTokens`, and `autocompactTokens` < `effectiveTokens`.
 */
export interface ContextLimits {
  readonly windowTokens: number;
  /** `default`: no window was given that can be acted on, and 200,000 tokens are assumed. */
  readonly windowRule: 'given' | 'default';
  /** What of the window a conversation can fill: the window less room for the reply. */
  readonly effectiveTokens: number;
  /** What `percentOfBaseLeft` and the warnings are measured against: `autocompactTokens`, else `effectiveTokens`. */
  readonly baseTokens: number;
  readonly warningTokens: number;
  readonly errorTokens: number;
  /** Absent where automatic compaction is off. */
  readonly autocompactTokens?: number;
  readonly blockingTokens: number;
}

/** Every limit of a window at once. Computed once per model, asked with `warningState`. */
export function contextLimits(options: ContextLimitsOptions): ContextLimits {
  const { autocompact = true, blockingLimitTokens, shrinkWindowToTokens } = options;
  const isGiven = isAmount(options.windowTokens);
  const windowTokens = isGiven ? Math.floor(options.windowTokens as number) : DEFAULT_WINDOW_TOKENS;
  const shrunk = isTokenLimit(shrinkWindowToTokens)
    ? Math.min(windowTokens, shrinkWindowToTokens)
    : windowTokens;
  const scale = Math.min(1, shrunk / FULL_RESERVES_FROM_TOKENS);
  const reserve = scale * OUTPUT_RESERVE_TOKENS;
  const { maxOutputTokens } = options;
  const reply = isAmount(maxOutputTokens) ? Math.min(maxOutputTokens, reserve) : reserve;
  const effectiveTokens = below(shrunk, reply);
  const threshold = thresholdOf(effectiveTokens, scale, options.autocompactPercent);
  const baseTokens = autocompact ? threshold : effectiveTokens;
  return {
    windowTokens,
    windowRule: isGiven ? 'given' : 'default',
    effectiveTokens,
    baseTokens,
    ...warningsOf(baseTokens, scale, options),
    ...(autocompact ? { autocompactTokens: threshold } : {}),
    blockingTokens: isTokenLimit(blockingLimitTokens)
      ? Math.min(blockingLimitTokens, windowTokens)
      : below(effectiveTokens, scale * BLOCKING_BUFFER_TOKENS),
  };
}

function thresholdOf(effective: number, scale: number, percent: number | undefined): number {
  const threshold = below(effective, scale * AUTOCOMPACT_BUFFER_TOKENS);
  if (!isPercent(percent)) return threshold;
  return Math.min(threshold, Math.max(1, Math.floor((effective * percent) / 100)));
}

/** One of the two buffers given alone moves the other, so that a warning never comes after the error. */
function warningsOf(baseTokens: number, scale: number, options: ContextLimitsOptions) {
  const usual = scale * WARNING_BUFFER_TOKENS;
  const warning = isBuffer(options.warningBufferTokens) ? options.warningBufferTokens : undefined;
  const error = isBuffer(options.errorBufferTokens) ? options.errorBufferTokens : undefined;
  const errorBuffer = error ?? Math.min(usual, warning ?? usual);
  const warningBuffer = Math.max(warning ?? usual, errorBuffer);
  const at = (buffer: number) =>
    Math.max(1, baseTokens - Math.floor(Math.min(buffer, MOST_OF_BASE * baseTokens)));
  return { warningTokens: at(warningBuffer), errorTokens: at(errorBuffer) };
}

/** A limit below another: by at least a token, and never below 1. */
const below = (tokens: number, by: number): number =>
  Math.max(1, tokens - Math.max(1, Math.floor(by)));

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 1;

const isBuffer = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

function isPercent(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= 100;
}

/**
 * What to tell a user: `free` below half of the window, `watch` from 50 %, `compact-now` from 70 %, and above 90 %
 * `clear-or-compact` at once.
 */
export type AdviceBand = 'free' | 'watch' | 'compact-now' | 'clear-or-compact';

export interface WarningState {
  /** What is left until `baseTokens` (where compaction starts by itself), in whole percent of it; never below 0. */
  readonly percentOfBaseLeft: number;
  /** What is used of the whole window, in percent; above 100 where the conversation no longer fits. */
  readonly percentOfWindowUsed: number;
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
  const left = Math.round(((baseTokens - usedTokens) / baseTokens) * 100);
  return {
    percentOfBaseLeft: Math.min(100, Math.max(0, left)),
    percentOfWindowUsed: (usedTokens / windowTokens) * 100,
    aboveWarning: usedTokens >= limits.warningTokens,
    aboveError: usedTokens >= limits.errorTokens,
    aboveAutocompact: autocompactTokens !== undefined && usedTokens >= autocompactTokens,
    atBlockingLimit: usedTokens >= limits.blockingTokens,
    overflow: usedTokens > windowTokens,
    advice: adviceBand(usedTokens, windowTokens),
  };
}

/** The advice for a size, by the share of the window it fills. */
function adviceBand(usedTokens: number, windowTokens: number): AdviceBand {
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
