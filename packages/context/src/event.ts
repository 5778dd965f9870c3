import type { Producer } from '@varve/compact';
import type { CompactionEvent } from '@varve/compact/pipeline';
import type { ExtractionEvent } from '@varve/memdir/extract';
import type { CacheBreak } from '@varve/prompt-cache';
import type { TokenMeter } from '@varve/tokens';
import type { Diagnosis } from './diagnosis.ts';
import type { LayerEvent } from './layer.ts';
import type { UsageDoubt } from './read-bill.ts';

/** What the layers and the compaction did, or why they did nothing. */
export type ContextEvent =
  | LayerEvent
  | CompactionNews
  | CacheNews
  | BillNews
  | RepairNews
  | MemoryNews;

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

/** What was found for a message of a person, and what became of the pass behind an answer. */
export type MemoryNews = { readonly layer: 'memory' } & (
  | {
      readonly kind: 'recall';
      readonly found:
        | { readonly kind: 'recalled' | 'forget'; readonly paths: readonly string[] }
        | { readonly kind: 'none'; readonly reason: string };
    }
  | { readonly kind: 'extraction'; readonly event: ExtractionEvent }
);

/** What the bills of replies say about the cache. An `edited` event announces a break, too. */
export type CacheNews = {
  readonly layer: 'prompt-cache';
} /** The next reply will read less, e.g. `tools-changed` or `model-switch`: another head was set. */ & (
  | { readonly kind: 'break-announced'; readonly reason: string }
  /** Less was read, as announced or because the lifetime had passed (`ttl-expired`). */
  | ({ readonly kind: 'expected-break'; readonly reason: string } & BreakFigures)
  /** Less was read than the request before had left in the cache, and nothing was announced. */
  | ({ readonly kind: 'unexpected-break' } & BreakFigures)
  /** The provider's own diagnosis of a miss, and whether the bill shows the same. */
  | { readonly kind: 'diagnosed'; readonly diagnosis: Diagnosis }
);

export interface BreakFigures {
  readonly model: string;
  readonly readTokens: number;
  /** What the request before had left in the cache, as it was billed. */
  readonly expectedReadTokens: number;
  readonly breaks: readonly CacheBreak[];
}

/**
 * A bill that is far from what was expected, or counts no prompt: the size of the conversation is not based on it. One whose
 * output is more than the reply can be (`implausible-output`: the tokens are those of the reply, which is estimated). Or one
 * that is none, e.g. null (`no-usage`: what the reply cost is not known), is of another API (`other-usage`), or has counts
 * that are none, e.g. NaN (`invalid-count`: they are left out).
 */
export interface BillNews {
  readonly layer: 'tokens';
  readonly kind: 'bill-doubted';
  readonly reason:
    | Exclude<
        Extract<ReturnType<TokenMeter['anchor']>, { kind: 'ignored' }>['reason'],
        'synthetic-reply'
      >
    | 'implausible-output'
    | UsageDoubt;
  readonly billedTokens: number;
  readonly expectedTokens: number;
}

/** What a provider would refuse later was made good; `count` is how many blocks were. */
export interface RepairNews {
  readonly layer: 'context';
  readonly kind: 'repaired';
  /**
   * `blocks`: blocks of a reply were none, or calls without a name, and were left out. `call-ids`: calls of a reply had no id, or one that another call had. `call-inputs`: the input of a call was no object
   * and stands in one now. `half-thoughts`: thinking without a signature, or with half a surrogate pair, went. Of a request, once
   * for each message: `call-ids`, `failed-results` and `media`, where ids or names of calls, results of failed tools that say nothing,
   * or images and documents go out otherwise than they stand in the log, because this provider refuses them.
   */
  readonly reason:
    | 'blocks'
    | 'call-ids'
    | 'call-inputs'
    | 'failed-results'
    | 'half-thoughts'
    | 'media';
  readonly count: number;
}

export type Tell = (event: ContextEvent) => void;
