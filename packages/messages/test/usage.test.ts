import type OpenAI from 'openai';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { usageFromOpenAIChat, usageFromOpenAIResponses } from '../src/convert.ts';

describe('usageFromOpenAIChat and usageFromOpenAIResponses', () => {
  test.each([
    [{ prompt_tokens: 100, completion_tokens: 7 }, [100, 0, 0, 7]],
    [
      {
        prompt_tokens: 100,
        completion_tokens: 7,
        prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
      },
      [10, 60, 30, 7],
    ],
    [
      { prompt_tokens: 100, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 100 } },
      [0, 100, 0, 7],
    ],
    [{ prompt_tokens: 0, completion_tokens: 0, prompt_tokens_details: null }, [0, 0, 0, 0]],
  ])('splits %j', (usage, [input, read, write, output]) => {
    const split = usageFromOpenAIChat(usage);
    const speaks = JSON.stringify(usage).includes('cached_tokens');
    expect(split).toEqual({
      input_tokens: input,
      ...(speaks && { cache_read_input_tokens: read, cache_creation_input_tokens: write }),
      output_tokens: output,
      provider_usage: usage,
    });
    const { prompt_tokens, completion_tokens, prompt_tokens_details } = usage as never as Record<
      string,
      never
    >;
    const responses = {
      input_tokens: prompt_tokens,
      output_tokens: completion_tokens,
      input_tokens_details: prompt_tokens_details,
    };
    expect(usageFromOpenAIResponses(responses as never)).toEqual({
      ...split,
      provider_usage: responses,
    });
  });

  test('keeps the thinking apart, and fits the SDK', () => {
    const usage = {
      prompt_tokens: 1,
      completion_tokens: 9,
      completion_tokens_details: { reasoning_tokens: 4 },
    };
    expect(usageFromOpenAIChat(usage).output_tokens_details).toEqual({ thinking_tokens: 4 });
    expectTypeOf<OpenAI.CompletionUsage>().toExtend<Parameters<typeof usageFromOpenAIChat>[0]>();
    expectTypeOf<OpenAI.Responses.ResponseUsage>().toExtend<
      Parameters<typeof usageFromOpenAIResponses>[0]
    >();
  });
});

describe('K309: no count is negative or NaN, and what does not agree is named', () => {
  const read = {
    chat: usageFromOpenAIChat,
    responses: usageFromOpenAIResponses,
  } as never as Record<string, (usage: unknown) => Record<string, unknown>>;

  test.each<[string, string, unknown, number[], string[]]>([
    // siblings looked for: the AI SDK from 4 to 6, Gemini, Bedrock, nothing that is known
    ...(['chat', 'responses'] as const).flatMap(
      (to): [string, string, unknown, number[], string[]][] => [
        [
          to,
          'the AI SDK 5',
          { inputTokens: 20, outputTokens: 3, totalTokens: 23, cachedInputTokens: 8 },
          [12, 8, 0, 3],
          ['shape'],
        ],
        [to, 'the AI SDK 4', { promptTokens: 20, completionTokens: 3 }, [20, 0, 0, 3], ['shape']],
        [
          to,
          'the AI SDK 6',
          {
            inputTokens: 20,
            inputTokenDetails: { noCacheTokens: 10, cacheReadTokens: 8, cacheWriteTokens: 2 },
            outputTokens: 3,
            outputTokenDetails: { textTokens: 1, reasoningTokens: 2 },
          },
          [10, 8, 2, 3],
          ['shape'],
        ],
        [
          to,
          'a model of the AI SDK 6',
          {
            inputTokens: { total: 20, noCache: 10, cacheRead: 8, cacheWrite: 2 },
            outputTokens: { total: 3, reasoning: 2 },
          },
          [10, 8, 2, 3],
          ['shape'],
        ],
        [
          to,
          'Gemini',
          {
            promptTokenCount: 20,
            candidatesTokenCount: 3,
            thoughtsTokenCount: 2,
            cachedContentTokenCount: 8,
            totalTokenCount: 25,
          },
          [12, 8, 0, 5],
          ['shape'],
        ],
        [
          to,
          'Bedrock',
          { inputTokens: 20, outputTokens: 3, cacheReadInputTokens: 80, cacheWriteInputTokens: 5 },
          [20, 80, 5, 3],
          ['shape'],
        ],
        [to, 'no counts', {}, [0, 0, 0, 0], []],
        [to, 'counts of nobody', { tokens_in: 5, tokens_out: 6 }, [0, 0, 0, 0], ['shape']],
      ],
    ),
    [
      'chat',
      'more cached than the prompt',
      { prompt_tokens: 20, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 80 } },
      [20, 80, 0, 1],
      ['cached-above-prompt'],
    ],
    [
      'responses',
      'more cached than the prompt',
      {
        input_tokens: 20,
        output_tokens: 1,
        input_tokens_details: { cached_tokens: 15, cache_write_tokens: 9 },
      },
      [20, 15, 9, 1],
      ['cached-above-prompt'],
    ],
    [
      'chat',
      'a negative prompt',
      { prompt_tokens: -5, completion_tokens: 1 },
      [0, 0, 0, 1],
      ['count'],
    ],
    [
      'chat',
      'counts that are no numbers',
      { prompt_tokens: '9', completion_tokens: Number.NaN },
      [0, 0, 0, 0],
      ['count'],
    ],
    [
      'responses',
      'an endless count',
      { input_tokens: Infinity, output_tokens: -1 },
      [0, 0, 0, 0],
      ['count'],
    ],
    [
      'chat',
      'Anthropic’s shape',
      {
        input_tokens: 20,
        output_tokens: 1,
        cache_read_input_tokens: 80,
        cache_creation_input_tokens: null,
      },
      [20, 80, 0, 1],
      ['shape'],
    ],
    [
      'responses',
      'Anthropic’s shape',
      {
        input_tokens: 20,
        output_tokens: 1,
        cache_read_input_tokens: 80,
        cache_creation_input_tokens: 5,
      },
      [20, 80, 5, 1],
      ['shape'],
    ],
    [
      'chat',
      'the shape of Responses',
      { input_tokens: 20, output_tokens: 1, input_tokens_details: { cached_tokens: 8 } },
      [12, 8, 0, 1],
      ['shape'],
    ],
    [
      'responses',
      'the shape of Chat',
      { prompt_tokens: 20, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 8 } },
      [12, 8, 0, 1],
      ['shape'],
    ],
    ['chat', 'nothing', {}, [0, 0, 0, 0], []],
    // siblings looked for: thinking, totals and missing counts of Chat, Responses, the AI SDK, Gemini and Bedrock
    [
      'chat',
      'more thinking than output',
      {
        prompt_tokens: 100,
        completion_tokens: 10,
        completion_tokens_details: { reasoning_tokens: 500 },
      },
      [100, 0, 0, 510],
      ['thinking-above-output'],
    ],
    [
      'responses',
      'more thinking than output, by its total no part of it',
      {
        input_tokens: 100,
        output_tokens: 10,
        output_tokens_details: { reasoning_tokens: 500 },
        total_tokens: 110,
      },
      [100, 0, 0, 10],
      ['thinking-above-output'],
    ],
    [
      'responses',
      'more thinking than output of the AI SDK',
      { inputTokens: 100, outputTokens: 10, reasoningTokens: 500, totalTokens: 610 },
      [100, 0, 0, 510],
      ['shape', 'thinking-above-output'],
    ],
    [
      'chat',
      'a total of nothing',
      { prompt_tokens: 0, completion_tokens: 0, total_tokens: 1234 },
      [0, 0, 0, 0],
      ['total'],
    ],
    [
      'chat',
      'a total below its parts',
      { prompt_tokens: 100, completion_tokens: 50, total_tokens: 20 },
      [100, 0, 0, 50],
      ['total'],
    ],
    [
      'responses',
      'a total above its parts',
      { input_tokens: 100, output_tokens: 50, total_tokens: 200 },
      [100, 0, 0, 50],
      ['total'],
    ],
    [
      'responses',
      'a total of Gemini that does not agree',
      { promptTokenCount: 20, candidatesTokenCount: 3, thoughtsTokenCount: 2, totalTokenCount: 23 },
      [20, 0, 0, 5],
      ['shape', 'total'],
    ],
    [
      'chat',
      'a total of Bedrock, with what was cached',
      { inputTokens: 20, outputTokens: 3, cacheReadInputTokens: 80, totalTokens: 103 },
      [20, 80, 0, 3],
      ['shape'],
    ],
    [
      'chat',
      'counts that are null',
      { prompt_tokens: null, completion_tokens: null, total_tokens: null },
      [0, 0, 0, 0],
      ['count'],
    ],
    [
      'responses',
      'counts that are null',
      { input_tokens: null, output_tokens: null },
      [0, 0, 0, 0],
      ['count'],
    ],
    [
      'chat',
      'a prompt that is null',
      { prompt_tokens: null, completion_tokens: 5 },
      [0, 0, 0, 5],
      ['count'],
    ],
    ['responses', 'no output', { input_tokens: 7 }, [7, 0, 0, 0], ['count']],
    [
      'responses',
      'counts of Gemini that are null',
      { promptTokenCount: null, candidatesTokenCount: null },
      [0, 0, 0, 0],
      ['count'],
    ],
  ])('%s: %s', (api, _name, usage, [input, cached, written, output], inconsistent) => {
    const found = read[api]?.(usage) ?? {};
    const none = { cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
    expect({ ...none, ...found }).toMatchObject({
      input_tokens: input,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: written,
      output_tokens: output,
      provider_usage: usage,
    });
    expect(found.inconsistent ?? []).toEqual(inconsistent);
  });
});

// siblings looked for: both converters, details that are null, empty or missing, the AI SDK; Gemini, which leaves out what is 0
describe('N348: a bill that does not speak of the cache is no bill of 0 cached tokens', () => {
  test.each([
    [{ prompt_tokens: 9, completion_tokens: 1 }, undefined],
    [{ prompt_tokens: 9, completion_tokens: 1, prompt_tokens_details: null }, undefined],
    [{ prompt_tokens: 9, completion_tokens: 1, prompt_tokens_details: {} }, undefined],
    [
      { input_tokens: 9, output_tokens: 1, input_tokens_details: { cached_tokens: null } },
      undefined,
    ],
    [{ inputTokens: 9, outputTokens: 1, cachedInputTokens: undefined }, undefined],
    [{ prompt_tokens: 9, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 0 } }, 0],
    [{ input_tokens: 9, output_tokens: 1, cache_creation_input_tokens: 0 }, 0],
    [{ promptTokenCount: 9, candidatesTokenCount: 1 }, 0],
  ])('%j', (usage, cached) => {
    for (const convert of [usageFromOpenAIChat, usageFromOpenAIResponses]) {
      const found = convert(usage as never);
      expect(found.cache_read_input_tokens).toBe(cached);
      expect(found.cache_creation_input_tokens).toBe(cached);
    }
  });
});
