import { describe, expect, test } from 'vitest';
import { ANTHROPIC_HEADERS, assistant, body, create, post, text, user } from './support.ts';

const SYSTEM = (value: string) => [
  { ...text(value.repeat(500)), cache_control: { type: 'ephemeral' } },
];

describe('pre-warm (A8)', () => {
  test('writes at the usual price and says nothing', async () => {
    const emulator = create();
    const warm = await post(emulator, body({ max_tokens: 0, system: SYSTEM('Be brief. ') }));
    const real = await post(emulator, body({ system: SYSTEM('Be brief. ') }));
    expect(warm.json).toMatchObject({
      content: [],
      stop_reason: 'max_tokens',
      usage: { output_tokens: 0 },
    });
    expect(warm.json.usage.cache_creation_input_tokens).toBeGreaterThan(1_000);
    expect(real.json.usage.cache_read_input_tokens).toBe(
      warm.json.usage.cache_creation_input_tokens,
    );
  });
});

describe('the simulated cache (A1, A2)', () => {
  const read = async (
    emulator: ReturnType<typeof create>,
    fields: Record<string, unknown>,
    headers?: object,
  ) => {
    const { json } = await post(emulator, body(fields), headers);
    return json.usage.cache_read_input_tokens as number;
  };

  test('an automatic marker moves forward with the conversation', async () => {
    const emulator = create();
    const first = [user('word '.repeat(2_000))];
    const fields = { cache_control: { type: 'ephemeral' } };
    expect(await read(emulator, { ...fields, messages: first })).toBe(0);
    const next = [...first, assistant('OK.'), user('Go on')];
    expect(await read(emulator, { ...fields, messages: next })).toBeGreaterThan(2_000);
  });

  test('parallel requests read nothing of each other until the first one begins to answer', async () => {
    const emulator = create({ now: () => 1_000, firstTokenDelayMs: 1 });
    const fields = { system: SYSTEM('Be brief. ') };
    const reads = await Promise.all([1, 2, 3].map(() => read(emulator, fields)));
    expect(reads).toEqual([0, 0, 0]);
  });

  test('a slow reply is read from its first token on', async () => {
    let now = 0;
    const emulator = create({
      now: () => now,
      replies: async () => {
        now += 100;
        return 'OK.';
      },
    });
    const fields = { system: SYSTEM('Be brief. ') };
    expect(await read(emulator, fields)).toBe(0);
    expect(await read(emulator, fields)).toBeGreaterThan(1_000);
  });

  test('an entry is gone after five minutes, one for an hour is not', async () => {
    let now = 0;
    const emulator = create({ now: () => now });
    const long = [
      { ...text('Long. '.repeat(500)), cache_control: { type: 'ephemeral', ttl: '1h' } },
    ];
    await read(emulator, { system: SYSTEM('Short. ') });
    await read(emulator, { system: long });
    now = 5 * 60_000 + 1;
    expect(await read(emulator, { system: SYSTEM('Short. ') })).toBe(0);
    expect(await read(emulator, { system: long })).toBeGreaterThan(1_000);
  });

  test('organisations and models share nothing', async () => {
    const emulator = create();
    const fields = { system: SYSTEM('Be brief. ') };
    const other = { headers: { 'x-api-key': 'other', 'anthropic-version': '2026-10-21' } };
    await read(emulator, fields);
    expect(await read(emulator, fields, other)).toBe(0);
    expect(await read(emulator, { ...fields, model: 'claude-opus-5' })).toBe(0);
    expect(await read(emulator, fields)).toBeGreaterThan(1_000);
  });

  test('a cache over its limit starts again empty, and the report says so', async () => {
    const emulator = create({ maxPromptCharacters: 10_000 });
    const fields = { system: SYSTEM('Be brief, and then be even briefer. ') };
    await read(emulator, fields);
    expect(await read(emulator, fields)).toBe(0);
    expect(emulator.report().cacheResets).toBe(1);
  });
});

describe('diagnostics.previous_message_id (A7)', () => {
  const ask = async (emulator: ReturnType<typeof create>, id: string | null, system: string) => {
    const diagnostics = { previous_message_id: id };
    const { json } = await post(emulator, body({ system: SYSTEM(system), diagnostics }));
    return json as { id: string; diagnostics: unknown };
  };

  test('tells what changed since the message it names', async () => {
    const emulator = create();
    const first = await ask(emulator, null, 'Be brief. ');
    const same = await ask(emulator, first.id, 'Be brief. ');
    const changed = await ask(emulator, first.id, 'Be short. ');
    const unknown = await ask(emulator, 'msg_none', 'Be brief. ');
    expect(first.diagnostics).toEqual({ cache_miss_reason: null });
    expect(same.diagnostics).toEqual({ cache_miss_reason: null });
    expect(changed.diagnostics).toMatchObject({
      cache_miss_reason: { type: 'system_changed', cache_missed_input_tokens: expect.any(Number) },
    });
    expect(unknown.diagnostics).toEqual({
      cache_miss_reason: { type: 'previous_message_not_found' },
    });
  });

  test('finds no message of another organisation', async () => {
    const emulator = create();
    const { id } = await ask(emulator, null, 'Be brief. ');
    const headers = { ...ANTHROPIC_HEADERS, 'x-api-key': 'another' };
    const diagnostics = { previous_message_id: id };
    const { json } = await post(emulator, body({ diagnostics }), { headers });
    expect(json.diagnostics.cache_miss_reason.type).toBe('previous_message_not_found');
  });

  test('is null where nobody asked', async () => {
    expect((await post(create(), body())).json.diagnostics).toBeNull();
  });
});

describe('stop reasons (B5)', () => {
  const reply = async (fields: Record<string, unknown>, words: string) =>
    (await post(create({ replies: [words] }), body(fields))).json;

  test('max_tokens cuts the text', async () => {
    const json = await reply({ max_tokens: 10 }, 'word '.repeat(100));
    expect(json.stop_reason).toBe('max_tokens');
    expect(json.usage.output_tokens).toBe(10);
    expect(json.content[0].text.length).toBeLessThan(100);
  });

  test('a stop sequence ends the text before it', async () => {
    const json = await reply({ stop_sequences: ['STOP', 'wo'] }, 'one two STOP three');
    expect(json).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 'wo' });
    expect(json.content[0].text).toBe('one t');
  });

  test('the end of the window stops a reply of a 4.5 model', async () => {
    const messages = [user('word '.repeat(130_000))];
    const emulator = create({ replies: ['word '.repeat(60_000)] });
    const { json } = await post(
      emulator,
      body({ model: 'claude-haiku-4-5', max_tokens: 64_000, messages }),
    );
    expect(json.stop_reason).toBe('model_context_window_exceeded');
  });

  test('a refusal and a pause are passed on', async () => {
    const emulator = create({
      replies: [
        { content: [text('No.')], stopReason: 'refusal' },
        { content: [text('Wait.')], stopReason: 'pause_turn' },
      ],
    });
    const reasons = [await post(emulator, body()), await post(emulator, body())];
    expect(reasons.map(({ json }) => json.stop_reason)).toEqual(['refusal', 'pause_turn']);
  });
});

describe('replies', () => {
  test('a script that has ended fails once, and is not retried', async () => {
    const { status, json, headers } = await post(create({ replies: [] }), body());
    expect([status, headers['x-should-retry']]).toEqual([500, 'false']);
    expect(json.error.message).toMatch(/The script has 0 replies/);
  });

  test('a function that throws is an answer of status 500', async () => {
    const replies = () => Promise.reject(new Error('broken'));
    const { status, json } = await post(create({ replies }), body());
    expect([status, json.error.type]).toEqual([500, 'api_error']);
  });

  test('the same requests get the same answers, byte for byte', async () => {
    const run = async () => {
      const emulator = create({ now: () => 5, replies: ['a', 'b'] });
      return [
        (await post(emulator, body())).body,
        (await post(emulator, body({ stream: true }))).events,
      ];
    };
    expect(await run()).toEqual(await run());
  });
});
