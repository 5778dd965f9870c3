import type { ThinkingRule } from '@varve/messages';

export const PROVIDERS = ['anthropic', 'openai', 'google', 'deepseek', 'none'] as const;

/** Whose cache is simulated; `none`: nobody's, every prompt token is plain input. */
export type Provider = (typeof PROVIDERS)[number];

export const TTLS = ['5m', '1h', 'none'] as const;

/** Lifetime of cache entries; `none`: they live for ever. */
export type Ttl = (typeof TTLS)[number];

/** A context window in tokens; `none`: requests of every size are priced as if accepted. */
export type Window = number | 'none';

/** How a model binds thinking to the conversation before it. */
export const THINKING_RULES: readonly ThinkingRule[] = ['free', 'latest-turn', 'prefix-bound'];
