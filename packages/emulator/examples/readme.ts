import Anthropic from '@anthropic-ai/sdk';
import { startEmulator } from '@varve/emulator';

const emulator = await startEmulator({ replies: ['Reading it.', 'Done.'] });
const client = new Anthropic({ baseURL: emulator.url, apiKey: 'any' });

const text = 'You fix failing tests. '.repeat(400);
const system = [{ type: 'text' as const, text, cache_control: { type: 'ephemeral' as const } }];
for (const content of ['Fix it.', 'Fix the other one.']) {
  const messages = [{ role: 'user' as const, content }];
  const request = { model: 'claude-opus-5-5', max_tokens: 1_000, system, messages };
  const { usage } = await client.messages.create(request);
  console.log(usage.cache_creation_input_tokens, usage.cache_read_input_tokens);
}

console.log(emulator.report().dollars.toFixed(6));
emulator.expectHitRate(0.4); // throws, and says which change lost the cache
await emulator.close();
