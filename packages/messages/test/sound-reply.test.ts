import { describe, expect, test } from 'vitest';
import type { MessageLike } from '../src/blocks.ts';
import { isPaused, soundReply, withObjectInput } from '../src/fit.ts';
import {
  anthropicProfile,
  type Block,
  checkHistory,
  openaiChatProfile,
  type ProviderProfile,
  repairHistory,
} from '../src/index.ts';

const text = (value: string): Block => ({ type: 'text', text: value });
const thought = (signature: string): Block => ({ type: 'thinking', thinking: 'Hm.', signature });
const call = (id: string, input: unknown = {}): Block =>
  ({ type: 'tool_use', id, name: 'read', input }) as Block;

const BOUND = [anthropicProfile({ thinking: 'prefix-bound' })];
const LATEST = [anthropicProfile({ thinking: 'latest-turn' })];
const CHAT = [openaiChatProfile()];
/** A server nobody knows. */
const EITHER = [anthropicProfile({ thinking: 'free' }), openaiChatProfile()];

describe('soundReply (M332, M335)', () => {
  test.each<[string, readonly ProviderProfile[], readonly Block[], readonly Block[]]>([
    ['nothing', BOUND, [], []],
    ['blank text', BOUND, [text(' \n'), call('a')], [call('a')]],
    ['only blank text', BOUND, [text('')], []],
    ['thinking at the end', BOUND, [call('a'), thought('s')], [call('a')]],
    ['only thinking', BOUND, [thought('s')], []],
    ['thinking without a signature', LATEST, [thought(''), text('x')], [text('x')]],
    [
      'the same of a server nobody knows',
      EITHER,
      [thought(''), text('x')],
      [thought(''), text('x')],
    ],
    [
      'ids that are empty or come twice',
      CHAT,
      ['', '', 'x', 'x'].map((id) => call(id)),
      ['call_1', 'call_2', 'x', 'x_1'].map((id) => call(id)),
    ],
    [
      'an id that the next free one would be',
      CHAT,
      [call('x'), call('x'), call('x_1')],
      [call('x'), call('x_2'), call('x_1')],
    ],
    [
      'ids that are no text',
      CHAT,
      [undefined, null, 5].map((id) => call(id as never)),
      ['call_1', 'call_2', 'call_3'].map((id) => call(id)),
    ],
    [
      'an input that is cut short',
      BOUND,
      [call('a', '{"path":"a')],
      [call('a', { input: '{"path":"a' })],
    ],
    [
      'an input that is JSON of an object',
      BOUND,
      [call('a', '{"path":"a"}')],
      [call('a', { path: 'a' })],
    ],
    ['an input that is a list', BOUND, [call('a', ['x'])], [call('a', { input: ['x'] })]],
    ['no input', BOUND, [call('a', null)], [call('a', { input: null })]],
    ['an input for either of two providers', EITHER, [call('a', 'x')], [call('a', { input: 'x' })]],
    [
      'an input that reads like JSON as a list',
      BOUND,
      [call('a', ['{"b":1}'])],
      [call('a', { input: ['{"b":1}'] })],
    ],
    [
      'an empty id of a call that the provider ran, with that of its result',
      BOUND,
      [
        { type: 'server_tool_use', id: '', name: 'x', input: {} } as never,
        { type: 'web_search_tool_result', tool_use_id: '', content: [] } as never,
        text('x'),
      ],
      [
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'x', input: {} } as never,
        { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] } as never,
        text('x'),
      ],
    ],
    [
      'no id of a call that the provider ran, whatever its characters are',
      BOUND,
      [{ type: 'server_tool_use', id: 'x:0', name: 'x', input: {} } as never, text('x')],
      [{ type: 'server_tool_use', id: 'x:0', name: 'x', input: {} } as never, text('x')],
    ],
    ['no other block', BOUND, [{ type: 'x', id: '' } as never], [{ type: 'x', id: '' } as never]],
    [
      'an input with `toJSON`, which is written as a text',
      BOUND,
      [call('a', new Date(0)), call('b', { toJSON: () => ({ path: 'b' }) })],
      [call('a', { input: '1970-01-01T00:00:00.000Z' }), call('b', expect.anything())],
    ],
    ['an input where any is taken', CHAT, [call('a', 'x')], [call('a', 'x')]],
  ])('mends %s', (_name, profiles, given, sound) => {
    expect(soundReply(given, profiles).content).toEqual(sound);
  });

  // Siblings looked for: what is no record, no type, an empty one, blocks of the other role, text and calls that lack their word.
  test.each<[string, unknown]>([
    ['null', null],
    ['nothing', undefined],
    ['a text', 'x'],
    ['a number', 5],
    ['a list', []],
    ['no type', {}],
    ['an empty type', { type: '' }],
    ['a type that is no text', { type: 5 }],
    ['text without its text', { type: 'text' }],
    ['a call without a name', { type: 'tool_use', id: 'b', input: {} }],
    ['a call with an empty name', { type: 'tool_use', id: 'b', name: '', input: {} }],
    ['a call whose name is no text', { type: 'tool_use', id: 'b', name: 5, input: {} }],
    ['a result', { type: 'tool_result', tool_use_id: 'a' }],
  ])('leaves out and counts what is no block of a reply: %s', (_name, block) => {
    const content = [text('x'), block as Block, call('a')];
    expect(soundReply(content, BOUND)).toEqual({
      content: [text('x'), call('a')],
      repairs: [{ reason: 'blocks', count: 1 }],
    });
    expect(soundReply([block as Block], CHAT).content).toEqual([]);
  });

  // Siblings looked for: every kind of change in front of thinking, in one reply and in that of a fork.
  test.each<[string, Block]>([
    ['blank text', text(' ')],
    ['a call with another id', call('')],
    ['a call with another input', call('b', 'cut sh')],
    ['a block without a type', { type: '' }],
    ['thinking without a signature', thought('')],
  ])('thinking behind %s goes where it is bound to what stood before it', (_name, changed) => {
    const reply = [thought('s1'), changed, thought('s2'), call('c')];
    const kept = (profiles: readonly ProviderProfile[]) =>
      soundReply(reply, profiles).content.flatMap((block) =>
        block.type === 'thinking' ? block.signature : [],
      );
    expect(kept(BOUND)).toEqual(['s1']);
    expect(kept([...BOUND, ...CHAT])).toEqual(
      changed.type === 'thinking' ? ['s1', '', 's2'] : ['s1'],
    );
    expect(kept(LATEST)).toEqual(['s1', 's2']);
  });

  test('gives back the same list where nothing changed, and counts what did', () => {
    const whole = [thought('s'), text('x'), call('a')];
    expect(soundReply(whole, BOUND)).toEqual({ content: whole, repairs: [] });
    expect(soundReply(whole, BOUND).content).toBe(whole);
    const ran = [
      { type: 'server_tool_use', id: '', name: 'x', input: {} },
      { type: 'web_search_tool_result', tool_use_id: '', content: [] },
    ];
    expect(soundReply([...(ran as never), text('x')], BOUND).repairs).toEqual([
      { reason: 'call-ids', count: 2 },
    ]);
    const broken = [call('', 'x'), call('b', [])];
    expect(soundReply(broken, BOUND).repairs).toEqual([
      { reason: 'call-inputs', count: 2 },
      { reason: 'call-ids', count: 1 },
    ]);
  });
});

// Siblings looked for: the check of a history, the check of a request, its repair, and what context and models send.
describe('M332: calls that the provider ran', () => {
  const serverCall = (type: string, input: unknown): Block =>
    ({ type, id: 'srvtoolu_1', name: 'web_search', input }) as unknown as Block;
  const inputs: readonly (readonly [unknown, unknown])[] = [
    ['{"q"', { input: '{"q"' }],
    ['{"q":1}', { q: 1 }],
    [[1], { input: [1] }],
    [null, { input: null }],
    [5, { input: 5 }],
  ];

  test.each(
    ['tool_use', 'server_tool_use', 'mcp_tool_use'].flatMap((type) =>
      inputs.map(([input, sound]) => [type, input, sound] as const),
    ),
  )('%s with the input %j', (type, input, sound) => {
    const given = serverCall(type, input);
    const expected = serverCall(type, sound);
    expect(withObjectInput(given)).toEqual(expected);
    const reply = soundReply([given, text('x')], BOUND);
    expect(reply.content).toEqual([expected, text('x')]);
    expect(reply.repairs).toEqual([{ reason: 'call-inputs', count: 1 }]);
    expect(soundReply([given, text('x')], CHAT).content).toEqual([given, text('x')]);

    const hi = { role: 'user', content: 'hi' };
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'srvtoolu_1' }] };
    const isOurs = type === 'tool_use';
    const after = isOurs ? result : hi;
    const history = [hi, { role: 'assistant', content: [given, text('x')] }, after];
    const profile = BOUND[0] as ProviderProfile;
    const broken = (messages: readonly MessageLike[]) =>
      checkHistory(messages, profile).map(({ code }) => code);
    expect(broken(history as MessageLike[])).toEqual(['malformed-call']);
    const repaired = repairHistory(history as MessageLike[], { profile });
    expect(broken(repaired.messages)).toEqual([]);
    expect(repaired.repairs.map(({ kind }) => kind)).toEqual(['wrapped-input']);
  });

  test('an id of theirs stays, which a block of its result names', () => {
    const twice = [serverCall('server_tool_use', {}), serverCall('server_tool_use', {})];
    expect(soundReply(twice, BOUND)).toEqual({ content: twice, repairs: [] });
  });
});

// Siblings looked for: text, signature and data, and the reasoning of another provider.
describe('M332: thinking that holds half a surrogate pair, which is signed as it is', () => {
  const half = '\ud83d';
  test.each<[string, unknown]>([
    ['its text', { ...thought('s'), thinking: `Hm ${half}` }],
    ['its signature', thought(`s${half}`)],
    ['its data', { type: 'redacted_thinking', data: half }],
    ['no text', { type: 'thinking', signature: 's' }],
    ['no signature', { type: 'thinking', thinking: 'Hm.' }],
    ['no data', { type: 'redacted_thinking' }],
    ['a summary', { type: 'reasoning', id: 'r', summary: [{ type: 'text', text: half }] }],
  ])('%s: it goes, and that is told', (_name, block) => {
    const other = thought('s2');
    const content = [block as Block, text('x'), other, call('a')];
    const repairs = [{ reason: 'half-thoughts', count: 1 }];
    expect(soundReply(content, LATEST)).toEqual({ content: content.slice(1), repairs });
    expect(soundReply(content, EITHER)).toEqual({ content: content.slice(1), repairs });
    // what stands behind is bound to what went
    expect(soundReply(content, BOUND)).toEqual({ content: [text('x'), call('a')], repairs });
    expect(soundReply([block as Block], LATEST)).toEqual({ content: [], repairs });
  });

  test('a whole pair stays, and thinking without words', () => {
    const content = [
      { ...thought('s'), thinking: '\ud83d\ude00' },
      { type: 'redacted_thinking', data: 'd' },
      text('x'),
    ];
    expect(soundReply(content as Block[], BOUND)).toEqual({ content, repairs: [] });
  });
});

describe('isPaused', () => {
  const ran: Block = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} } as never;
  const reply = (...content: Block[]): MessageLike => ({ role: 'assistant', content });
  test.each<[string, object, boolean]>([
    ['a pause', { ...reply(text('x')), stop_reason: 'pause_turn' }, true],
    ['a pause in its response', { ...reply(), response: { stopReason: 'pause_turn' } }, true],
    ['an end behind a call of the provider', { ...reply(ran), stop_reason: 'end_turn' }, false],
    [
      'its response before its own word',
      { ...reply(), stop_reason: 'pause_turn', response: { stopReason: 'end_turn' } },
      false,
    ],
    ['no reason, a call of the provider at its end', reply(text('x'), ran), true],
    ['no reason, a call of the provider before its end', reply(ran, text('x')), false],
    ['a reason that is no text', { ...reply(ran), stop_reason: null }, true],
    ['no reason, text', reply(text('x')), false],
    ['a call of ours', reply(call('a')), false],
    ['nothing', reply(), false],
    ['a message of the user', { ...reply(ran), role: 'user', stop_reason: 'pause_turn' }, false],
  ])('%s: %#', (_name, message, paused) => {
    expect(isPaused(message as MessageLike)).toBe(paused);
  });
});
