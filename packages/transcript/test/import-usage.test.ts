import { promptTokens, type Usage } from '@varve/messages';
import { describe, expect, test } from 'vitest';
import { uniqueResponses } from '../src/import.ts';
import { fixtureText, importText, jsonLines, messagesOf } from './import-support.ts';

interface ReplyLine {
  readonly id: string;
  readonly output: number;
  readonly stop?: string;
}

/** A Claude Code session of replies, a line each, after one prompt. */
function claudeLines(replies: readonly ReplyLine[]): string {
  const base = { sessionId: 's', version: '2.1.0', isSidechain: false };
  const prompt = {
    ...base,
    type: 'user',
    uuid: 'u0',
    parentUuid: null,
    message: { role: 'user', content: 'Go.' },
  };
  const lines = replies.map(({ id, output, stop }, at) => ({
    ...base,
    type: 'assistant',
    uuid: `u${at + 1}`,
    parentUuid: `u${at}`,
    message: {
      id,
      role: 'assistant',
      model: 'claude-opus-4-6',
      content: [{ type: 'text', text: `${id} ${at}` }],
      stop_reason: stop ?? null,
      usage: { input_tokens: 7, cache_read_input_tokens: 100, output_tokens: output },
    },
  }));
  return jsonLines([prompt, ...lines]);
}

const usages = async (text: string): Promise<(Usage | undefined)[]> =>
  [...uniqueResponses([await importText(text)])].map(({ response }) => response.usage);

describe('importSession: usage of a reply (T1, V2)', () => {
  test('case 65: counts a response once, over lines and over files that are copies', async () => {
    const first: ReplyLine = { id: 'm1', output: 40 };
    const a = claudeLines([first, first, { ...first, stop: 'end_turn' }]);
    const b = claudeLines([
      first,
      first,
      { ...first, stop: 'end_turn' },
      { id: 'm2', output: 2, stop: 'end_turn' },
    ]);
    const sessions = [await importText(a, { name: 'a' }), await importText(b, { name: 'b' })];
    const found = [...uniqueResponses(sessions)];
    expect(found.map(({ response, session }) => [response.id, session])).toEqual([
      ['m1', 'a'],
      ['m2', 'b'],
    ]);
    expect(found.map(({ response }) => response.usage?.output_tokens)).toEqual([40, 2]);
  });

  test.each([
    { case: 'grows', outputs: [1, 1, 512], stop: 'end_turn', output: 512, partial: undefined },
    {
      case: 'shrinks on the last line',
      outputs: [1, 512, 9],
      stop: 'tool_use',
      output: 512,
      partial: undefined,
    },
    { case: 'was never completed', outputs: [1], stop: undefined, output: 1, partial: true },
    {
      case: 'was never completed on several lines',
      outputs: [1, 4],
      stop: undefined,
      output: 4,
      partial: true,
    },
  ])('case 67: an output count that $case', async ({ outputs, stop, output, partial }) => {
    const lines = outputs.map((count, at) => ({
      id: 'm1',
      output: count,
      ...(stop && at === outputs.length - 1 ? { stop } : {}),
    }));
    const [usage, ...others] = await usages(claudeLines(lines));
    expect(usage?.output_tokens).toBe(output);
    expect(usage?.partial).toBe(partial);
    expect(others).toEqual([]);
  });

  test('case 67: a completed count is not partial for a line before it that was', async () => {
    const [usage] = await usages(
      claudeLines([
        { id: 'm1', output: 1 },
        { id: 'm1', output: 9, stop: 'end_turn' },
      ]),
    );
    expect(usage).not.toHaveProperty('partial');
  });

  test.each([
    [
      'codex',
      jsonLines([
        { type: 'response_item', payload: { type: 'message', role: 'user', content: 'Go.' } },
        { type: 'response_item', payload: { type: 'message', role: 'assistant', content: 'Yes.' } },
      ]),
    ],
    [
      'pi',
      jsonLines([
        { type: 'session', cwd: '/' },
        { type: 'message', message: { role: 'assistant', content: 'Yes.' } },
      ]),
    ],
    ['copilot-cli', jsonLines([{ type: 'assistant.message', data: { content: 'Yes.' } }])],
    [
      'gemini-cli',
      JSON.stringify({ projectHash: 'x', messages: [{ type: 'gemini', content: 'Yes.' }] }),
    ],
    [
      'openhands-output',
      jsonLines(
        ['a', 'b'].map((id) => ({
          instance_id: id,
          history: [
            {
              id: 1,
              action: 'run',
              tool_call_metadata: { model_response: { model: 'm' } },
            },
          ],
        })),
      ),
    ],
  ])(
    'case 65: replies of %s without ids of their own are not taken for copies',
    async (format, text) => {
      const sessions = await Promise.all(
        ['one', 'other'].map((name) => importText(text, { name })),
      );
      expect(sessions.map((session) => session.format)).toEqual([format, format]);
      const replies = sessions.flatMap(({ threads }) =>
        threads.flatMap(({ entries }) =>
          entries.filter(
            (entry) => entry.type === 'message' && entry.message.response !== undefined,
          ),
        ),
      );
      expect([...uniqueResponses(sessions)]).toHaveLength(replies.length);
    },
  );

  test('case 69: a forked file pays for its own replies, not for those it replays', async () => {
    const at = '2026-01-01T00:00:00.000Z';
    const line = (type: string, payload: object, timestamp = at) => ({ timestamp, type, payload });
    const counted = (total: number, timestamp?: string) => [
      line(
        'response_item',
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: `to ${total}` }],
        },
        timestamp,
      ),
      line(
        'event_msg',
        {
          type: 'token_count',
          info: { total_token_usage: { input_tokens: 0, output_tokens: total } },
        },
        timestamp,
      ),
      line(
        'response_item',
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go on.' }] },
        timestamp,
      ),
    ];
    const replayed = Array.from({ length: 1000 }, (_, step) => counted(step * 3 + 3));
    const own = [1, 2, 3].map((step) =>
      counted(3000 + step * 10, `2026-01-01T00:0${step}:00.000Z`),
    );
    const session = await importText(
      jsonLines([line('session_meta', { id: 'child' }), ...replayed.flat(), ...own.flat()]),
    );
    const outputs = messagesOf(session).flatMap(
      ({ response }) => response?.usage?.output_tokens ?? [],
    );
    expect(outputs).toEqual([10, 10, 10]);
    expect(session.unused['event_msg/token_count-of-parent']).toBe(1000);
  });

  test('Codex: identical consecutive totals are one count, and the prompt keeps its size', async () => {
    const session = await importText(fixtureText('codex/session.jsonl'));
    const prompts = messagesOf(session).flatMap(({ response }) =>
      response?.usage ? [promptTokens(response.usage)] : [],
    );
    expect(prompts).toEqual([9000, 9600, 9900, 10100, 10400, 6000, 6100, 6100]);
    expect(session.unused['event_msg/token_count-repeated']).toBe(2);
  });

  test.each([
    {
      format: 'codex/session.jsonl',
      usage: { input_tokens: 4648, cache_read_input_tokens: 4352, output_tokens: 310 },
    },
    {
      format: 'pi/session.jsonl',
      usage: {
        input_tokens: 2775,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
        output_tokens: 60,
      },
    },
    {
      format: 'opencode/session.json',
      usage: {
        input_tokens: 40,
        cache_read_input_tokens: 3000,
        cache_creation_input_tokens: 500,
        output_tokens: 120,
      },
    },
    {
      format: 'gemini-cli/session.json',
      usage: { input_tokens: 9000, cache_read_input_tokens: 0, output_tokens: 70 },
    },
    {
      format: 'openai-chat/messages.json',
      usage: { input_tokens: 388, cache_read_input_tokens: 512, output_tokens: 4 },
    },
    {
      format: 'openhands-output/output.jsonl',
      usage: { input_tokens: 1000, cache_read_input_tokens: 0, output_tokens: 20 },
    },
  ])(
    'keeps the provider’s own numbers of $format beside the canonical ones',
    async ({ format, usage }) => {
      const session = await importText(fixtureText(format));
      const first = messagesOf(session).find(({ response }) => response?.usage !== undefined);
      expect(first?.response?.usage).toMatchObject(usage);
      expect(first?.response?.usage?.provider_usage).toBeTypeOf('object');
    },
  );

  test.each([
    { total: 3660, output: 120, of: 'output beside reasoning' },
    { total: 3640, output: 100, of: 'output with reasoning in it' },
    { total: undefined, output: 100, of: 'no total' },
  ])('OpenCode: $of', async ({ total, output }) => {
    const tokens = {
      input: 40,
      output: 100,
      reasoning: 20,
      cache: { read: 3000, write: 500 },
      total,
    };
    const document = {
      info: { id: 'ses' },
      messages: [
        { info: { role: 'user', id: 'a' }, parts: [{ type: 'text', text: 'Go.' }] },
        {
          info: { role: 'assistant', id: 'b', modelID: 'm', tokens },
          parts: [{ type: 'text', text: 'Gone.' }],
        },
      ],
    };
    const session = await importText(JSON.stringify(document));
    expect(messagesOf(session)[1]?.response?.usage?.output_tokens).toBe(output);
  });
});
