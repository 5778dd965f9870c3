import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blocksOf, type MessageLike } from '../src/blocks.ts';
import { anthropicProfile, checkHistory, repairHistory, type ThinkingRule } from '../src/index.ts';
import { hasThinking } from '../src/like.ts';
import { logOf } from '../src/log.ts';
import { prefixFingerprint } from '../src/stamps.ts';
import {
  bindsPrefix,
  isAtUserTurn,
  openTurnStart,
  thinkingBlocks,
  thinkingDrops,
  withoutThinkingAt,
} from '../src/thinking.ts';
import { assistant, call, image, result, type TestMessage, thinking, user } from './build.ts';
import { createSession, thinking as loggedThinking } from './session.ts';

const from = (kind: string, message: TestMessage): TestMessage =>
  ({ ...message, origin: { kind } }) as TestMessage;
const ask = user('a');
const answer = assistant(thinking(), 'x');
const called = [assistant(thinking(), call('c'))];
const REMINDER = '<system-reminder>r</system-reminder>';
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
    ['calls that stand first', [assistant(call('c'))], 0],
    ['a person behind calls that wait', [ask, assistant(call('c')), ask], 3],
    ['a person beside the results', [ask, ...called, user(result('c'), 'b')], 3],
    ['the same in the loop', [ask, ...called, user(result('c'), 'b'), ...step], 3],
    ['a reminder beside the results', [ask, ...called, user(result('c'), REMINDER)], 1],
    ['a reply in two messages', [ask, assistant(thinking()), assistant(call('c'))], 1],
    ['a reply whose call stands first', [ask, ...called, assistant('so')], 1],
  ])('%s', (_name, messages, start) => {
    expect(openTurnStart(messages)).toBe(start);
  });

  // siblings looked for: openTurnStart, isAtUserTurn, thinkingDrops, the turns of microcompact and of the size meter
  test('M331: messages of one role that follow each other say the same joined', () => {
    const counts = { open: 0, closed: 0, spoken: 0 };
    const blocks = {
      user: fc.constantFrom('b', REMINDER, result('c'), image),
      assistant: fc.constantFrom('x', call('c'), thinking()),
    };
    const rows = fc.array(
      fc.record({
        user: fc.array(blocks.user, { minLength: 1, maxLength: 4 }),
        assistant: fc.array(blocks.assistant, { minLength: 1, maxLength: 4 }),
      }),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(rows, fc.boolean(), (all, endsWithUser) => {
        const joined = all
          .flatMap((row) => [user(...row.user), assistant(...row.assistant)])
          .slice(0, endsWithUser ? -1 : undefined);
        const parted = joined.flatMap(({ role, content }) =>
          [...(content as [])].map((block) => ({ role, content: [block] })),
        );
        const lengths = joined.map(({ content }) => content.length);
        const partedStart = (start: number): number =>
          lengths.slice(0, start).reduce((sum, length) => sum + length, 0);
        expect(isAtUserTurn(parted)).toBe(isAtUserTurn(joined));
        const start = openTurnStart(joined);
        const open = start < joined.length;
        // a joined message that starts the turn may hold more behind the words
        const behind = parted.slice(openTurnStart(parted));
        expect(behind.length > 0).toBe(open);
        const replies = (messages: readonly MessageLike[]) =>
          messages.flatMap((each) => (each.role === 'assistant' ? blocksOf(each) : []));
        expect(replies(behind)).toEqual(replies(joined.slice(start)));
        expect(parted.length - behind.length).toBeLessThanOrEqual(partedStart(start));
        counts[open ? 'open' : 'closed']++;
        if (isAtUserTurn(joined)) counts.spoken++;
      }),
    );
    process.stdout.write(`M331: ${JSON.stringify(counts)}\n`);
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
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
    ['prefix-bound', [ask, ...step], 1, 'bound'],
    ['prefix-bound', [ask, ...step], 2, []],
  ])('%s, %#', (rule, messages, changedFrom, drops) => {
    const found = thinkingDrops(messages, { rule, changedFrom });
    expect(found.kind === 'bound' ? 'bound' : found.drop).toEqual(drops);
  });

  test('a message of a person that is to follow ends the turn', () => {
    expect(thinkingDrops(open, { rule: 'prefix-bound', changedFrom: 0, turnIsOver: true })).toEqual(
      {
        kind: 'legal',
        drop: [1, 3, 5],
        bound: [],
        keep: [],
      },
    );
  });

  test.each<[ThinkingRule, number, unknown]>([
    ['prefix-bound', 0, 'bound'],
    ['prefix-bound', 2, 'bound'],
    ['prefix-bound', 4, [5]],
    ['latest-turn', 0, []],
    ['latest-turn', 4, [5]],
    ['free', 0, []],
  ])('messages that stay: %s, %i', (rule, changedFrom, drops) => {
    const alone = [ask, answer, ask, assistant(thinking()), ask, answer];
    const found = thinkingDrops(alone, { rule, changedFrom, messagesStay: true });
    expect(found.kind === 'bound' ? 'bound' : found.drop).toEqual(drops);
    expect(found.bound).toEqual(drops === 'bound' ? [3] : []);
    expect(thinkingDrops(alone, { rule, changedFrom }).kind).toBe('legal');
  });

  test('the open turn keeps all of its thinking, the first of it included', () => {
    const all = { kind: 'legal', drop: [1], bound: [], keep: [3, 5] };
    expect(thinkingDrops(open, { rule: 'latest-turn', changedFrom: 0 })).toEqual(all);
    expect(thinkingDrops(open, { rule: 'prefix-bound' })).toEqual({ ...all, drop: [] });
    const spare = { rule: 'latest-turn', changedFrom: 0, closedTurns: 'drop' } as const;
    expect(thinkingDrops(open, spare)).toEqual(all);
  });

  test('bindsPrefix: thinking alone, by one rule alone', () => {
    for (const rule of ['free', 'latest-turn', 'prefix-bound'] as const) {
      expect([bindsPrefix(answer, rule), bindsPrefix(ask, rule)]).toEqual([
        rule === 'prefix-bound',
        false,
      ]);
    }
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
            bound: [],
            keep: [],
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
          for (const index of found.keep) expect(index).toBeGreaterThanOrEqual(start);
          const spare = { rule: 'latest-turn', changedFrom, closedTurns: 'keep' } as const;
          expect(thinkingDrops(messages, spare)).toEqual({ ...found, drop: [] });
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
          const thinks = (index: number) => hasThinking(messages[index] as TestMessage);
          const behind = [...messages.keys()].filter(
            (index) => index >= changedFrom && thinks(index),
          );
          expect(found.drop).toEqual(behind);
          const start = openTurnStart(messages);
          expect(found.bound).toEqual(behind.filter((index) => index >= start));
          expect(found.kind).toBe(found.bound.length > 0 ? 'bound' : 'legal');
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
      bound: [],
      keep: [],
    });
    const repaired = repairHistory(messages, { profile, fingerprintAt });
    expect(
      checkHistory(repaired.messages, profile, { fingerprintAt: fingerprints(repaired.messages) }),
    ).toEqual([]);
  });

  test('thinking goes from the first on that is stale, or behind which something changed', () => {
    const [first, other] = [replyTo([ask]), replyTo([user('b')])];
    const dropsOf = (messages: readonly unknown[], changedFrom?: number) =>
      thinkingDrops(messages as MessageLike[], {
        rule: 'prefix-bound',
        changedFrom,
        fingerprintAt: fingerprints(messages as MessageLike[]),
      }).drop;
    const two = (second: unknown) => [ask, first, user('c'), second];
    const sound = two(replyTo([ask, first, user('c')] as MessageLike[]));
    expect(dropsOf(sound)).toEqual([]);
    expect([0, 1, 2, 3, 4].map((from) => dropsOf(sound, from))).toEqual([
      [1, 3],
      [1, 3],
      [3],
      [3],
      [],
    ]);
    expect(dropsOf([ask, other])).toEqual([1]);
    expect(dropsOf(two(other))).toEqual([3]);
    expect([1, 2, 3, 4].map((from) => dropsOf(two(other), from))).toEqual([[1, 3], [3], [3], [3]]);
    expect(dropsOf([other, ask, answer])).toEqual([0, 2]);
    expect(dropsOf([ask, answer])).toEqual([]);
  });

  test('without fingerprints the stamps of replies by the same model are believed', () => {
    const messages = [ask, replyTo([user('b')])] as MessageLike[];
    const isSameModel = () => true;
    expect(thinkingDrops(messages, { rule: 'prefix-bound', isSameModel }).drop).toEqual([]);
  });

  test('the check names the block, and takes replies without a stamp as they are', () => {
    const messages = [ask, replyTo([user('b')]), user('c'), answer] as MessageLike[];
    const found = checkHistory(messages, profile, { fingerprintAt: fingerprints(messages) });
    expect(found).toMatchObject([{ code: 'stale-thinking', messageIndex: 1, blockIndex: 0 }]);
    const thoughtBehind = [
      ask,
      { ...assistant('x', thinking(), 'y'), response: replyTo([user('b')]).response },
    ] as MessageLike[];
    expect(
      checkHistory(thoughtBehind, profile, { fingerprintAt: fingerprints(thoughtBehind) }),
    ).toMatchObject([{ code: 'stale-thinking', messageIndex: 1, blockIndex: 1 }]);
  });

  test('several messages of one reply belong where the first does', () => {
    const sent = [ask];
    const first = replyTo(sent);
    const messages = [...sent, first, { ...replyTo(sent) }, user('b')] as MessageLike[];
    expect(checkHistory(messages, profile, { fingerprintAt: fingerprints(messages) })).toEqual([]);
  });
});

describe('M333: replies without a stamp are judged by the model that wrote them', () => {
  const wrote = (model: string, ...blocks: Parameters<typeof assistant>) =>
    ({
      ...assistant(...blocks),
      response: { id: 'r', model, stopReason: 'end_turn' },
    }) as TestMessage;
  const isSameModel = (model: string) => model === 'ours';
  const reply = fc.constantFrom(
    wrote('ours', thinking(), 'x'),
    wrote('theirs', thinking(), 'x'),
    wrote('theirs', 'x'),
    assistant(thinking(), 'x'),
  );

  test('law: prefix-bound drops from the first thinking of another model on, other rules nothing', () => {
    let dropped = 0;
    fc.assert(
      fc.property(fc.array(reply, { maxLength: 8 }), (replies) => {
        const messages = replies.flatMap((each) => [ask, each]);
        const thinks = (message: TestMessage) => hasThinking(message);
        const first = messages.findIndex(
          (each) =>
            thinks(each) && (each as { response?: { model: string } }).response?.model === 'theirs',
        );
        const behind = [...messages.keys()].filter(
          (index) => first >= 0 && index >= first && thinks(messages[index] as TestMessage),
        );
        const dropsOf = (rule: ThinkingRule) => thinkingDrops(messages, { rule, isSameModel }).drop;
        expect(dropsOf('prefix-bound')).toEqual(behind);
        expect([dropsOf('latest-turn'), dropsOf('free')]).toEqual([[], []]);
        expect(thinkingDrops(messages, { rule: 'prefix-bound' }).drop).toEqual([]);
        dropped += behind.length;
      }),
    );
    process.stdout.write(`another model: ${dropped} messages lost their thinking\n`);
    expect(dropped).toBeGreaterThan(0);
  });
});

describe('withoutThinkingAt', () => {
  test('takes the thinking of the named messages, and those that hold nothing else', () => {
    const messages = [ask, answer, ask, assistant(thinking()), ask, answer];
    expect(withoutThinkingAt(messages, [])).toBe(messages);
    const left = withoutThinkingAt(messages, [1, 3]);
    expect(left).toEqual([ask, assistant('x'), ask, ask, answer]);
    expect(left.at(-1)).toBe(answer);
  });

  test('a message that holds no thinking stays the same one, an empty one too', () => {
    const messages = [ask, assistant()];
    const left = withoutThinkingAt(messages, [0, 1]);
    expect(left).toEqual(messages);
    expect(left[0]).toBe(ask);
  });
});

describe('thinkingBlocks', () => {
  test('names the blocks as they were logged, and none where a message would be empty', () => {
    const log = createSession();
    log.user('u', 'hi');
    log.assistant('a', 'first', loggedThinking, 'x', loggedThinking);
    log.user('v', 'hi');
    log.assistant('b', loggedThinking);
    log.clear(['a', 0, null]);
    const { logged } = logOf(log.view());
    const { messages } = log.view();
    const blocks = thinkingBlocks(messages, [1], logged);
    expect(blocks).toEqual([
      { messageId: 'a', index: 1, block: null },
      { messageId: 'a', index: 3, block: null },
    ]);
    expect(thinkingBlocks(messages, [1, 3], logged)).toBeUndefined();
    log.edit({ kind: 'replace-content', blocks: blocks ?? [] });
    expect(
      thinkingDrops(log.view().messages, { rule: 'prefix-bound', changedFrom: 0 }).drop,
    ).toEqual([3]);
  });
});
