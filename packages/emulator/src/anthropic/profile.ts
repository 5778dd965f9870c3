import { anthropicProfile, type ProviderProfile } from '@varve/messages';
import { isThinkingOn } from '@varve/messages/thinking';
import type { ModelInfo } from '@varve/tokens';

/** What a model takes, from its entry in the table and the lists below. */
export function profileOf(model: ModelInfo): ProviderProfile {
  return anthropicProfile({
    thinking: model.thinking,
    prefill: isBefore46(model),
    systemMessages: model.serverFeatures.includes('system-messages'),
    maxMedia: model.windowTokens <= SHORT_WINDOW ? 100 : 600,
    thinkingTypes: thinkingTypesOf(model),
    forcedToolChoice: !REFUSES_FORCED_TOOLS.includes(model.id),
  });
}

const SHORT_WINDOW = 200_000;

/** Those of the 4.5 generation and older: a prefill is continued, and every request has to fit with its output. */
export const isBefore46 = (model: ModelInfo): boolean => model.windowTokens <= SHORT_WINDOW;

// platform.claude.com, "Preserved thinking", "Errors" and the model pages, read in September to November 2026; a model
// without a page of its own is taken to follow the one before it.
const REFUSES_FORCED_TOOLS = [
  'claude-opus-5-5',
  'claude-sonnet-5-5',
  'claude-fable-5-1',
  'claude-fable-5-2',
  'claude-mythos-5-1',
  'claude-mythos-5-2',
];

function thinkingTypesOf(model: ModelInfo): readonly string[] {
  const { id, tokenizer } = model;
  if (isBefore46(model)) return ['enabled', 'disabled'];
  if (tokenizer === 'claude-old') return ['adaptive', 'enabled', 'disabled'];
  if (id === 'claude-sonnet-5-5') return ['adaptive', 'between_tools'];
  return alwaysThinks(model) ? ['adaptive'] : ['adaptive', 'disabled'];
}

/** Thinking cannot be switched off. */
export const alwaysThinks = ({ id }: ModelInfo): boolean => isThinkingOn({}, id);
