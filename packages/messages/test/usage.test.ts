import type OpenAI from 'openai';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { usageFromOpenAIChat, usageFromOpenAIResponses } from '../src/index.ts';

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
    [
      {
        prompt_tokens: 100,
        completion_tokens: 7,
        prompt_tokens_details: { cached_tokens: 150, cache_write_tokens: 9 },
      },
      [0, 100, 0, 7],
    ],
    [{ prompt_tokens: 0, completion_tokens: 0, prompt_tokens_details: null }, [0, 0, 0, 0]],
  ])('splits %j', (usage, [input, read, write, output]) => {
    const split = usageFromOpenAIChat(usage);
    expect(split).toEqual({
      input_tokens: input,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: write,
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
