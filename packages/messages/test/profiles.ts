import {
  anthropicProfile,
  openaiChatProfile,
  openaiResponsesProfile,
  type ProviderProfile,
} from '../src/index.ts';

export const free = anthropicProfile({ thinking: 'free' });
export const prefixBound = anthropicProfile({ thinking: 'prefix-bound' });
export const chat = openaiChatProfile();
export const responses = openaiResponsesProfile();

/** Each profile a law has to hold for. */
export const profiles: readonly ProviderProfile[] = [
  free,
  prefixBound,
  {
    ...anthropicProfile({ thinking: 'latest-turn', systemMessages: false }),
    name: 'anthropic-old',
  },
  chat,
  responses,
];
