import { listOf } from '@varve/guards';
import type { Head, Message, Request } from '@varve/messages';
import { createEstimator, type Estimator, resolveModel } from '@varve/tokens';
import { contextWindow } from '@varve/tokens/limits';
import { ForkError } from './error.ts';

/** What a request of a child holds. */
export interface ChildMessages {
  /** What it shares with its parent. */
  readonly prefix: readonly Message[];
  readonly own: readonly Message[];
}

/**
 * Creates the check of a child's requests against the window of its model. Sizes are estimates; each message is counted once.
 *
 * @throws ForkError `message-too-large`, which says how many tokens of how many
 */
export function windowCheck(head: Head): (messages: ChildMessages) => void {
  const most = mostTokens(head);
  if (most === Number.POSITIVE_INFINITY) return () => {};
  const estimator = estimatorOf(head);
  return ({ prefix, own }) => {
    const headTokens = estimator.head(head);
    const prefixTokens = sumOf(prefix, estimator);
    const ownTokens = sumOf(own, estimator);
    const tokens = headTokens + prefixTokens + ownTokens;
    if (tokens <= most) return;
    const parts = `system prompt and tools take ${headTokens}, the parent's messages ${prefixTokens}, the child's own ${ownTokens}`;
    const advice =
      prefixTokens >= ownTokens
        ? 'Compact the parent before it is forked, or start an agent'
        : 'Say less in the directive, or pass `compact` to `run`';
    throw new ForkError(
      'message-too-large',
      `The request takes about ${tokens} tokens, and the window of \`${head.model}\` has room for ${most}: ${parts}. ${advice}, or use a model of a larger window.`,
    );
  };
}

/** Whether a request fits the window of its model, or nobody knows how large that is. */
export function fitsWindow({ head, messages }: Request): boolean {
  const most = mostTokens(head);
  if (most === Number.POSITIVE_INFINITY) return true;
  const estimator = estimatorOf(head);
  return estimator.head(head) + sumOf(messages, estimator) <= most;
}

const estimatorOf = ({ model }: Head): Estimator =>
  createEstimator({ family: resolveModel(model).model.tokenizer });

const sumOf = (messages: readonly Message[], estimator: Estimator): number =>
  messages.reduce((total, message) => total + estimator.message(message), 0);

/** The largest prompt behind which a first token of the reply fits; Infinity where the window is a guess. */
function mostTokens({ model, params }: Head): number {
  const betas = listOf(params.betas).filter((beta): beta is string => typeof beta === 'string');
  const { tokens, rule } = contextWindow(model, { betas });
  if (rule === 'default') return Number.POSITIVE_INFINITY;
  const asked = contextWindow('', { betas }); // a header may ask for more than the table has
  return Math.max(tokens, asked.rule === 'beta-header' ? asked.tokens : 0) - 1;
}
