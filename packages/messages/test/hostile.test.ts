import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  anthropicProfile,
  apiRounds,
  checkHistory,
  checkRequest,
  createProjection,
  cutMiddle,
  fromAnthropic,
  legalCuts,
  prefixFingerprint,
  repairHistory,
  toAISDK,
  toAnthropic,
  toOpenAIChat,
  toOpenAIResponses,
} from '../src/index.ts';
import { validLog } from '../src/testing.ts';
import { assistant, call, result, type TestMessage, text, user } from './build.ts';
import { free } from './profiles.ts';

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

  test('an input 100,000 lists deep is checked without overflow', () => {
    let deep: unknown = '\ud83d';
    for (let level = 0; level < 100_000; level++) deep = [deep];
    const messages = [user('hi'), assistant(call('a', { deep })), user(result('a'))];
    expect(checkHistory(messages, free).map(({ code }) => code)).toEqual(['half-surrogate']);
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

  test('50,000 messages that all have to change are mended in one pass', () => {
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
