import type { ThinkingRule } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { microcompact } from '../src/index.ts';
import { history, type PlainMessage, replied, round, rounds, said } from './build.ts';

const COUNT = { mechanisms: ['count'] } as const;

const thinkingIn = (messages: readonly { readonly content: PlainMessage['content'] }[]): number =>
  messages
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    .filter(({ type }) => type === 'thinking').length;

const thoughtful = history(rounds(20, { thinking: 'Which file comes next?' }));

describe('microcompact and preserved thinking (M7)', () => {
  test.each<{ thinkingRule: ThinkingRule; reason: string }>([
    { thinkingRule: 'free', reason: 'count' },
    { thinkingRule: 'latest-turn', reason: 'count' },
    { thinkingRule: 'prefix-bound', reason: 'thinking-bound' },
  ])('inside a tool loop, $thinkingRule: $reason', ({ thinkingRule, reason }) => {
    const result = microcompact(thoughtful, { ...COUNT, thinkingRule });
    expect(result.reason).toBe(reason);
    expect(thinkingIn(result.messages)).toBe(20);
  });

  test('takes the rule from the model, and the strictest for an unknown one', () => {
    expect(microcompact(thoughtful, { ...COUNT, model: 'claude-opus-5-5' }).reason).toBe(
      'thinking-bound',
    );
    expect(microcompact(thoughtful, { ...COUNT, model: 'claude-opus-4-6' }).reason).toBe('count');
    expect(microcompact(thoughtful, { ...COUNT, model: 'somebody-elses' }).reason).toBe(
      'thinking-bound',
    );
    expect(microcompact(thoughtful, COUNT).reason).toBe('thinking-bound');
  });

  test('edits behind the last thinking are legal at any time', () => {
    const messages = [...thoughtful, ...rounds(30).flatMap((one, index) => round(50 + index, one))];
    const result = microcompact(messages, { ...COUNT, thinkingRule: 'prefix-bound' });
    expect(result.cleared.map(({ toolUseId }) => toolUseId).at(0)).toBe('call-19');
    expect(thinkingIn(result.messages)).toBe(20);
  });

  test('when a person has spoken, thinking from the edited turn on goes with the edit', () => {
    const early = history(rounds(2, { thinking: 'First things first.', output: 'small' }));
    const second = [
      said('Next.'),
      ...rounds(20, { thinking: 'Hm.' }).flatMap((one, index) => round(50 + index, one)),
    ];
    const messages = [
      ...early,
      replied(),
      ...second,
      replied(),
      said('Thanks. Now the other one.'),
    ];
    const result = microcompact(messages, { ...COUNT, thinkingRule: 'prefix-bound' });
    expect(result.reason).toBe('count');
    expect(result.receipt.droppedThinking).toBe(20);
    expect(result.messages.slice(0, early.length)).toEqual(early);
    expect(thinkingIn(result.messages)).toBe(2);
  });

  test('waits where a message holds nothing but thinking', () => {
    const lone = {
      role: 'assistant',
      content: [{ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }],
    } as const;
    const messages = [...history(rounds(20)), lone, said()];
    expect(microcompact(messages, { ...COUNT, thinkingRule: 'prefix-bound' }).reason).toBe(
      'thinking-bound',
    );
    expect(microcompact(messages, { ...COUNT, thinkingRule: 'free' }).reason).toBe('count');
  });

  // siblings looked for: behind the results and beside them, machine text at both places
  test.each([
    ['And mind the types.', 'count'],
    ['<system-reminder>Job 7 ended.</system-reminder>', 'thinking-bound'],
  ])('M331: whether %j ends a loop, it does so beside the results too', (text, reason) => {
    const last = thoughtful.at(-1) as PlainMessage;
    const block = { type: 'text', text } as const;
    const joined = { ...last, content: [...(last.content as []), block] };
    const options = { ...COUNT, thinkingRule: 'prefix-bound' } as const;
    const behind = microcompact([...thoughtful, said(text)], options);
    const beside = microcompact([...thoughtful.slice(0, -1), joined], options);
    expect([behind.reason, beside.reason]).toEqual([reason, reason]);
    expect(beside.receipt).toEqual(behind.receipt);
  });

  // siblings looked for: an origin, the tags of a reminder without one, a summary; a command that a person typed
  test.each<[string, PlainMessage & { readonly origin?: unknown }, string]>([
    ['a person', said('Now the other one.'), 'count'],
    ['a command that a person typed', { ...said('/review'), origin: { kind: 'command' } }, 'count'],
    ['a reminder', { ...said('Job 7 ended.'), origin: { kind: 'reminder' } }, 'thinking-bound'],
    ['its tags', said('<system-reminder>Job 7 ended.</system-reminder>'), 'thinking-bound'],
    ['a summary', { ...said('So far.'), origin: { kind: 'summary' } }, 'thinking-bound'],
  ])('L318: only what a person says starts a turn behind an answer: %s', (_name, last, reason) => {
    const options = { ...COUNT, thinkingRule: 'prefix-bound' } as const;
    const messages = [...thoughtful, replied(), last];
    expect(microcompact(messages, options).reason).toBe(reason);
    const behindPerson = [...thoughtful, replied(), said('Now the other one.'), last];
    expect(microcompact(behindPerson, options).reason).toBe('count');
  });
});

describe('thinking as something to clear', () => {
  const options = {
    mechanisms: ['count'],
    thinkingRule: 'free',
    thinking: true,
    count: { candidateTokens: 1 },
  } as const;

  test('goes by whole turns, never from the open one', () => {
    const second = rounds(6, { thinking: 'Still open.' }).flatMap((one, index) =>
      round(50 + index, one),
    );
    const messages = [...thoughtful, replied(), said(), ...second];
    const result = microcompact(messages, options);
    expect(result.receipt.droppedThinking).toBe(20);
    expect(thinkingIn(result.messages)).toBe(6);
  });
});
