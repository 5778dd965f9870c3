import { createProjection, serializeEntry } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { type ImportedSession, importSession } from '../src/import.ts';
import {
  expectLegalHistory,
  importText,
  jsonLines,
  mainEntries,
  messagesOf,
  problemKinds,
} from './import-support.ts';

const codexLine = (type: string, payload: unknown) => ({
  timestamp: '2026-01-01T00:00:00Z',
  type,
  payload,
});

const claudeLine = (index: number, changes: object = {}) => ({
  type: 'user',
  uuid: `u${index}`,
  parentUuid: index === 0 ? null : `u${index - 1}`,
  sessionId: 's',
  timestamp: '2026-01-01T00:00:00Z',
  message: { role: 'user', content: `text ${index}` },
  ...changes,
});

const callLine = (input: string) =>
  codexLine('response_item', { type: 'function_call', call_id: 'c', name: 'x', arguments: input });

const answerLine = codexLine('response_item', {
  type: 'function_call_output',
  call_id: 'c',
  output: 'done',
});

const callInput = (session: ImportedSession): unknown =>
  messagesOf(session).flatMap(({ content }) => content.filter(({ type }) => type === 'tool_use'))[0]
    ?.input;

describe('importSession of hostile values (V2)', () => {
  test.each([
    ['an object that cannot become text', { toString: 1, valueOf: 1 }],
    ['a list of such', [{ toString: null }]],
    ['a number', 7],
    ['nothing', null],
  ])('reads %s in place of a text', async (_what, value) => {
    const lines = [
      { type: 'session', id: 'x', cwd: '/', timestamp: value },
      { type: 'message', message: { role: 'user', content: [{ type: 'text', text: value }] } },
      { type: value, message: { role: value, content: value } },
      { type: 'message', message: { role: 'user', content: 'sound' } },
    ];
    const session = await importText(jsonLines(lines));
    expect(messagesOf(session).at(-1)?.content).toEqual([{ type: 'text', text: 'sound' }]);
    for (const line of lines.slice(1)) {
      await importText(jsonLines([line, ...lines])); // as the line that tells the format
    }
  });

  test('cuts what is nested too deep, says so, and keeps the rest of its record', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const line = JSON.stringify(claudeLine(1, { message: { role: 'user', content: 'deep' } }));
    const copy = `${JSON.stringify(claudeLine(0))}\n${line.replace('"type"', `"extra":${deep},"type"`)}`;
    const session = await importText(copy);
    expect(problemKinds(session)).toEqual(['too-deep @2']);
    expect(messagesOf(session).map(({ content }) => content[0]?.text)).toEqual(['text 0', 'deep']);
  });

  test('cuts what is nested too deep in arguments that are JSON inside JSON', async () => {
    const deep = `{"a":${'['.repeat(9_000)}${']'.repeat(9_000)},"b":1}`;
    const session = await importText(jsonLines([callLine(deep), answerLine]));
    expect(problemKinds(session)).toEqual(['too-deep @1', 'missing-start @1']);
    expect(callInput(session)).toMatchObject({ b: 1 });
    expect(mainEntries(session).map(serializeEntry)).not.toContain(undefined);
  });

  test('case 49: half a surrogate pair in arguments that are JSON inside JSON', async () => {
    const session = await importText(jsonLines([callLine('{"a":"\\ud83d!"}'), answerLine]));
    expect(problemKinds(session)).toEqual(['lone-surrogate @1', 'missing-start @1']);
    expect(callInput(session)).toEqual({ a: '\uFFFD!' });
  });

  test.each(['+275760-09-13T00:00:00.000Z', -8.64e15, 8.64e15, 'tomorrow', '12:00'])(
    'takes %j for no time',
    async (timestamp) => {
      const session = await importText(jsonLines([claudeLine(0, { timestamp })]));
      expect(messagesOf(session)[0]?.createdAt).toBeUndefined();
      for (const entry of mainEntries(session)) createProjection().append(entry);
    },
  );

  test('a wait beyond all time is no time to try again', async () => {
    const error = claudeLine(1, { type: 'system', subtype: 'api_error', retryInMs: 1e300 });
    const session = await importText(jsonLines([claudeLine(0), error]));
    const notes = mainEntries(session).flatMap((entry) => (entry.type === 'note' ? [entry] : []));
    expect(notes.map(({ data }) => data)).toEqual([
      { kind: 'api-error', retryAt: '2026-01-01T00:00:00.000Z' },
    ]);
  });

  test('a block of another provider inside a message does not break the log', async () => {
    const content = [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }, 'text', 7, null];
    const session = await importText(
      jsonLines([codexLine('response_item', { type: 'message', role: 'user', content })]),
    );
    expect(messagesOf(session)[0]?.content).toEqual([{ type: 'text', text: 'text' }]);
    expect(session.unused).toMatchObject({
      'malformed-block': 2,
      'user-message/tool_result-block': 1,
    });
  });

  test('thinking behind a call, with the next reply directly after it, is left out', async () => {
    const reply = (index: number, id: string, content: unknown) =>
      claudeLine(index, { type: 'assistant', message: { id, model: 'x', content } });
    const call = { type: 'tool_use', id: 'c', name: 'n', input: {} };
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 's' };
    const session = await importText(
      jsonLines([
        claudeLine(0),
        reply(1, 'a', [call]),
        reply(2, 'a', [thinking]),
        reply(3, 'b', [{ type: 'text', text: 'Done.' }]),
      ]),
    );
    const projection = createProjection();
    const views = mainEntries(session).map((entry) => projection.append(entry));
    expectLegalHistory(views.at(-1)?.messages ?? []);
    expect(session.unused).toMatchObject({ 'trailing-thinking-block': 1 });
  });

  test('counts that go back make no negative usage', async () => {
    const totals = (prompt: number, output: number) => ({
      accumulated_token_usage: { prompt_tokens: prompt, completion_tokens: output },
    });
    const action = (id: number, metrics: unknown) => ({
      id,
      action: 'run',
      args: { command: 'ls' },
      llm_metrics: metrics,
      tool_call_metadata: { tool_call_id: `c${id}`, model_response: { id: `r${id}`, model: 'm' } },
    });
    const history = [action(1, totals(100, 50)), action(2, totals(150, 20))];
    const session = await importText(jsonLines([{ instance_id: 'x', history }]));
    const usages = messagesOf(session).flatMap(({ response }) => response?.usage ?? []);
    expect(usages.map(({ output_tokens }) => output_tokens)).toEqual([50, 0]);
  });
});

describe('importSession of long files (V2)', () => {
  const LINES = 6_000;
  const repeat = (line: (index: number) => unknown) =>
    Array.from({ length: LINES }, (_, at) => line(at));

  // each took minutes once: the work of a record grew with the records before it
  test.each<[string, unknown[]]>([
    ['one uuid for all', repeat((at) => claudeLine(at, { uuid: 'same' }))],
    [
      'one parent for all: rewinds',
      repeat((at) => claudeLine(at, { parentUuid: at ? 'u0' : null })),
    ],
    ['no parent for any: cleared contexts', repeat((at) => claudeLine(at, { parentUuid: null }))],
    [
      'one reply of many calls',
      repeat((at) =>
        claudeLine(at, {
          type: 'assistant',
          message: {
            id: 'm',
            model: 'x',
            content: [{ type: 'tool_use', id: `c${at}`, name: 'n', input: {} }],
          },
        }),
      ),
    ],
    [
      'a prompt and a rollback in turns',
      repeat((at) =>
        at % 2 === 0
          ? codexLine('response_item', { type: 'message', role: 'user', content: 'x' })
          : codexLine('event_msg', { type: 'thread_rolled_back', num_turns: 1 }),
      ),
    ],
    [
      'system messages',
      repeat((at) => ({ role: at < LINES - 1 ? 'developer' : 'user', content: 'x' })),
    ],
  ])('%s', async (_what, lines) => {
    const session = await importText(jsonLines(lines));
    expect(session.threads[0]?.entries.length).toBeGreaterThan(0);
  });

  test('a call that waits while very many records follow', async () => {
    const call = claudeLine(1, {
      type: 'assistant',
      message: {
        id: 'm',
        model: 'x',
        content: [{ type: 'tool_use', id: 'c', name: 'n', input: {} }],
      },
    });
    const followers = Array.from({ length: 150_000 }, (_, at) => ({
      type: 'response',
      role: 'user',
      content: `${at}`,
    }));
    const messages = [
      { role: 'user', content: 'x' },
      { ...call.message, role: 'assistant' },
      ...followers,
    ];
    const session = await importText(JSON.stringify({ messages }));
    expect(messagesOf(session)).toHaveLength(150_003);
  });
});

describe('importSession options', () => {
  const chunks = [new TextEncoder().encode(jsonLines([claudeLine(0)]))];

  test.each([0, -1, 1.5, Number.NaN, 2 ** 30])(
    'refuses %d as maxLineBytes',
    async (maxLineBytes) => {
      const importing = importSession(chunks, { name: 'x', maxLineBytes });
      await expect(importing).rejects.toThrow('Expected `maxLineBytes` to be');
    },
  );

  test.each(['nope', '__proto__', 'constructor'])('refuses %j as format', async (format) => {
    const importing = importSession(chunks, { name: 'x', format: format as 'codex' });
    await expect(importing).rejects.toThrow("Expected `format` to be one of 'claude-code', ");
  });

  test('ends when it is aborted, before and between chunks', async () => {
    const abort = new AbortController();
    async function* endless() {
      for (;;) {
        yield chunks[0] as Uint8Array;
        abort.abort();
      }
    }
    const aborted = { name: 'AbortError' };
    const options = { name: 'x', signal: abort.signal };
    await expect(importSession(endless(), options)).rejects.toMatchObject(aborted);
    await expect(importSession(chunks, options)).rejects.toMatchObject(aborted);
  });
});
