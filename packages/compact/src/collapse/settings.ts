import { checkOptions, number, required } from '@varve/guards';
import type { Head, PlanContext, Request } from '@varve/messages';
import type { ModelInfo } from '@varve/tokens';
import { checkModels } from '@varve/tokens/models';
import type { Summarize } from '../types.ts';

export interface CollapseOptions {
  readonly summarize: Summarize;
  /** Tokens of a text. */
  readonly sizeOfText: (text: string) => number;
  /** Share of the effective window from which spans are summarised in the background. @default 0.9 */
  readonly stageAt?: number | undefined;
  /**
   * Share of the effective window from which the next request waits for them. Where that is more than the autocompact
   * threshold it is the threshold, and the other two shares come down as far. @default 0.95
   */
  readonly commitAt?: number | undefined;
  /**
   * Share of the effective window that folding is meant to come down to. Each commit rewrites the cache behind it, so little
   * at a time costs more. @default 0.35
   */
  readonly targetAt?: number | undefined;
  /** The newest tokens, which are never folded. @default 40_000, a quarter of the effective window at most */
  readonly keepTokens?: number | undefined;
  /** Work is folded in spans of about so many tokens. @default 20_000 */
  readonly spanTokens?: number | undefined;
  /** Smaller stretches are left alone. @default 2_000 */
  readonly minSpanTokens?: number | undefined;
  /** @default 4_000 */
  readonly maxSummaryTokens?: number | undefined;
  /** The share of the request that a commit has to save at least, from 0 to 1: each one rewrites the cache. @default 0.1 */
  readonly minSavings?: number | undefined;
  /** A sub-agent's thread, or that of the summariser, is never collapsed. @default true */
  readonly isMainThread?: boolean | undefined;
  /** Places the cache markers of the requests; those in messages are left out, because nobody reads a span twice. */
  readonly mark?: ((request: Request) => Request) | undefined;
  /** The head of the requests, made from the conversation's; its tools have to stay. @default the conversation's */
  readonly headFor?: ((head: Head) => Head) | undefined;
  /** Entries of one's own; they win over the model table, which says how much a model can reply, and what the window of `headFor` is. */
  readonly models?: readonly ModelInfo[] | undefined;
  /** Where the originals are, in the caller's words; for the receipts. */
  readonly originals?: string | undefined;
  /** Takes secrets out of the summaries. @default true */
  readonly redact?: boolean | undefined;
}

/** Options with nothing left open but what may be left out. */
export type Settings = ReturnType<typeof settingsOf>;

/**
 * Complete and checked settings.
 *
 * @throws RangeError for shares that are not in order.
 */
export function settingsOf(options: CollapseOptions) {
  checkOptions<CollapseOptions>(options, {
    summarize: required('a function'),
    sizeOfText: required('a function'),
    keepTokens: number({ min: 0 }),
    spanTokens: number({ min: 0 }),
    minSpanTokens: number({ min: 0 }),
    maxSummaryTokens: number({ above: 0 }),
    minSavings: number({ max: 1 }),
    mark: 'a function',
    headFor: 'a function',
  });
  checkModels(options.models);
  const { stageAt = 0.9, commitAt = 0.95, targetAt = 0.35 } = options;
  const { keepTokens = 40_000, spanTokens = 20_000, minSpanTokens = 2_000 } = options;
  const {
    minSavings = 0.1,
    maxSummaryTokens = 4_000,
    isMainThread = true,
    headFor = (head) => head,
  } = options;
  checkOptions(
    { targetAt, stageAt, commitAt },
    {
      commitAt: number({ min: 0 }),
      stageAt: number({ min: 0, max: commitAt }),
      targetAt: number({ min: 0, max: stageAt }),
    },
  );
  const { summarize, sizeOfText, mark, models, originals, redact } = options;
  return {
    ...{ summarize, sizeOfText, mark, stageAt, commitAt, targetAt, keepTokens, spanTokens },
    ...{ minSpanTokens, minSavings, maxSummaryTokens, isMainThread, headFor, models, originals },
    redact,
  };
}

/** Sizes of the context, in tokens. */
export interface CollapseMarks {
  readonly stageTokens: number;
  readonly commitTokens: number;
  readonly targetTokens: number;
}

/** The shares in a window: a compaction must not come before the commit, so all of them come down to its threshold. */
export function marksOf(
  { stageAt, commitAt, targetAt }: Settings,
  { effectiveTokens, autocompactTokens }: PlanContext['limits'],
): CollapseMarks {
  const over = Math.max(0, commitAt * effectiveTokens - autocompactTokens);
  const at = (share: number) => Math.max(0, share * effectiveTokens - over);
  return { stageTokens: at(stageAt), commitTokens: at(commitAt), targetTokens: at(targetAt) };
}
