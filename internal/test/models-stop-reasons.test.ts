import Anthropic from '@anthropic-ai/sdk';
import { startEmulator } from '@varve/emulator';
import type { StopReason } from '@varve/messages';
import { type ModelClient, send } from '@varve/models';
import { createAnthropicClient } from '@varve/models/anthropic';
import { createOpenAIChatClient, createOpenAIResponsesClient } from '@varve/models/openai';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';

const CLIENTS: readonly [string, string, (url: string, streaming: boolean) => ModelClient][] = [
  [
    'Messages',
    'claude-opus-5-5',
    (url, streaming) =>
      createAnthropicClient({ sdk: new Anthropic({ baseURL: url, apiKey: 'a' }), streaming }),
  ],
  [
    'Chat Completions',
    'gpt-5.5',
    (url, streaming) => createOpenAIChatClient({ sdk: openai(url), streaming }),
  ],
  [
    'Responses',
    'gpt-5.6-sol',
    (url, streaming) => createOpenAIResponsesClient({ sdk: openai(url), streaming }),
  ],
];

const openai = (url: string) => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'a' });

/** What an API without a word of its own says instead. */
const INSTEAD: Readonly<Record<string, Partial<Record<StopReason, StopReason>>>> = {
  'Chat Completions': {
    pause_turn: 'end_turn',
    stop_sequence: 'end_turn',
    model_context_window_exceeded: 'max_tokens',
  },
  Responses: {
    pause_turn: 'end_turn',
    stop_sequence: 'end_turn',
    model_context_window_exceeded: 'max_tokens',
  },
};

const REASONS: readonly StopReason[] = [
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
];

const rows = CLIENTS.flatMap(([api, model, clientOf]) =>
  REASONS.flatMap((stopReason) =>
    [true, false].map((streaming) => ({ api, model, clientOf, stopReason, streaming })),
  ),
);

describe('a stop reason from the emulator to a client', () => {
  test.each(rows)('$api: $stopReason, streaming $streaming', async (row) => {
    const { api, model, clientOf, stopReason, streaming } = row;
    const content = [{ type: 'text', text: 'So far.' }];
    await using emulator = await startEmulator({ replies: [{ content, stopReason }] });
    const head = { id: 'head', model, system: [], tools: [], params: {} };
    const messages = [{ id: '1', role: 'user' as const, content: [{ type: 'text', text: 'Go.' }] }];
    const request = { head, messages, markers: [], maxOutputTokens: 100 };
    const response = await send(clientOf(emulator.url, streaming), request);
    expect(response.stopReason).toBe(INSTEAD[api]?.[stopReason] ?? stopReason);
    expect(response.content).toMatchObject(content);
  });
});
