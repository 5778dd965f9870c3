import type { Message, Request, Usage } from '@varve/messages';
import { createOpenAIChatConverter, createOpenAIResponsesConverter } from '@varve/messages/convert';
import {
  type CacheResult,
  cachePolicy,
  createCacheSimulator,
  placeMarkers,
} from '@varve/prompt-cache';
import { createEstimator } from '@varve/tokens';
import { describe, expect, test } from 'vitest';
import { oneIn } from '../../../internal/src/share.ts';
import { recorded, startEmulator } from '../src/index.ts';
import { fixtureEntries, fixtureNames, recordedCalls } from './sessions.ts';
import { ANTHROPIC_HEADERS, create, post, toMessagesBody } from './support.ts';

const estimator = (model: string) => createEstimator({ family: cachePolicy(model).tokenizer });

async function callsOf(name: string, model: string) {
  const calls = recordedCalls(await fixtureEntries(name));
  expect(calls.length).toBeGreaterThan(40);
  return calls.map((call) => ({
    ...call,
    request: { ...call.request, head: { ...call.request.head, model } },
  }));
}

describe('usage of the Messages API equals that of the simulator (P3)', () => {
  const sessions = fixtureNames().flatMap((name) =>
    ['5m', '1h'].map((ttl) => [name, ttl] as const),
  );

  test.each(oneIn(2, sessions))('%s with markers of %s', async (name, ttl) => {
    const policy = cachePolicy('claude-opus-5', { ttl: ttl as '5m' | '1h' });
    const cache = createCacheSimulator(policy, { sizeOf: estimator('claude-opus-5') });
    let now = 0;
    const emulator = create({ now: () => now, foreignThinking: 'accepted' });
    for (const { request, startMs } of await callsOf(name, 'claude-opus-5')) {
      now = startMs;
      const marked = placeMarkers(request, { policy, ttl: ttl as '5m' | '1h' });
      const { usage } = cache.send(marked, { startMs });
      const { status, json, body } = await post(emulator, toMessagesBody(marked));
      expect(status === 200 ? '' : body).toBe('');
      const { output_tokens: _sent, ...expected } = usage as Usage;
      expect(json.usage).toMatchObject(expected);
    }
    expect(emulator.report().hitRate).toBeGreaterThan(0.5);
  });

  test('over a socket, with the recorded replies', async () => {
    const entries = await fixtureEntries('argument-files.jsonl');
    let now = 0;
    const policy = cachePolicy('claude-opus-5');
    const cache = createCacheSimulator(policy, { sizeOf: estimator('claude-opus-5') });
    await using emulator = await startEmulator({
      now: () => now,
      foreignThinking: 'accepted',
      replies: recorded(entries),
    });
    for (const { request, reply, startMs } of await callsOf(
      'argument-files.jsonl',
      'claude-opus-5',
    )) {
      now = startMs;
      const marked = placeMarkers(request, { policy });
      const { usage } = cache.send(marked, { startMs });
      const answer = await fetch(`${emulator.url}/v1/messages`, {
        method: 'POST',
        headers: ANTHROPIC_HEADERS,
        body: JSON.stringify(toMessagesBody(marked)),
      });
      const json = (await answer.json()) as { usage: Usage; content: Message['content'] };
      const { output_tokens: _sent, ...expected } = usage as Usage;
      expect(json.usage).toMatchObject(expected);
      expect(json.content.map(({ type }) => type)).toEqual(reply.content.map(({ type }) => type));
    }
  });
});

const responsesTokens = (usage: Record<string, Record<string, number>>) => ({
  total: usage.input_tokens,
  read: usage.input_tokens_details?.cached_tokens,
  written: usage.input_tokens_details?.cache_write_tokens,
});
const chatTokens = (usage: Record<string, Record<string, number>>) => ({
  total: usage.prompt_tokens,
  read: usage.prompt_tokens_details?.cached_tokens,
  written: usage.prompt_tokens_details?.cache_write_tokens,
});
const simulated = ({ total, read, write5m, write1h }: CacheResult['tokens']) => ({
  total,
  read,
  written: write5m + write1h,
});

const OPENAI = ['gpt-5.6-sol', 'gpt-5.5'];
const grid = oneIn(
  4,
  fixtureNames().flatMap((name) => OPENAI.map((model) => [name, model] as const)),
);

describe('usage of OpenAI equals that of the simulator (P3)', () => {
  test.each(grid)('Responses: %s as %s', async (name, model) => {
    const cache = createCacheSimulator(cachePolicy(model), { sizeOf: estimator(model) });
    const { to, from } = createOpenAIResponsesConverter();
    let now = 0;
    const emulator = create({ now: () => now });
    for (const { request, startMs } of await callsOf(name, model)) {
      now = startMs;
      const input = to(request.messages).messages;
      const sent = bare(request, from(input).messages as Message[]);
      const { tokens } = cache.send(sent, { startMs });
      const body = { model, input, instructions: instructionsOf(request), tools: [] };
      const { json } = await post(emulator, body, { path: '/v1/responses' });
      expect(responsesTokens(json.usage)).toEqual(simulated(tokens));
    }
    expect(emulator.report().hitRate).toBeGreaterThan(0.5);
  });

  test.each(grid)('chat completions: %s as %s', async (name, model) => {
    const cache = createCacheSimulator(cachePolicy(model), { sizeOf: estimator(model) });
    const { to, from } = createOpenAIChatConverter();
    let now = 0;
    const emulator = create({ now: () => now });
    for (const { request, startMs } of await callsOf(name, model)) {
      now = startMs;
      const { messages } = to(request.messages);
      const converted = from(messages).messages as Message[];
      const sent = {
        ...bare(request, converted),
        head: { ...request.head, system: [], tools: [], params: {} },
      };
      const { tokens } = cache.send(sent, { startMs });
      const { json } = await post(emulator, { model, messages }, { path: '/v1/chat/completions' });
      expect(chatTokens(json.usage)).toEqual(simulated(tokens));
    }
    expect(emulator.report().hitRate).toBeGreaterThan(0.5);
  });
});

function bare({ head }: Request, messages: readonly Message[]) {
  const system = [{ type: 'text' as const, text: instructionsOf({ head }) }];
  return { head: { ...head, system, tools: [], params: {} }, messages, markers: [] };
}

const instructionsOf = ({ head }: Pick<Request, 'head'>): string =>
  head.system.map(({ text }) => text).join('\n');
