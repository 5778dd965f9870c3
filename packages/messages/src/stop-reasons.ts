import type { StopReason } from './types.ts';

/** What Anthropic's API answers with. */
const OF_PROVIDERS = [
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
  'compaction',
] as const satisfies readonly StopReason[];

/** Every word there is: those of providers, and ours for a reply that has none. */
export const STOP_REASONS = [
  ...OF_PROVIDERS,
  'aborted',
  'error',
  'unknown',
] as const satisfies readonly StopReason[];

/** True for a stop reason of Anthropic's API, whose words are ours; `aborted`, `error` and `unknown` come from no provider. */
export const isProviderStopReason = (word: unknown): word is StopReason =>
  OF_PROVIDERS.some((known) => known === word);
