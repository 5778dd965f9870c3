import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  fromAnthropic,
  toAISDK,
  toAnthropic,
  toOpenAIChat,
  toOpenAIResponses,
} from '../src/convert.ts';
import {
  anthropicProfile,
  apiRounds,
  type Block,
  checkHistory,
  checkRequest,
  createProjection,
  type Entry,
  legalCuts,
  type Message,
  openaiChatProfile,
  openaiResponsesProfile,
  repairHistory,
} from '../src/index.ts';
import { prefixFingerprint } from '../src/stamps.ts';
import { validLog } from '../src/testing.ts';
import { cutMiddle } from '../src/text.ts';
import { assistant, call, result, type TestBlock, type TestMessage, text, user } from './build.ts';
import { free } from './profiles.ts';
import { codeOf } from './session.ts';

const at = '2026-01-31T12:00:00Z';

function nest(value: unknown, levels: number, wrap: (inner: unknown) => unknown): unknown {
  let nested = value;
  for (let level = 0; level < levels; level++) nested = wrap(nested);
  return nested;
}

describe('hostile input', () => {
  const MEBIBYTE = 2 ** 20;
  let history: readonly TestMessage[] = [];

  beforeAll(() => {
    const long = `${'é'.repeat(25 * MEBIBYTE)}\ud83d`;
    history = [user('hi'), assistant(call('a', { long })), user(result('a', [text(long)]))];
  });

  test('a text of 50 MB with half a pair at its end is found, mended, cut and converted', () => {
    expect(checkHistory(history, free).map(({ code }) => code)).toEqual([
      'half-surrogate',
      'half-surrogate',
    ]);
    const { messages, repairs } = repairHistory(history);
    expect(repairs.map(({ kind, count }) => [kind, count])).toEqual([
      ['replaced-half-surrogates', 1],
      ['replaced-half-surrogates', 1],
    ]);
    expect(checkHistory(messages, free)).toEqual([]);
    expect(legalCuts(messages)).toEqual([0, 3]);
    const [, , results] = toOpenAIChat(messages).messages;
    const { content } = results as never as { content: [{ text: string }] };
    expect(content[0].text.length).toBe(25 * MEBIBYTE + 1);
    const cut = cutMiddle(content[0].text, { headUnits: 10, tailUnits: 10, marker: '' });
    expect(cut).toBe(`${'é'.repeat(19)}\ufffd`);
  });

  test.each([1_000, 10_000])('values nested %d levels deep are checked and mended', (levels) => {
    const inner = nest('\ud83d', levels, (value) => [value]);
    const nested = nest('x', levels, (content) => [result('a', content)]) as TestBlock[];
    const messages = [user('hi'), assistant(call('a', { inner })), user(result('a', nested))];
    for (const profile of [free, openaiChatProfile(), openaiResponsesProfile()]) {
      const codes = checkHistory(messages, profile).map(({ code }) => code);
      expect(codes).toEqual(['half-surrogate', 'block-not-allowed']);
      const mended = repairHistory(messages, { profile }).messages;
      expect(checkHistory(mended, profile)).toEqual([]);
    }
  });

  test('half surrogates are mended with keys in their order, __proto__ among them', () => {
    const input = JSON.parse('{"b":["\\ud83d",[]],"__proto__":{"\\ud83d":1},"a":null}');
    const { messages } = repairHistory([
      user('hi'),
      assistant(call('a', input)),
      user(result('a')),
    ]);
    const written = JSON.stringify(messages[1]?.content[0]);
    expect(written).toContain('{"b":["\ufffd",[]],"__proto__":{"\ufffd":1},"a":null}');
  });

  test('values nested too deep to be written are refused with a typed error, and nothing else changes', () => {
    const input = { inner: nest(1, 10_000, (value) => [value]) };
    const history = [user('hi'), assistant(call('a', input)), user(result('a'))];
    const log = createProjection();
    for (const [index, message] of history.entries()) {
      log.append({
        id: `e${index}`,
        at,
        type: 'message',
        message: { ...message, id: `m${index}` } as Message,
      });
    }
    const blocks = [{ messageId: 'm1', index: 0, block: call('a') as Block }];
    const edit = { kind: 'replace-content', blocks } as const;
    for (const refused of [
      () => log.append({ id: 'edit', at, type: 'edit', by: 'test', reason: 'test', edit }),
      () => prefixFingerprint({ messages: history as never }, 3),
      () => toOpenAIChat(history),
      () => toOpenAIResponses(history),
    ]) {
      expect(refused).toThrow(expect.objectContaining({ code: 'not-serializable' }));
    }
    const { messages, changedFrom } = log.append({
      id: 'edit',
      at,
      type: 'note',
      by: 'test',
      data: 1,
    });
    expect(changedFrom).toBe(3);
    expect(messages[1]?.content[0]).toBe(history[1]?.content[0]);
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', ''],
    ['an unknown type', { id: 'e', at, type: 'bogus' }],
    [
      'a message of text',
      { id: 'e', at, type: 'message', message: { id: 'm', role: 'user', content: 'hi' } },
    ],
    [
      'a role nobody has',
      { id: 'e', at, type: 'message', message: { id: 'm', role: 'tool', content: [text('hi')] } },
    ],
    ['no time', { id: 'e', type: 'note', by: 'test', data: 1 }],
    [
      'parameters that are none',
      { id: 'e', at, type: 'edit', by: 'a', reason: 'b', edit: { kind: 'server', params: null } },
    ],
  ])('%s is not taken for an entry by a projection', (_, entry) => {
    expect(() => createProjection().append(entry as Entry)).toThrow(
      expect.objectContaining({ code: 'invalid-entry' }),
    );
  });

  test('NUL characters and block types without a name pass through everything untouched', () => {
    const odd = { type: 'odd\0', value: { '\0': '\0' } };
    const messages = [user('\0', odd), assistant(odd, 'x')];
    expect(checkHistory(messages, free)).toEqual([]);
    expect(repairHistory(messages).messages).toBe(messages);
    expect(toAnthropic(messages).messages).toEqual(messages);
    expect(fromAnthropic(messages).messages).toEqual(messages);
    const losses = [toOpenAIChat, toOpenAIResponses, toAISDK].map((to) => to(messages).losses);
    expect(losses.flat().every(({ kind }) => kind === 'block')).toBe(true);
  });

  test('M336: an input 100,000 lists deep is refused without overflow', () => {
    let deep: unknown = '\ud83d';
    for (let level = 0; level < 100_000; level++) deep = [deep];
    const messages = [user('hi'), assistant(call('a', { deep })), user(result('a'))];
    expect(codeOf(() => checkHistory(messages, free))).toBe('not-serializable');
  });

  test('keys that name a prototype stay data when strings are mended', () => {
    const input = JSON.parse('{"__proto__": {"polluted": true}, "text": "\\ud83d"}');
    const { messages } = repairHistory([
      user('hi'),
      assistant(call('a', input)),
      user(result('a')),
    ]);
    expect(JSON.stringify(messages[1]?.content)).toContain('"__proto__":{"polluted":true}');
    expect('polluted' in {}).toBe(false);
  });

  test('50,000 messages that all have to change are all mended', () => {
    const turns = Array.from({ length: 25_000 }, () => [assistant(call('k0')), user('', 'go on')]);
    const messages = [user('hi'), ...turns.flat()];
    const { messages: mended, repairs } = repairHistory(messages);
    expect(repairs.length).toBe(50_000);
    expect(apiRounds(mended).length).toBe(25_001);
    expect(legalCuts(mended).length).toBe(2);
  });
});

describe('checks on a projection', () => {
  const profile = anthropicProfile({ thinking: 'prefix-bound' });

  test('every view that is closed can be sent once a user message ends it', () => {
    fc.assert(
      fc.property(validLog(), (log) => {
        const projection = createProjection();
        for (const entry of log) {
          const { messages, open } = projection.append(entry);
          if (open || messages.at(-1)?.role !== 'user') continue;
          expect(checkRequest({ messages, maxOutputTokens: 1 }, profile)).toEqual([]);
        }
      }),
    );
  });

  test('thinking is stale exactly where the fingerprint of its prefix has changed', () => {
    const reply = (id: string, messageCount: number, fingerprint: string) => ({
      id,
      role: 'assistant' as const,
      content: [{ type: 'thinking', thinking: 'hm', signature: 's' }, text(id)],
      response: {
        id,
        model: 'm',
        stopReason: 'end_turn' as const,
        request: { headId: 'h', messageCount, fingerprint, startedAtMs: 0 },
      },
      sources: [id],
    });
    const asked = { id: 'u1', role: 'user' as const, content: [text('hi')], sources: ['u1'] };
    const again = { ...asked, id: 'u2', sources: ['u2'] };
    const first = prefixFingerprint({ messages: [asked] }, 1) as string;
    const start = [asked, reply('a1', 1, first), again];
    const second = prefixFingerprint({ messages: start }, 3) as string;
    const messages = [...start, reply('a2', 3, second)];
    const fingerprintAt = (of: typeof messages) => (count: number) =>
      prefixFingerprint({ messages: of }, count);
    expect(checkHistory(messages, profile, { fingerprintAt: fingerprintAt(messages) })).toEqual([]);
    const edited = messages.with(2, { ...again, content: [text('other')] });
    const found = checkHistory(edited, profile, { fingerprintAt: fingerprintAt(edited) });
    expect(found.map(({ code, messageIndex }) => [code, messageIndex])).toEqual([
      ['stale-thinking', 3],
    ]);
  });
});
