import type { CompactionEvent, Producer } from '@varve/compact';
import type { LayerEvent } from './layer.ts';

/** What the layers and the compaction did, or why they did nothing. */
export type ContextEvent = LayerEvent | CompactionNews;

/** What only a compaction has to say; what it edited, why it did not, and what failed are events of a layer, too. */
export type CompactionNews = { readonly layer: 'compact' } & (
  | { readonly kind: 'progress'; readonly event: CompactionEvent }
  /**
   * Automatic compaction stops until the person speaks: each one was full again at once. The tools that fill the
   * conversation, the largest first.
   */
  | {
      readonly kind: 'paused';
      readonly reason: 'no-headroom';
      readonly producers: readonly Producer[];
    }
  /** A request was refused as too long; the next one is smaller, and nobody else was shown the error. */
  | {
      readonly kind: 'recovered';
      readonly step: 'committed' | 'stripped' | 'compacted';
      readonly cause: unknown;
    }
);

export type Tell = (event: ContextEvent) => void;
