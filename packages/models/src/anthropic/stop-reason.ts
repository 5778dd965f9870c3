import type { StopReason } from '@varve/messages';

/** Anthropic's stop reasons are ours; a word that nobody knows is `unknown`. */
export function anthropicStopReason(word: unknown): StopReason {
  return KNOWN.find((known) => known === word) ?? 'unknown';
}

const KNOWN: readonly StopReason[] = [
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
  'compaction',
];
