import { isRecord, numberOf, recordOf, textOf } from '@varve/guards';

/** A cache-miss diagnosis in the provider's words. */
export interface CacheMiss {
  /** E.g. `tools_changed`; `pending` where Anthropic had not compared yet, `cache_hit` where OpenAI saw no miss. */
  readonly word: string;
  /** About how many tokens were missed. */
  readonly missedTokens?: number;
  /** As the provider sent it. */
  readonly reported: unknown;
}

/** Anthropic's `diagnostics`; undefined where none were asked for. */
export function anthropicCacheMiss(diagnostics: unknown): CacheMiss | undefined {
  if (!isRecord(diagnostics)) return undefined;
  const reason = recordOf(diagnostics.cache_miss_reason);
  const word = textOf(reason.type) || 'pending';
  return miss(word, reason.cache_missed_input_tokens, diagnostics);
}

/** OpenAI's `prompt_cache_diagnostics`; undefined where none were asked for. */
export function openaiCacheMiss(diagnostics: unknown): CacheMiss | undefined {
  if (!isRecord(diagnostics)) return undefined;
  const word = textOf(diagnostics.reason) || textOf(diagnostics.type);
  return word === '' ? undefined : miss(word, diagnostics.cache_missed_tokens, diagnostics);
}

function miss(word: string, tokens: unknown, reported: unknown): CacheMiss {
  const missedTokens = numberOf(tokens);
  return { word, ...(missedTokens !== undefined && { missedTokens }), reported };
}
