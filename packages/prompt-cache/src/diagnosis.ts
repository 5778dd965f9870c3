import type { BreakCause } from './cache-break.ts';

/**
 * What a provider's diagnosis says to a prediction. `agreed`: both name a cause, or both none. `differs`: they name others.
 * `only-predicted`, `only-diagnosed`: one side alone saw a miss. `unknown`: the provider gave no diagnosis, see `reason`.
 */
export type DiagnosisComparison =
  | { readonly kind: 'agreed'; readonly cause?: string }
  | { readonly kind: 'differs'; readonly word: string; readonly predicted: readonly string[] }
  | { readonly kind: 'only-predicted'; readonly predicted: readonly string[] }
  | { readonly kind: 'only-diagnosed'; readonly word: string }
  | { readonly kind: 'unknown'; readonly reason: 'not-asked' | 'pending' | 'unavailable' };

/**
 * Sets a provider's cache-miss diagnosis, as a `ModelResponse` of `@varve/models` carries it, beside the causes that a break
 * detector, a simulator or `explainBreak` named; `predicted` is empty where no miss was expected.
 */
export function compareDiagnosis(
  miss: { readonly word: string } | undefined,
  predicted: readonly BreakCause[],
): DiagnosisComparison {
  if (miss === undefined) return { kind: 'unknown', reason: 'not-asked' };
  const { word } = miss;
  if (word === 'pending') return { kind: 'unknown', reason: 'pending' };
  if (WITHOUT.includes(word)) return { kind: 'unknown', reason: 'unavailable' };
  if (word === 'cache_hit') {
    return predicted.length === 0 ? { kind: 'agreed' } : { kind: 'only-predicted', predicted };
  }
  if (predicted.length === 0) return { kind: 'only-diagnosed', word };
  const named = CAUSES.get(word) ?? [];
  const cause = predicted.find((each) => named.includes(each));
  return cause === undefined ? { kind: 'differs', word, predicted } : { kind: 'agreed', cause };
}

const WITHOUT = ['comparison_response_not_found', 'previous_message_not_found', 'unavailable'];

// Anthropic has no word for parameters; a change of theirs loses the messages, and that is what it reports. To OpenAI the
// system text is the first item of the input.
const CAUSES: ReadonlyMap<string, readonly BreakCause[]> = new Map([
  ['model_changed', ['model-changed']],
  ['system_changed', ['system-changed', 'citations-changed']],
  ['tools_changed', ['tools-changed']],
  ['messages_changed', ['messages-changed', 'params-changed', 'images-changed']],
  ['input_changed', ['messages-changed', 'system-changed']],
  ['context_compacted', ['messages-changed']],
  ['prompt_cache_key_changed', ['params-changed']],
  ['text_format_changed', ['params-changed']],
  ['verbosity_changed', ['params-changed']],
  ['reasoning_effort_changed', ['params-changed']],
  ['service_tier_changed', ['params-changed']],
]);
