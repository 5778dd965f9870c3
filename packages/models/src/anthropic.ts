export { createAnthropicClient } from './anthropic/client.ts';
export { type AnthropicBody, createAnthropicWriter } from './anthropic/request.ts';
