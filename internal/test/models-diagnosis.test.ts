import Anthropic from '@anthropic-ai/sdk';
import { startEmulator } from '@varve/emulator';
import type { Head, Request } from '@varve/messages';
import { type ModelClient, send } from '@varve/models';
import { createAnthropicClient } from '@varve/models/anthropic';
import { createOpenAIResponsesClient } from '@varve/models/openai';
import { cachePolicy, explainBreak, placeMarkers } from '@varve/prompt-cache';
import { compareDiagnosis } from '@varve/prompt-cache/server';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';

const text = (value: string) => ({ type: 'text' as const, text: value });

const head = (model: string): Head => ({
  id: 'head',
  model,
  system: [text('You fix failing tests. '.repeat(400))],
  tools: [{ name: 'read', description: 'Reads a file.', input_schema: { type: 'object' } }],
  params: {},
});

const history = (first: string) => [
  { id: '1', role: 'user' as const, content: [text(first.repeat(1_000))] },
  { id: '2', role: 'assistant' as const, content: [text('Reading.')] },
  { id: '3', role: 'user' as const, content: [text('Go on.')] },
];

const CHANGES: readonly [string, (request: Request) => Request][] = [
  ['nothing', (request) => request],
  ['system text', (request) => ({ ...request, head: { ...request.head, system: [text('New.')] } })],
  [
    'a tool',
    (request) => ({
      ...request,
      head: { ...request.head, tools: [{ name: 'write', input_schema: { type: 'object' } }] },
    }),
  ],
  ['a message', (request) => ({ ...request, messages: history('other ') })],
];

const CLIENTS: readonly [string, (url: string) => ModelClient][] = [
  [
    'claude-opus-5-5',
    (url) => createAnthropicClient({ sdk: new Anthropic({ baseURL: url, apiKey: 'test' }) }),
  ],
  [
    'gpt-5.6-sol',
    (url) =>
      createOpenAIResponsesClient({ sdk: new OpenAI({ baseURL: `${url}/v1`, apiKey: 'test' }) }),
  ],
];

const rows = CLIENTS.flatMap(([model, clientOf]) =>
  CHANGES.map(([name, change]) => ({ model, clientOf, name, change })),
);

describe('compareDiagnosis with the causes of prompt-cache (P5)', () => {
  test.each(rows)('$model after a change of $name', async ({ model, clientOf, name, change }) => {
    await using emulator = await startEmulator();
    const client = clientOf(emulator.url);
    const policy = cachePolicy(model);
    const plain = {
      head: head(model),
      messages: history('word '),
      markers: [],
      maxOutputTokens: 100,
    };
    const first = placeMarkers(plain, { policy });
    const second = placeMarkers(change(plain), { policy });
    const { id } = await send(client, first, { compareWith: null });
    const { cacheMiss } = await send(client, second, { compareWith: id });
    const { breaks } = explainBreak(
      { request: first, startMs: 0 },
      { request: second, startMs: 1 },
      { policy },
    );
    const predicted = breaks.map(({ cause }) => cause);
    const compared = compareDiagnosis(cacheMiss, predicted);
    expect(predicted.length > 0).toBe(name !== 'nothing');
    expect(compared.kind).toBe(
      name === 'nothing' && model !== 'gpt-5.6-sol' ? 'unknown' : 'agreed',
    );
  });
});
