import Anthropic from '@anthropic-ai/sdk';
import type { Block, Message, Request } from '@varve/messages';
import OpenAI from 'openai';
import { createAnthropicClient } from '../src/anthropic.ts';
import type { ModelClient } from '../src/index.ts';
import { createOpenAIChatClient, createOpenAIResponsesClient } from '../src/openai.ts';
import { anthropicFrames, chatFrames, responsesFrames } from './wire.ts';

type Fetch = (url: unknown, init?: unknown) => Promise<Response>;

export interface ConnectOptions extends Omit<Parameters<typeof createAnthropicClient>[0], 'sdk'> {
  readonly url?: string;
  readonly fetch?: Fetch;
  /** Has the SDK loaded with the first request, and is told so. */
  readonly onLoad?: () => void;
}

const sdkOptions = ({ url = 'http://127.0.0.1:9', fetch, maxRetries = 0 }: ConnectOptions) => ({
  baseURL: url,
  apiKey: 'test',
  maxRetries,
  logLevel: 'off' as const,
  ...(fetch && { fetch: fetch as never }),
});

export const anthropicSdk = (options: ConnectOptions) => new Anthropic(sdkOptions(options));
export const openaiSdk = (options: ConnectOptions) => new OpenAI(sdkOptions(options));

function sourceOf<Sdk extends object>(
  make: (options: ConnectOptions) => Sdk,
  options: ConnectOptions,
) {
  const { onLoad } = options;
  if (onLoad === undefined) return make(options);
  return async () => {
    onLoad();
    return make(options);
  };
}

/** The same answer in the words of each provider: a text and a call, with cached tokens in the bill. */
export interface Provider {
  readonly name: string;
  readonly model: string;
  readonly path: string;
  readonly connect: (options: ConnectOptions) => ModelClient;
  readonly whole: Record<string, unknown>;
  readonly frames: (whole: Record<string, unknown>, size?: number) => string[];
}

export const CONTENT: readonly Block[] = [
  { type: 'text', text: 'I look at the file first.' },
  { type: 'tool_use', id: 'call_1', name: 'read', input: { path: 'a.ts', lines: [1, 40] } },
];
const INPUT = '{"path":"a.ts","lines":[1,40]}';

export const ANTHROPIC: Provider = {
  name: 'anthropic',
  model: 'claude-opus-5-5',
  path: '/v1/messages',
  connect: (options) => createAnthropicClient({ ...options, sdk: sourceOf(anthropicSdk, options) }),
  whole: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-5-5',
    content: CONTENT,
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: {
      input_tokens: 10,
      cache_creation_input_tokens: 20,
      cache_read_input_tokens: 70,
      cache_creation: { ephemeral_5m_input_tokens: 15, ephemeral_1h_input_tokens: 5 },
      output_tokens: 12,
    },
  },
  frames: anthropicFrames,
};

export const CHAT: Provider = {
  name: 'openai-chat',
  model: 'gpt-5.6-sol',
  path: '/chat/completions',
  connect: (options) => createOpenAIChatClient({ ...options, sdk: sourceOf(openaiSdk, options) }),
  whole: {
    id: 'chatcmpl_1',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-5.6-sol',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'I look at the file first.',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'read', arguments: INPUT } },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: {
      prompt_tokens: 100,
      completion_tokens: 12,
      total_tokens: 112,
      prompt_tokens_details: { cached_tokens: 70, cache_write_tokens: 20 },
    },
  },
  frames: chatFrames,
};

export const RESPONSES: Provider = {
  name: 'openai-responses',
  model: 'gpt-5.6-sol',
  path: '/responses',
  connect: (options) =>
    createOpenAIResponsesClient({ ...options, sdk: sourceOf(openaiSdk, options) }),
  whole: {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: 'gpt-5.6-sol',
    status: 'completed',
    output: [
      {
        id: 'item_1',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'I look at the file first.', annotations: [] }],
      },
      {
        id: 'item_2',
        type: 'function_call',
        call_id: 'call_1',
        name: 'read',
        arguments: INPUT,
        status: 'completed',
      },
    ],
    usage: {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 70, cache_write_tokens: 20 },
      output_tokens: 12,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 112,
    },
  },
  frames: responsesFrames,
};

export const PROVIDERS: readonly Provider[] = [ANTHROPIC, CHAT, RESPONSES];

/** A fetch that answers every request with the same events or the same JSON, without a socket. */
export function answering(body: string | Record<string, unknown>): Fetch {
  const isStream = typeof body === 'string';
  const type = isStream ? 'text/event-stream' : 'application/json';
  const text = isStream ? body : JSON.stringify(body);
  return async () => new Response(text, { headers: { 'content-type': type } });
}

let count = 0;
export const message = (role: Message['role'], content: string | readonly Block[]): Message => ({
  id: `m${++count}`,
  role,
  content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
});

export function request(model: string, changes: Partial<Request> = {}): Request {
  const head = {
    id: 'head',
    model,
    system: [{ type: 'text' as const, text: 'You fix tests.' }],
    tools: [
      { name: 'read', description: 'Reads.', input_schema: { type: 'object', properties: {} } },
    ],
    params: {},
  };
  const messages = [message('user', 'Fix the test.')];
  return { head, messages, markers: [], maxOutputTokens: 1_000, ...changes };
}
