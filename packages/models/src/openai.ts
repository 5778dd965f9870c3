export { createOpenAIChatClient } from './openai/chat-client.ts';
export { createOpenAIChatWriter, type OpenAIChatBody } from './openai/chat-request.ts';
export { createOpenAIResponsesClient } from './openai/responses-client.ts';
export { createOpenAICompact } from './openai/responses-compact.ts';
export {
  createOpenAIResponsesWriter,
  type OpenAIResponsesBody,
} from './openai/responses-request.ts';
