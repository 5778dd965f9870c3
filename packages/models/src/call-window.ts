import { listOf } from '@varve/guards';
import type { Head, Message } from '@varve/messages';
import type { ModelInfo } from '@varve/tokens';
import { contextWindow, fitOutput } from '@varve/tokens/limits';
import { createModelEstimators } from '@varve/tokens/models';
import { thinkingBudget } from './fit-call.ts';

export interface CallWindowOptions {
  /** Entries of one's own; they win over the model table. */
  readonly models?: readonly ModelInfo[] | undefined;
}

/** What the window of a model has room for, in tokens by estimate. */
export interface CallWindow {
  /** Prompt and answer have to fit it together; Infinity where the window is a guess. */
  readonly windowTokens: number;
  /** The largest prompt behind which the thinking budget and a first token of the answer have room. */
  readonly mostPromptTokens: number;
  /** Of system prompt and tools. */
  headTokens(): number;
  /** Of messages; each is counted once. */
  sizeOf(messages: readonly Message[]): number;
  /** As much of `askedTokens` of output as the prompt leaves; undefined where it is too large for any answer. */
  outputTokens(promptTokens: number, askedTokens: number): number | undefined;
}

/** The window that the requests of a head have to fit, as its betas and the caller's own entries have it. */
export function callWindow(head: Head, { models }: CallWindowOptions = {}): CallWindow {
  const windowTokens = windowOf(head, models);
  const thinkingTokens = thinkingBudget(head.params);
  // what the conversation's own meter counted is counted here too
  const estimator = createModelEstimators({ models })(head.model);
  return {
    windowTokens,
    mostPromptTokens: windowTokens - thinkingTokens - 1,
    headTokens: () => estimator.head(head),
    sizeOf: (messages) => messages.reduce((sum, each) => sum + estimator.message(each), 0),
    outputTokens(promptTokens, askedTokens) {
      if (windowTokens === Number.POSITIVE_INFINITY) return askedTokens;
      const asked = { promptTokens, windowTokens, requestedTokens: askedTokens, thinkingTokens };
      const fitted = fitOutput(asked);
      return fitted.kind === 'prompt-too-large' ? undefined : fitted.outputTokens;
    },
  };
}

function windowOf({ model, params }: Head, models: CallWindowOptions['models']): number {
  const betas = listOf(params.betas).filter((beta): beta is string => typeof beta === 'string');
  const { tokens, rule } = contextWindow(model, { betas, models });
  if (rule === 'default') return Number.POSITIVE_INFINITY;
  const asked = contextWindow('', { betas }); // a header may ask for more than the table has
  return Math.max(tokens, asked.rule === 'beta-header' ? asked.tokens : 0);
}
