import { describe, expect, expectTypeOf, test } from 'vitest';
import { canCarryMarker } from '../src/blocks.ts';
import { anthropicProfile, checkRequest, type Marker, type Request } from '../src/index.ts';
import { assistant, call, image, result, system, text, thinking, user } from './build.ts';
import { chat, free } from './profiles.ts';

type RequestLike = Parameters<typeof checkRequest>[0];

const hi = user('hi');
const head = {
  system: [{ type: 'text', text: 'You are careful.' }],
  tools: [{ name: 'read', input_schema: { type: 'object' } }],
  params: {},
} as const;

const EPHEMERAL = { type: 'ephemeral' };
const CLEAR = { type: 'clear_thinking_20251015', keep: 'all' };
const TOOL_USES = { type: 'clear_tool_uses_20250919' };

const broken = (request: Partial<RequestLike>, profile = free) =>
  checkRequest({ messages: [hi], maxOutputTokens: 1, ...request }, profile).map(
    ({ code, messageIndex, blockIndex }) =>
      [code, [messageIndex, blockIndex].filter((part) => part !== undefined).join('.')]
        .filter(Boolean)
        .join('@'),
  );

const at = (messageIndex: number, blockIndex = 0, ttl?: '5m' | '1h'): Marker => ({
  at: 'message',
  messageIndex,
  blockIndex,
  ...(ttl && { ttl }),
});

describe('checkRequest', () => {
  test.each<[string, Partial<RequestLike>, string[]]>([
    ['a user message', {}, []],
    ['results at the end', { messages: [hi, assistant(call('a')), user(result('a'))] }, []],
    ['a system message behind the user’s', { messages: [hi, system('s')] }, []],
    ['a head', { head }, []],
    [
      'case 48: more blocks with cache_control than a request may carry, with its markers',
      {
        head: { ...head, system: [{ ...head.system[0], cache_control: EPHEMERAL }] },
        messages: [
          user({ ...text('a'), cache_control: EPHEMERAL }),
          assistant(call('a')),
          user(
            result('a', [{ ...text('b'), cache_control: EPHEMERAL }], { cache_control: EPHEMERAL }),
          ),
        ],
        markers: [at(0), at(1)],
      },
      ['too-many-markers'],
    ],
    [
      'as many as it may carry, where a marker stands on one of them',
      {
        head: { ...head, system: [{ ...head.system[0], cache_control: EPHEMERAL }] },
        messages: [user({ ...text('a'), cache_control: EPHEMERAL }, text('b'), text('c'))],
        markers: [{ at: 'system' }, at(0), at(0, 1), at(0, 2)],
      },
      [],
    ],
    [
      'blocks of a type that the provider does not know, in results too',
      {
        messages: [
          user({ type: 'weird', x: 1 }),
          assistant(call('a')),
          user(result('a', [{ type: 'weird' }])),
        ],
      },
      ['unknown-block@0.0', 'unknown-block@2.0'],
    ],
    [
      'blocks that a provider wrote stay as they are',
      {
        messages: [
          hi,
          assistant({ type: 'weird' }, { type: 'server_tool_use', id: 's', name: 'x', input: {} }),
          user({ type: 'web_search_tool_result', tool_use_id: 's', content: [] }),
        ],
      },
      [],
    ],
    [
      'a tool without a schema',
      { head: { ...head, tools: [{ name: 'a' }] } },
      ['malformed-tool@0'],
    ],
    [
      'a tool of the provider without one',
      { head: { ...head, tools: [{ name: 'a', type: 'web_search_20250305' }] } },
      [],
    ],
    [
      'data that is no base64',
      {
        messages: [
          user({
            type: 'image',
            source: { type: 'base64', media_type: 'image/png', data: '!!!not base64' },
          }),
        ],
      },
      ['malformed-media@0.0'],
    ],
    ['no messages', { messages: [] }, ['no-messages']],
    ['an assistant message at the end', { messages: [hi, assistant('x')] }, ['last-not-user@1']],
    ['open calls', { messages: [hi, assistant(call('a'))] }, ['last-not-user@1', 'open-round@1.0']],
    ['no room for output', { maxOutputTokens: 0 }, ['max-output-tokens']],
    ['less than no room', { maxOutputTokens: -1 }, ['max-output-tokens']],
    ['half a token', { maxOutputTokens: 0.5 }, ['max-output-tokens']],
    ['NaN tokens', { maxOutputTokens: Number.NaN }, ['max-output-tokens']],
    [
      'a blank system block',
      { head: { ...head, system: [{ type: 'text', text: ' ' }] } },
      ['empty-system-text@0'],
    ],
    [
      'half a surrogate in the head',
      {
        head: {
          ...head,
          system: [{ type: 'text', text: '\ud83d' }],
          tools: [{ name: 'x', description: '\ud83d', input_schema: { type: 'object' } }],
        },
      },
      ['half-surrogate@0', 'half-surrogate@0'],
    ],
    [
      'tools without or with shared names',
      { head: { ...head, tools: ['', 'x', 'x'].map((name) => ({ ...head.tools[0], name })) } },
      ['malformed-tool@0', 'duplicate-tool@2'],
    ],
    [
      'M334: tools whose names or schemas no provider takes',
      {
        head: {
          ...head,
          tools: [
            { name: 'desk.ask' },
            { name: 'a'.repeat(129) },
            { name: 'a b' },
            { name: 'é' },
            { name: 'b', inputSchema: { type: 'object' } },
            { name: 'c', parameters: { type: 'object' } },
            { name: 'd', input_schema: '{}' },
            { name: 'e', input_schema: null },
            { name: 'f', input_schema: [] },
            { name: 'g', type: 'custom', parameters: {} },
          ],
        },
      },
      Array.from({ length: 10 }, (_, index) => `malformed-tool@${index}`),
    ],
    [
      'M334: schemas that are of no object, and tools without a name that no provider defines',
      {
        head: {
          ...head,
          tools: [
            { name: 'a', input_schema: { type: 'string' } },
            { name: 'b', input_schema: { type: ['object', 'null'] } },
            { input_schema: { type: 'object' } },
            { type: 'custom' },
            { type: 'function', function: { name: 'x' } },
            { type: '' },
            { type: 'mcp_toolset', name: '' },
          ],
        },
      },
      Array.from({ length: 7 }, (_, index) => `malformed-tool@${index}`),
    ],
    [
      'M334: tools of the provider without a name, two of a kind too',
      {
        head: {
          ...head,
          tools: [
            { type: 'mcp_toolset', mcp_server_name: 'a' },
            { type: 'mcp_toolset', mcp_server_name: 'b' },
            { type: 'web_search' },
          ],
        },
      },
      [],
    ],
    [
      'M334: tools that a provider defines, or whose schema is an object',
      {
        head: {
          ...head,
          tools: [
            { name: 'bash', type: 'bash_20250124' },
            { name: 'x', type: 'function', parameters: {} },
            { name: 'a'.repeat(128), input_schema: {} },
            { name: 'mcp__a-b__C_9', input_schema: { type: 'object' }, parameters: 'x' },
            { name: 'y', type: 'custom', input_schema: {} },
          ],
        },
      },
      [],
    ],
    [
      'a thinking budget over the output',
      {
        maxOutputTokens: 1024,
        head: { ...head, params: { thinking: { type: 'enabled', budget_tokens: 1024 } } },
      },
      ['thinking-budget'],
    ],
    [
      'a thinking budget below the output',
      {
        maxOutputTokens: 1025,
        head: { ...head, params: { thinking: { type: 'enabled', budget_tokens: 1024 } } },
      },
      [],
    ],
    [
      'K305: a budget that is too small, or none',
      {
        maxOutputTokens: 4_000,
        head: { ...head, params: { thinking: { type: 'enabled', budget_tokens: 500 } } },
      },
      ['thinking-budget'],
    ],
    [
      'K305: thinking that is switched on without a budget',
      { maxOutputTokens: 4_000, head: { ...head, params: { thinking: { type: 'enabled' } } } },
      ['thinking-budget'],
    ],
    ...[{ temperature: 0.5 }, { top_k: 5 }, { top_p: 0.5 }].map(
      (sampling): [string, Partial<RequestLike>, string[]] => [
        `K305: ${Object.keys(sampling)[0]} beside thinking`,
        { head: { ...head, params: { thinking: { type: 'adaptive' }, ...sampling } } },
        ['thinking-sampling'],
      ],
    ),
    [
      'K305: sampling that thinking takes, and any without thinking',
      {
        head: {
          ...head,
          params: { thinking: { type: 'adaptive' }, temperature: 1, top_p: 0.99, top_k: null },
        },
      },
      [],
    ],
    [
      'K305: sampling without thinking',
      { head: { ...head, params: { thinking: { type: 'disabled' }, temperature: 0.5, top_k: 5 } } },
      [],
    ],
    ...[
      { thinking: undefined, edits: [CLEAR], fault: true },
      { thinking: { type: 'disabled' }, edits: [CLEAR], fault: true },
      { thinking: { type: 'adaptive' }, edits: [CLEAR, TOOL_USES], fault: false },
      { thinking: { type: 'adaptive' }, edits: [TOOL_USES, CLEAR], fault: true },
      { thinking: undefined, edits: [TOOL_USES], fault: false },
      { thinking: undefined, edits: [CLEAR], fault: false, model: 'claude-opus-5-5' },
      { thinking: undefined, edits: [CLEAR], fault: true, model: 'claude-opus-4-8' },
    ].flatMap(({ thinking: config, edits, fault, model = '' }) => {
      const context_management = { edits };
      const name = `K305: ${model} ${JSON.stringify(config)} and ${edits.map(({ type }) => type)}`;
      const params = { ...(config && { thinking: config }) };
      const expected = fault ? ['context-edits'] : [];
      return [
        [name, { head: { ...head, model, params: { ...params, context_management } } }, expected],
        [
          `${name}, of live edits`,
          { head: { ...head, model, params }, server: { context_management } },
          expected,
        ],
      ] as [string, Partial<RequestLike>, string[]][];
    }),
  ])('%s', (_name, request, expected) => {
    expect(broken(request)).toEqual(expected);
  });

  test('looks past system messages for somebody to answer', () => {
    const messages = [hi, assistant('x'), system('s')];
    expect(broken({ messages }, chat)).toEqual(['last-not-user@1']);
  });

  test('lets a model that continues its own words end with an assistant message', () => {
    const profile = anthropicProfile({ thinking: 'free', prefill: true });
    expect(broken({ messages: [hi, assistant('x')] }, profile)).toEqual([]);
  });

  test('holds thinking and tool choice to what the model takes', () => {
    const profile = anthropicProfile({
      thinking: 'free',
      thinkingTypes: ['adaptive'],
      forcedToolChoice: false,
    });
    const params = { thinking: { type: 'disabled' }, tool_choice: { type: 'any' } };
    expect(broken({ head: { ...head, params } }, profile)).toEqual([
      'thinking-config',
      'tool-choice',
    ]);
    expect(broken({ head: { ...head, params } })).toEqual([]);
    const fine = { thinking: { type: 'adaptive' }, tool_choice: { type: 'auto' } };
    expect(broken({ head: { ...head, params: fine } }, profile)).toEqual([]);
  });

  test('takes a Request', () => {
    expectTypeOf<Request>().toExtend<RequestLike>();
  });
});

describe('checkRequest on size', () => {
  const megabyte = 'x'.repeat(2 ** 20);
  const pdf = {
    type: 'document',
    source: { type: 'base64', media_type: 'application/pdf', data: megabyte.repeat(7) },
  };

  test('case 53: five documents of 7 MB are too large together, whatever their tokens', () => {
    const turns = (count: number) =>
      Array.from({ length: count }, () => [user(pdf), assistant('read')]).flat();
    expect(broken({ messages: [...turns(4), hi] })).toEqual([]);
    expect(broken({ messages: [...turns(5), hi] })).toEqual(['request-too-large']);
    expect(broken({ messages: [...turns(5), hi] }, chat)).toEqual([]);
  });

  test.each([
    [600, []],
    [601, ['too-many-media']],
  ])('%d images, in messages and in results', (count, expected) => {
    const images = new Array(count - 1).fill(image);
    const messages = [user(...images), assistant(call('a')), user(result('a', [image]))];
    expect(broken({ messages })).toEqual(expected);
    const small = anthropicProfile({ thinking: 'free', maxMedia: 100 });
    expect(broken({ messages }, small)).toEqual(['too-many-media']);
  });
});

describe('checkRequest on cache markers', () => {
  const messages = [user('a', 'b', 'c', 'd', ''), assistant(thinking(), 'x'), hi];

  test.each<[string, readonly Marker[], string[]]>([
    ['none', [], []],
    ['four', [{ at: 'tools' }, { at: 'system' }, at(0), at(2)], []],
    ['five', [{ at: 'tools' }, { at: 'system' }, at(0), at(0, 1), at(2)], ['too-many-markers']],
    ['on thinking', [at(1)], ['marker-target@1.0']],
    ['on empty text', [at(0, 4)], ['marker-target@0.4']],
    ['behind the last block', [at(2, 1)], ['marker-target@2.1']],
    ['behind the last message', [at(3)], ['marker-target@3.0']],
    ['inside of the system prompt', [{ at: 'system' }, { at: 'system', blockIndex: 0 }], []],
    ['behind the system prompt', [{ at: 'system', blockIndex: 9 }], ['marker-target']],
    ['behind the tools', [{ at: 'tools', blockIndex: 9 }], ['marker-target']],
    ['twice in one place', [at(2), at(0), at(2)], ['duplicate-marker@2.0']],
    ['1h before 5m, listed the other way round', [at(2, 0, '5m'), at(0, 0, '1h')], []],
    ['5m before 1h', [at(0), at(2, 0, '1h')], ['marker-order@2.0']],
    [
      '5m on the tools, 1h on the system',
      [{ at: 'system', ttl: '1h' }, { at: 'tools' }],
      ['marker-order'],
    ],
  ])('%s', (_name, markers, expected) => {
    const allowed = ['empty-text@0.4'];
    const codes = broken({ messages, head, markers }).filter((each) => !allowed.includes(each));
    expect(codes).toEqual(expected);
  });

  test('has nowhere to stand in a request without a head', () => {
    expect(broken({ markers: [{ at: 'tools' }, { at: 'system' }] })).toEqual([
      'marker-target',
      'marker-target',
    ]);
    expect(broken({ head: { ...head, tools: [] }, markers: [{ at: 'tools' }] })).toEqual([
      'marker-target',
    ]);
  });

  test('has no limit and no order where the provider ignores surplus ones', () => {
    const markers = [at(0), at(0, 1), at(0, 2), at(0, 3), at(2, 0, '1h')];
    expect(broken({ messages, markers }, chat)).toEqual([]);
  });

  test('case 48: a marker stands on any block but thinking and blank text', () => {
    const carries = [text('x'), image, call('a'), result('a'), { type: 'odd' }];
    const refuses = [text(''), text(' \n'), thinking(), { type: 'redacted_thinking' }, undefined];
    expect(carries.map(canCarryMarker)).toEqual(carries.map(() => true));
    expect(refuses.map(canCarryMarker)).toEqual(refuses.map(() => false));
  });
});
