import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MessageLike } from '../src/blocks.ts';
import { anthropicProfile, apiRounds, checkHistory, legalCuts } from '../src/index.ts';
import { messageHistory } from '../src/testing.ts';
import {
  assistant,
  call,
  result,
  system,
  type TestBlock,
  type TestMessage,
  user,
} from './build.ts';
import { damagedHistory, validHistory } from './damage.ts';
import { profiles } from './profiles.ts';

const hi = user('hi');
const round = (id: string) => [assistant(call(id)), user(result(id))];

describe('legalCuts', () => {
  test.each<[string, readonly TestMessage[], number[]]>([
    ['no messages', [], [0]],
    ['one message', [hi], [0, 1]],
    ['a first assistant message', [assistant('x')], [1]],
    ['a closed round', [hi, ...round('a')], [0, 3]],
    ['text after a round', [hi, ...round('a'), hi, assistant('x')], [0, 3, 5]],
    ['an open round', [hi, assistant('x'), hi, assistant(call('a'))], [0, 2]],
    ['an open round with a queued message', [hi, assistant(call('a')), hi], [0]],
    ['an open round in several messages', [hi, assistant(call('a')), assistant('x')], [0]],
    [
      'an open round in several messages behind a closed one',
      [hi, ...round('a'), assistant(call('b')), assistant('x')],
      [0],
    ],
    ['an id used again', [hi, ...round('a'), hi, ...round('a'), hi], [0, 3, 6, 7]],
    [
      'a call nobody answered, long ago',
      [hi, assistant(call('a')), hi, assistant('x'), hi],
      [0, 2, 4, 5],
    ],
  ])('%s', (_name, history, cuts) => {
    expect(legalCuts(history)).toEqual(cuts);
  });

  test('case 38: results around a note stay with their calls', () => {
    const history = [
      hi,
      assistant(call('m'), call('n')),
      user(result('n')),
      user('note'),
      user(result('m')),
      user('more'),
    ];
    expect(legalCuts(history)).toEqual([0, 5, 6]);
  });

  test('reads roles and ids only', () => {
    const untouched = {
      type: 'text',
      get text(): string {
        throw new Error('read');
      },
    } as TestBlock;
    const history = [
      user(untouched),
      assistant(untouched, call('a')),
      user(result('a'), untouched),
    ];
    expect(legalCuts(history)).toEqual([0, 3]);
    expect(apiRounds(history).length).toBe(2);
  });
});

describe('legalCuts behind a summary', () => {
  test.each<[string, readonly TestMessage[], number[]]>([
    ['no messages', [], [0]],
    ['a first assistant message', [assistant('x')], [0, 1]],
    ['a closed round', [hi, ...round('a')], [0, 1, 3]],
    ['rounds in a row', [hi, ...round('a'), ...round('a'), assistant('x')], [0, 1, 3, 5, 6]],
    [
      'a response of several messages',
      [hi, assistant('x'), assistant(call('a')), user(result('a'))],
      [0, 1, 4],
    ],
    ['an open round', [hi, assistant(call('a'))], [0, 1]],
    [
      'words between calls and results',
      [hi, assistant(call('a')), hi, user(result('a'))],
      [0, 1, 4],
    ],
    ['a system message', [hi, system('s'), assistant('x')], [0, 2, 3]],
  ])('%s', (_name, history, cuts) => {
    expect(legalCuts(history, { behindSummary: true })).toEqual(cuts);
  });
});

describe('apiRounds', () => {
  test.each<[string, readonly TestMessage[], number[]]>([
    ['no messages', [], []],
    ['messages before the first response', [hi, hi], [2]],
    ['a first assistant message', [assistant('x'), hi], [2]],
    ['rounds', [hi, ...round('a'), ...round('b'), hi, assistant('x')], [1, 2, 3, 1]],
    [
      'assistant messages in a row',
      [hi, assistant('x'), assistant(call('a')), user(result('a'))],
      [1, 3],
    ],
  ])('%s', (_name, history, lengths) => {
    expect(apiRounds(history).map((group) => group.length)).toEqual(lengths);
  });
});

describe('cut laws', () => {
  test('every legal cut of a valid history leaves both sides valid', () => {
    const histories = fc.oneof(
      { weight: 4, arbitrary: validHistory() },
      { weight: 1, arbitrary: messageHistory() },
    );
    fc.assert(
      fc.property(
        histories,
        fc.constantFrom(...profiles),
        (history: readonly MessageLike[], profile) => {
          fc.pre(checkHistory(history, profile).length === 0);
          const sides = legalCuts(history).flatMap((cut) => [
            history.slice(0, cut),
            history.slice(cut),
          ]);
          expect(sides.flatMap((side) => checkHistory(side, profile))).toEqual([]);
        },
      ),
    );
  });

  test('a user message before what any round cut keeps makes a valid history of it', () => {
    let cuts = 0;
    const profile = anthropicProfile({ thinking: 'free' });
    fc.assert(
      fc.property(validHistory(), (history) => {
        fc.pre(checkHistory(history, profile).length === 0);
        const places = legalCuts(history, { behindSummary: true });
        cuts += places.length;
        for (const cut of places) {
          const [left, right] = [history.slice(0, cut), history.slice(cut)];
          expect(checkHistory([hi, ...right], profile)).toEqual([]);
          expect(checkHistory(left, profile)).toEqual([]);
        }
        expect(places).toEqual(expect.arrayContaining([...legalCuts(history)]));
      }),
    );
    process.stdout.write(`round cuts: ${cuts} cuts, both sides valid\n`);
    expect(cuts).toBeGreaterThan(0);
  });

  test('every other cut before a user message breaks a pair', () => {
    fc.assert(
      fc.property(validHistory(), (history) => {
        const legal = new Set(legalCuts(history));
        const [profile] = profiles;
        for (const [index, { role }] of history.entries()) {
          if (legal.has(index) || role !== 'user' || !profile) continue;
          expect(checkHistory(history.slice(index), profile)).not.toEqual([]);
        }
      }),
    );
  });

  test('rounds put together are the history, and begin where an assistant turn does', () => {
    fc.assert(
      fc.property(damagedHistory(), (history) => {
        const rounds = apiRounds(history);
        expect(rounds.flat()).toEqual(history);
        expect(rounds.slice(1).every(([first]) => first?.role === 'assistant')).toBe(true);
        expect(rounds.every((group) => group.length > 0)).toBe(true);
      }),
    );
  });
});
