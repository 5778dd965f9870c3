export { type AISDKConverter, createAISDKConverter, fromAISDK, toAISDK } from './convert/ai-sdk.ts';
export type { AISDKMessage, AISDKMessageLike } from './convert/ai-sdk-types.ts';
export {
  type AnthropicConverter,
  createAnthropicConverter,
  fromAnthropic,
  toAnthropic,
} from './convert/anthropic.ts';
export type { AnthropicBlock, AnthropicMessage } from './convert/anthropic-types.ts';
export type { Conversion, Loss, LossKind, PlainMessage } from './convert/conversion.ts';
export {
  createOpenAIChatConverter,
  fromOpenAIChat,
  type OpenAIChatConverter,
  toOpenAIChat,
} from './convert/openai-chat.ts';
export type { OpenAIChatMessage, OpenAIChatMessageLike } from './convert/openai-chat-types.ts';
export {
  createOpenAIResponsesConverter,
  fromOpenAIResponses,
  type OpenAIResponsesConverter,
  toOpenAIResponses,
} from './convert/openai-responses.ts';
export type {
  OpenAIResponsesItem,
  OpenAIResponsesItemLike,
} from './convert/openai-responses-types.ts';
export {
  type OpenAIChatUsage,
  type OpenAIResponsesUsage,
  usageFromOpenAIChat,
  usageFromOpenAIResponses,
} from './convert/usage.ts';
