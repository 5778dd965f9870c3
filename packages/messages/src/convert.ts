export { createAISDKConverter, fromAISDK, toAISDK } from './convert/ai-sdk.ts';
export { createAnthropicConverter, fromAnthropic, toAnthropic } from './convert/anthropic.ts';
export type { AnthropicMessage } from './convert/anthropic-types.ts';
export type { Loss } from './convert/conversion.ts';
export { createOpenAIChatConverter, fromOpenAIChat, toOpenAIChat } from './convert/openai-chat.ts';
export {
  createOpenAIResponsesConverter,
  fromOpenAIResponses,
  toOpenAIResponses,
} from './convert/openai-responses.ts';
export { usageFromOpenAIChat, usageFromOpenAIResponses } from './convert/usage.ts';
