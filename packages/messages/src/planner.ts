import type { ThinkingRule } from './profiles.ts';
import type { Edit, Entry, JsonObject, Message, View } from './types.ts';

/**
 * A layer of context management: it watches the log as it grows and proposes edits. `observe` keeps a small fold (fed at
 * once is fed stepwise); `plan` changes nothing. `Work` is what it needs a store or a model for.
 */
export interface Planner<Work = never> {
  /** Takes the next entry of the log and the view after it. */
  observe(entry: Entry, view: View): void;
  /** What to do before the next request. */
  plan(context: PlanContext): Plan<Work>;
  /**
   * Index of the first message of the view that the next edit of this layer can change; undefined where none can. A cache
   * marker that is parked before it keeps that edit from costing what stands in front.
   */
  frontier?(): number | undefined;
}

/** `work`: run it, then append its edits. Every plan says why, kebab-case. */
export type Plan<Work = never> =
  | { readonly kind: 'none'; readonly reason: string }
  | {
      readonly kind: 'edit';
      readonly edits: readonly Edit[];
      readonly reason: string;
      /** Goes into the entries of the edits: what was dropped, kept and freed. */
      readonly receipt?: JsonObject;
    }
  | { readonly kind: 'work'; readonly work: Work; readonly reason: string };

/** What is known when the next request is about to be sent. */
export interface PlanContext {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** A person has just spoken, so that no tool loop is under way (`isAtUserTurn`). */
  readonly atUserTurn: boolean;
  /** Size of the next request in tokens, system prompt and tools included. */
  readonly contextTokens: number;
  readonly limits: PlanLimits;
  /** Tokens of a message. */
  readonly sizeOf: (message: Message) => number;
  readonly cache: PlanCache;
  readonly prices: PlanPrices;
  /** How the model binds thinking to what stands before it. */
  readonly thinking: ThinkingRule;
}

/** Sizes in tokens. */
export interface PlanLimits {
  readonly windowTokens: number;
  /** The window less room for the reply. */
  readonly effectiveTokens: number;
  /** From here on the conversation is compacted. */
  readonly autocompactTokens: number;
}

export interface PlanCache {
  /** Whether the last request's prefix is still cached, as far as its lifetime says. */
  readonly warm: boolean;
  /** Message indices behind which the last request had a marker. */
  readonly markers: readonly number[];
}

/** What tokens cost, in one unit for all; only their ratios matter. */
export interface PlanPrices {
  /** A prompt token read from the cache. */
  readonly read: number;
  /** A prompt token written to the cache; where writing is free, the price of a plain one. */
  readonly write: number;
  readonly output: number;
}
