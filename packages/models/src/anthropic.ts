export {
  type AnthropicClientOptions,
  type AnthropicMethods,
  type AnthropicSdk,
  createAnthropicClient,
} from './anthropic/client.ts';
export type { CacheControl } from './anthropic/markers.ts';
export {
  type AnthropicBody,
  type AnthropicRequest,
  type AnthropicSystemBlock,
  type AnthropicTool,
  createAnthropicWriter,
} from './anthropic/request.ts';
