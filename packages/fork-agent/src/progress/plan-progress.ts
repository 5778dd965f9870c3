import type { Request } from '@varve/messages';
import type { CachePolicy } from '@varve/prompt-cache';
import { priceUsage } from '@varve/tokens';
import { priceOf, type RequestPrice } from '../fork-price.ts';
import type { OwnModels } from '../known-model.ts';

export interface ProgressPlanOptions {
  /** The child's latest request, as it was sent, and the same with what asks for a summary. */
  readonly sent: Request;
  readonly fork: Request;
  /** The short tail for the cheap model. */
  readonly tail: Request;
  readonly policy: CachePolicy;
  readonly tailPolicy: CachePolicy;
  /** Milliseconds since `sent`. */
  readonly idleMs: number;
  /** Tokens a summary takes. */
  readonly outputTokens: number;
  readonly models: OwnModels;
}

/** The cheaper way to ask, and what both cost in dollars; a way without a known price is not taken before one with. */
export interface ProgressPlan {
  readonly via: 'fork' | 'tail';
  readonly forkDollars: number | undefined;
  readonly tailDollars: number | undefined;
}

/** A fork reads the whole conversation from a warm cache; a tail pays full price for little on a cheaper model. */
export function planProgress(options: ProgressPlanOptions): ProgressPlan {
  const { sent, fork, tail, policy, tailPolicy, idleMs, outputTokens, models } = options;
  const forkPrice = priceOf(sent, fork, { policy, idleMs });
  const tailPrice = priceOf(undefined, tail, { policy: tailPolicy, idleMs: 0 });
  const forkDollars = withOutput(forkPrice, fork.head.model, { outputTokens, models });
  const tailDollars = withOutput(tailPrice, tail.head.model, { outputTokens, models });
  const isForkCheaper = (forkDollars ?? Infinity) < (tailDollars ?? Infinity);
  return { via: isForkCheaper ? 'fork' : 'tail', forkDollars, tailDollars };
}

function withOutput(
  { dollars }: RequestPrice,
  model: string,
  { outputTokens, models }: Pick<ProgressPlanOptions, 'outputTokens' | 'models'>,
): number | undefined {
  if (dollars === undefined) return undefined;
  const usage = { input_tokens: 0, output_tokens: outputTokens };
  const output = priceUsage(usage, model, { models });
  return output.unpricedTokens > 0 ? undefined : dollars + output.dollars;
}
