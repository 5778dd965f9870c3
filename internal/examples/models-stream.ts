import { startEmulator } from '@varve/emulator';
import type { Request } from '@varve/messages';
import { createOpenAIChatClient } from '@varve/models/openai';
import OpenAI from 'openai';

const emulator = await startEmulator({ replies: ['Reading it.'] });
const baseURL = `${emulator.url}/v1`;
const { signal } = new AbortController();
const head = { id: 'head', model: 'gpt-5.5', system: [], tools: [], params: {} };
const ask = { id: '1', role: 'user' as const, content: [{ type: 'text', text: 'Fix the test.' }] };
const request: Request = { head, messages: [ask], markers: [], maxOutputTokens: 1_000 };

const client = createOpenAIChatClient({ sdk: new OpenAI({ baseURL, apiKey: 'none' }) });
const stream = client.stream(request, { signal, timeoutMs: 60_000 });
for await (const event of stream) if (event.type === 'text-delta') process.stdout.write(event.text);
const { content, stopReason, usage } = await stream.response();
console.log('\n', content, stopReason, usage?.output_tokens);
await emulator.close();
