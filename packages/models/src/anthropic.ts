export { createAnthropicClient } from './anthropic/client.ts';
