import type { Block } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import type { Emulator } from '../src/emulator.ts';
import type { ReplyLike } from '../src/index.ts';
import { beta, body, create, post, TOOL, text, toolResult, user } from './support.ts';

const BINDING = 'thinking-binding-controls-2026-08-01';
const reply = (thinking: string, ...rest: Block[]): ReplyLike => ({
  content: [{ type: 'thinking', thinking, signature: '' }, ...rest],
});
const call = (id: string): Block => ({ type: 'tool_use', id, name: 'read', input: {} });

interface Message {
  readonly role: string;
  readonly content: unknown;
}

/** Two tool rounds and an answer, all with thinking of this emulator. */
async function conversation(
  emulator: Emulator,
  fields: Record<string, unknown>,
): Promise<Message[]> {
  const messages: Message[] = [user('Read two files')];
  for (const next of [
    [toolResult('a', 'first '.repeat(100))],
    [toolResult('b', 'second '.repeat(100))],
    [text('Thanks')],
  ]) {
    const { json } = await post(emulator, body({ ...fields, messages }));
    messages.push({ role: 'assistant', content: json.content }, user(next));
  }
  return messages;
}

const fields = { tools: [TOOL], system: [text('Be brief.')] };
const replies = () => [
  reply('one', call('a')),
  reply('two', call('b')),
  reply('three', text('Done.')),
  'after',
];

async function resend(
  change: (sent: { messages: Message[] } & Record<string, unknown>) => Record<string, unknown>,
  { model = 'claude-opus-5-5', options = {}, ...rest } = {} as {
    model?: string;
    options?: object;
    thinkingBinding?: 'when-asked';
    foreignThinking?: 'accepted';
  },
) {
  const emulator = create({ replies: replies(), ...rest });
  const messages = await conversation(emulator, { ...fields, model });
  return post(emulator, body(change({ ...fields, model, messages })), options);
}

const contentAt = (messages: Message[], index: number, content: (old: Block[]) => unknown) =>
  messages.map((message, at) =>
    at === index ? { ...message, content: content(message.content as Block[]) } : message,
  );
const withoutThinking = (blocks: Block[]) => blocks.filter(({ type }) => type !== 'thinking');

describe('preserved thinking is valid after (B6)', () => {
  test.each<[string, Parameters<typeof resend>[0]]>([
    ['nothing but what was added', (sent) => sent],
    ['a moved marker', (sent) => ({ ...sent, cache_control: { type: 'ephemeral' } })],
    ['another parameter', (sent) => ({ ...sent, max_tokens: 50, speed: 'fast' })],
    [
      'thinking removed from the start',
      ({ messages, ...sent }) => ({ ...sent, messages: contentAt(messages, 1, withoutThinking) }),
    ],
    [
      'thinking removed from the end',
      ({ messages, ...sent }) => ({ ...sent, messages: contentAt(messages, 5, withoutThinking) }),
    ],
    [
      'all thinking removed',
      ({ messages, ...sent }) => ({
        ...sent,
        messages: [1, 3, 5].reduce((all, at) => contentAt(all, at, withoutThinking), messages),
      }),
    ],
  ])('%s', async (_name, change) => {
    const { status, body: answer } = await resend(change);
    expect({ status, answer: status === 200 ? '' : answer }).toEqual({ status: 200, answer: '' });
  });

  test('a marker moved out of the inside of a result', async () => {
    const emulator = create({
      replies: [reply('one', call('a')), reply('two', text('Done.')), 'b'],
    });
    const control = { cache_control: { type: 'ephemeral' } };
    const result = (marker: object) => user([toolResult('a', [{ ...text('first'), ...marker }])]);
    const ask = async (...messages: Message[]): Promise<Message> => {
      const { status, json } = await post(emulator, body({ ...fields, messages }));
      expect(status).toBe(200);
      return { role: 'assistant', content: json.content };
    };
    const first = await ask(user('Read.'));
    const second = await ask(user('Read.'), first, result(control));
    await ask(user('Read.'), first, result({}), second, user('Thanks'));
  });

  test('an edit by the server', async () => {
    const edits = [
      {
        type: 'clear_tool_uses_20250919',
        trigger: { type: 'tool_uses', value: 1 },
        keep: { type: 'tool_uses', value: 0 },
      },
    ];
    const posted = await resend((sent) => ({ ...sent, context_management: { edits } }), {
      options: beta('context-management-2025-06-27'),
    });
    expect(posted.status).toBe(200);
    expect(posted.json.context_management.applied_edits).toMatchObject([{ cleared_tool_uses: 2 }]);
  });
});

const EDITS: [string, Parameters<typeof resend>[0], string][] = [
  [
    'a shortened old result',
    ({ messages, ...sent }) => ({
      ...sent,
      messages: contentAt(messages, 2, () => [toolResult('a', 'f')]),
    }),
    'messages.3.content.0',
  ],
  [
    'a changed input of an old call',
    ({ messages, ...sent }) => ({
      ...sent,
      messages: contentAt(messages, 1, ([first]) => [first, { ...call('a'), input: { x: 1 } }]),
    }),
    'messages.3.content.0',
  ],
  [
    'a first message that was rendered again',
    ({ messages, ...sent }) => ({
      ...sent,
      messages: contentAt(messages, 0, () => 'Read 2 files'),
    }),
    'messages.1.content.0',
  ],
  ['another system prompt', (sent) => ({ ...sent, system: 'Be long.' }), 'messages.1.content.0'],
  [
    'other tools',
    (sent) => ({ ...sent, tools: [TOOL, { ...TOOL, name: 'write' }] }),
    'messages.1.content.0',
  ],
  [
    'a gap in the chain',
    ({ messages, ...sent }) => ({ ...sent, messages: contentAt(messages, 3, withoutThinking) }),
    'messages.5.content.0',
  ],
  [
    'altered thinking',
    ({ messages, ...sent }) => ({
      ...sent,
      messages: contentAt(messages, 5, ([first, ...rest]) => [
        { ...first, thinking: 'x' },
        ...rest,
      ]),
    }),
    'messages.5.content.0',
  ],
];

describe('preserved thinking is refused after (B6)', () => {
  test.each(EDITS)('%s', async (_name, change, path) => {
    const { status, json } = await resend(change);
    expect(status).toBe(400);
    expect(json.error.message).toMatch(/Invalid `signature` in `thinking` block/);
    expect(json.error.message.startsWith(`${path}: `)).toBe(true);
  });

  test.each(EDITS)('%s, unless the blocks are to be dropped', async (_name, change, path) => {
    const thinking = {
      type: 'adaptive',
      block_binding: { prefix_mismatch_behavior: 'drop_block' },
    };
    const { status, json } = await resend((sent) => ({ ...change(sent), thinking }), {
      options: beta(BINDING),
    });
    expect(status).toBe(200);
    expect(json.input_transformations[0]).toEqual({
      type: 'thinking_dropped',
      path,
      reason: 'prefix_binding_mismatch',
    });
  });

  test('another model', async () => {
    const thinking = {
      type: 'adaptive',
      block_binding: { prefix_mismatch_behavior: 'drop_block' },
    };
    const { json } = await resend((sent) => ({ ...sent, model: 'claude-sonnet-5-5', thinking }), {
      options: beta(BINDING),
    });
    expect(json.input_transformations).toHaveLength(3);
    expect(json.input_transformations[0].reason).toBe('model_binding_mismatch');
  });

  test('nothing, for accounts that do not ask', async () => {
    const [, change] = EDITS[0] as (typeof EDITS)[number];
    expect((await resend(change, { thinkingBinding: 'when-asked' })).status).toBe(200);
  });

  test('nothing, on models that are exempt', async () => {
    const [, change] = EDITS[0] as (typeof EDITS)[number];
    expect((await resend(change, { model: 'claude-mythos-5-1' })).status).toBe(200);
  });

  test('dropped blocks are not billed', async () => {
    const thinking = {
      type: 'adaptive',
      block_binding: { prefix_mismatch_behavior: 'drop_block' },
    };
    const total = ({ json }: { json: { usage: Record<string, number> } }) =>
      json.usage.input_tokens ?? 0;
    const kept = await resend((sent) => ({ ...sent, thinking }), { options: beta(BINDING) });
    const dropped = await resend((sent) => ({ ...sent, thinking, system: [text('Be BRIEF.')] }), {
      options: beta(BINDING),
    });
    expect(kept.json.input_transformations).toEqual([]);
    expect(total(dropped)).toBeLessThan(total(kept));
  });
});

describe('thinking of the latest turn on other models (B6)', () => {
  const altered = (messages: Message[]) =>
    contentAt(messages.slice(0, -2), 3, ([first, ...rest]) => [
      { ...first, thinking: 'x' },
      ...rest,
    ]);

  test('may not be altered while tools are answered', async () => {
    const { status, json } = await resend(
      ({ messages, ...sent }) => ({ ...sent, messages: altered(messages) }),
      { model: 'claude-opus-5' },
    );
    expect(status).toBe(400);
    expect(json.error.message).toMatch(/blocks in the latest assistant message cannot be modified/);
  });

  test('M331: is free where something is said, behind the results or beside them', async () => {
    const said = text('And the types.');
    const forms = [
      (messages: Message[]) => [...messages, { role: 'user', content: [said] }],
      (messages: Message[]) =>
        contentAt(messages, messages.length - 1, (content) => [...content, said]),
    ];
    for (const withWords of forms) {
      const { status } = await resend(
        ({ messages, ...sent }) => ({ ...sent, messages: withWords(altered(messages)) as never }),
        { model: 'claude-opus-5' },
      );
      expect(status).toBe(200);
    }
  });

  test('is free once the turn is over', async () => {
    const { status } = await resend(
      ({ messages, ...sent }) => ({
        ...sent,
        messages: contentAt(messages, 3, ([first, ...rest]) => [
          { ...first, thinking: 'x' },
          ...rest,
        ]),
      }),
      { model: 'claude-opus-5' },
    );
    expect(status).toBe(200);
  });
});

describe('thinking that another server wrote', () => {
  const foreign = [
    user('a'),
    {
      role: 'assistant',
      content: [{ type: 'thinking', thinking: 't', signature: 's' }, text('b')],
    },
    user('c'),
  ];

  test('is refused', async () => {
    expect((await post(create(), body({ messages: foreign }))).status).toBe(400);
  });

  test('is taken as it is where that is chosen', async () => {
    const emulator = create({ foreignThinking: 'accepted' });
    expect((await post(emulator, body({ messages: foreign }))).status).toBe(200);
  });
});
