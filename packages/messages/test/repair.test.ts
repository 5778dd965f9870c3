import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import { soundReply } from '../src/fit.ts';
import { checkHistory, type Message, repairHistory } from '../src/index.ts';
import {
  assistant,
  call,
  image,
  result,
  system,
  type TestMessage,
  text,
  thinking,
  user,
} from './build.ts';
import { chat, free, prefixBound } from './profiles.ts';
import { done, repair, unknown } from './repairs.ts';

interface Row {
  readonly name: string;
  readonly before: readonly TestMessage[];
  readonly after: readonly TestMessage[];
  readonly repairs: readonly string[];
}

const rows: readonly Row[] = [
  { name: 'an empty history', before: [], after: [], repairs: [] },
  { name: 'one message', before: [user('hi')], after: [user('hi')], repairs: [] },
  {
    name: 'a result for no call',
    before: [user('hi'), assistant('ho'), user(result('x'), 'more')],
    after: [user('hi'), assistant('ho'), user('more')],
    repairs: ['dropped-result@2.0'],
  },
  {
    name: 'a second result for one call',
    before: [user('hi'), assistant(call('x')), user(result('x', 'first'), result('x', 'second'))],
    after: [user('hi'), assistant(call('x')), user(result('x', 'first'))],
    repairs: ['dropped-result@2.1'],
  },
  {
    name: 'text before the results',
    before: [user('hi'), assistant(call('x')), user('wait', result('x'))],
    after: [user('hi'), assistant(call('x')), user(result('x'), 'wait')],
    repairs: ['moved-result@2.1'],
  },
  {
    name: 'results in two messages',
    before: [user('hi'), assistant(call('x'), call('y')), user(result('x')), user(result('y'))],
    after: [user('hi'), assistant(call('x'), call('y')), user(result('x'), result('y'))],
    repairs: ['dropped-message@3', 'moved-result@3.0'],
  },
  {
    name: 'a result behind the next reply',
    before: [user('hi'), assistant(call('x')), assistant('so'), user(result('x'), 'more')],
    after: [user('hi'), assistant(call('x')), user(result('x')), assistant('so'), user('more')],
    repairs: ['moved-result@3.0'],
  },
  {
    name: 'two calls with one id',
    before: [user('hi'), assistant(call('x'), call('x')), user(result('x', '1'), result('x', '2'))],
    after: [
      user('hi'),
      assistant(call('x'), call('x-2')),
      user(result('x', '1'), result('x-2', '2')),
    ],
    repairs: ['renamed-call@1.1'],
  },
  {
    name: 'empty ids',
    before: [user('hi'), assistant(call(''), call('')), user(result('', '1'), result('', '2'))],
    after: [
      user('hi'),
      assistant(call('call-2'), call('call-3')),
      user(result('call-2', '1'), result('call-3', '2')),
    ],
    repairs: ['renamed-call@1.0', 'renamed-call@1.1'],
  },
  {
    name: 'an answered call whose input is text',
    before: [user('hi'), assistant(call('x', '{"pa')), user(result('x'))],
    after: [user('hi'), assistant(call('x', { unparsed: '{"pa' })), user(result('x'))],
    repairs: ['wrapped-input@1.0'],
  },
  {
    name: 'blocks in the wrong role',
    before: [user('hi', call('x'), thinking()), assistant('ho', image, result('y'))],
    after: [user('hi'), assistant('ho')],
    repairs: ['dropped-block@0.1', 'dropped-block@0.2', 'dropped-block@1.1', 'dropped-block@1.2'],
  },
  {
    name: 'an unknown role',
    before: [user('hi'), { role: 'tool', content: 'x' }],
    after: [user('hi')],
    repairs: ['dropped-message@1'],
  },
  {
    name: 'a reply in front',
    before: [assistant('ho'), user('hi')],
    after: [user('[The beginning of this conversation is missing.]'), assistant('ho'), user('hi')],
    repairs: ['added-placeholder@0'],
  },
  {
    name: 'a system message in front, and one before a user message',
    before: [system('one'), assistant('ho'), user('hi'), system('two'), user('more')],
    after: [user('one'), assistant('ho'), user('hi'), user('two'), user('more')],
    repairs: ['moved-text@0', 'moved-text@3'],
  },
  {
    name: 'an image in a failed result',
    before: [
      user('hi'),
      assistant(call('x')),
      user(result('x', [text('no'), image], { is_error: true })),
    ],
    after: [user('hi'), assistant(call('x')), user(result('x', [text('no')], { is_error: true }))],
    repairs: ['trimmed-result@2.0'],
  },
];

describe('repairHistory', () => {
  test.each(rows)('mends $name', ({ before, after, repairs }) => {
    expect(repair(before).messages).toEqual(after);
    expect(done(before)).toEqual(repairs);
    expect(checkHistory(after, free)).toEqual([]);
  });

  test('keeps the messages that need nothing, and the array when none does', () => {
    const history = [user('hi'), assistant(call('x')), user(result('x')), assistant(call('y'))];
    const { messages } = repair(history);
    expect(messages.slice(0, 4).every((message, index) => message === history[index])).toBe(true);
    expect(repair(messages).messages).toBe(messages);
  });

  test('keeps text content that needs nothing as it is', () => {
    const said = { role: 'user', content: 'hi' };
    expect(repair([said, assistant(call('x'))]).messages[0]).toBe(said);
  });

  test('leaves results in several messages to providers that take them so', () => {
    const history = [
      user('hi'),
      assistant(call('x'), call('y')),
      user(result('y')),
      user(result('x')),
    ];
    expect(repair(history, chat).messages).toBe(history);
  });

  test('gives added messages an id only where messages have ids', () => {
    const history: Message[] = [
      { id: 'm1', role: 'user', content: [text('hi')] },
      { id: 'm2', role: 'assistant', content: [call('x')] },
    ];
    const { messages } = repairHistory(history);
    expectTypeOf(messages).toEqualTypeOf<readonly Message[]>();
    expect(messages[2]).toEqual({
      id: 'm2-results',
      origin: { kind: 'synthetic' },
      role: 'user',
      content: [unknown('x')],
    });
  });

  test('mends text content in place', () => {
    const history = [{ role: 'user', content: 'cut \ud83d' }];
    expect(repair(history)).toEqual({
      messages: [{ role: 'user', content: 'cut \ufffd' }],
      repairs: [{ kind: 'replaced-half-surrogates', messageIndex: 0, blockIndex: 0, count: 1 }],
    });
  });

  test('drops the thinking behind the first change where it is bound to it, and only there', () => {
    const history = [
      user('hi', ''),
      assistant(thinking(), 'a'),
      user('more'),
      assistant(thinking(), 'b'),
    ];
    expect(done(history, prefixBound)).toEqual([
      'dropped-empty-text@0.1',
      'dropped-thinking@1.0',
      'dropped-thinking@3.0',
    ]);
    expect(done(history, free)).toEqual(['dropped-empty-text@0.1']);
  });

  test('keeps the thinking before the first change', () => {
    const history = [
      user('hi'),
      assistant(thinking(), 'a', ''),
      user('more'),
      assistant(thinking(), 'b'),
    ];
    expect(done(history, prefixBound)).toEqual(['dropped-empty-text@1.2', 'dropped-thinking@3.0']);
  });

  test('drops stale thinking and all behind it, and keeps what still holds', () => {
    const stamped = (fingerprint: string, messageCount: number) => ({
      ...assistant(thinking(), 'x'),
      response: { request: { fingerprint, messageCount } },
    });
    const history = [
      user('1'),
      stamped('f1', 1),
      user('2'),
      stamped('old', 3),
      user('3'),
      stamped('f5', 5),
    ];
    const fingerprintAt = (count: number) => `f${count}`;
    const { repairs } = repairHistory(history, { profile: prefixBound, fingerprintAt });
    expect(repairs).toEqual([
      { kind: 'dropped-thinking', messageIndex: 3, blockIndex: 0 },
      { kind: 'dropped-thinking', messageIndex: 5, blockIndex: 0 },
    ]);
  });
});

describe('ids that many share', () => {
  /** How often a set or a map was asked while this ran. */
  function asked(work: () => unknown): number {
    const spies = [Set, Map].map(({ prototype }) => vi.spyOn(prototype, 'has'));
    try {
      work();
      return spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  }

  const many = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => make(index));
  const histories: Readonly<Record<string, (count: number, id: string) => TestMessage[]>> = {
    'in one message': (count, id) => [
      user('go'),
      assistant(...many(count, () => call(id))),
      user(...many(count, () => result(id))),
    ],
    'across messages': (count, id) => [
      user('go'),
      ...many(count, () => [assistant(call(id), call(id)), user(result(id), result(id))]).flat(),
    ],
    'in results': (count, id) => [
      user('go'),
      assistant(call(id)),
      user(...many(count, () => result(id))),
    ],
  };

  test.each(
    Object.keys(histories).flatMap((name) =>
      ['c1', '', 'call|1', 'x'.repeat(63)].map((id) => [name, id] as const),
    ),
  )('a repair asks in step with their number, %s: %j', (name, id) => {
    const history = histories[name] as (typeof histories)[string];
    const [few, lots] = [300, 1_200].map((count) => asked(() => repair(history(count, id))));
    expect(lots).toBeLessThan((few as number) * 5);
    expect(checkHistory(repair(history(300, id)).messages, free)).toEqual([]);
  });

  test('a reply is made sound in step with their number', () => {
    const reply = (count: number) => many(count, () => call('c1'));
    const [few, lots] = [300, 1_200].map((count) => asked(() => soundReply(reply(count), [free])));
    expect(lots).toBeLessThan((few as number) * 5);
  });
});
