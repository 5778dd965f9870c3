import Anthropic from '@anthropic-ai/sdk';
import { type CallModel, createContext } from '@varve/context';
import { startEmulator } from '@varve/emulator';
import { toolUses } from '@varve/messages';
import { send } from '@varve/models';
import { createAnthropicClient } from '@varve/models/anthropic';
import { createOpenAIChatClient, createOpenAIResponsesClient } from '@varve/models/openai';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';

const REPLIES = [
  { content: [{ type: 'tool_use', name: 'build', input: { target: 'all' } }] },
  'A bracket is missing.',
];

const CLIENTS = [
  ['claude-opus-5-5', (url: string) => anthropic(url)],
  ['gpt-5.5', (url: string) => createOpenAIChatClient({ sdk: openai(url) })],
  ['gpt-5.6-sol', (url: string) => createOpenAIResponsesClient({ sdk: openai(url) })],
] as const;

const anthropic = (url: string) =>
  createAnthropicClient({ sdk: new Anthropic({ baseURL: url, apiKey: 'test' }) });
const openai = (url: string) => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'test' });

describe('a context over a client of models', () => {
  test.each(CLIENTS)('takes the responses of %s as they are', async (model, clientOf) => {
    await using emulator = await startEmulator({ replies: REPLIES });
    const client = clientOf(emulator.url);
    const call: CallModel = (request) => send(client, request);
    const system = 'You fix failing tests. '.repeat(400);
    const context = createContext({ model, system, call });
    await context.user('Why does the build fail?');
    const [use] = toolUses(await context.send());
    await context.results([{ toolUseId: String(use?.id), content: 'missing )' }]);
    const reply = await context.send();
    expect(use?.input).toEqual({ target: 'all' });
    expect(reply.content).toMatchObject([{ type: 'text', text: 'A bracket is missing.' }]);
    expect(emulator.report()).toMatchObject({ billed: 2, refused: 0, breaks: [] });
    expect(emulator.report().readTokens).toBeGreaterThan(1_000);
    const usage = context.view().messages.map(({ response }) => response?.usage);
    const read = usage.reduce((sum, each) => sum + (each?.cache_read_input_tokens ?? 0), 0);
    expect(read).toBe(emulator.report().readTokens);
  });

  // siblings: with and without streaming, with thinking of each size that an SDK sends unstreamed, models of all sizes
  test.each([
    ['claude-opus-5-5', true, {}],
    ['claude-opus-5-5', false, {}],
    ['claude-opus-4-8', false, {}],
    ['claude-opus-4-5', false, { thinking: { type: 'enabled', budget_tokens: 1_024 } }],
  ])(
    'K308: without `maxOutputTokens` %s answers, streamed: %s',
    async (model, streaming, params) => {
      await using emulator = await startEmulator({ replies: ['Done.', 'Done.'] });
      const sdk = new Anthropic({ baseURL: emulator.url, apiKey: 'test', maxRetries: 0 });
      const client = createAnthropicClient({ sdk, streaming });
      const context = createContext({ model, params, call: (request) => send(client, request) });
      await context.user('Go.');
      expect((await context.send()).content).toMatchObject([{ text: 'Done.' }]);
      expect(emulator.report()).toMatchObject({ billed: 1, refused: 0 });
    },
  );
});
