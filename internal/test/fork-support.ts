import Anthropic from '@anthropic-ai/sdk';
import { startEmulator } from '@varve/emulator';
import type { Message, Request } from '@varve/messages';
import type { ModelClient } from '@varve/models';
import { createAnthropicClient } from '@varve/models/anthropic';
import { createOpenAIChatClient, createOpenAIResponsesClient } from '@varve/models/openai';
import { cachePolicy, placeMarkers } from '@varve/prompt-cache';
import OpenAI from 'openai';
import { onTestFinished } from 'vitest';

export type RunningEmulator = Awaited<ReturnType<typeof startEmulator>>;

export type Provider = 'anthropic' | 'openai-chat' | 'openai-responses';

/** Every format, and for OpenAI models with and without markers of their own. */
export const MODELS: readonly (readonly [model: string, provider: Provider])[] = [
  ['claude-opus-5-5', 'anthropic'],
  ['gpt-5.5', 'openai-chat'],
  ['gpt-5.6-sol', 'openai-chat'],
  ['gpt-5.5', 'openai-responses'],
  ['gpt-5.6-sol', 'openai-responses'],
];

export async function start(
  options: NonNullable<Parameters<typeof startEmulator>[0]> = {},
): Promise<RunningEmulator> {
  const emulator = await startEmulator(options);
  onTestFinished(() => emulator.close());
  return emulator;
}

/** The real SDK of a provider, pointed at the emulator. */
export function clientOf(provider: Provider, { url }: RunningEmulator): ModelClient {
  const options = { apiKey: 'test', maxRetries: 0 };
  if (provider === 'anthropic') {
    return createAnthropicClient({ sdk: new Anthropic({ ...options, baseURL: url }) });
  }
  const sdk = new OpenAI({ ...options, baseURL: `${url}/v1` });
  return provider === 'openai-chat'
    ? createOpenAIChatClient({ sdk })
    : createOpenAIResponsesClient({ sdk });
}

const TOOLS = ['read', 'search', 'agent'].map((name) => ({
  name,
  description: `The tool ${name}.`,
  input_schema: { type: 'object', properties: { path: { type: 'string' } } },
}));

const text = (value: string) => ({ type: 'text' as const, text: value });

/** About so many tokens of rounds, then a user turn. */
export function parentOf(model: string, tokens: number): Request {
  const isClaude = model.startsWith('claude');
  const perRound = isClaude ? CLAUDE_TOKENS_PER_ROUND : GPT_TOKENS_PER_ROUND;
  const messages: Message[] = [{ id: 'u0', role: 'user', content: [text('Fix the parser.')] }];
  for (let round = 0; round * perRound < tokens; round++) {
    const call = {
      type: 'tool_use',
      id: `c${round}`,
      name: 'read',
      input: { path: `f${round}.ts` },
    };
    const content = Array.from(
      { length: 150 },
      (_, line) => `${line}: const value${round}x${line} = parse(input[${line}]);`,
    ).join('\n');
    const result = { type: 'tool_result', tool_use_id: `c${round}`, content };
    messages.push({ id: `a${round}`, role: 'assistant', content: [text('Reading on.'), call] });
    messages.push({ id: `r${round}`, role: 'user', content: [result] });
  }
  const head = {
    id: 'head',
    model,
    system: [text('You fix failing tests. '.repeat(200))],
    tools: TOOLS,
    params: isClaude ? { thinking: { type: 'adaptive' } } : { prompt_cache_key: 'session' },
  };
  const bare: Request = { head, messages, markers: [], maxOutputTokens: 2_000 };
  return placeMarkers(bare, { policy: cachePolicy(model) });
}

// a little less than the emulator bills for one
const CLAUDE_TOKENS_PER_ROUND = 3_100;
const GPT_TOKENS_PER_ROUND = 1_950;

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
