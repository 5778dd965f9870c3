import type { Entry, Message } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { extractiveSummary, recorded } from '../src/index.ts';
import { script } from '../src/replies/script.ts';

const call = (messages: Partial<Message>[] = []) =>
  ({ request: { messages } }) as unknown as Parameters<ReturnType<typeof script>>[0];

const take = (replies: ReturnType<typeof script>, count: number) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      try {
        return await replies(call());
      } catch (error) {
        return (error as { code: string }).code;
      }
    }),
  );

describe('script', () => {
  test.each([
    [[], 'fail', ['script-ended', 'script-ended']],
    [['a'], undefined, ['a', 'script-ended']],
    [['a', 'b'], 'repeat-last', ['a', 'b', 'b', 'b']],
    [['a', 'b'], 'start-over', ['a', 'b', 'a', 'b']],
    [[], 'repeat-last', ['script-ended']],
    [[], 'start-over', ['script-ended']],
  ] as const)('%j then %s', async (list, then, expected) => {
    expect(await take(script(list, { then }), expected.length)).toEqual(expected);
  });
});

const at = '2026-01-31T12:00:00Z';
const said = (id: string, role: Message['role'], text: string, response?: object): Entry =>
  ({
    id,
    at,
    type: 'message',
    message: { id, role, content: [{ type: 'text', text }], ...(response && { response }) },
  }) as Entry;

describe('recorded', () => {
  const entries = [
    said('1', 'user', 'Hi'),
    said('2', 'assistant', 'One', { stopReason: 'max_tokens', usage: { output_tokens: 7 } }),
    said('3', 'user', 'Go on'),
    said('4', 'assistant', 'Two', { stopReason: 'unknown' }),
  ];

  test('replies with the turns of the model, and how they ended', async () => {
    expect(await take(recorded(entries), 3)).toMatchObject([
      { content: [{ text: 'One' }], stopReason: 'max_tokens', outputTokens: 7 },
      { content: [{ text: 'Two' }] },
      'no-recorded-reply',
    ]);
  });

  test('takes the main thread of a session', async () => {
    const threads = [
      {
        id: 's',
        kind: 'sub-agent' as const,
        parentCallId: 'c',
        entries: [said('9', 'assistant', 'Child')],
      },
      { id: 'm', kind: 'main' as const, entries },
    ];
    expect(
      await take(recorded({ threads } as unknown as Parameters<typeof recorded>[0]), 1),
    ).toMatchObject([{ content: [{ text: 'One' }] }]);
  });

  test('refuses a recording in which nobody replies', () => {
    expect(() => recorded([said('1', 'user', 'Hi')])).toThrow(/no message of a model/);
  });
});

describe('extractiveSummary', () => {
  const messages: Partial<Message>[] = [
    { role: 'user', content: [{ type: 'text', text: 'Fix it.\nPlease.' }] },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'a', name: 'read', input: { path: 'x' } }],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a', content: 'line 1\nline 2' }],
    },
  ];

  test('gives the first line of each, in order', async () => {
    expect(await extractiveSummary()(call(messages))).toBe(
      'user: Fix it.\nassistant: called read\nuser: result line 1',
    );
  });

  test('stays within its limit and is never empty', async () => {
    const many = Array.from({ length: 500 }, () => messages).flat();
    const text = await extractiveSummary({ maxCharacters: 100 })(call(many));
    expect(String(text).length).toBeLessThanOrEqual(100);
    expect(await extractiveSummary()(call())).not.toBe('');
  });
});
