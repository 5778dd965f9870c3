import type { Planner } from '@varve/messages';

/** A planner and the name that its edits carry in the log (`by`). */
export interface Layer {
  readonly name: string;
  readonly planner: Planner;
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
       * `plan-threw`, `edit-refused`: asked again before the next request. `observe-threw`, `frontier-threw`: it does not
       * know the log any more and is not asked again. From `tool-storage`: why a result could not be stored, e.g. `disk-full`.
       */
      readonly reason: string;
      readonly cause?: unknown;
    }
);
