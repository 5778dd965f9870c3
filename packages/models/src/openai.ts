export type { CacheBreakpoint } from './openai/breakpoints.ts';
export {
  createOpenAIChatClient,
  type OpenAIChatClientOptions,
  type OpenAIChatSdk,
} from './openai/chat-client.ts';
export {
  createOpenAIChatWriter,
  type OpenAIChatBody,
  type OpenAIChatTool,
  type OpenAIChatWriterOptions,
  type OpenAIWriterOptions,
} from './openai/chat-request.ts';
export {
  createOpenAIResponsesClient,
  type OpenAIResponsesClientOptions,
  type OpenAIResponsesSdk,
} from './openai/responses-client.ts';
export {
  createOpenAIResponsesWriter,
  type OpenAIResponsesBody,
  type OpenAIResponsesTool,
} from './openai/responses-request.ts';
