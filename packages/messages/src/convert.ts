export { createAISDKConverter, fromAISDK, toAISDK } from './convert/ai-sdk.ts';
export { createAnthropicConverter, fromAnthropic, toAnthropic } from './convert/anthropic.ts';
export type { AnthropicMessage } from './convert/anthropic-types.ts';
export type { Conversion, Loss, PlainMessage } from './convert/conversion.ts';
export { createOpenAIChatConverter, fromOpenAIChat, toOpenAIChat } from './convert/openai-chat.ts';
export type { OpenAIChatMessage, OpenAIChatMessageLike } from './convert/openai-chat-types.ts';
export {
  createOpenAIResponsesConverter,
  fromOpenAIResponses,
  toOpenAIResponses,
} from './convert/openai-responses.ts';
export type {
  OpenAIResponsesItem,
  OpenAIResponsesItemLike,
} from './convert/openai-responses-types.ts';
export { usageFromOpenAIChat, usageFromOpenAIResponses } from './convert/usage.ts';
