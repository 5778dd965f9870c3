import type { ModelInfo } from './model-info.ts';
import { DEFAULT_WINDOW_TOKENS, hasLongContextSuffix, resolveModel } from './resolve-model.ts';

/** The header that asked for a million tokens where that was not the default. */
const LONG_CONTEXT_BETA = 'context-1m-2025-08-07';

const LONG_CONTEXT_TOKENS = 1_000_000;

export interface ContextWindowOptions {
  /** Beta headers of the request. */
  readonly betas?: readonly string[] | undefined;
  /** Window of a model the table does not know, in tokens; anything but an integer above 0 is ignored. */
  readonly overrideTokens?: number | undefined;
  /** Entries of one's own; they win over the table. */
  readonly models?: readonly ModelInfo[] | undefined;
}

/** Which rule decided, in the order in which they are asked. */
export type WindowRule = 'suffix' | 'table' | 'beta-header' | 'override' | 'default';

export interface ContextWindow {
  readonly tokens: number;
  readonly rule: WindowRule;
  /** Present where the window is an assumption: what is unknown and what to do about it. */
  readonly message?: string;
}

/**
 * How many tokens a model's window holds; the first rule that applies decides: a `[1m]` suffix of the id, the model
 * table, the million-token beta header, the override, 200,000.
 */
export function contextWindow(modelId: string, options: ContextWindowOptions = {}): ContextWindow {
  const { betas = [], overrideTokens, models } = options;
  if (hasLongContextSuffix(modelId)) return { tokens: LONG_CONTEXT_TOKENS, rule: 'suffix' };
  const resolved = resolveModel(modelId, { models });
  const { windowTokens } = resolved.model;
  if (resolved.known && isTokenLimit(windowTokens)) return { tokens: windowTokens, rule: 'table' };
  if (betas.includes(LONG_CONTEXT_BETA)) {
    return { tokens: LONG_CONTEXT_TOKENS, rule: 'beta-header' };
  }
  if (isTokenLimit(overrideTokens)) return { tokens: overrideTokens, rule: 'override' };
  const message = resolved.known
    ? `The entry of \`${modelId}\` has no window that can be acted on: ${DEFAULT_WINDOW_TOKENS} tokens are assumed. Give \`windowTokens\` as a whole number above 0.`
    : resolved.message;
  return { tokens: DEFAULT_WINDOW_TOKENS, rule: 'default', message };
}

/** A limit in tokens that can be acted on: an integer above 0. */
export function isTokenLimit(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
