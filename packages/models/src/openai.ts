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
} from './openai/chat-request.ts';
export {
  createOpenAIResponsesClient,
  type OpenAIResponsesClientOptions,
  type OpenAIResponsesSdk,
} from './openai/responses-client.ts';
export {
  createOpenAICompact,
  type OpenAICompact,
  type OpenAICompacted,
  type OpenAICompactOptions,
  type OpenAICompactSdk,
} from './openai/responses-compact.ts';
export {
  createOpenAIResponsesWriter,
  type OpenAIResponsesBody,
  type OpenAIResponsesTool,
} from './openai/responses-request.ts';
export type { OpenAIWriterOptions } from './openai/writer.ts';
