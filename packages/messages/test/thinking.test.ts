import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  anthropicProfile,
  checkHistory,
  type MessageLike,
  openTurnStart,
  prefixFingerprint,
  repairHistory,
  type ThinkingRule,
  thinkingDrops,
  withoutThinking,
} from '../src/index.ts';
import { assistant, call, result, type TestMessage, thinking, user } from './build.ts';

const from = (kind: string, message: TestMessage): TestMessage =>
  ({ ...message, origin: { kind } }) as TestMessage;
const ask = user('a');
const answer = assistant(thinking(), 'x');
const step = [assistant(thinking(), call('c')), user(result('c'))];

describe('openTurnStart', () => {
  test.each<[string, readonly MessageLike[], number]>([
    ['no messages', [], 0],
    ['a question', [ask], 1],
    ['an answer', [ask, answer], 2],
    ['a tool loop', [ask, ...step, ...step], 1],
    ['a tool loop behind an answer', [ask, answer, ask, ...step], 3],
    ['a person who speaks in the loop', [ask, ...step, ask, ...step], 4],
    ['a person who spoke last', [ask, ...step, ask], 4],
    ['a reminder in the loop', [ask, ...step, from('reminder', user('r')), ...step], 1],
    ['a reminder behind the loop', [ask, ...step, from('reminder', user('r'))], 1],
    ['calls that wait', [ask, assistant(call('c'))], 1],
  ])('%s', (_name, messages, start) => {
    expect(openTurnStart(messages)).toBe(start);
  });
});

describe('thinkingDrops', () => {
  const closed = [ask, answer, ask, answer];
  const open = [ask, answer, ask, ...step, ...step];

  test.each<[ThinkingRule, readonly MessageLike[], number | undefined, unknown]>([
    ['free', open, 0, []],
    ['latest-turn', open, 0, [1]],
    ['latest-turn', open, 2, []],
    ['latest-turn', closed, 0, [1, 3]],
    ['prefix-bound', closed, undefined, []],
    ['prefix-bound', closed, 0, [1, 3]],
    ['prefix-bound', closed, 2, [3]],
    ['prefix-bound', closed, 4, []],
    ['prefix-bound', open, 0, 'bound'],
    ['prefix-bound', open, 5, 'bound'],
    ['prefix-bound', open, 7, []],
  ])('%s, %#', (rule, messages, changedFrom, drops) => {
    const found = thinkingDrops(messages, { rule, changedFrom });
    expect(found.kind === 'bound' ? 'bound' : found.drop).toEqual(drops);
  });

  test('a message of a person that is to follow ends the turn', () => {
    expect(thinkingDrops(open, { rule: 'prefix-bound', changedFrom: 0, turnIsOver: true })).toEqual(
      {
        kind: 'legal',
        drop: [1, 3, 5],
      },
    );
  });

  const message: fc.Arbitrary<TestMessage[]> = fc.constantFrom(
    [ask],
    [answer],
    [...step],
    [user('b'), assistant('y')],
    [from('reminder', user('r'))],
  );
  const history = fc.array(message, { maxLength: 8 }).map((parts) => parts.flat());

  describe('laws, a property per rule', () => {
    test('free: nothing goes', () => {
      fc.assert(
        fc.property(history, fc.nat(9), (messages, changedFrom) => {
          expect(thinkingDrops(messages, { rule: 'free', changedFrom })).toEqual({
            kind: 'legal',
            drop: [],
          });
        }),
      );
    });

    test('latest-turn: the open turn keeps all of its thinking, and what stands before the change as well', () => {
      let drops = 0;
      fc.assert(
        fc.property(history, fc.nat(9), (messages, changedFrom) => {
          const found = thinkingDrops(messages, { rule: 'latest-turn', changedFrom });
          if (found.kind === 'bound') throw new Error('never bound');
          drops += found.drop.length;
          const start = openTurnStart(messages);
          for (const index of found.drop) expect(index >= changedFrom && index < start).toBe(true);
        }),
      );
      process.stdout.write(`latest-turn: ${drops} messages lost their thinking\n`);
    });

    test('prefix-bound: no thinking is left behind a change, unless nothing may change now', () => {
      const counts = { legal: 0, bound: 0 };
      fc.assert(
        fc.property(history, fc.nat(9), (messages, changedFrom) => {
          const found = thinkingDrops(messages, { rule: 'prefix-bound', changedFrom });
          counts[found.kind]++;
          const thinks = (index: number) =>
            withoutThinking(messages[index] as TestMessage) !== messages[index];
          const behind = [...messages.keys()].filter(
            (index) => index >= changedFrom && thinks(index),
          );
          if (found.kind === 'legal') expect(found.drop).toEqual(behind);
          else expect(behind.some((index) => index >= openTurnStart(messages))).toBe(true);
        }),
      );
      process.stdout.write(`prefix-bound: ${counts.legal} legal, ${counts.bound} bound\n`);
      expect(Math.min(counts.legal, counts.bound)).toBeGreaterThan(0);
    });
  });
});

describe('M331: the stamp says where a reply belongs', () => {
  const profile = anthropicProfile({ thinking: 'prefix-bound' });
  const head = { id: 'h', model: 'm', system: [], tools: [], params: {} };
  const fingerprints = (messages: readonly MessageLike[]) => (count: number) =>
    prefixFingerprint({ head, messages: messages as never }, count);
  const replyTo = (messages: readonly MessageLike[], ...blocks: TestMessage['content'] & []) => {
    const fingerprint = fingerprints(messages)(messages.length);
    const request = { headId: 'h', messageCount: messages.length, fingerprint, startedAtMs: 0 };
    return {
      ...assistant(thinking(), ...blocks, 'x'),
      response: { id: 'r', model: 'm', stopReason: 'end_turn', request },
    };
  };

  test('a message of the user between request and reply makes its thinking stale', () => {
    const sent = [ask];
    const messages = [...sent, user('wait'), replyTo(sent), user('b')] as MessageLike[];
    const fingerprintAt = fingerprints(messages);
    expect(checkHistory(messages, profile, { fingerprintAt }).map(({ code }) => code)).toEqual([
      'stale-thinking',
    ]);
    expect(thinkingDrops(messages, { rule: 'prefix-bound', fingerprintAt })).toEqual({
      kind: 'legal',
      drop: [2],
    });
    const repaired = repairHistory(messages, { profile, fingerprintAt });
    expect(
      checkHistory(repaired.messages, profile, { fingerprintAt: fingerprints(repaired.messages) }),
    ).toEqual([]);
  });

  test('several messages of one reply belong where the first does', () => {
    const sent = [ask];
    const first = replyTo(sent);
    const messages = [...sent, first, { ...replyTo(sent) }, user('b')] as MessageLike[];
    expect(checkHistory(messages, profile, { fingerprintAt: fingerprints(messages) })).toEqual([]);
  });
});
