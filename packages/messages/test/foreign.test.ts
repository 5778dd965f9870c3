import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as convert from '../src/convert.ts';
import { refuseForeign } from '../src/foreign.ts';
import { anthropicProfile, checkHistory, MessagesError } from '../src/index.ts';
import { messageHistory } from '../src/testing.ts';
import { assistant, call, image, result, system, thinking, user } from './build.ts';

class HumanMessage {
  readonly content = 'hi';
  _getType(): string {
    return 'human';
  }
}

const ROWS: [string, unknown, string][] = [
  ...['json', 'content', 'error-text', 'error-json', 'text'].map(
    (type): [string, unknown, string] => [
      `AI SDK, a tool output of ${type} in a list`,
      { role: 'user', content: [{ type, value: [] }] },
      'fromAISDK',
    ],
  ),
  ['ShareGPT', { from: 'human', value: 'x' }, 'ShareGPT'],
  ['AutoGen', { source: 'user', type: 'TextMessage', content: 'x' }, 'AutoGen'],
  ['AutoGen, without a type', { source: 'user', content: 'x' }, 'AutoGen'],
  ['a prompt of MCP', { role: 'user', content: { type: 'text', text: 'x' } }, 'MCP'],
  ['a pair', ['human', 'x'], 'LangChain'],
  ...['human', 'ai', 'USER', 'Assistant', 'bot', ''].map((role): [string, unknown, string] => [
    `the role ${role}`,
    { role, content: 'x' },
    `\`${role}\``,
  ]),
  ['no role', { content: 'x' }, 'without a `role`'],
  ['an author', { author: 'user', content: 'x' }, '`author`'],
  ['a sender', { sender: 'user', text: 'x' }, '`sender`'],
  ['a role that is a number', { role: 5, content: 'x' }, 'no text'],
  ['AI SDK, a tool output alone', { type: 'json', value: {} }, 'fromAISDK'],
  [
    'OpenAI chat, a call among blocks',
    {
      role: 'assistant',
      content: [{ type: 'function', id: 'c', function: { name: 'x', arguments: '{}' } }],
    },
    'fromOpenAIChat',
  ],
  [
    'OpenAI chat, content null',
    { role: 'assistant', content: null, tool_calls: [] },
    'fromOpenAIChat',
  ],
  ['OpenAI chat, content null alone', { role: 'assistant', content: null }, 'fromOpenAIChat'],
  [
    'OpenAI chat, calls beside text',
    { role: 'assistant', content: 'x', tool_calls: [] },
    'fromOpenAIChat',
  ],
  [
    'OpenAI chat, a tool message',
    { role: 'tool', tool_call_id: 'c', content: 'x' },
    'fromOpenAIChat',
  ],
  ['OpenAI chat, a developer message', { role: 'developer', content: 'x' }, 'fromOpenAIChat'],
  [
    'OpenAI chat, an image',
    { role: 'user', content: [{ type: 'image_url', image_url: {} }] },
    'fromOpenAIChat',
  ],
  [
    'OpenAI Responses, a call',
    { type: 'function_call', call_id: 'c', name: 'x', arguments: '{}' },
    'fromOpenAIResponses',
  ],
  [
    'OpenAI Responses, an output',
    { type: 'function_call_output', call_id: 'c', output: '' },
    'fromOpenAIResponses',
  ],
  [
    'OpenAI Responses, a message',
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'x' }] },
    'fromOpenAIResponses',
  ],
  ['OpenAI Responses, reasoning', { type: 'reasoning', summary: [] }, 'fromOpenAIResponses'],
  [
    'AI SDK, a call',
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'x' },
        { type: 'tool-call', toolCallId: 'c', toolName: 'x', input: {} },
      ],
    },
    'fromAISDK',
  ],
  [
    'AI SDK, a result',
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'x', output: {} }],
    },
    'fromAISDK',
  ],
  [
    'AI SDK, reasoning',
    { role: 'assistant', content: [{ type: 'reasoning', text: 'x' }] },
    'fromAISDK',
  ],
  [
    'AI SDK, a file',
    { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: 'x' }] },
    'fromAISDK',
  ],
  [
    'AI SDK, a UI message',
    { id: 'x', role: 'user', parts: [{ type: 'text', text: 'x' }] },
    'convertToModelMessages',
  ],
  ['LangChain', new HumanMessage(), 'LangChain'],
  [
    'LangChain as JSON',
    { lc: 1, type: 'constructor', id: [], kwargs: { content: 'x' } },
    'LangChain',
  ],
  ['Gemini', { role: 'model', parts: [{ text: 'x' }] }, 'Gemini'],
  [
    'Bedrock Converse',
    { role: 'assistant', content: [{ toolUse: { toolUseId: 'c' } }] },
    'Converse',
  ],
  ['Bedrock Converse, plain text', { role: 'user', content: [{ text: 'x' }] }, 'Converse'],
  [
    'Bedrock Converse, an image',
    { role: 'user', content: [{ image: { format: 'png', source: {} } }] },
    'Converse',
  ],
  ['Gemini without a role', { parts: [{ text: 'x' }] }, 'Gemini'],
  [
    'Gemini parts as content',
    { role: 'user', content: [{ functionResponse: { name: 'x', response: {} } }] },
    'Gemini',
  ],
  [
    'AI SDK 3',
    { role: 'assistant', content: '', toolInvocations: [{ state: 'result', toolCallId: 'c' }] },
    'UIMessage',
  ],
  [
    'AI SDK 4, a UI message',
    { id: 'x', role: 'user', content: 'x', parts: [{ type: 'text', text: 'x' }] },
    'UIMessage',
  ],
  ['AI SDK 4, without parts', { role: 'user', content: 'x', parts: [] }, 'UIMessage'],
  ['calls in camel case', { role: 'assistant', content: '', toolCalls: [] }, '`toolCalls`'],
  ['a result in camel case', { role: 'tool', toolCallId: 'c', content: 'x' }, '`toolCalls`'],
  ['LangChain, stored', { type: 'human', data: { content: 'x' } }, 'LangChain'],
  [
    'LangChain, dumped',
    { type: 'ai', content: 'x', tool_calls: [], additional_kwargs: {} },
    'LangChain',
  ],
  ...[
    'shell_call',
    'shell_call_output',
    'apply_patch_call',
    'image_generation_call',
    'code_interpreter_call',
    'mcp_call',
    'mcp_list_tools',
    'mcp_approval_request',
    'tool_search_output',
    'item_reference',
  ].map((type): [string, unknown, string] => [
    `OpenAI Responses, ${type}`,
    { type, id: 'x' },
    'fromOpenAIResponses',
  ]),
  ...[
    { type: 'function_call', callId: 'c', name: 'x', arguments: '{}' },
    { type: 'function_call_result', callId: 'c', output: 'x' },
    { type: 'message_output_item', rawItem: {} },
    { type: 'tool_call_output_item', raw_item: {} },
  ].map((item): [string, unknown, string] => [`Agents SDK, ${item.type}`, item, 'Agents SDK']),
  [
    'a line of Claude Code',
    { type: 'user', uuid: 'x', message: { role: 'user', content: 'x' } },
    'importFile',
  ],
];

describe('N341: foreign messages are refused by name', () => {
  test.each(ROWS)('%s', (_name, message, names) => {
    let thrown: unknown;
    try {
      refuseForeign([user('hi'), message]);
    } catch (error) {
      thrown = error;
    }
    if (!MessagesError.is(thrown)) throw new Error('not refused');
    expect(thrown.code).toBe('foreign-messages');
    expect(thrown.message).toContain('Message 1 is');
    expect(thrown.message).toContain(names);
    expect(() => refuseForeign([message])).toThrow();
    const named = [...thrown.message.matchAll(/`((?:from|to)[A-Z]\w*)`/g)].map(([, name]) => name);
    expect(Object.keys(convert)).toEqual(expect.arrayContaining(named));
    expect(named).toHaveLength(thrown.message.includes('There is no converter') ? 0 : 2);
  });

  test.each(ROWS)('checkHistory reports it: %s', (_name, message) => {
    const found = checkHistory(
      [user('hi'), message as never],
      anthropicProfile({ thinking: 'free' }),
    );
    expect(Array.isArray(found)).toBe(true);
  });

  test('ours, Anthropic’s and plain texts pass', () => {
    const blocks = [
      user('hi', image),
      assistant(thinking(), call('c')),
      user(result('c', [image])),
      system('x'),
      { role: 'user', content: 'text' },
      {
        role: 'assistant',
        content: [{ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }],
      },
      { role: 'assistant', content: [{ type: 'mcp_tool_use', id: 'm', name: 'x', input: {} }] },
      { type: 'mcp_tool_use', id: 'm', name: 'x', input: {} },
      { type: 'mcp_tool_result', tool_use_id: 'm', content: [] },
      { type: 'redacted_thinking', data: 'x' },
      { role: 'assistant', content: [{ type: 'reasoning', summary: [], encrypted_content: 'x' }] },
      {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'x' }],
        stop_reason: null,
      },
    ];
    expect(() => refuseForeign(blocks)).not.toThrow();
    fc.assert(fc.property(messageHistory(), (messages) => refuseForeign(messages)));
  });
});
