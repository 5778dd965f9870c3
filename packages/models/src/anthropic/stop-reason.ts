import type { StopReason } from '@varve/messages';
import { isProviderStopReason } from '@varve/messages/fit';

/** Anthropic's stop reasons are ours; a word that is none of them is `unknown`. */
export const anthropicStopReason = (word: unknown): StopReason =>
  isProviderStopReason(word) ? word : 'unknown';
