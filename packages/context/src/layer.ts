import type { Planner } from '@varve/messages';

/** A planner and the name that its edits carry in the log (`by`). */
export interface Layer {
  readonly name: string;
  readonly planner: Planner;
}

/** What a layer did, or why it did nothing, before one request. */
export type LayerEvent = { readonly layer: string } & (
  | { readonly kind: 'idle'; readonly reason: string }
  | {
      readonly kind: 'edited';
      readonly reason: string;
      readonly entryIds: readonly string[];
      /** Index of the first message of the view that the edits changed: the cached prefix ends before it. */
      readonly changedFrom: number;
    }
  /** The layer threw, or its edit was refused; the next layer goes on. */
  | { readonly kind: 'failed'; readonly cause: unknown }
);
