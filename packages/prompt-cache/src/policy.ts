import type { Json } from '@varve/messages';
import type { ModelInfo } from '@varve/tokens';

/** A part of the prompt, in the order in which it is rendered; losing one loses all that follow. */
export type Section = 'tools' | 'system' | 'messages';

/** How long an entry lives, and what writing it costs. */
export interface Lifetime {
  /** The provider's word for it, e.g. `5m`. */
  readonly name: string;
  /** `null`: until it is evicted, which the simulator takes as never. */
  readonly ms: number | null;
  /**
   * Milliseconds an entry is still found after `ms`. Anthropic documents none; recorded sessions hit up to 15 s late
   * without a miss and now and then up to 40 s.
   */
  readonly graceMs: number;
  /** Price of a written token in input tokens; 1 where writing has no fee, `null` where nobody has published it. */
  readonly writeMultiplier: number | null;
}

/** Up to where a request looks for an entry. */
export interface Lookback {
  /** Places tried for each marker, the marker's own counted first; `null`: no limit. */
  readonly positions: number | null;
  /** `blocks`: every block is a place. `message-ends`: only ends of user messages, of groups
   * of results and of the system prompt are. */
  readonly counts: 'blocks' | 'message-ends';
  /** Whether a run of tool calls, or of tool results, counts as one place. */
  readonly collapseToolRuns: boolean;
}

/** A field of `head.params` whose change loses a part of the prefix. Fields without a rule lose nothing. */
export interface ParamRule {
  readonly path: readonly string[];
  /** The first section that is lost. */
  readonly loses: Section;
  /** Sending this value is the same as leaving the field out. */
  readonly neutral?: Json;
}

/** What loses the prefix besides its own bytes. A change of model always loses everything. */
export interface Invalidators {
  readonly params: readonly ParamRule[];
  /** What the first image in a request, or the loss of the last one, takes with it; `none`: nothing. */
  readonly images: Section | 'none';
  /** The same for documents with citations. */
  readonly citations: Section | 'none';
  /** Tools whose `type` begins like this stand in the system section: toggling them keeps the tools before. */
  readonly serverToolTypes: readonly string[];
  /** Whether any change to the tools loses all of them, or only those from the first that differs. */
  readonly toolsAsOne: boolean;
  /** Tools with `defer_loading` stand outside the prefix. */
  readonly deferredToolsOutside: boolean;
}

/** Under which names a provider reports what it billed. */
export type UsageStyle =
  | 'anthropic'
  | 'openai-responses'
  | 'openai-chat'
  | 'gemini'
  | 'deepseek'
  | 'none';

/** How one provider caches prompts. Plain data: copy a record and change a field to describe another. */
export interface CachePolicy {
  /** Stands beside figures in reports, e.g. `anthropic-5m`. */
  readonly name: string;
  readonly provider: string;
  /** How tokens are estimated where the caller brings no sizes. */
  readonly tokenizer: ModelInfo['tokenizer'];
  /**
   * Where entries end. `markers`: where a request says so. `everywhere`: at every block, whatever the request says.
   * `none`: nothing is cached.
   */
  readonly writes: 'none' | 'markers' | 'everywhere';
  /** Markers a request may carry over tools, system and messages together. */
  readonly maxMarkers: number;
  /** What happens to a request with more: `refused`, or only the latest ones count. */
  readonly extraMarkers: 'refused' | 'earliest-ignored';
  /**
   * A marker the provider sets by itself. `on-request`: on the last block that can carry one, when `head.params` has
   * `cache_control`; it takes one of the slots. `last-user-message`: at the end of the latest user turn, besides the others.
   */
  readonly automaticMarker: 'none' | 'on-request' | 'last-user-message';
  /** Types of blocks a marker may stand on. */
  readonly markableBlocks: readonly string[];
  /** Whether a 1h marker after a 5m marker is refused. */
  readonly longMarkersFirst: boolean;
  readonly lookback: Lookback;
  /** A shorter prefix is neither written nor read. */
  readonly minimumTokens: number;
  /** Reads are rounded down to a multiple of this. */
  readonly unitTokens: number;
  /** `short` is what a marker without a lifetime or with `5m` asks for, `long` what one with `1h` does. */
  readonly lifetimes: { readonly short: Lifetime; readonly long?: Lifetime };
  /** The lifetime of markers that name none. */
  readonly defaultTtl: '5m' | '1h';
  /** The moment of the request that writes or reads from which a lifetime counts. */
  readonly ttlAnchor: 'start' | 'first-token';
  readonly refreshOnRead: boolean;
  /** Not documented: whether a 5m marker that finds an entry written for 1h leaves it its lifetime. */
  readonly refreshedLifetime: 'as-written' | 'as-marked';
  /** From when an entry can be read. */
  readonly readableFrom: 'start' | 'first-token';
  /** Not documented: whether a marker inside the part that was read gets an entry of its own, free of charge. */
  readonly writesInsideRead: boolean;
  /** Whether written tokens are billed apart from plain ones. */
  readonly chargesWrites: boolean;
  /** Price of a read token in input tokens. */
  readonly readMultiplier: number;
  readonly invalidators: Invalidators;
  /** `stripped-at-user-turn`: the provider drops thinking of earlier turns, and with it the prefix from there on. */
  readonly oldThinking: 'kept' | 'stripped-at-user-turn';
  /** Who shares entries: one simulator stands for one of these. */
  readonly scope: 'workspace' | 'organisation' | 'machine';
  readonly usageStyle: UsageStyle;
}

/** What is left of a prefix once it is rounded down to whole units; nothing below the minimum. */
export function usableTokens(tokens: number, { unitTokens, minimumTokens }: CachePolicy): number {
  const whole = Math.floor(tokens / unitTokens) * unitTokens;
  return whole < minimumTokens ? 0 : whole;
}
