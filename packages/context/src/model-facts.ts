import type { Block, Head, Message, ProviderProfile } from '@varve/messages';
import {
  CACHE_POLICIES,
  type CachePolicy,
  cachePolicy,
  PromptCacheError,
} from '@varve/prompt-cache';
import { type Estimator, type ModelInfo, resolveModel } from '@varve/tokens';
import { contextWindow } from '@varve/tokens/limits';
import { createModelEstimators, providerProfiles } from '@varve/tokens/models';
import type { ContextOptions } from './options.ts';

/** What is known of one model, with the options of the context applied. */
export interface ModelFacts {
  /** As the caller named it. */
  readonly id: string;
  readonly model: ModelInfo;
  readonly windowTokens: number;
  /** Prompt and reply have to fit it together, in tokens; Infinity where the window is a guess. */
  readonly knownWindowTokens: number;
  /** Prompts of so many tokens are not sent; Infinity where the caller sets no limit. */
  readonly blockingTokens: number;
  /** The most the model can reply, in tokens; undefined where nobody knows it. */
  readonly maxOutputTokens: number | undefined;
  /** Largest reply that the caller asks for, in tokens; undefined where he leaves it open. */
  readonly askedOutputTokens: number | undefined;
  readonly policy: CachePolicy;
  /** What the providers of this model accept. */
  readonly profiles: readonly ProviderProfile[];
  /** Knows what follows, and shares it with whoever counts by the same tokenizer. */
  readonly estimator: Estimator;
  /** Tokens of a text, a block and a message. */
  readonly textSize: (text: string) => number;
  readonly blockSize: (block: Block) => number;
  readonly sizeOf: (message: Message) => number;
  /** Tokens of system prompt and tools. */
  readonly headSize: (head: Head) => number;
}

type FactOptions = Pick<
  ContextOptions,
  'model' | 'models' | 'policy' | 'maxOutputTokens' | 'blockingLimitTokens'
>;

/** The facts of models by id; each model is looked up once. */
export function createModelFacts(options: FactOptions): (id: string) => ModelFacts {
  const known = new Map<string, ModelFacts>();
  return (id) => {
    const facts = known.get(id) ?? factsOf(id, options);
    known.set(id, facts);
    return facts;
  };
}

function factsOf(id: string, options: FactOptions): ModelFacts {
  const { models } = options;
  const { model } = resolveModel(id, { models });
  const { tokens: windowTokens, rule } = contextWindow(id, { models });
  const estimator = createModelEstimators({ models })(id);
  return {
    id,
    model,
    windowTokens,
    knownWindowTokens: rule === 'default' ? Number.POSITIVE_INFINITY : windowTokens,
    blockingTokens: options.blockingLimitTokens ?? Number.POSITIVE_INFINITY,
    maxOutputTokens: model.maxOutputTokens,
    askedOutputTokens: options.maxOutputTokens,
    policy: policyFor(model, options),
    profiles: providerProfiles(model),
    estimator,
    textSize: estimator.text,
    blockSize: estimator.block,
    sizeOf: estimator.message,
    headSize: estimator.head,
  };
}

/** A policy of the caller's is that of the provider which the context began with. */
function policyFor(model: ModelInfo, { policy, model: first, models }: FactOptions): CachePolicy {
  if (policy === undefined) return policyOf(model);
  const { provider } = resolveModel(first, { models }).model;
  return provider === model.provider ? policy : policyOf(model);
}

/**
 * The policy of a model. Where none is known, most providers cache by themselves, and to clear as if nothing were cached
 * costs more than to wait in vain.
 */
function policyOf(model: ModelInfo): CachePolicy {
  try {
    return cachePolicy(model);
  } catch (error) {
    if (!PromptCacheError.is(error)) throw error;
    return CACHE_POLICIES.openaiImplicit;
  }
}
