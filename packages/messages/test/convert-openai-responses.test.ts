import type OpenAI from 'openai';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { fromOpenAIResponses, toAnthropic, toOpenAIResponses } from '../src/convert.ts';
import { assistant, call, result, thinking, user } from './build.ts';
import { listed, png } from './conversions.ts';

type OpenAIResponsesItemLike = Parameters<typeof fromOpenAIResponses>[0][number];

describe('toOpenAIResponses', () => {
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' };

  test('writes an item for each thing the model said, and pictures in results', () => {
    const messages = [
      user('hi'),
      assistant(reasoning, 'let me', call('a', { x: 1 })),
      user(result('a', [png]), 'and?'),
    ];
    expect(toOpenAIResponses(messages)).toEqual({
      messages: [
        { role: 'user', content: 'hi' },
        reasoning,
        { role: 'assistant', content: 'let me' },
        { type: 'function_call', call_id: 'a', name: 'read', arguments: '{"x":1}' },
        {
          type: 'function_call_output',
          call_id: 'a',
          output: [
            { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,AAAA' },
          ],
        },
        { role: 'user', content: 'and?' },
      ],
      losses: [],
    });
  });

  test('says what it loses', () => {
    const messages = [
      assistant(thinking(), 'x'),
      assistant('y'),
      user(result('a', 'no', { is_error: true })),
    ];
    expect(listed(toOpenAIResponses(messages).losses)).toEqual([
      'thinking@0.0',
      'message-boundary@1',
      'result-error@2.0',
    ]);
  });

  test('names the tools that a search found: a result of nothing else would be empty', () => {
    const found = [
      { type: 'tool_reference', tool_name: 'mcp__files__read' },
      { type: 'tool_reference', tool_name: 'mcp__files__list' },
    ];
    const { messages, losses } = toOpenAIResponses([user(result('a', found))]);
    expect(JSON.stringify(messages)).toContain('Found the tool mcp__files__read.');
    expect(JSON.stringify(messages)).toContain('Found the tool mcp__files__list.');
    expect(losses.map(({ kind }) => kind)).toEqual(['block', 'block']);
  });

  test('fits the SDK', () => {
    expectTypeOf<
      ReturnType<typeof toOpenAIResponses>['messages'][number]
    >().toExtend<OpenAI.Responses.ResponseInputItem>();
    expectTypeOf<OpenAI.Responses.ResponseInputItem>().toExtend<OpenAIResponsesItemLike>();
    expectTypeOf<OpenAI.Responses.ResponseOutputItem>().toExtend<OpenAIResponsesItemLike>();
  });
});

describe('fromOpenAIResponses', () => {
  test('reads the output of a response as one message, with items of its own kind untouched', () => {
    const search = {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: { type: 'search', query: 'x' },
    };
    const items = [
      { type: 'reasoning', id: 'rs_1', summary: [] },
      search,
      {
        type: 'message',
        id: 'm',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'hm', annotations: [] }],
      },
      { type: 'function_call', id: 'fc', call_id: 'a', name: 'read', arguments: '{' },
      { type: 'function_call_output', call_id: 'a', output: 'ok' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'next' }] },
    ] as OpenAIResponsesItemLike[];
    const { messages, losses } = fromOpenAIResponses(items);
    expect(messages).toEqual([
      assistant(items[0] as never, search, 'hm', call('a', '{')),
      user(result('a'), 'next'),
    ]);
    expect(losses).toEqual([]);
    expect(messages[0]?.content[0]).toBe(items[0]);
    expect(
      toOpenAIResponses(messages).messages.map((item) => (item as OpenAIResponsesItemLike).type),
    ).toEqual([
      'reasoning',
      'web_search_call',
      undefined,
      'function_call',
      'function_call_output',
      undefined,
    ]);
  });

  test('keeps a sealed compaction apart from a readable one', () => {
    const sealed = { type: 'compaction', id: 'c', encrypted_content: 'x' };
    const readable = { type: 'compaction', content: 'summary', encrypted_content: null };
    expect(toOpenAIResponses([assistant(sealed, readable)])).toEqual({
      messages: [sealed],
      losses: [{ kind: 'block', messageIndex: 0, blockIndex: 1 }],
    });
    expect(toAnthropic([assistant(sealed, readable)])).toEqual({
      messages: [{ role: 'assistant', content: [readable] }],
      losses: [{ kind: 'block', messageIndex: 0, blockIndex: 0 }],
    });
  });
});
