import type { CacheMiss } from './cache-miss.ts';

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

export interface CompareDiagnosisOptions {
  /** The causes of a break detector or a simulator, e.g. `tools-changed`; empty where no miss was expected. */
  readonly predicted: readonly string[];
  /** Such a cause for a provider's word, e.g. `diagnosedCause` of `@varve/prompt-cache`. */
  readonly toCause: (word: string) => string | undefined;
}

/** Sets a provider's cache-miss diagnosis beside one's own. */
export function compareDiagnosis(
  miss: CacheMiss | undefined,
  { predicted, toCause }: CompareDiagnosisOptions,
): DiagnosisComparison {
  if (miss === undefined) return { kind: 'unknown', reason: 'not-asked' };
  const { word } = miss;
  if (word === 'pending') return { kind: 'unknown', reason: 'pending' };
  if (WITHOUT.includes(word)) return { kind: 'unknown', reason: 'unavailable' };
  if (word === 'cache_hit') {
    return predicted.length === 0 ? { kind: 'agreed' } : { kind: 'only-predicted', predicted };
  }
  if (predicted.length === 0) return { kind: 'only-diagnosed', word };
  const named = [toCause(word), COARSE.get(word)];
  const cause = predicted.find((each) => named.includes(each));
  return cause === undefined ? { kind: 'differs', word, predicted } : { kind: 'agreed', cause };
}

const WITHOUT = ['comparison_response_not_found', 'previous_message_not_found', 'unavailable'];

// Anthropic has no word for parameters; a change of theirs loses the messages, and that is what it reports. To OpenAI the
// system text is the first item of the input.
const COARSE = new Map([
  ['messages_changed', 'params-changed'],
  ['input_changed', 'system-changed'],
]);
