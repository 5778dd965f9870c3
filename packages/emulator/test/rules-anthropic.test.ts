import { describe, expect, test } from 'vitest';
import {
  ANTHROPIC_HEADERS,
  assistant,
  beta,
  body,
  create,
  post,
  TOOL,
  text,
  toolResult,
  toolUse,
  user,
} from './support.ts';

const OLD_VERSION = { ...ANTHROPIC_HEADERS, 'anthropic-version': '2023-06-01' };
const cached = (fields: object, ttl?: string) => ({
  ...fields,
  cache_control: { type: 'ephemeral', ...(ttl && { ttl }) },
});
const answered = (result: unknown) => [user('Read it'), assistant([toolUse('a')]), user(result)];
const IMAGE = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' },
};
const CONTEXT = 'context-management-2025-06-27';
const CLEAR_THINKING = { edits: [{ type: 'clear_thinking_20251015' }] };
const COMPACT = 'compact-2026-01-12';
const ON_DEMAND = 'compact-2026-09-04';
const BINDING = 'thinking-binding-controls-2026-08-01';

/** Fact, request, and what the answer says. */
const REFUSED: readonly [string, Record<string, unknown>, RegExp, object?][] = [
  ['0.2 sampling parameters', { temperature: 1 }, /^temperature: Extra inputs are not permitted$/],
  ['0.2 top_p', { top_p: 1 }, /^top_p: Extra inputs/],
  ['0.2 top_k', { top_k: 1 }, /^top_k: Extra inputs/],
  [
    '0.2 document in an assistant message',
    {
      messages: [
        user('a'),
        assistant([{ type: 'document', source: { type: 'url', url: 'a' } }]),
        user('b'),
      ],
    },
    /^messages.1.content.0: Extra inputs/,
  ],
  [
    '0.2 citations on a user text',
    { messages: [user([{ ...text('a'), citations: [{}] }])] },
    /^messages.0.content.0: Extra inputs/,
  ],
  ['0.4 thread', { thread: { type: 'create' } }, /^thread: /],
  ['unknown field', { messages_: [] }, /^messages_: Extra inputs/],
  ['field of an object every object has', { constructor: 1 }, /^constructor: Extra inputs/],
  ['missing model', { model: undefined }, /^model: Field required/],
  ['missing messages', { messages: undefined }, /^messages: Field required/],
  ['missing max_tokens', { max_tokens: undefined }, /^max_tokens: Field required/],
  ['no messages', { messages: [] }, /at least one message/],
  ['messages that are no list', { messages: 'x' }, /^messages: Input should be a valid list/],
  [
    'a message that is no object',
    { messages: ['x'] },
    /^messages.0: Input should be a valid dictionary/,
  ],
  ['max_tokens above the model', { max_tokens: 128_001 }, /^max_tokens: 128001 > 128000/],
  ['max_tokens that is no integer', { max_tokens: 1.5 }, /^max_tokens: /],
  ['a field of a feature that is not here', { mcp_servers: [] }, /not supported by this emulator/],
  [
    'A1 five markers',
    { messages: [user([0, 1, 2, 3, 4].map((n) => cached(text(`${n}`))))] },
    /^A maximum of 4 blocks with cache_control may be provided. Found 5\.$/,
  ],
  [
    'A1 marker on thinking',
    {
      messages: [
        user('a'),
        assistant([cached({ type: 'thinking', thinking: 'a', signature: 'b' }), text('b')]),
        user('c'),
      ],
    },
    /thinking.cache_control: Extra inputs/,
  ],
  [
    'A1 marker on empty text',
    { messages: [user([cached(text(''))])] },
    /cannot be set for empty text/,
  ],
  [
    'A1 other type of marker',
    { messages: [user([{ ...text('a'), cache_control: { type: 'x' } }])] },
    /Input should be 'ephemeral'/,
  ],
  ['A1 other lifetime', { messages: [user([cached(text('a'), '2h')])] }, /'5m' or '1h'/],
  [
    'A2 automatic marker beside four',
    {
      cache_control: { type: 'ephemeral' },
      messages: [user([...[0, 1, 2, 3].map((n) => cached(text(`${n}`))), text('last')])],
    },
    /^A maximum of 4 blocks/,
  ],
  [
    'A2 automatic marker with another lifetime',
    { cache_control: { type: 'ephemeral', ttl: '1h' }, messages: [user([cached(text('a'))])] },
    /^cache_control: conflicts/,
  ],
  [
    'A3 longer lifetime after a shorter one',
    { messages: [user([cached(text('a')), cached(text('b'), '1h')])] },
    /a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block/,
  ],
  [
    'A5 system message on a model without',
    { model: 'claude-sonnet-5', messages: [user('a'), { role: 'system', content: 'b' }] },
    /role 'system' is not supported on this model/,
  ],
  [
    'A5 system message first',
    { messages: [{ role: 'system', content: 'b' }, user('a')] },
    /role 'system'|first message/,
  ],
  [
    'A8 pre-warm and stream',
    { max_tokens: 0, stream: true },
    /^max_tokens: 0 cannot be combined with stream/,
  ],
  ['A8 pre-warm and thinking', { max_tokens: 0, thinking: { type: 'adaptive' } }, /with thinking/],
  [
    'A8 pre-warm and format',
    { max_tokens: 0, output_config: { format: {} } },
    /with output_config.format/,
  ],
  [
    'A8 pre-warm and forced tool',
    { model: 'claude-opus-5', max_tokens: 0, tools: [TOOL], tool_choice: { type: 'any' } },
    /with tool_choice/,
  ],
  [
    'B1 without its header',
    { context_management: { edits: [] } },
    /^context_management: Extra inputs/,
  ],
  [
    'B1 unknown edit',
    { context_management: { edits: [{ type: 'x' }] } },
    /^context_management.edits.0: Input tag 'x' found using 'type' does not match/,
    beta(CONTEXT),
  ],
  [
    'B1 clear_thinking not first',
    {
      context_management: {
        edits: [{ type: 'clear_tool_uses_20250919' }, { type: 'clear_thinking_20251015' }],
      },
    },
    /must be the first edit/,
    beta(CONTEXT),
  ],
  [
    'K305 clear_thinking without thinking',
    { model: 'claude-sonnet-5', context_management: CLEAR_THINKING },
    /^`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive/,
    beta(CONTEXT),
  ],
  [
    'K305 clear_thinking with thinking switched off',
    {
      model: 'claude-sonnet-5',
      thinking: { type: 'disabled' },
      context_management: CLEAR_THINKING,
    },
    /^`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive/,
    beta(CONTEXT),
  ],
  [
    'B2 without its own header',
    { context_management: { edits: [{ type: 'compact_20260112' }] } },
    /requires the beta header compact-2026-01-12/,
    beta(CONTEXT),
  ],
  [
    'B2 trigger under the minimum',
    {
      context_management: {
        edits: [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 49_999 } }],
      },
    },
    /greater than or equal to 50000/,
    beta(COMPACT),
  ],
  ['B3 without its header', { compaction: { type: 'summarize' } }, /^compaction: Extra inputs/],
  [
    'B3 beside context_management',
    { compaction: { type: 'summarize' }, context_management: { edits: [] } },
    /cannot be combined with context_management/,
    beta(ON_DEMAND, CONTEXT),
  ],
  [
    'B3 beside stop_sequences',
    { compaction: { type: 'summarize' }, stop_sequences: ['x'] },
    /with stop_sequences/,
    beta(ON_DEMAND),
  ],
  [
    'B3 beside a format',
    { compaction: { type: 'summarize' }, output_config: { format: {} } },
    /with output_config.format/,
    beta(ON_DEMAND),
  ],
  [
    'B3 beside a forced tool',
    {
      model: 'claude-opus-5',
      compaction: { type: 'summarize' },
      tools: [TOOL],
      tool_choice: { type: 'any' },
    },
    /with tool_choice/,
    beta(ON_DEMAND),
  ],
  [
    'B3 long instructions',
    { compaction: { type: 'summarize', instructions: 'x'.repeat(16_385) } },
    /at most 16384/,
    beta(ON_DEMAND),
  ],
  [
    'B6 assistant first',
    { messages: [assistant('a'), user('b')] },
    /first message must use the "user" role/,
  ],
  [
    'B6 call without result',
    { messages: [user('a'), assistant([toolUse('x')]), user('b')] },
    /^messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: x\. Each `tool_use` block must have a corresponding `tool_result` block in the next message\.$/,
  ],
  [
    'B6 text before the result',
    { messages: answered([text('t'), toolResult('a')]) },
    /must come before other content/,
  ],
  [
    'B6 result without call',
    { messages: [user([toolResult('x')])] },
    /unexpected `tool_use_id` found in `tool_result` blocks: x/,
  ],
  [
    'B6 two results for a call',
    { messages: answered([toolResult('a'), toolResult('a')]) },
    /multiple `tool_result` blocks with id: a/,
  ],
  [
    'B6 empty text',
    { messages: [user([text('')])] },
    /^messages: text content blocks must be non-empty$/,
  ],
  [
    'B6 empty text in a result',
    { messages: answered([toolResult('a', [text('')])]) },
    /text content blocks must be non-empty/,
  ],
  ['B6 empty message', { messages: [user('')] }, /non-empty content/],
  [
    'B6 prefill',
    { messages: [user('a'), assistant('b')] },
    /does not support assistant message prefill/,
  ],
  [
    'B6 prefill on 4.6',
    { model: 'claude-opus-4-6', messages: [user('a'), assistant('b')] },
    /prefill/,
  ],
  ['B6 forced tool', { tools: [TOOL], tool_choice: { type: 'any' } }, /^tool_choice: /],
  [
    'B6 forced tool by name',
    { model: 'claude-sonnet-5-5', tools: [TOOL], tool_choice: { type: 'tool', name: 'read' } },
    /^tool_choice: /,
  ],
  [
    'B6 thinking with a budget on 4.7',
    {
      model: 'claude-opus-4-7',
      max_tokens: 4_000,
      thinking: { type: 'enabled', budget_tokens: 2_000 },
    },
    /^thinking.type: /,
  ],
  ['B6 thinking disabled on Opus 5.5', { thinking: { type: 'disabled' } }, /^thinking.type: /],
  [
    'B6 thinking disabled on Sonnet 5.5',
    { model: 'claude-sonnet-5-5', thinking: { type: 'disabled' } },
    /^thinking.type: /,
  ],
  [
    'B6 binding control without its header',
    { thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } } },
    /block_binding: Extra inputs/,
  ],
  [
    'B6 unknown binding control',
    { thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'x' } } },
    /'error' or 'drop_block'/,
    beta(BINDING),
  ],
  [
    'budget without room',
    {
      model: 'claude-opus-4-5',
      max_tokens: 2_000,
      thinking: { type: 'enabled', budget_tokens: 2_000 },
    },
    /`max_tokens` must be greater than `thinking.budget_tokens`/,
  ],
  [
    'budget under the minimum',
    {
      model: 'claude-opus-4-5',
      max_tokens: 2_000,
      thinking: { type: 'enabled', budget_tokens: 1_023 },
    },
    /greater than or equal to 1024/,
  ],
  [
    'thinking and a forced tool',
    {
      model: 'claude-opus-5',
      thinking: { type: 'adaptive' },
      tools: [TOOL],
      tool_choice: { type: 'any' },
    },
    /Thinking may not be enabled when tool_choice forces/,
  ],
  [
    'tool_choice without tools',
    { tool_choice: { type: 'auto' } },
    /only be specified while providing tools/,
  ],
  [
    'data that is no base64',
    {
      messages: [
        user([
          {
            type: 'image',
            source: { type: 'base64', media_type: 'image/png', data: '!!!not base64' },
          },
        ]),
      ],
    },
    /^messages.0.content.0.image.source.base64.data: invalid base64 data/,
  ],
  ['tool without a schema', { tools: [{ name: 'x' }] }, /^tools.0.input_schema: Field required/],
  ['two tools of one name', { tools: [TOOL, TOOL] }, /Tool names must be unique/],
  [
    'diagnostics of another type',
    { diagnostics: { previous_message_id: 1 } },
    /^diagnostics.previous_message_id/,
  ],
  [
    'malformed block',
    { messages: [user([{ type: 'text' }])] },
    /^messages.0.content.0.text: Field required/,
  ],
  ['half a surrogate', { messages: [user('\ud800')] }, /no low surrogate/],
  [
    'media in a failed result',
    {
      messages: answered([{ ...toolResult('a', [IMAGE]), is_error: true }]),
    },
    /if "is_error" is true/,
  ],
];

describe('POST /v1/messages refuses (B6, A1-A8, B1-B3)', () => {
  test.each(REFUSED)('%s', async (_fact, fields, message, options = {}) => {
    const { status, json } = await post(create(), body(fields), options);
    expect({ status, type: json.error?.type }).toEqual({
      status: 400,
      type: 'invalid_request_error',
    });
    expect(json.error.message).toMatch(message);
    expect(json).toMatchObject({ type: 'error', request_id: expect.stringMatching(/^req_/) });
  });
});

const ACCEPTED: readonly [string, Record<string, unknown>, object?][] = [
  ['the least there is', {}],
  [
    '0.2 sampling with the old version',
    { temperature: 1, top_p: 1, top_k: 1 },
    { headers: OLD_VERSION },
  ],
  [
    '0.2 citations with the old version',
    { messages: [user([{ ...text('a'), citations: [{}] }])] },
    { headers: OLD_VERSION },
  ],
  ['four markers', { messages: [user([0, 1, 2, 3].map((n) => cached(text(`${n}`))))] }],
  [
    'A2 automatic marker on a marked block',
    {
      cache_control: { type: 'ephemeral' },
      messages: [user([0, 1, 2, 3].map((n) => cached(text(`${n}`))))],
    },
  ],
  ['A3 longer before shorter', { messages: [user([cached(text('a'), '1h'), cached(text('b'))])] }],
  [
    'A5 system message after a user turn',
    { messages: [user('a'), { role: 'system', content: 'b' }] },
  ],
  ['A8 pre-warm', { max_tokens: 0 }],
  [
    'B2 trigger at the minimum',
    {
      context_management: {
        edits: [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 50_000 } }],
      },
    },
    beta(COMPACT),
  ],
  [
    'B6 consecutive turns of one role',
    { messages: [user('a'), user('b'), assistant('c'), assistant('d'), user('e')] },
  ],
  [
    'B6 results spread over two user messages',
    {
      messages: [
        user('a'),
        assistant([toolUse('x'), toolUse('y')]),
        user([toolResult('x')]),
        user([toolResult('y')]),
      ],
    },
  ],
  ['B6 text behind the result', { messages: answered([toolResult('a'), text('t')]) }],
  ['B6 prefill before 4.6', { model: 'claude-opus-4-5', messages: [user('a'), assistant('b')] }],
  [
    'B6 forced tool on Opus 5',
    { model: 'claude-opus-5', tools: [TOOL], tool_choice: { type: 'any' } },
  ],
  [
    'B6 budget on 4.6',
    {
      model: 'claude-opus-4-6',
      max_tokens: 4_000,
      thinking: { type: 'enabled', budget_tokens: 2_000 },
    },
  ],
  ['B6 disabled on Opus 5', { model: 'claude-opus-5', thinking: { type: 'disabled' } }],
  [
    'B6 between_tools on Sonnet 5.5',
    { model: 'claude-sonnet-5-5', thinking: { type: 'between_tools' } },
  ],
  [
    'B6 server_tool_use without a result',
    {
      messages: [
        user('a'),
        assistant([{ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }, text('b')]),
        user('c'),
      ],
    },
  ],
  ['ignored fields', { metadata: { user_id: 'u' }, service_tier: 'auto' }],
  ['white space as the text of a result', { messages: answered([toolResult('a', ' \n')]) }],
];

describe('POST /v1/messages accepts', () => {
  test.each(ACCEPTED)('%s', async (_fact, fields, options = {}) => {
    const { status, body: answer } = await post(create(), body(fields), options);
    expect({ status, answer: status === 200 ? '' : answer }).toEqual({ status: 200, answer: '' });
  });
});

describe('headers and statuses (0.1, B5)', () => {
  test.each([
    ['no key', { 'anthropic-version': '2023-06-01' }, 401, 'authentication_error'],
    ['no version', { 'x-api-key': 'k' }, 400, 'invalid_request_error'],
    [
      'an unknown version',
      { 'x-api-key': 'k', 'anthropic-version': '2024-01-01' },
      400,
      'invalid_request_error',
    ],
  ])('%s', async (_name, headers, status, type) => {
    const posted = await post(create(), body(), { headers });
    expect(posted).toMatchObject({ status, json: { type: 'error', error: { type } } });
  });

  test.each([
    ['x-api-key', { 'x-api-key': 'k' }],
    ['bearer', { authorization: 'Bearer k' }],
  ])('accepts %s with either version', async (_name, key) => {
    for (const version of ['2023-06-01', '2026-10-21']) {
      const headers = { ...key, 'anthropic-version': version };
      expect((await post(create(), body(), { headers })).status).toBe(200);
    }
  });

  test('a key that is not listed is refused', async () => {
    expect((await post(create({ apiKeys: ['other'] }), body())).status).toBe(401);
  });

  test('an unknown model is not found', async () => {
    const { status, json } = await post(create(), body({ model: 'claude-9' }));
    expect([status, json.error]).toEqual([
      404,
      { type: 'not_found_error', message: 'model: claude-9' },
    ]);
  });

  test('an unknown path is not found', async () => {
    const { status, json } = await post(create(), body(), { path: '/v1/messages/other' });
    expect([status, json.error.type]).toEqual([404, 'not_found_error']);
  });

  test('a body over 32 MB is too large', async () => {
    const { status, json } = await post(create(), new Uint8Array(32 * 2 ** 20 + 1));
    expect([status, json.error.type]).toEqual([413, 'request_too_large']);
  });

  test('a prompt over the window is too long', async () => {
    const words = 'word '.repeat(300_000);
    const { status, json } = await post(
      create(),
      body({ model: 'claude-haiku-4-5', messages: [user(words)] }),
    );
    expect(status).toBe(400);
    expect(json.error.message).toMatch(/^prompt is too long: \d+ tokens > 200000 maximum$/);
  });

  test('B5 a 4.5 model takes a prompt without room for all output, an older one does not', async () => {
    const messages = [user('word '.repeat(130_000))];
    const fields = { messages, max_tokens: 32_000 };
    const newer = await post(
      create(),
      body({ ...fields, model: 'claude-haiku-4-5', max_tokens: 64_000 }),
    );
    const longer = {
      messages: [user('word '.repeat(150_000))],
      max_tokens: 32_000,
      model: 'claude-opus-4-1',
    };
    const older = await post(create(), body(longer));
    expect(newer.status).toBe(200);
    expect(older.json.error.message).toMatch(
      /^input length and `max_tokens` exceed context limit: /,
    );
  });

  test('request id and rate-limit headers stand on every answer', async () => {
    const { headers } = await post(create({ now: () => 0 }), body());
    expect(headers).toMatchObject({
      'request-id': 'req_emulated00000001',
      'anthropic-ratelimit-requests-limit': '4000',
      'anthropic-ratelimit-requests-remaining': '3999',
      'anthropic-ratelimit-requests-reset': '1970-01-01T00:01:00.000Z',
    });
  });
});
