import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { create, post } from './support.ts';
import { placesIn, WHOLE, withAt } from './whole-bodies.ts';

const REPLY = {
  content: [
    { type: 'thinking', thinking: 'hm', signature: '' },
    { type: 'text', text: 'Done END' },
    { type: 'tool_use', name: 'read', input: {} },
  ],
};
const options = { foreignThinking: 'accepted', keepRequests: 0, replies: () => REPLY } as const;

/** A whole request in which one place has another value, or none. */
const damaged = () =>
  fc
    .constantFrom(...WHOLE)
    .chain(({ path, headers, body }) =>
      fc
        .tuple(
          fc.constantFrom(...placesIn(body)),
          fc.oneof(
            fc.jsonValue({ maxDepth: 2 }),
            fc.constantFrom(
              undefined,
              '\ud800',
              '__proto__',
              { type: 'image' },
              { type: 'tool_use' },
            ),
          ),
        )
        .map(([place, value]) => ({ path, headers, body: withAt(body, place, value) })),
    );

describe('a whole request', () => {
  test.each(WHOLE)('$path is accepted', async ({ path, headers, body }) => {
    const reply = await post(create(options), body, { path, headers });
    expect(reply.status === 200 ? '' : reply.body).toBe('');
  });

  test('with one damaged place is answered or refused, and never fails', async () => {
    const emulator = create(options);
    await fc.assert(
      fc.asyncProperty(damaged(), async ({ path, headers, body }) => {
        const { status } = await post(emulator, body, { path, headers });
        expect([200, 400, 404]).toContain(status);
      }),
    );
  });
});

test.each([
  [
    '/v1/messages',
    {
      model: 'claude-opus-5-5',
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'Read.' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input: '@' }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'b' }] },
      ],
    },
  ],
  [
    '/v1/responses',
    {
      model: 'gpt-6-sol',
      input: [
        { type: 'web_search_call', action: '@' },
        { role: 'user', content: 'b' },
      ],
    },
  ],
])('%s refuses what is nested without end', async (path, fields) => {
  const nested = `${'{"a":'.repeat(20_000)}"}"${'}'.repeat(20_000)}`;
  const bytes = new TextEncoder().encode(JSON.stringify(fields).replace('"@"', nested));
  const { status, body } = await post(create(options), bytes, { path });
  expect([status, body]).toEqual([400, expect.stringContaining('nested too deeply')]);
});

test('a reply that runs out of stack is not the fault of the request', async () => {
  const replies = (): string => replies();
  const { status } = await post(create({ replies }), WHOLE[0]?.body, { ...WHOLE[0] });
  expect(status).toBe(500);
});

describe('a body nested 600 levels', () => {
  const schema = { type: 'object', default: JSON.parse(`${'['.repeat(600)}${']'.repeat(600)}`) };
  const deep = WHOLE.flatMap(({ path, headers, body }) => {
    const at =
      path === '/v1/messages'
        ? ['tools', 0, 'input_schema']
        : path === '/v1/chat/completions'
          ? ['tools', 0, 'function', 'parameters']
          : ['tools', 0, 'parameters'];
    const isAsked = 'tools' in body && path !== '/v1/messages/count_tokens';
    return isAsked ? [{ path, headers, body: withAt(body, at, schema) }] : [];
  });
  const failing = () => {
    throw new TypeError('my script has a fault');
  };

  test.each(deep)('$path is answered', async ({ body, ...asked }) => {
    expect((await post(create(options), body, asked)).status).toBe(200);
  });

  // where the stack ends while a body is read differs: what ran out of it may be thrown as it is, or as a cause
  test.each([1_000, 3_000, 4_000, 20_000, 100_000])('%i levels are never a 500', async (levels) => {
    for (const { path, headers, body } of deep) {
      const nested = `${'['.repeat(levels)}${']'.repeat(levels)}`;
      const place = JSON.stringify(schema.default);
      const bytes = new TextEncoder().encode(JSON.stringify(body).replace(place, nested));
      expect([200, 400]).toContain((await post(create(options), bytes, { path, headers })).status);
    }
  });

  test.each(deep)('$path: a reply that fails on its own is a 500', async ({ body, ...asked }) => {
    const reply = await post(create({ ...options, replies: failing }), body, asked);
    const { status, headers } = reply;
    expect([status, headers['x-should-retry']]).toEqual([500, 'false']);
    expect(reply.body).toContain('my script has a fault');
  });

  test.each(deep)('$path: a script that has ended is a 500', async ({ body, ...asked }) => {
    const reply = await post(create({ ...options, replies: [] }), body, asked);
    expect([reply.status, reply.body]).toEqual([500, expect.stringContaining('The script has 0')]);
  });
});

type Row = readonly [place: string, value: unknown, message: string];

const MESSAGES: readonly Row[] = [
  ['messages.0.role', undefined, 'messages.0.role: Field required'],
  ['messages.0.role', 'tool', "messages.0.role: Input should be 'user' or 'assistant' or 'system'"],
  ['messages.0.content', undefined, 'messages.0.content: Field required'],
  ['messages.0.content', null, 'messages.0.content: Input should be a valid string or list'],
  ['messages.0.content', ['Read it'], 'messages.0.content.0: Input should be a valid dictionary'],
  ['messages.1.content.1.type', 'words', "messages.1.content.1: Input tag 'words' found using"],
  ['messages.1.content.0.signature', undefined, 'messages.1.content.0.signature: Field required'],
  ['messages.1.content.2.input', '{}', 'messages.1.content.2.input: Input should be a valid dict'],
  ['messages.2.content.0.content.1.source.data', 7, 'messages.2.content.0.content.1.source.data: '],
  [
    'messages.2.content.2.source.type',
    'file_path',
    "messages.2.content.2.source: Input tag 'file_p",
  ],
  ['system.0.text', 7, 'system.0.text: Input should be a valid string'],
  ['tools.0.description', 7, 'tools.0.description: Input should be a valid string'],
  ['tool_choice.type', 'function', "tool_choice: Input tag 'function' found using 'type' does not"],
  ['thinking', 'adaptive', 'thinking: Input should be a valid dictionary'],
  ['stream', 'yes', 'stream: Input should be a valid boolean'],
  ['stop_sequences', 'END', 'stop_sequences: Input should be a valid list'],
  ['output_config.effort', 'maximal', "output_config.effort: Input should be 'low' or 'medium' or"],
  ['context_management.edits.0.keep', 'none', 'context_management.edits.0.keep'],
  ['context_management.edits.1.trigger.value', 1.5, 'context_management.edits.1.trigger.value: '],
];

const CHAT: readonly Row[] = [
  ['messages.0.role', 'narrator', "Invalid value: 'narrator'. Supported values are: 'developer', "],
  ['messages.1.content', null, "Invalid type for 'messages[1].content': expected string or array"],
  [
    'messages.1.content.0.text',
    undefined,
    "Missing required parameter: 'messages[1].content[0].te",
  ],
  [
    'messages.2.tool_calls.0.function.arguments',
    {},
    "Invalid type for 'messages[2].tool_calls[0].",
  ],
  ['messages.3.tool_call_id', undefined, "Missing required parameter: 'messages[3].tool_call_id'."],
  ['tools.0.function', undefined, "Missing required parameter: 'tools[0].function'."],
  ['stop', 7, "Invalid type for 'stop': expected string or array, but got number instead."],
];

const RESPONSES: readonly Row[] = [
  ['input.0.role', 'tool', "Invalid value: 'tool'. Supported values are: 'user', 'assistant', "],
  ['input.0.content.0.type', 'text', "Invalid value: 'text'. Supported values are: 'input_text', "],
  [
    'input.2.arguments',
    {},
    "Invalid type for 'input[2].arguments': expected string, but got object",
  ],
  ['input.3.output', undefined, "Missing required parameter: 'input[3].output'."],
  ['instructions', 7, "Invalid type for 'instructions': expected string, but got number instead."],
  ['context_management.0.type', 'clear', "Invalid value: 'clear'. Supported values are: 'compacti"],
];

describe.each([
  ['/v1/messages', MESSAGES],
  ['/v1/chat/completions', CHAT],
  ['/v1/responses', RESPONSES],
] as const)('POST %s refuses another shape', (path, rows) => {
  test.each(rows)('%s as %j', async (place, value, message) => {
    const whole = WHOLE.find((each) => each.path === path);
    const body = withAt(whole?.body, place.split('.'), value);
    const { status, json } = await post(create(options), body, {
      path,
      headers: whole?.headers ?? {},
    });
    expect([status, json.error.type]).toEqual([400, 'invalid_request_error']);
    expect(json.error.message.slice(0, message.length)).toBe(message);
  });
});
