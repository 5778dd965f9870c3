import { describe, expect, test } from 'vitest';
import { checkHistory } from '../src/index.ts';
import { assistant, call, result, text, thinking, user } from './build.ts';
import { free, prefixBound, responses } from './profiles.ts';
import { done, repair, unknown } from './repairs.ts';

describe('repairHistory on reported faults', () => {
  test('case 36: a cut between call and result leaves neither orphans nor open calls', () => {
    const whole = [
      user('hi'),
      assistant(call('x'), call('y')),
      user(result('x'), result('y')),
      assistant('ok'),
    ];
    for (let cut = 0; cut <= whole.length; cut++) {
      for (const side of [whole.slice(0, cut), whole.slice(cut)]) {
        expect(checkHistory(repair(side).messages, free)).toEqual([]);
      }
    }
  });

  test('case 38: results out of order and around a note find their calls', () => {
    const history = [
      user('hi'),
      assistant(call('m'), call('n')),
      user(result('n', 'of n')),
      user('a note'),
      user(result('m', 'of m')),
    ];
    expect(repair(history).messages).toEqual([
      user('hi'),
      assistant(call('m'), call('n')),
      user(result('m', 'of m'), result('n', 'of n')),
      user('a note'),
    ]);
  });

  test('case 39: 50 turns that use one id keep their 50 results, a true duplicate goes', () => {
    const turns = Array.from({ length: 50 }, (_, turn) => [
      assistant(call('k0')),
      user(result('k0', `result ${turn}`)),
    ]).flat();
    const history = [user('go'), ...turns];
    expect(repair(history).messages).toBe(history);
    const open = history.toSpliced(2, 1);
    expect(repair(open).messages).toEqual(history.with(2, user(unknown('k0'))));
    const doubled = history.with(40, user(result('k0', 'result 19'), result('k0', 'result 19')));
    expect(repair(doubled).messages).toEqual(history);
    expect(done(doubled)).toEqual(['dropped-result@40.1']);
  });

  test('case 41: a call that a crash left open is answered as unknown, and nothing else changes', () => {
    const history = [user('hi'), assistant(call('a')), user(result('a')), assistant(call('b'))];
    const { messages, repairs } = repair(history);
    expect(messages).toEqual([...history, user(unknown('b'))]);
    expect(repairs).toEqual([{ kind: 'added-result', messageIndex: 3, blockIndex: 0 }]);
    expect(JSON.stringify(messages.at(-1))).toContain('may have run');
    expect(repair(messages)).toEqual({ messages, repairs: [] });
  });

  test('case 42: of a batch only the missing results are made up, in the order of the calls', () => {
    const kept = { r1: result('r1', 'one'), r3: result('r3', 'three') };
    const history = [
      user('hi'),
      assistant(call('r1'), call('r2'), call('r3'), call('r4')),
      user(kept.r1, kept.r3),
    ];
    const [, , results] = repair(history).messages;
    expect(results?.content).toEqual([kept.r1, unknown('r2'), kept.r3, unknown('r4')]);
    expect([results?.content[0], results?.content[2]]).toEqual([kept.r1, kept.r3]);
    expect(done(history)).toEqual(['added-result@1.1', 'added-result@1.3']);
  });

  test('case 43: rejecting one of two parallel calls, or stopping before either, leaves one result each', () => {
    const rejected = result('a', 'rejected by the user', { is_error: true });
    const calls = [user('hi'), assistant(call('a'), call('b'))];
    const answered = [...calls, user(rejected, result('b'))];
    expect(repair(answered).messages).toBe(answered);
    expect(repair([...calls, user(rejected, 'stop')]).messages).toEqual([
      ...calls,
      user(rejected, unknown('b'), 'stop'),
    ]);
    expect(repair([...calls, user('stop')]).messages).toEqual([
      ...calls,
      user(unknown('a'), unknown('b'), 'stop'),
    ]);
  });

  test('case 45: thinking stays the same object in its order, or goes whole', () => {
    const blocks = [thinking('s1'), thinking('s2'), call('x')];
    const history = [user('hi', ''), assistant(...blocks)];
    const { messages } = repair(history);
    expect(messages[1]).toBe(history[1]);
    const torn = { ...thinking('s1'), thinking: 'cut \ud83d' };
    expect(repair([user('hi'), assistant(torn, 'a')]).messages).toEqual([
      user('hi'),
      assistant('a'),
    ]);
  });

  test('case 47: empty text, empty messages and null content go, and nothing else', () => {
    const history = [
      user('hi'),
      assistant(''),
      user(' '),
      assistant(),
      { role: 'user', content: null as never },
      assistant('', 'kept'),
      user(''),
    ];
    expect(repair(history).messages).toEqual([user('hi'), assistant('kept')]);
    const headless = [user(''), assistant('kept')];
    expect(done(headless)).toEqual([
      'dropped-message@0',
      'dropped-empty-text@0.0',
      'added-placeholder@1',
    ]);
  });

  test('case 49: half surrogates in a result become U+FFFD, and their number is noted', () => {
    const history = [
      user('hi'),
      assistant(call('x', { '\udc00key': ['\ud83d'] })),
      user(result('x', [text('a\ud83d\ud83d😀')])),
    ];
    const { messages, repairs } = repair(history);
    expect(messages[1]?.content).toEqual([call('x', { '\ufffdkey': ['\ufffd'] })]);
    expect(messages[2]?.content).toEqual([result('x', [text('a\ufffd\ufffd😀')])]);
    expect(repairs.map((each) => each.count)).toEqual([2, 2]);
  });

  test('case 51: an aborted stream loses its half call and the thinking that led to it', () => {
    const whole = [user('hi'), assistant('ho'), user('more')];
    const aborted = [
      ...whole,
      assistant(thinking(''), 'I will re', call('x', '{"path": "src/ind')),
    ];
    expect(repair(aborted).messages).toEqual([...whole, assistant('I will re')]);
    expect(done(aborted)).toEqual(['dropped-thinking@3.0', 'dropped-call@3.2']);
    const onlyThinking = [...whole, assistant(thinking(), call('x', null))];
    for (const profile of [free, prefixBound, responses]) {
      expect(repair(onlyThinking, profile).messages).toEqual(whole);
      expect(done(onlyThinking, profile)).toEqual([
        'dropped-message@3',
        'dropped-thinking@3.0',
        'dropped-call@3.1',
      ]);
    }
  });
});
