import {
  anthropicProfile,
  openaiChatProfile,
  openaiResponsesProfile,
  type ProviderProfile,
} from '@varve/messages';
import type { ModelInfo } from './model-info.ts';

/** What the providers of a model accept. A model that is in no table may be served in either form. */
export function providerProfiles({
  provider,
  thinking,
}: Pick<ModelInfo, 'provider' | 'thinking'>): readonly ProviderProfile[] {
  if (provider === 'openai') return [openaiChatProfile(), openaiResponsesProfile()];
  const anthropic = anthropicProfile({ thinking });
  return provider === 'anthropic' ? [anthropic] : [anthropic, openaiChatProfile()];
}
