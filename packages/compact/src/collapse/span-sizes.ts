import type { Head, Message, PlanContext, View } from '@varve/messages';
import { createEstimator, type ModelInfo, resolveModel } from '@varve/tokens';
import { contextWindow } from '@varve/tokens/limits';
import { sumOf } from '../full/draft.ts';

/** What the request for the summary of a span has to fit, in tokens, by the model that it goes to. */
export interface SpanSizes {
  readonly windowTokens: number;
  /** The most the model can reply; undefined where it is not known. */
  readonly maxOutputTokens: number | undefined;
  readonly tokenizer: ModelInfo['tokenizer'];
  /** System prompt, tools and whatever else stands beside the messages. */
  readonly overheadTokens: number;
  readonly sizeOf: (message: Message) => number;
}

/** By what is known of the conversation where its model is asked, else by the model table and an estimate. */
export function spanSizes(
  head: Head,
  { head: conversation, messages }: View,
  { limits, contextTokens, sizeOf }: PlanContext,
  models: readonly ModelInfo[] | undefined,
): SpanSizes {
  const { model } = resolveModel(head.model, { models });
  const { maxOutputTokens, tokenizer } = model;
  const estimator = createEstimator({ family: tokenizer });
  const headTokens = estimator.head(head);
  if (head.model !== conversation?.model) {
    const { tokens: windowTokens } = contextWindow(head.model, { models });
    const { message } = estimator;
    const known = { windowTokens, maxOutputTokens, tokenizer };
    return { ...known, overheadTokens: headTokens, sizeOf: message };
  }
  const { windowTokens } = limits;
  const overheadTokens = Math.max(headTokens, contextTokens - sumOf(messages, sizeOf));
  return { windowTokens, maxOutputTokens, tokenizer, overheadTokens, sizeOf };
}
