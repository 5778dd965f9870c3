import type { JsonObject, Planner } from '@varve/messages';

/** A planner and the name that its edits and notes carry in the log (`by`). */
export interface Layer {
  readonly name: string;
  readonly planner: LayerPlanner;
}

/** A planner; one that needs a model or a store has its plans of `work` done by `run`. */
export interface LayerPlanner extends Planner<unknown> {
  /**
   * Does the work of a plan and changes nothing; it is then asked for a plan again, which may be an edit. The request waits
   * for it, unless the work says `blocking: false`. Where it throws, or its signal is aborted, nothing is appended.
   */
  run?(
    work: never,
    options: { readonly signal?: AbortSignal | undefined },
  ): Promise<{
    /** Appended by the name of the layer: `observe` sees them, and a restarted process does. */
    readonly notes: readonly JsonObject[];
  }>;
}

/**
 * What a layer did, or why it did nothing. Reasons are kebab-case. The context itself edits as `context`: thinking goes that
 * is bound to another model, system prompt or tools (`other-head`) or to other messages (`stale-thinking`), and what the
 * provider of another model would refuse is made good (`other-provider`).
 */
export type LayerEvent = { readonly layer: string } & (
  | { readonly kind: 'idle'; readonly reason: string }
  | {
      readonly kind: 'edited';
      readonly reason: string;
      readonly entryIds: readonly string[];
      /** Index of the first message of the view that the edits changed: the cached prefix ends before it. */
      readonly changedFrom: number;
    }
  /** The layer gave way; the conversation goes on without what it would have done. */
  | {
      readonly kind: 'failed';
      /**
       * `plan-threw`, `run-threw`, `edit-refused`: asked again before the next request. `observe-threw`, `frontier-threw`: it does not
       * know the log any more and is not asked again. From `tool-storage`: why a result could not be stored, e.g. `disk-full`.
       */
      readonly reason: string;
      readonly cause?: unknown;
    }
);
