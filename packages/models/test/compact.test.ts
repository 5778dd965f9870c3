import type { Message, Request } from '@varve/messages';
import OpenAI from 'openai';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAnthropicWriter } from '../src/anthropic/request.ts';
import { createOpenAICompact } from '../src/openai.ts';
import { type LoopbackReply, startLoopback } from './loopback.ts';

const HEAD = { id: 'h', model: 'gpt-5.6-sol', system: [], tools: [], params: { reasoning: {} } };
const user: Message = { id: 'u', role: 'user', content: [{ type: 'text', text: 'Read it.' }] };
const request = (messages: readonly Message[]): Request => ({
  head: HEAD,
  messages,
  markers: [],
  maxOutputTokens: 100,
});

async function compactOver(reply: LoopbackReply, options: { readonly instructions?: string } = {}) {
  const server = await startLoopback(() => reply);
  onTestFinished(() => server.close());
  const sdk = new OpenAI({ baseURL: server.url, apiKey: 'any', maxRetries: 0 });
  return { server, compact: createOpenAICompact({ sdk, ...options }) };
}

const ITEM = { id: 'cmp_1', type: 'compaction', encrypted_content: 'opaque' };
const OUTPUT = [
  {
    id: 'msg_1',
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: 'Read it.' }],
  },
  ITEM,
];
const USAGE = { input_tokens: 100, output_tokens: 7, input_tokens_details: { cached_tokens: 60 } };

describe('createOpenAICompact', () => {
  test('sends what the endpoint takes, and gives back all that it returns', async () => {
    const body = { id: 'resp_1', object: 'response.compaction', output: OUTPUT, usage: USAGE };
    const { server, compact } = await compactOver({ body }, { instructions: 'Keep names.' });
    const compacted = await compact(request([user]));
    expect(server.requests[0]?.path).toBe('/responses/compact');
    expect(Object.keys(server.requests[0]?.body ?? {}).sort()).toEqual([
      'input',
      'instructions',
      'model',
    ]);
    expect(compacted).toMatchObject({
      id: 'resp_1',
      stopReason: 'compaction',
      content: [ITEM],
      usage: { input_tokens: 40, cache_read_input_tokens: 60, output_tokens: 7 },
    });
    expect(compacted.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  test('an answer without the item has no content', async () => {
    const { compact } = await compactOver({
      body: { id: 'r', output: OUTPUT.slice(0, 1), usage: USAGE },
    });
    expect(await compact(request([user]))).toMatchObject({ content: [], stopReason: 'end_turn' });
  });

  test('rejects with a ModelError, or with the reason of the signal', async () => {
    const { compact } = await compactOver({
      status: 429,
      body: { error: { message: 'slow down' } },
    });
    await expect(compact(request([user]))).rejects.toMatchObject({ code: 'rate-limited' });
    const signal = AbortSignal.abort('enough');
    await expect(compact(request([user]), { signal })).rejects.toBe('enough');
  });
});

describe('createAnthropicWriter', () => {
  test.each([
    {
      name: 'signed',
      block: { type: 'compaction', content: 's', signature: 'x' },
      betas: ['compact-2026-09-04'],
    },
    {
      name: 'unsigned',
      block: { type: 'compaction', content: 's' },
      betas: ['compact-2026-01-12'],
    },
    { name: 'text', block: { type: 'text', text: 's' }, betas: [] },
  ])(
    'a conversation that starts with a block ($name) has the header for it',
    ({ block, betas }) => {
      const first: Message = { id: 'b', role: 'assistant', content: [block] };
      const written = createAnthropicWriter()({
        ...request([first, user]),
        head: { ...HEAD, params: {} },
      });
      expect(written).toMatchObject({ betas, isBeta: betas.length > 0 });
    },
  );
});
