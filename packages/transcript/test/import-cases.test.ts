import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  anthropicProfile,
  type Block,
  checkHistory,
  isToolResult,
  isToolUse,
  openaiChatProfile,
  openaiResponsesProfile,
  project,
} from '@varve/messages';
import { createHistoryFit } from '@varve/messages/fit';
import { describe, expect, test } from 'vitest';
import type { ImportedSession } from '../src/import.ts';
import { findSessions, importFile, openLog } from '../src/node/index.ts';
import {
  expectLegalHistory,
  importText,
  jsonLines,
  mainEntries,
  messagesOf,
  problemKinds,
} from './import-support.ts';
import { temporaryFolder, userEntry } from './support.ts';

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (...content: unknown[]) => ({ role: 'assistant', content });
const call = (id: string) => ({ type: 'tool_use', id, name: 'look', input: {} });
const result = (id: string, content = `result ${id}`) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
});
const text = (value: string) => ({ type: 'text', text: value });

const load = (...messages: unknown[]) => importText(JSON.stringify(messages));

/** The view; it has to be a history that the strictest provider takes. */
function viewOf(session: ImportedSession) {
  const { messages } = project(mainEntries(session));
  expectLegalHistory(messages);
  return messages;
}

const resultsIn = (session: ImportedSession): [string, Block['content']][] =>
  viewOf(session).flatMap(({ content }) =>
    content.filter(isToolResult).map((block) => [block.tool_use_id, block.content] as const),
  ) as [string, Block['content']][];

describe('importSession: cases', () => {
  test('case 38: results out of order, a note between them', async () => {
    const session = await load(
      user('Go.'),
      assistant(call('m'), call('n')),
      user([result('n')]),
      user('A note.'),
      user([result('m')]),
    );
    expect(resultsIn(session).toSorted()).toEqual([
      ['m', 'result m'],
      ['n', 'result n'],
    ]);
    expect(problemKinds(session)).toEqual([]);
  });

  test('case 39: an id that all turns use keeps every result; a result that stands twice is one', async () => {
    const turns = Array.from({ length: 50 }, (_, turn) => [
      assistant(call('k0')),
      user([result('k0', `turn ${turn}`)]),
    ]);
    const again = user([result('k0', 'turn 49')]);
    const session = await load(user('Go.'), ...turns.flat(), again);
    expect(resultsIn(session)).toHaveLength(50);
    expect(new Set(resultsIn(session).map(([, content]) => content)).size).toBe(50);
    expect(problemKinds(session)).toEqual(['duplicate-record @1']);
  });

  test('case 41: a call that a crash left open is closed as of unknown outcome, and nothing else changes', async () => {
    const before = [user('Go.'), assistant(call('a')), user([result('a')])];
    const session = await load(...before, assistant(call('b')));
    const [sound, closed] = resultsIn(session);
    expect(sound).toEqual(['a', 'result a']);
    expect(closed?.[0]).toBe('b');
    expect(JSON.stringify(closed?.[1])).toMatch(/unknown/);
    const again = await importText(
      mainEntries(session)
        .map((e) => JSON.stringify(e))
        .join('\n'),
    );
    expect(mainEntries(again)).toEqual(mainEntries(session));
  });

  test('case 42: of a batch that was written by half only the missing results are made up', async () => {
    const ids = ['r1', 'r2', 'r3', 'r4'];
    const session = await load(
      user('Go.'),
      assistant(...ids.map(call)),
      user([result('r1'), result('r3')]),
      user('Go on.'),
    );
    const results = resultsIn(session);
    expect(results.map(([id]) => id).toSorted()).toEqual(ids);
    expect(
      results.filter(([, content]) => content === 'result r1' || content === 'result r3'),
    ).toHaveLength(2);
    expect(problemKinds(session)).toEqual(['missing-result @1', 'missing-result @1']);
  });

  test.each([
    {
      what: 'one of two calls was refused',
      answers: [{ ...result('a'), is_error: true }, result('b')],
    },
    { what: 'neither of two calls came to its end', answers: [] },
  ])('case 43: $what', async ({ answers }) => {
    const session = await load(
      user('Go.'),
      assistant(call('a'), call('b')),
      user(answers),
      user('Stop.'),
    );
    expect(resultsIn(session).map(([id]) => id)).toEqual(['a', 'b']);
  });

  test('case 45: signed thinking in an open round comes through byte for byte, in order', async () => {
    const thinking = [
      { type: 'thinking', thinking: 'one \u00e9\u{1F98A}', signature: 'c2ln+/=' },
      { type: 'redacted_thinking', data: 'AAAA' },
      { type: 'thinking', thinking: '', signature: 'b3Ro' },
    ];
    const session = await load(user('Go.'), assistant(...thinking, call('a')));
    expect(messagesOf(session)[1]?.content).toEqual([...thinking, call('a')]);
  });

  test('case 47: empty text, empty content and a summary that is null leave a history that a strict provider takes', async () => {
    const line = (index: number, changes: object) => ({
      uuid: `u${index}`,
      parentUuid: index === 0 ? null : `u${index - 1}`,
      sessionId: 's',
      ...changes,
    });
    const session = await importText(
      jsonLines([
        line(0, { type: 'user', message: user('Go.') }),
        line(1, { type: 'assistant', message: { id: 'a', model: 'm', ...assistant(text('')) } }),
        line(2, { type: 'assistant', message: { id: 'b', model: 'm', ...assistant() } }),
        line(3, {
          type: 'assistant',
          message: { id: 'c', model: 'm', ...assistant(text('Kept.')) },
        }),
        line(4, { type: 'user', message: user(' ') }),
        line(5, { type: 'user', message: user('') }),
        line(6, { type: 'user', message: user(null) }),
        line(7, { type: 'system', subtype: 'compact_boundary' }),
        line(8, { type: 'user', isCompactSummary: true, message: user(null) }),
        line(9, { type: 'user', message: user('On.') }),
      ]),
    );
    expect(viewOf(session).map(({ content }) => content)).toEqual([[text('On.')]]);
    expect(messagesOf(session).map(({ content }) => content)).toEqual([
      [text('Go.')],
      [text('Kept.')],
      [text('On.')],
    ]);
  });

  test('masked ids: records that share a uuid, a time and a length are copies only where they say the same', async () => {
    const line = (content: unknown) => ({
      ...{ uuid: 'REDACTED', parentUuid: null, sessionId: 's', type: 'user' },
      ...{ timestamp: '2026-01-01T00:00:00.000Z', message: { role: 'user', content } },
    });
    const long = (word: string): string => `${'bee '.repeat(500)}${word}${' bee'.repeat(500)}`;
    const session = await importText(
      jsonLines([line(long('one')), line(long('two')), line(long('two')), line([text('six')])]),
    );
    const texts = messagesOf(session).map(({ content }) => content);
    expect(texts).toEqual([[text(long('one'))], [text(long('two'))], [text('six')]]);
    expect(session.problems.map(({ line, kind }) => [line, kind])).toEqual([
      [2, 'reused-id'],
      [3, 'duplicate-record'],
      [4, 'reused-id'],
    ]);
  });

  const reply = (id: string, output: number, more = {}) => ({
    ...{ uuid: 'REDACTED', sessionId: 's', type: 'assistant', ...more },
    message: {
      id,
      model: 'm',
      ...assistant(text('OK')),
      usage: { input_tokens: 1, output_tokens: output },
    },
  });
  const prompt = (more: object) => ({
    ...{ uuid: 'REDACTED', sessionId: 's', type: 'user', message: user('continue'), ...more },
  });

  test.each([
    ['the id of the message', reply('msg_1', 11), reply('msg_2', 99)],
    ['the bill', reply('REDACTED', 11), reply('REDACTED', 99)],
    [
      'the id of the request',
      reply('REDACTED', 11, { requestId: 'r1' }),
      reply('REDACTED', 11, { requestId: 'r2' }),
    ],
    ['the id of the prompt', prompt({ promptId: 'p1' }), prompt({ promptId: 'p2' })],
    ['the agent', prompt({ agentId: 'a' }), prompt({ agentId: 'b' })],
    ['the time', prompt({ timestamp: 'x1' }), prompt({ timestamp: 'x2' })],
  ])('masked ids: records that differ in %s alone are both kept', async (_what, one, other) => {
    const start = { ...prompt({}), uuid: 'start', message: user('Go.') };
    const session = await importText(jsonLines([start, one, other, other]));
    expect(messagesOf(session)).toHaveLength(3);
    const bills = messagesOf(session).map(({ response }) => response?.usage?.output_tokens);
    const billOf = (record: object) => Object(Object(record).message).usage?.output_tokens;
    expect(bills).toEqual([undefined, billOf(one), billOf(other)]);
    expect(session.problems.map(({ line, kind }) => [line, kind])).toEqual([
      [3, 'reused-id'],
      [4, 'duplicate-record'],
    ]);
  });

  test('times: a time in the form of ISO 8601 is read like any other, and so is one whose day or hour does not exist', async () => {
    const times = ['02-28T23:59:59.999', '02-30T10:00:00.000', '04-31T10:00:00.000'];
    const others = [
      '13-01T10:00:00.000',
      '01-01T24:00:00.000',
      '01-01T25:00:00.000',
      '01-00T01:00:00.000',
    ];
    const lines = [...times, ...others].map((time, at) => ({
      ...{ uuid: `u${at}`, parentUuid: at === 0 ? null : `u${at - 1}`, sessionId: 's' },
      ...{ type: 'user', timestamp: `2026-${time}Z`, message: user(`${at}`) },
    }));
    const read = messagesOf(await importText(jsonLines(lines))).map(({ createdAt }) => createdAt);
    expect(read).toEqual(
      lines.map(({ timestamp }) => {
        const date = new Date(timestamp);
        return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
      }),
    );
  });

  test('case 51: a reply that was aborted leaves no half call and no thinking that nothing follows', async () => {
    const item = (payload: unknown) => ({
      timestamp: '2026-01-01T00:00:00Z',
      type: 'response_item',
      payload,
    });
    const event = (payload: unknown) => ({
      timestamp: '2026-01-01T00:00:01Z',
      type: 'event_msg',
      payload,
    });
    const session = await importText(
      jsonLines([
        item({ type: 'message', role: 'user', content: 'Go.' }),
        item({ type: 'reasoning', summary: [], encrypted_content: 'AAAA' }),
        item({ type: 'message', role: 'assistant', content: 'Half of a' }),
        item({ type: 'function_call', call_id: 'c', name: 'write', arguments: '{"path":"a' }),
        event({ type: 'turn_aborted' }),
        item({ type: 'message', role: 'user', content: 'Once more.' }),
        item({ type: 'reasoning', summary: [], encrypted_content: 'BBBB' }),
        event({ type: 'turn_aborted' }),
      ]),
    );
    const calls = viewOf(session).flatMap(({ content }) => content.filter(isToolUse));
    expect(calls.map(({ input }) => input)).toEqual([{ input: '{"path":"a' }]);
    expect(resultsIn(session).map(([id]) => id)).toEqual(['c']);
    const stops = messagesOf(session).flatMap(({ response }) => response?.stopReason ?? []);
    expect(stops).toEqual(['aborted']);
    expect(session.unused).toMatchObject({ 'trailing-thinking-block': 1, 'empty-reply': 1 });
  });

  test('case 71: writes to the cache stay split by lifetime', async () => {
    const split = { ephemeral_5m_input_tokens: 600, ephemeral_1h_input_tokens: 400 };
    const usage = { input_tokens: 1, output_tokens: 2, cache_creation_input_tokens: 1_000 };
    const reply = (index: number, given: object) => ({
      ...assistant(text('ok')),
      id: `r${index}`,
      model: 'm',
      usage: { ...usage, ...given },
    });
    const session = await load(
      user('Go.'),
      reply(1, { cache_creation: split }),
      user('On.'),
      reply(2, {}),
    );
    const usages = messagesOf(session).flatMap(({ response }) => response?.usage ?? []);
    expect(usages.map(({ cache_creation }) => cache_creation)).toEqual([split, undefined]);
  });

  test('case 93: a file that was not touched for years is found, read and left where it is', async () => {
    const path = join(temporaryFolder(), 'old.jsonl');
    writeFileSync(path, jsonLines([user('Go.')]));
    utimesSync(path, new Date(0), new Date(0));
    expect(await findSessions([join(path, '..')])).toEqual([path]);
    expect(messagesOf(await importFile(path))).toHaveLength(1);
    const log = await openLog(`${path}-log`);
    await log.append(userEntry('e', 'x'));
    await log.close();
    utimesSync(`${path}-log`, new Date(0), new Date(0));
    const seen: string[] = [];
    await (await openLog(`${path}-log`, { onEntry: ({ id }) => seen.push(id) })).close();
    expect(seen).toEqual(['e']);
  });
});

describe('what a provider refuses (V2)', () => {
  const failed = (id: string, content: unknown) => ({ ...result(id), content, is_error: true });

  test('ids and names of calls and silent failures stay as the file has them; a request has none', async () => {
    const odd = { ...call('call_x|fc_y'), name: 'files.read' };
    const session = await load(user('a'), assistant(odd), user([failed('call_x|fc_y', '')]));
    const messages = viewOf(session);
    expect(messages[1]?.content).toEqual([odd]);
    expect(messages[2]?.content).toEqual([failed('call_x|fc_y', '')]);
    const codes = checkHistory(messages, anthropicProfile({ thinking: 'free' }));
    expect(codes.map(({ code }) => code).toSorted()).toEqual([
      'call-id',
      'call-id',
      'call-name',
      'empty-error-result',
    ]);
  });

  test.each<[what: string, source: unknown]>([
    ['no source', undefined],
    ['a text for a source', 'https://a.example/b.png'],
    ['no data', { type: 'base64', media_type: 'image/png', data: '' }],
    ['no type', { type: 'base64', media_type: null, data: 'b2Fy' }],
    ['a data URL', { type: 'base64', media_type: 'image/png', data: 'data:image/png;base64,b2Fy' }],
  ])('an image with %s is left out and counted, in a result too', async (_, source) => {
    const image = { type: 'image', source };
    const inside = { ...result('c'), content: [text('seen'), image, text(' ')] };
    const session = await load(user([text('a'), image]), assistant(call('c')), user([inside]));
    expect(session.unused).toMatchObject({ 'malformed-media': 2, 'blank-text-block': 1 });
    const [first, , third] = viewOf(session);
    expect(first?.content).toEqual([text('a')]);
    expect(third?.content).toEqual([{ ...inside, content: [text('seen')] }]);
  });

  test.each([
    ['image', 'image/heic'],
    ['image', 'image/svg+xml'],
    ['document', 'text/csv'],
    ['document', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ])(
    'an %s of %s, which some providers take, stays; where one does not, its request says so',
    async (type, mediaType) => {
      const media = { type, source: { type: 'base64', media_type: mediaType, data: 'b2Fy' } };
      const inside = { ...result('c'), content: [media] };
      const session = await load(user([media]), assistant(call('c')), user([inside, media]));
      expect(session.unused).toEqual({});
      const messages = viewOf(session);
      expect(messages[0]?.content).toEqual([media]);
      for (const profile of [openaiChatProfile(), openaiResponsesProfile()]) {
        expect(checkHistory(messages, profile)).toEqual([]);
        expect(createHistoryFit()(messages, [profile])).toBe(messages);
      }
      const claude = anthropicProfile({ thinking: 'free' });
      const sent = createHistoryFit()(messages, [claude]);
      expect(checkHistory(sent, claude)).toEqual([]);
      expect(JSON.stringify(sent).split(`of type ${mediaType} stood here`)).toHaveLength(4);
    },
  );
});
