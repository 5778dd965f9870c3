import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import { ModelError, send } from '@varve/models';
import { createAnthropicClient } from '@varve/models/anthropic';
import { memoryRecordStore, recordClient, replayClient } from '@varve/models/record';

// stands for the provider, so that this runs without a key: it takes three tokens at most
const server = createServer((_, response) => {
  const message = 'prompt is too long: 5 tokens > 3 maximum';
  response.writeHead(400, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } }),
  );
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const { port } = server.address() as AddressInfo;

const sdk = new Anthropic({ baseURL: `http://127.0.0.1:${port}`, apiKey: 'none' });
const store = memoryRecordStore();
const client = recordClient(createAnthropicClient({ sdk }), store);
const head = { id: 'head', model: 'claude-opus-5-5', system: [], tools: [], params: {} };
const ask = { id: '1', role: 'user' as const, content: [{ type: 'text', text: 'Fix the test.' }] };
const request = { head, messages: [ask], markers: [], maxOutputTokens: 1_000 };

for (const each of [client, replayClient(store)]) {
  const error = await send(each, request).catch((reason: unknown) => reason);
  if (ModelError.is(error)) console.log(error.code, error.actualTokens, error.limitTokens);
  server.close();
}
