import { type Block, type Message, toolResults } from '@varve/messages';
import { messageHistory } from '@varve/messages/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startEmulator } from '../src/index.ts';
import { ANTHROPIC_HEADERS, create, OPENAI_HEADERS, post } from './support.ts';
import { type Body, VIOLATIONS } from './violations.ts';

/** A valid conversation with somebody to answer, as a body of the Messages API. */
const conversation = (): fc.Arbitrary<Body> =>
  messageHistory().map((messages) => ({
    model: 'claude-opus-4-8',
    max_tokens: 100,
    messages: [...messages.map(({ role, content }) => ({ role, content })), ...ending(messages)],
  }));

const ending = (messages: readonly Message[]) =>
  messages.at(-1)?.role === 'user'
    ? []
    : [{ role: 'user' as const, content: [{ type: 'text', text: 'Go on' }] }];

const violated = () =>
  fc
    .tuple(conversation(), fc.constantFrom(...Object.keys(VIOLATIONS)), fc.nat())
    .map(([body, name, seed]) => ({
      name,
      body: VIOLATIONS[name]?.(body, (count) => (count === 0 ? 0 : seed % count)),
    }))
    .filter(({ body }) => body !== undefined);

/** 10,000 conversations of 30 messages and more. */
const LONG_MS = 300_000;

const options = { foreignThinking: 'accepted', keepRequests: 0 } as const;

describe('handle', () => {
  test(
    'accepts any valid conversation',
    async () => {
      const emulator = create(options);
      await fc.assert(
        fc.asyncProperty(conversation(), async (body) => {
          const { status, body: answer } = await post(emulator, body);
          expect(status === 200 ? '' : answer).toBe('');
        }),
      );
    },
    LONG_MS,
  );

  test(
    'refuses any single violation',
    async () => {
      const emulator = create(options);
      await fc.assert(
        fc.asyncProperty(violated(), async ({ body }) => {
          const { status, json } = await post(emulator, body);
          expect([status, json.error?.type]).toEqual([400, 'invalid_request_error']);
        }),
      );
    },
    LONG_MS,
  );

  test(
    'never rejects, whatever the bytes, the path and the headers',
    async () => {
      const emulator = create({ ...options, keepRequests: 10 });
      const paths = [
        '/v1/messages',
        '/v1/messages/count_tokens',
        '/v1/chat/completions',
        '/v1/responses',
        '/v1/responses/compact',
        '/v1/models',
        '/',
        '/v1/models/%',
        '*',
      ];
      const request = fc.record({
        path: fc.oneof(fc.constantFrom(...paths), fc.string()),
        body: fc.oneof(fc.uint8Array(), jsonBytes()),
        headers: fc.constantFrom<Record<string, string>>(ANTHROPIC_HEADERS, OPENAI_HEADERS, {}),
        method: fc.constantFrom('GET', 'POST', 'PUT', ''),
      });
      await fc.assert(
        fc.asyncProperty(request, async (http) => {
          const reply = await emulator.handle(http);
          expect([200, 400, 401, 404, 413]).toContain(reply.status);
          if (reply.events === undefined) JSON.parse(reply.body);
        }),
      );
    },
    LONG_MS,
  );
});

const FIELDS = [
  'model',
  'messages',
  'input',
  'max_tokens',
  'system',
  'tools',
  'thinking',
  'stream',
  'cache_control',
  'context_management',
  'compaction',
  'tool_choice',
  'diagnostics',
  'previous_response_id',
  'instructions',
  'prompt_cache_options',
  'content',
  'role',
  'stop_sequences',
  'output_config',
];

/** Objects that look like requests until one looks closer. */
const jsonBytes = () => {
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<unknown>(
        null,
        true,
        0,
        -1,
        1.5,
        '',
        'user',
        'assistant',
        'text',
        'tool_use',
        'tool_result',
        'claude-opus-5-5',
        'gpt-5.6-sol',
        'ephemeral',
        [],
        {},
      ),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom(...FIELDS, 'type', 'text', 'id', 'name', 'tool_use_id'),
        tie('value'),
        { maxKeys: 4 },
      ),
    ),
  }));
  const body = fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 6 });
  const models = fc.constantFrom('claude-opus-5-5', 'gpt-5.6-sol', 'gpt-5.5');
  return fc.tuple(body, models).map(([fields, model]) =>
    new TextEncoder().encode(
      JSON.stringify({
        model,
        max_tokens: 10,
        messages: [{ role: 'user', content: 'a' }],
        ...fields,
      }),
    ),
  );
};

/** What the model says in one turn: thinking, then words or calls. */
const turn = (): fc.Arbitrary<Block[]> =>
  fc
    .tuple(fc.boolean(), fc.nat({ max: 2 }), fc.string({ minLength: 1, unit: 'grapheme' }))
    .map(([thinks, calls, words]) => [
      ...(thinks ? [{ type: 'thinking', thinking: words, signature: '' }] : []),
      { type: 'text', text: `said ${words}` },
      ...Array.from({ length: calls }, () => ({
        type: 'tool_use',
        name: 'read',
        input: { words },
      })),
    ]);

async function converse(turns: readonly Block[][], model: string) {
  const emulator = create({ replies: [...turns.map((content) => ({ content })), 'end'] });
  const messages: Pick<Message, 'role' | 'content'>[] = [
    { role: 'user', content: [{ type: 'text', text: 'Begin' }] },
  ];
  for (const _turn of turns) {
    const { status, json, body } = await post(emulator, { model, max_tokens: 10_000, messages });
    expect(status === 200 ? '' : body).toBe('');
    const content = json.content as Block[];
    const results = content
      .filter(({ type }) => type === 'tool_use')
      .map((block) => ({
        type: 'tool_result',
        tool_use_id: (block as { id: string }).id,
        content: 'ok',
      }));
    const next = results.length > 0 ? results : [{ type: 'text', text: 'Go on' }];
    messages.push({ role: 'assistant', content }, { role: 'user', content: next });
  }
  return { emulator, messages };
}

describe('preserved thinking (B6)', () => {
  test(
    'what the emulator said may always be sent back, and no edit before its thinking may',
    async () => {
      const property = fc.asyncProperty(
        fc.array(turn(), { minLength: 1, maxLength: 4 }),
        fc.nat(),
        async (turns, seed) => {
          const model = 'claude-opus-5-5';
          const { emulator, messages } = await converse(turns, model);
          const at = messages.findLastIndex(({ content }) =>
            content.some(({ type }) => type === 'thinking'),
          );
          if (at < 0) return;
          const index = seed % at;
          const edited = messages.map((message, place) =>
            place === index ? edit(message) : message,
          );
          const refused = await post(emulator, { model, max_tokens: 10, messages: edited });
          const accepted = await post(emulator, { model, max_tokens: 10, messages });
          expect([refused.status, accepted.status]).toEqual([400, 200]);
          expect(refused.json.error.message).toMatch(/bound to a different conversation/);
        },
      );
      await fc.assert(property);
    },
    LONG_MS,
  );
});

/** Shortens the results of a message, or adds to what it says. */
function edit(message: Pick<Message, 'role' | 'content'>): Pick<Message, 'role' | 'content'> {
  const results = toolResults(message as Message);
  const content =
    results.length > 0
      ? results.map((result) => ({ ...result, content: 'o' }))
      : message.content.map((block) =>
          block.type === 'text' ? { ...block, text: 'edited' } : block,
        );
  return { ...message, content };
}

describe('over a socket', () => {
  // each run opens connections, so there are never more than 500
  const { numRuns = 100 } = fc.readConfigureGlobal();
  const few = { numRuns: Math.min(500, Math.ceil(numRuns / 4)) };

  test(
    'valid conversations are accepted and single violations refused',
    async () => {
      await using emulator = await startEmulator(options);
      const send = async (body: unknown) => {
        const answer = await fetch(`${emulator.url}/v1/messages`, {
          method: 'POST',
          headers: ANTHROPIC_HEADERS,
          body: JSON.stringify(body),
        });
        await answer.arrayBuffer();
        return answer.status;
      };
      await fc.assert(
        fc.asyncProperty(conversation(), violated(), async (valid, { body }) => {
          expect(await Promise.all([send(valid), send(body)])).toEqual([200, 400]);
        }),
        few,
      );
    },
    LONG_MS,
  );
});
