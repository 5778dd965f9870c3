import {
  ANTHROPIC_HEADERS,
  assistant,
  OPENAI_HEADERS,
  TOOL,
  text,
  toolUse,
  user,
} from './support.ts';

/** Requests that use every part of an API that is looked into, each of them accepted as it stands. */
export interface WholeRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

const BETAS = [
  'context-management-2025-06-27',
  'compact-2026-01-12',
  'compact-2026-09-04',
  'thinking-binding-controls-2026-08-01',
];
const anthropic = { ...ANTHROPIC_HEADERS, 'anthropic-beta': BETAS.join(',') };
const cache = (ttl?: string) => ({ cache_control: { type: 'ephemeral', ...(ttl && { ttl }) } });
const pixels = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };

const messages = [
  user('Read it'),
  assistant([
    { type: 'thinking', thinking: 'hm', signature: 'elsewhere' },
    text('Reading'),
    toolUse('t1', { file: 'a' }),
  ]),
  user([
    {
      type: 'tool_result',
      tool_use_id: 't1',
      content: [text('r'), { type: 'image', source: pixels }],
    },
    { ...text('Go on'), ...cache() },
    {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'abc' },
      citations: { enabled: true },
    },
  ]),
  assistant([
    { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } },
    { type: 'web_search_tool_result', tool_use_id: 's1', content: [] },
    text('Found'),
  ]),
  user('And now?'),
];

const asked = { model: 'claude-opus-4-8', max_tokens: 500, messages };

const message = {
  ...asked,
  system: [{ ...text('You read.'), ...cache('1h') }],
  tools: [TOOL, { type: 'web_search_20250305', name: 'web_search' }],
  tool_choice: { type: 'auto' },
  thinking: { type: 'adaptive' },
  metadata: { user_id: 'x' },
  stop_sequences: ['END'],
  output_config: { effort: 'low' },
  diagnostics: { previous_message_id: null },
  context_management: {
    edits: [
      { type: 'clear_thinking_20251015', keep: { type: 'thinking_turns', value: 2 } },
      {
        type: 'clear_tool_uses_20250919',
        trigger: { type: 'input_tokens', value: 10 },
        keep: { type: 'tool_uses', value: 0 },
        clear_at_least: { type: 'input_tokens', value: 1 },
        exclude_tools: ['write'],
        clear_tool_inputs: true,
      },
      { type: 'compact_20260112', trigger: { type: 'input_tokens', value: 50_000 } },
    ],
  },
};

const chat = {
  model: 'gpt-5.6-sol',
  messages: [
    { role: 'system', content: 'You read.' },
    user([
      text('Read it'),
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } },
    ]),
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'r' },
    user([{ ...text('Go on'), prompt_cache_breakpoint: { mode: 'explicit' } }]),
  ],
  tools: [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }],
  stream_options: { include_usage: true },
  stop: ['END'],
  max_completion_tokens: 100,
  reasoning_effort: 'none',
  response_format: { type: 'text' },
  prompt_cache_options: { mode: 'explicit', ttl: '30m' },
};

const input = [
  user([
    { type: 'input_text', text: 'Read it', prompt_cache_breakpoint: { mode: 'explicit' } },
    { type: 'input_image', image_url: 'data:image/png;base64,iVBO' },
  ]),
  {
    type: 'reasoning',
    id: 'r1',
    summary: [{ type: 'summary_text', text: 's' }],
    encrypted_content: 'e',
  },
  { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{}' },
  { type: 'function_call_output', call_id: 'c1', output: 'r' },
  assistant([{ type: 'output_text', text: 'Done', annotations: [] }]),
  user('Go on'),
];

const response = {
  model: 'gpt-5.6-sol',
  instructions: 'You read.',
  input,
  tools: [{ type: 'function', name: 'read', parameters: { type: 'object' }, strict: true }],
  include: ['reasoning.encrypted_content'],
  max_output_tokens: 100,
  reasoning: { effort: 'low' },
  text: { format: { type: 'text' } },
  context_management: [{ type: 'compaction', compact_threshold: 1_000 }],
  prompt_cache_options: { mode: 'implicit', ttl: '30m' },
};

const openai = { headers: OPENAI_HEADERS };
const short = { model: 'gpt-5.6-sol', input };
const compacted = assistant([{ type: 'compaction', content: 'Read a.', encrypted_content: 'x' }]);

export const WHOLE: readonly WholeRequest[] = [
  { path: '/v1/messages', headers: anthropic, body: message },
  { path: '/v1/messages', headers: anthropic, body: { ...message, stream: true } },
  {
    path: '/v1/messages',
    headers: anthropic,
    body: { ...asked, compaction: { type: 'summarize' } },
  },
  {
    path: '/v1/messages',
    headers: anthropic,
    body: { ...asked, messages: [compacted, user('a')] },
  },
  { path: '/v1/messages/count_tokens', headers: anthropic, body: message },
  { path: '/v1/chat/completions', ...openai, body: chat },
  { path: '/v1/chat/completions', ...openai, body: { ...chat, stream: true } },
  { path: '/v1/responses', ...openai, body: response },
  { path: '/v1/responses', ...openai, body: { ...response, stream: true } },
  { path: '/v1/responses/compact', ...openai, body: short },
  { path: '/v1/responses/input_tokens', ...openai, body: short },
];

export type Path = readonly (string | number)[];

/** Every place in a value, from the inside of it. */
export function placesIn(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [
    ...(at.length > 0 ? [at] : []),
    ...entries.flatMap(([key, inner]) => placesIn(inner, [...at, key])),
  ];
}

/** The value with another one at a place; undefined takes it out. */
export function withAt(value: unknown, [key, ...rest]: Path, to: unknown): unknown {
  if (key === undefined) return to;
  if (Array.isArray(value)) {
    const inner = withAt(value[Number(key)], rest, to);
    return inner === undefined ? value.toSpliced(Number(key), 1) : value.with(Number(key), inner);
  }
  const fields = value as Record<string, unknown>;
  return { ...fields, [key]: withAt(fields[key], rest, to) };
}
