import { describe, expect, test } from 'vitest';
import { priceUsage } from '../src/index.ts';
import { findModel } from '../src/models.ts';

describe('P368: ids of clouds and gateways are those of the provider', () => {
  test.each([
    ['us.anthropic.claude-opus-4-6-v1:0', 'claude-opus-4-6'],
    ['anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
    ['global.anthropic.claude-opus-4-8', 'claude-opus-4-8'],
    ['bedrock/eu.anthropic.claude-haiku-4-5-20251001-v1:0', 'claude-haiku-4-5'],
    ['bedrock/converse/anthropic.claude-opus-4-6-v1', 'claude-opus-4-6'],
    [
      'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-opus-4-6-v1:0',
      'claude-opus-4-6',
    ],
    ['claude-opus-4-5@20251101', 'claude-opus-4-5'],
    ['vertex_ai/claude-sonnet-4@20250514', 'claude-sonnet-4'],
    ['publishers/anthropic/models/claude-opus-4-6', 'claude-opus-4-6'],
    ['anthropic/claude-opus-4.6', 'claude-opus-4-6'],
    ['openrouter/anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5'],
    ['openai/gpt-5.5', 'gpt-5.5'],
    ['azure/gpt-5.4', 'gpt-5.4'],
    ['github_copilot/claude-opus-4.6', 'claude-opus-4-6'],
    ['google/gemini-3-flash-preview', 'gemini-3-flash-preview'],
    ['models/gemini-3-flash-preview', 'gemini-3-flash-preview'],
    ['deepseek/deepseek-v4-pro', 'deepseek-v4-pro'],
    ['claude-opus-4-6[1m]', 'claude-opus-4-6'],
  ])('%s', (id, known) => {
    expect(findModel(id)?.id).toBe(known);
    const usage = { input_tokens: 1_000, output_tokens: 100 };
    expect(priceUsage(usage, id).dollars).toBe(priceUsage(usage, known).dollars);
    expect(priceUsage(usage, id).dollars).toBeGreaterThan(0);
  });

  test.each([
    'openai/claude-opus-4-6', // another vendor's
    'anthropic/claude-opus-4.6:free', // another price
    'openrouter/anthropic/claude-opus-4.6-preview',
    'us.anthropic.claude-opus-v1:0',
    'anthropic.gpt-5.5-v1:0',
    'someone/gpt-5.5',
    'gpt-5.5@',
    '/',
    '__proto__/x',
  ])('%s is guessed from nothing', (id) => {
    expect(findModel(id)).toBeUndefined();
  });
});
