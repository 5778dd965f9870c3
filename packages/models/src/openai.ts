export { createOpenAIChatClient } from './openai/chat-client.ts';
export { createOpenAIResponsesClient } from './openai/responses-client.ts';
export { createOpenAICompact } from './openai/responses-compact.ts';
