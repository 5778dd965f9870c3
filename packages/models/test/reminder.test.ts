import { anthropicProfile, checkHistory } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { withReminder } from '../src/index.ts';
import { message } from './providers.ts';

const ASK = message('user', 'Fix it.');
const CALL = message('assistant', [{ type: 'tool_use', id: 'c', name: 'read', input: {} }]);
const RESULT = message('user', [{ type: 'tool_result', tool_use_id: 'c', content: 'ok' }]);
const DONE = message('assistant', 'Done.');

describe('withReminder (P6)', () => {
  test.each([
    { name: 'nothing', history: [], systemMessages: true, role: 'user' },
    { name: 'a user turn', history: [ASK], systemMessages: true, role: 'system' },
    { name: 'a user turn', history: [ASK], systemMessages: false, role: 'user' },
    { name: 'results', history: [ASK, CALL, RESULT], systemMessages: true, role: 'system' },
    { name: 'results', history: [ASK, CALL, RESULT], systemMessages: false, role: 'user' },
    { name: 'an answer', history: [ASK, DONE], systemMessages: true, role: 'user' },
  ] as const)(
    'after $name (system messages: $systemMessages) is a $role message',
    ({ history, systemMessages, role }) => {
      const result = withReminder(history, 'Mind the tests.', { systemMessages });
      expect(result).toMatchObject({ kind: 'appended', role });
      expect(result.messages.slice(0, -1)).toEqual(history);
      expect(result.messages.at(-1)).toMatchObject({
        role,
        content: [{ type: 'text', text: 'Mind the tests.' }],
        origin: { kind: 'reminder' },
      });
      const profile = anthropicProfile({ thinking: 'free', systemMessages });
      expect(checkHistory(result.messages, profile)).toEqual([]);
    },
  );

  test.each([
    { history: [ASK, CALL], text: 'x', reason: 'open-round' },
    { history: [ASK], text: ' \n', reason: 'blank-text' },
  ])('changes nothing: $reason', ({ history, text, reason }) => {
    const result = withReminder(history, text);
    expect(result).toMatchObject({ kind: 'unchanged', reason });
    expect(result.messages).toBe(history);
  });

  test('has an id of its own for each place, or the one that is passed', () => {
    const idOf = (history: (typeof ASK)[], text: string, id?: string) =>
      withReminder(history, text, { id }).messages.at(-1)?.id;
    expect(
      new Set([idOf([ASK], 'a'), idOf([ASK], 'b'), idOf([ASK, DONE], 'a'), idOf([], 'a')]).size,
    ).toBe(4);
    expect(idOf([ASK], 'a')).toBe(idOf([ASK], 'a'));
    expect(idOf([ASK], 'a', 'mine')).toBe('mine');
  });
});
