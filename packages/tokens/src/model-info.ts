/**
 * Which vocabulary counts a model's tokens: Claude up to 4.6, Claude from 4.7 on (about 30 % more tokens for the same
 * text), OpenAI's o200k, Gemini's, DeepSeek's, or one nobody named.
 */
export type TokenizerFamily =
  | 'claude-old'
  | 'claude-new'
  | 'o200k'
  | 'gemini'
  | 'deepseek'
  | 'unknown';

/**
 * What thinking blocks forbid. `free`: nothing. `latest-turn`: the newest turn's thinking goes back unmodified with its
 * tool results. `prefix-bound`: every thinking block is bound to the exact conversation before it, so an earlier edit
 * makes it invalid.
 */
export type ThinkingRule = 'free' | 'latest-turn' | 'prefix-bound';

/** What a provider can do to a conversation on its own side. */
export type ServerFeature =
  | 'context-editing'
  | 'threshold-compaction'
  | 'on-demand-compaction'
  | 'system-messages'
  | 'budget-tags';

/**
 * Dollars per million tokens. The whole request is priced at the tier with the highest `fromPromptTokens` that its
 * prompt reaches. A rate that is missing is not known, which is not the same as free.
 */
export interface PriceTier {
  /** Prompt tokens (plain, read and written together) from which this tier holds; 0 for the first. */
  readonly fromPromptTokens: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** A write at the provider's standard lifetime: 5 minutes at Anthropic, 30 minutes at OpenAI from GPT-5.6 on. */
  readonly cacheWrite5m?: number;
  readonly cacheWrite1h?: number;
}

/** How long a cached prefix lives without being read. */
export interface CacheLifetime {
  /** The provider's word for it. */
  readonly ttl: string;
  readonly seconds: number;
}

export interface CacheRules {
  /** A shorter prefix is not cached, without an error. Missing where no source gives it. */
  readonly minPrefixTokens?: number;
  /** The default comes first; empty where the provider does not say. */
  readonly lifetimes: readonly CacheLifetime[];
  /** `charged`: writing costs `cacheWrite5m` or `cacheWrite1h`. `no-fee`: what is written costs what plain input costs. */
  readonly writes: 'charged' | 'no-fee';
}

/** What the table knows of one model. */
export interface ModelInfo {
  readonly id: string;
  /** Other ids of the same model: dated ones, and spellings of other tools. */
  readonly aliases: readonly string[];
  readonly provider: 'anthropic' | 'openai' | 'google' | 'deepseek' | 'other';
  readonly windowTokens: number;
  /** Missing where no source gives it. */
  readonly maxOutputTokens?: number;
  /** In order of `fromPromptTokens`; empty where no price is known. */
  readonly prices: readonly PriceTier[];
  readonly cache: CacheRules;
  readonly tokenizer: TokenizerFamily;
  readonly thinking: ThinkingRule;
  /** True where the provider drops the thinking of earlier turns from the prompt by itself. */
  readonly stripsOldThinking: boolean;
  readonly serverFeatures: readonly ServerFeature[];
  /** The day a person last compared this entry with its sources, as YYYY-MM-DD. */
  readonly checkedOn: string;
  /** What is doubtful or missing in this entry, and why. */
  readonly notes: readonly string[];
}
