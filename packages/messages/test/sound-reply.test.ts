import { describe, expect, test } from 'vitest';
import {
  anthropicProfile,
  type Block,
  openaiChatProfile,
  type ProviderProfile,
  soundReply,
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
      'no other block',
      BOUND,
      [{ type: 'server_tool_use', id: '', name: 'x', input: 'y' } as never, text('x')],
      [{ type: 'server_tool_use', id: '', name: 'x', input: 'y' } as never, text('x')],
    ],
    ['an input where any is taken', CHAT, [call('a', 'x')], [call('a', 'x')]],
  ])('mends %s', (_name, profiles, given, sound) => {
    expect(soundReply(given, profiles).content).toEqual(sound);
  });

  // Siblings looked for: every kind of change in front of thinking, in one reply and in that of a fork.
  test.each<[string, Block]>([
    ['blank text', text(' ')],
    ['a call with another id', call('')],
    ['a call with another input', call('b', 'cut sh')],
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
    const broken = [call('', 'x'), call('b', [])];
    expect(soundReply(broken, BOUND).repairs).toEqual([
      { reason: 'call-inputs', count: 2 },
      { reason: 'call-ids', count: 1 },
    ]);
  });
});
