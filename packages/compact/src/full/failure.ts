import type { SummaryRefusal } from './accept-summary.ts';

/**
 * Why a conversation stays as it is. `nothing-to-compact`: no message could be replaced; `round-open`: calls wait for
 * results; `model-failed`: the call failed, its error is the cause; `thinking-bound`: what has to stay holds thinking that is
 * bound to what would go; `still-too-large`: system prompt, tools and what has to stay leave no room for any summary.
 * The others say what was wrong with the model's answer.
 */
export type CompactFailure =
  | SummaryRefusal
  | 'model-failed'
  | 'nothing-to-compact'
  | 'round-open'
  | 'still-too-large'
  | 'thinking-bound';

/** What a failed call is called, by the code of its error. */
export function failureOfCode(code: string | undefined): CompactFailure {
  if (code !== undefined && TOO_LONG.has(code)) return 'prompt-too-long';
  return code === 'refused' ? 'refused' : 'model-failed';
}

const TOO_LONG: ReadonlySet<string> = new Set([
  'media-too-large',
  'prompt-too-long',
  'request-too-large',
  'silent-overflow',
]);
