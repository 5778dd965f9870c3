import { textOf } from '@varve/guards';
import type { StopReason } from '@varve/messages';

/** A finish reason of Chat Completions. Several servers say `stop` for an answer that ends in calls. */
export function chatStopReason(word: string, hasCalls: boolean): StopReason {
  const known = CHAT.get(word) ?? 'unknown';
  return known === 'end_turn' && hasCalls ? 'tool_use' : known;
}

const CHAT = new Map<string, StopReason>([
  ['stop', 'end_turn'],
  ['length', 'max_tokens'],
  ['tool_calls', 'tool_use'],
  ['function_call', 'tool_use'],
  ['content_filter', 'refusal'],
  // OpenRouter: the server behind it failed during the answer
  ['error', 'error'],
]);

export interface ResponsesEnding {
  readonly status: unknown;
  /** `incomplete_details.reason`. */
  readonly reason: unknown;
  readonly hasCalls: boolean;
  /** Whether all that came is a compaction. */
  readonly isCompaction: boolean;
}

/** How a response of the Responses API ended; one that failed never comes here. */
export function responsesStopReason(ending: ResponsesEnding): StopReason {
  const { status, reason, hasCalls, isCompaction } = ending;
  if (status === 'incomplete') return INCOMPLETE.get(textOf(reason)) ?? 'unknown';
  if (status === 'cancelled') return 'aborted';
  if (status !== 'completed') return 'unknown';
  if (hasCalls) return 'tool_use';
  return isCompaction ? 'compaction' : 'end_turn';
}

const INCOMPLETE = new Map<string, StopReason>([
  ['max_output_tokens', 'max_tokens'],
  ['content_filter', 'refusal'],
  // both stop at a whole item, and the model goes on when asked again
  ['max_messages', 'pause_turn'],
  ['steered', 'pause_turn'],
]);
