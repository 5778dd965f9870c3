import { describe, expect, test } from 'vitest';
import { create, post } from './support.ts';

const CHAT = '/v1/chat/completions';
const RESPONSES = '/v1/responses';
const user = (content: unknown) => ({ role: 'user', content });
const calls = { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] };
const tool = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'ok' });
const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'ok' });
const TOOLS = [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }];

function call(id: string) {
  return { id, type: 'function', function: { name: 'read', arguments: '{}' } };
}
const functionCall = (id: string) => ({
  type: 'function_call',
  call_id: id,
  name: 'read',
  arguments: '{}',
});

const chat = (fields: object) => ({ model: 'gpt-5.6-sol', messages: [user('Hi')], ...fields });
const response = (fields: object) => ({ model: 'gpt-5.6-sol', input: 'Hi', ...fields });

interface Expected {
  readonly message: RegExp;
  readonly status?: number;
  readonly code?: string;
  readonly param?: string;
}

const CHAT_REFUSED: [string, object, Expected][] = [
  ['no messages', { messages: [] }, { message: /empty array/ }],
  [
    'messages that are no list',
    { messages: 'x' },
    { message: /'messages': expected array, but got string instead/ },
  ],
  [
    'missing messages',
    { messages: undefined },
    { message: /Missing required parameter: 'messages'/ },
  ],
  [
    'an unknown field',
    { msgs: [] },
    { message: /Unknown parameter: 'msgs'/, code: 'unknown_parameter', param: 'msgs' },
  ],
  [
    'a field of a feature that is not here',
    { audio: {} },
    { message: /not supported by this emulator/ },
  ],
  ['more than one choice', { n: 2 }, { message: /'n' above 1/ }],
  [
    'an unknown model',
    { model: 'gpt-9' },
    { message: /does not exist/, status: 404, code: 'model_not_found' },
  ],
  [
    'a model of somebody else',
    { model: 'claude-opus-5' },
    { message: /does not exist/, status: 404 },
  ],
  ['a limit of nothing', { max_completion_tokens: 0 }, { message: /positive integer/ }],
  ['a limit above the model', { max_completion_tokens: 128_001 }, { message: /at most 128000/ }],
  [
    'C2 calls without results',
    { messages: [user('a'), calls] },
    { message: /must be followed by tool messages responding to each 'tool_call_id'.*: a/ },
  ],
  [
    'C2 one of two results',
    { messages: [user('a'), calls, tool('a'), user('b')] },
    { message: /did not have response messages: b/ },
  ],
  [
    'C2 something between calls and results',
    { messages: [user('a'), calls, user('b'), tool('a'), tool('b')] },
    { message: /must be followed by tool messages/ },
  ],
  [
    'C2 result without a call',
    { messages: [user('a'), tool('x')] },
    { message: /must be a response to a preceeding message/ },
  ],
  [
    'C2 tools with effort from 5.4 on',
    { tools: TOOLS, reasoning_effort: 'high' },
    { message: /Use \/v1\/responses/ },
  ],
  [
    'C1 an unknown mode',
    { prompt_cache_options: { mode: 'x' } },
    { message: /prompt_cache_options.mode/ },
  ],
  [
    'C1 an unknown lifetime',
    { prompt_cache_options: { ttl: '5m' } },
    { message: /prompt_cache_options.ttl/ },
  ],
];

const RESPONSES_REFUSED: [string, object, Expected][] = [
  ['no input', { input: [] }, { message: /'input'/ }],
  [
    'input of another type',
    { input: 5 },
    { message: /'input': expected string or array, but got number instead/ },
  ],
  ['an unknown field', { messages: [] }, { message: /Unknown parameter: 'messages'/ }],
  [
    'C2 call without its output',
    { input: [user('a'), functionCall('x')] },
    { message: /^No tool output found for function call x\.$/ },
  ],
  [
    'C2 output without its call',
    { input: [user('a'), output('x')] },
    { message: /^No tool call found for function call output with call_id x\.$/ },
  ],
  [
    'C2 reasoning without what follows',
    { input: [user('a'), { type: 'reasoning', id: 'rs_1', summary: [] }, user('b')] },
    {
      message:
        /^Item 'rs_1' of type 'reasoning' was provided without its required following item\.$/,
    },
  ],
  [
    'an unknown response before',
    { previous_response_id: 'resp_9' },
    { message: /not found/, code: 'previous_response_not_found' },
  ],
  [
    'a conversation on the server',
    { conversation: 'conv_1' },
    { message: /not supported by this emulator/ },
  ],
];

function check(
  posted: Awaited<ReturnType<typeof post>>,
  { message, status = 400, code, param }: Expected,
) {
  expect(posted.status).toBe(status);
  expect(posted.json.error.message).toMatch(message);
  expect(posted.json.error.type).toBe('invalid_request_error');
  if (code !== undefined) expect(posted.json.error.code).toBe(code);
  if (param !== undefined) expect(posted.json.error.param).toBe(param);
}

describe('POST /v1/chat/completions refuses', () => {
  test.each(CHAT_REFUSED)('%s', async (_name, fields, expected) => {
    check(await post(create(), chat(fields), { path: CHAT }), expected);
  });
});

describe('POST /v1/responses refuses', () => {
  test.each(RESPONSES_REFUSED)('%s', async (_name, fields, expected) => {
    check(await post(create(), response(fields), { path: RESPONSES }), expected);
  });
});

describe('OpenAI accepts', () => {
  test.each<[string, string, object]>([
    ['results in any order', CHAT, chat({ messages: [user('a'), calls, tool('b'), tool('a')] })],
    [
      'a conversation that ends with the assistant',
      CHAT,
      chat({ messages: [user('a'), { role: 'assistant', content: 'b' }] }),
    ],
    ['sampling parameters', CHAT, chat({ temperature: 1, top_p: 1, seed: 5 })],
    ['tools with effort none', CHAT, chat({ tools: TOOLS, reasoning_effort: 'none' })],
    [
      'tools with effort before 5.4',
      CHAT,
      chat({ model: 'gpt-5.2', tools: TOOLS, reasoning_effort: 'high' }),
    ],
    [
      "tools with effort of a model that is not OpenAI's",
      CHAT,
      chat({ model: 'gemini-3.8-flash', tools: TOOLS, reasoning_effort: 'high' }),
    ],
    [
      'developer messages',
      CHAT,
      chat({ messages: [{ role: 'developer', content: 'a' }, user('b')] }),
    ],
    [
      'call and output',
      RESPONSES,
      response({ input: [user('a'), functionCall('x'), output('x')] }),
    ],
    [
      'reasoning before its call',
      RESPONSES,
      response({
        input: [
          user('a'),
          { type: 'reasoning', id: 'rs', summary: [] },
          functionCall('x'),
          output('x'),
        ],
      }),
    ],
  ])('%s', async (_name, path, body) => {
    const { status, body: answer } = await post(create(), body, { path });
    expect({ status, answer: status === 200 ? '' : answer }).toEqual({ status: 200, answer: '' });
  });
});

describe('statuses and headers of OpenAI', () => {
  test('no key', async () => {
    const { status, json } = await post(create(), chat({}), { path: CHAT, headers: {} });
    expect([status, json.error.code]).toEqual([401, 'invalid_api_key']);
  });

  test('a prompt over the limit', async () => {
    const input = 'word '.repeat(950_000);
    const { status, json } = await post(create(), response({ input }), { path: RESPONSES });
    expect([status, json.error.code]).toEqual([400, 'context_length_exceeded']);
  });

  test('rate-limit headers', async () => {
    const { headers } = await post(create(), chat({}), { path: CHAT });
    expect(headers).toMatchObject({
      'x-request-id': 'req_emulated00000001',
      'x-ratelimit-limit-requests': '4000',
      'x-ratelimit-remaining-requests': '3999',
    });
  });
});

/** M334. Siblings looked for: both routes, the outer two of three, a blank name, ids of calls, hosted tools of one type. */
const NAMED = (name: string) => ({ type: 'function', name, parameters: { type: 'object' } });
const CHAT_TOOL = (name: string) => ({ type: 'function', function: { name } });
const ALIKE = { message: /^Two tools share a name/, param: 'tools.[1]' };
const BLANK = { message: /name/, param: 'tools.[1]' };
const SAME_IDS = { message: /id/, status: 400 };

describe('M334: what is named twice is refused on both routes', () => {
  test.each<[string, string, object, Expected]>([
    ['tools', CHAT, chat({ tools: [CHAT_TOOL('a'), CHAT_TOOL('a')] }), ALIKE],
    [
      'the outer two of three tools',
      CHAT,
      chat({ tools: [CHAT_TOOL('a'), CHAT_TOOL('b'), CHAT_TOOL('a')] }),
      { ...ALIKE, param: 'tools.[2]' },
    ],
    ['tools', RESPONSES, response({ tools: [NAMED('a'), NAMED('a')] }), ALIKE],
    ['a tool without a name', CHAT, chat({ tools: [CHAT_TOOL('a'), CHAT_TOOL('')] }), BLANK],
    ['a tool without a name', RESPONSES, response({ tools: [NAMED('a'), NAMED('')] }), BLANK],
    [
      'calls of one reply',
      CHAT,
      chat({
        messages: [
          user('a'),
          { ...calls, tool_calls: [call('a'), call('a')] },
          tool('a'),
          tool('a'),
        ],
      }),
      SAME_IDS,
    ],
    [
      'calls of one reply',
      RESPONSES,
      response({ input: [user('a'), functionCall('x'), functionCall('x'), output('x')] }),
      SAME_IDS,
    ],
  ])('%s: %s', async (_name, path, body, expected) => {
    check(await post(create(), body, { path }), expected);
  });

  test('servers of one type under labels of their own are no namesakes', async () => {
    const server = (label: string) => ({
      type: 'mcp',
      server_label: label,
      server_url: 'https://a.example',
    });
    const tools = [server('a'), server('b'), { type: 'web_search' }, NAMED('c')];
    const { status } = await post(create(), response({ tools }), { path: RESPONSES });
    expect(status).toBe(200);
    const again = await post(create(), response({ tools: [server('a'), server('a')] }), {
      path: RESPONSES,
    });
    check(again, ALIKE);
  });
});
