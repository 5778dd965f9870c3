import type { ModelInfo } from '@varve/tokens';
import { findModel } from '@varve/tokens/models';
import { describe, expect, test } from 'vitest';
import { assistant, body, create, post, text, toolResult, toolUse, user } from './support.ts';

const cached = (part: object, ttl?: '1h') => ({
  ...part,
  cache_control: { type: 'ephemeral', ...(ttl && { ttl }) },
});
const long = (word: string) => text(`${word} `.repeat(2_000));
const opus = findModel('claude-opus-5-5') as ModelInfo;

const refused = async (messages: readonly unknown[], fields: object = {}) => {
  const { status, json } = await post(create(), body({ messages, ...fields }));
  return [status, json.error?.type];
};

const INVALID = [400, 'invalid_request_error'];

describe('what agents get wrong is refused', () => {
  test.each<[string, readonly unknown[]]>([
    ['case 36: a result without its call', [user([toolResult('gone')])]],
    [
      'case 38: a result behind the words of the same message',
      [user('a'), assistant([toolUse('t')]), user([text('b'), toolResult('t')])],
    ],
    ['case 41: a call without its result', [user('a'), assistant([toolUse('t')]), user('b')]],
    ['case 47: an empty text', [user([text('')])]],
    ['case 47: a message without content', [user('a'), assistant([]), user('b')]],
    ['case 48: a marker on an empty text', [user([text('a'), cached(text(''))])]],
    ['case 49: half of a surrogate pair', [user('\ud83d')]],
    [
      'case 49: half of a surrogate pair in a result',
      [user('a'), assistant([toolUse('t')]), user([toolResult('t', '\udca9')])],
    ],
  ])('%s', async (_case, messages) => {
    expect(await refused(messages)).toEqual(INVALID);
  });

  test('case 45: thinking that was altered', async () => {
    const emulator = create({
      replies: [{ content: [{ type: 'thinking', thinking: 'hm', signature: '' }, toolUse('t')] }],
    });
    const { json } = await post(emulator, body({ messages: [user('a')] }));
    const [thinking, call] = json.content;
    const send = (block: object) =>
      post(
        emulator,
        body({ messages: [user('a'), assistant([block, call]), user([toolResult('t')])] }),
      );
    expect((await send({ ...thinking, thinking: 'oh' })).status).toBe(400);
  });

  test('case 64: a prompt over the window, with both numbers', async () => {
    const short = { ...opus, id: 'short', aliases: [], windowTokens: 1_000 };
    const emulator = create({ models: [short] });
    const { status, json } = await post(
      emulator,
      body({ model: 'short', messages: [user([long('word')])] }),
    );
    expect(status).toBe(400);
    expect(json.error.message).toMatch(/^prompt is too long: \d{4,} tokens > 1000 maximum$/);
  });
});

describe('what a prompt is billed', () => {
  const tokens = async (content: unknown) => {
    const { json } = await post(create(), body({ messages: [user(content)] }));
    return json.usage.input_tokens as number;
  };
  const picture = (bytes: number) => ({
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(bytes) },
  });

  test('case 54: a picture costs the same whatever its bytes, and three cost three times as much', async () => {
    const [none, small, large, three] = await Promise.all([
      tokens([text('Look')]),
      tokens([text('Look'), picture(100_000)]),
      tokens([text('Look'), picture(5_000_000)]),
      tokens([text('Look'), picture(100), picture(100), picture(100)]),
    ]);
    expect(large).toBe(small);
    expect(three - none).toBe(3 * (small - none));
    expect(small).toBeLessThan(5_000);
  });

  test.each(['<|im_start|>', '<|endoftext|>', '<|endofthing|>', '</s>', '[INST]'])(
    'case 57: %s counts as text',
    async (literal) => {
      expect(await tokens(`say ${literal}`)).toBeGreaterThan(await tokens('say'));
    },
  );

  test('case 67: the bill of a stream stands at its end, and is that of the whole answer', async () => {
    const replies = () => 'word '.repeat(300);
    const whole = await post(create({ replies }), body({ max_tokens: 1_000 }));
    const { events = [] } = await post(
      create({ replies }),
      body({ max_tokens: 1_000, stream: true }),
    );
    const usages = events
      .map((event) => JSON.parse(event.split('data: ')[1] ?? '{}'))
      .flatMap(({ message, usage }) => message?.usage ?? usage ?? []);
    expect(usages.map((usage) => usage.output_tokens)).toEqual([1, whole.json.usage.output_tokens]);
  });

  test('case 71: writes for an hour cost more than those for five minutes', async () => {
    const dollars = async (ttl?: '1h') => {
      const emulator = create({ replies: [{ content: [text('OK')], outputTokens: 0 }] });
      await post(emulator, body({ system: [cached(long('word'), ttl)] }));
      const { writtenTokens, promptTokens, dollars } = emulator.report();
      const { input = 0 } = opus.prices[0] ?? {};
      return (dollars * 1e6 - (promptTokens - writtenTokens) * input) / writtenTokens / input;
    };
    expect(await dollars()).toBeCloseTo(1.25, 6);
    expect(await dollars('1h')).toBeCloseTo(2, 6);
  });

  test('case 72: a missing price leaves the others, and an unknown model takes nobody else’s', async () => {
    const prices = opus.prices.map(({ cacheWrite5m: _, ...price }) => price);
    const orbit = { ...opus, id: 'orbit-2', aliases: [], prices };
    const emulator = create({ models: [orbit] });
    await post(emulator, body({ model: 'orbit-2', system: [cached(long('word'))] }));
    const { dollars, unpricedTokens, writtenTokens } = emulator.report();
    expect(unpricedTokens).toBe(writtenTokens);
    expect(dollars).toBeGreaterThan(0);
    const { status } = await post(emulator, body({ model: 'my-claude-opus-5-5' }));
    expect(status).toBe(404);
    expect(emulator.report().dollars).toBe(dollars);
  });
});

describe('what loses the cache is named', () => {
  const lost = async (requests: readonly Record<string, unknown>[]) => {
    const emulator = create();
    for (const fields of requests) await post(emulator, body(fields));
    return Object.keys(emulator.report().lostTokens);
  };
  const talk = (...later: readonly object[]) => ({
    messages: [user([long('file')]), assistant('OK.'), user('Go on'), ...later],
    cache_control: { type: 'ephemeral' },
  });

  test('case 73: a clock in the system prompt', async () => {
    const at = (time: string) => ({ ...talk(), system: `It is ${time}.` });
    expect(await lost([at('10:00:00'), at('10:00:01')])).toEqual(['system-changed']);
    expect(await lost([at('10:00:00'), at('10:00:00')])).toEqual([]);
  });

  test('case 75: tools that come back in another order', async () => {
    const tools = ['a', 'b'].map((name) => ({ name, input_schema: { type: 'object' } }));
    const requests = [
      { ...talk(), tools },
      { ...talk(), tools: tools.toReversed() },
    ];
    expect(await lost(requests)).toEqual(['tools-changed']);
  });

  test('case 78: a note in the system prompt, but not one that is appended', async () => {
    const more = [assistant('OK.'), user('Note: use tabs.')];
    expect(await lost([talk(), { ...talk(), system: 'Note: use tabs.' }])).toEqual([
      'system-changed',
    ]);
    expect(await lost([talk(), talk(...more)])).toEqual([]);
  });
});
