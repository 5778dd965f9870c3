import type { Block, JsonObject, Message, Request } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { cachePolicy } from '../src/index.ts';
import { createServerView } from '../src/server.ts';
import {
  assistant,
  call,
  characters,
  message,
  onBlock,
  request,
  result,
  text,
  user,
} from './support.ts';

const serverView = (
  given: Parameters<ReturnType<typeof createServerView>>[0],
  options: Parameters<typeof createServerView>[0],
) => createServerView(options)(given);

const _POLICY = cachePolicy('claude-opus-5-5');
const CLEAR = 'clear_tool_uses_20250919';
const thinking = (tokens: number): Block => ({
  type: 'thinking',
  thinking: 't'.repeat(tokens),
  signature: 's',
});

const withEdits = (sent: Request, ...edits: readonly JsonObject[]): Request => ({
  ...sent,
  server: { context_management: { edits } },
});

const turns = (count: number, tokens = 1_000): Message[] => [
  user(100),
  ...Array.from({ length: count }, (_, index) => [
    message('assistant', text(20), call(`call-${index}`)),
    message('user', result(`call-${index}`, tokens)),
  ]).flat(),
];

const contents = ({ messages }: Request) =>
  messages.flatMap(({ content }) =>
    content.flatMap((block) =>
      block.type === 'tool_result' ? [String(block.content).length] : [],
    ),
  );

const CLEARED = '[tool result cleared]'.length;

describe('serverView (P3, M3)', () => {
  test('a request without server-side edits stays the same object', () => {
    const sent = request(turns(3));
    expect(serverView(sent, { sizeOf: characters })).toEqual({
      request: sent,
      appliedEdits: [],
      unsimulated: [],
    });
    expect(serverView(sent, { sizeOf: characters }).request).toBe(sent);
  });

  test.each<{ name: string; edit: JsonObject; kept: number[] }>([
    { name: 'below the default trigger', edit: {}, kept: [1_000, 1_000, 1_000, 1_000, 1_000] },
    {
      name: 'at the trigger',
      edit: { trigger: { type: 'tool_uses', value: 5 } },
      kept: [1_000, 1_000, 1_000, 1_000, 1_000],
    },
    {
      name: 'over the trigger, the newest three stay',
      edit: { trigger: { type: 'tool_uses', value: 4 } },
      kept: [CLEARED, CLEARED, 1_000, 1_000, 1_000],
    },
    {
      name: 'over a trigger in tokens',
      edit: {
        trigger: { type: 'input_tokens', value: 6_000 },
        keep: { type: 'tool_uses', value: 1 },
      },
      kept: [CLEARED, CLEARED, CLEARED, CLEARED, 1_000],
    },
    {
      name: 'not as much as it has to free',
      edit: {
        trigger: { type: 'tool_uses', value: 0 },
        clear_at_least: { type: 'input_tokens', value: 2_000 },
      },
      kept: [1_000, 1_000, 1_000, 1_000, 1_000],
    },
    {
      name: 'exactly as much as it has to free',
      edit: {
        trigger: { type: 'tool_uses', value: 0 },
        clear_at_least: { type: 'input_tokens', value: 2 * (1_000 - CLEARED) },
      },
      kept: [CLEARED, CLEARED, 1_000, 1_000, 1_000],
    },
    {
      name: 'a tool that is excluded',
      edit: { trigger: { type: 'tool_uses', value: 0 }, exclude_tools: ['grep'] },
      kept: [1_000, 1_000, 1_000, 1_000, 1_000],
    },
    {
      name: 'nothing kept',
      edit: {
        trigger: { type: 'tool_uses', value: 0 },
        keep: { type: 'tool_uses', value: 0 },
      },
      kept: [CLEARED, CLEARED, CLEARED, CLEARED, CLEARED],
    },
  ])('clear_tool_uses: $name', ({ edit, kept }) => {
    const sent = withEdits(request(turns(5)), { type: CLEAR, ...edit });
    const { request: seen, appliedEdits } = serverView(sent, { sizeOf: characters });
    expect(contents(seen)).toEqual(kept);
    const cleared = kept.filter((length) => length === CLEARED).length;
    expect(appliedEdits).toEqual(
      cleared === 0
        ? []
        : [
            {
              type: CLEAR,
              cleared_tool_uses: cleared,
              cleared_input_tokens: cleared * (1_000 - CLEARED),
            },
          ],
    );
  });

  test.each([
    { clear_tool_inputs: true, inputs: [{}, {}, { id: 'call-2' }] },
    { clear_tool_inputs: ['grep'], inputs: [{}, {}, { id: 'call-2' }] },
    {
      clear_tool_inputs: ['glob'],
      inputs: [{ id: 'call-0' }, { id: 'call-1' }, { id: 'call-2' }],
    },
  ])('clear_tool_inputs $clear_tool_inputs', ({ clear_tool_inputs, inputs }) => {
    const edit = {
      type: CLEAR,
      trigger: { type: 'tool_uses', value: 0 },
      keep: { type: 'tool_uses', value: 1 },
      clear_tool_inputs,
    };
    const { request: seen } = serverView(withEdits(request(turns(3)), edit), {
      sizeOf: characters,
    });
    const calls = seen.messages.flatMap(({ content }) =>
      content.filter(({ type }) => type === 'tool_use'),
    );
    expect(calls.map(({ input }) => input)).toEqual(inputs);
  });

  test('an id that is used again belongs to its latest use, and a second result to none', () => {
    const again = [...turns(1), ...turns(1).slice(1), message('user', result('call-0', 1_000))];
    const edit = {
      type: CLEAR,
      trigger: { type: 'tool_uses', value: 1 },
      keep: { type: 'tool_uses', value: 1 },
    };
    const { request: seen, appliedEdits } = serverView(withEdits(request(again), edit), {
      sizeOf: characters,
    });
    expect(contents(seen)).toEqual([CLEARED, 1_000, 1_000]);
    expect(appliedEdits).toMatchObject([{ cleared_tool_uses: 1 }]);
  });

  test('a message that is cleared again is the same object again', () => {
    const view = createServerView({ sizeOf: characters });
    const edit = { type: CLEAR, trigger: { type: 'tool_uses', value: 0 } };
    const history = turns(6);
    const first = view(withEdits(request(history), edit)).request;
    const second = view(withEdits(request([...history, assistant(5)]), edit)).request;
    expect(second.messages.slice(0, history.length)).toEqual(first.messages);
    second.messages.slice(0, history.length).forEach((each, index) => {
      expect(each).toBe(first.messages[index]);
    });
  });

  const talk = [
    user(10),
    message('assistant', thinking(50), text(5), call('a')),
    message('user', result('a', 5)),
    message('assistant', thinking(60), text(5)),
    user(10),
    message('assistant', thinking(70), text(5)),
    user(10),
    message('assistant', text(5)),
    user(10),
  ];
  const thoughts = ({ messages }: Request) =>
    messages.flatMap(({ content }) =>
      content.flatMap((block) =>
        block.type === 'thinking' ? [String(block.thinking).length] : [],
      ),
    );

  test.each<{ name: string; edit: JsonObject; left: number[]; turns: number }>([
    { name: 'all', edit: { keep: 'all' }, left: [50, 60, 70], turns: 0 },
    { name: 'all, as an object', edit: { keep: { type: 'all' } }, left: [50, 60, 70], turns: 0 },
    { name: "the model's default", edit: {}, left: [50, 60, 70], turns: 0 },
    {
      name: 'one turn',
      edit: { keep: { type: 'thinking_turns', value: 1 } },
      left: [70],
      turns: 1,
    },
    {
      name: 'two turns',
      edit: { keep: { type: 'thinking_turns', value: 2 } },
      left: [50, 60, 70],
      turns: 0,
    },
  ])('clear_thinking keeps $name', ({ edit, left, turns: cleared }) => {
    const type = 'clear_thinking_20251015';
    const sent = withEdits(request(talk), { type, ...edit });
    const { request: seen, appliedEdits } = serverView(sent, { sizeOf: characters });
    expect(thoughts(seen)).toEqual(left);
    expect(appliedEdits).toEqual(
      cleared === 0 ? [] : [{ type, cleared_thinking_turns: cleared, cleared_input_tokens: 110 }],
    );
  });

  test('a model that keeps the last turn only does so unless the edit says otherwise', () => {
    const sent = withEdits(request(talk), { type: 'clear_thinking_20251015' });
    const options = { sizeOf: characters, keepThinkingTurns: 1 } as const;
    expect(thoughts(serverView(sent, options).request)).toEqual([70]);
  });

  test('a marker stays on its block when blocks before it go', () => {
    const edit = { type: 'clear_thinking_20251015', keep: { type: 'thinking_turns', value: 1 } };
    const sent = withEdits(request(talk, { markers: [onBlock(1, 1), onBlock(8)] }), edit);
    const { request: seen } = serverView(sent, { sizeOf: characters });
    expect(seen.markers).toEqual([onBlock(1, 0), onBlock(8)]);
  });

  test('everything before the last compaction is not there', () => {
    const compaction: Block = { type: 'compaction', content: 'summary' };
    const failed: Block = { type: 'compaction', content: null };
    const messages = [
      user(10),
      message('assistant', text(7), compaction, text(9)),
      user(11),
      message('assistant', failed),
      user(12),
    ];
    const sent = request(messages, {
      markers: [{ at: 'system' }, onBlock(0), onBlock(1, 1), onBlock(4)],
    });
    const { request: seen } = serverView(sent, { sizeOf: characters });
    expect(seen.messages[0]?.content).toEqual([compaction, text(9)]);
    expect(seen.messages.slice(1)).toEqual(messages.slice(2));
    expect(seen.markers).toEqual([{ at: 'system' }, onBlock(0, 0), onBlock(3)]);
  });

  test('a history that lost its compaction is whole again', () => {
    const view = createServerView({ sizeOf: characters });
    const compaction = message('assistant', { type: 'compaction', content: 'summary' });
    const messages = [user(10), compaction, user(12)];
    expect(view(request(messages)).request.messages).toEqual(messages.slice(1));
    const other = request([user(10), assistant(9), user(12)]);
    expect(view(other).request).toBe(other);
  });

  test('edits that need a model are named', () => {
    const sent = withEdits(request(turns(1)), { type: 'compact_20260112' });
    expect(serverView(sent, { sizeOf: characters }).unsimulated).toEqual(['compact_20260112']);
  });
});
