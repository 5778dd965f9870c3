import Anthropic from '@anthropic-ai/sdk';
import { afterEach, describe, expect, test } from 'vitest';
import { startEmulator } from '../src/index.ts';
import type { RunningEmulator } from '../src/server/start.ts';
import { beta, body, create, post, text, toolUse, user } from './support.ts';

const running: RunningEmulator[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((emulator) => emulator.close()));
});

const LONG = [user(`First line\n${'word '.repeat(60_000)}`)];
const THRESHOLD = 'compact-2026-01-12';
const ON_DEMAND = 'compact-2026-09-04';
const MANAGEMENT = 'context-management-2025-06-27';
const compact = (fields = {}) => ({
  context_management: {
    edits: [
      { type: 'compact_20260112', trigger: { type: 'input_tokens', value: 50_000 }, ...fields },
    ],
  },
});

describe('threshold compaction (B2)', () => {
  test('returns the block before the reply, and bills both passes', async () => {
    const emulator = create({ replies: ['Go on.'] });
    const { json } = await post(emulator, body({ messages: LONG, ...compact() }), beta(THRESHOLD));
    expect(json.content).toMatchObject([
      { type: 'compaction', content: 'user: First line' },
      text('Go on.'),
    ]);
    const [first, second] = json.usage.iterations;
    expect([first.type, second.type]).toEqual(['compaction', 'message']);
    expect(first.input_tokens).toBeGreaterThan(50_000);
    expect(json.usage.input_tokens).toBe(second.input_tokens);
    expect(second.input_tokens).toBeLessThan(100);
    expect(emulator.report().promptTokens).toBe(first.input_tokens + second.input_tokens);
  });

  test('does nothing under the trigger', async () => {
    const { json } = await post(create(), body(compact()), beta(THRESHOLD));
    expect(json.content).toEqual([text('OK.')]);
    expect(json.usage.iterations).toBeUndefined();
  });

  test('pauses with the block alone', async () => {
    const request = body({ messages: LONG, ...compact({ pause_after_compaction: true }) });
    const { json } = await post(create(), request, beta(THRESHOLD));
    expect(json).toMatchObject({ stop_reason: 'compaction', content: [{ type: 'compaction' }] });
  });

  test('everything before the block is no longer read', async () => {
    const emulator = create();
    const first = await post(emulator, body({ messages: LONG, ...compact() }), beta(THRESHOLD));
    const messages = [...LONG, { role: 'assistant', content: first.json.content }, user('More')];
    const { json } = await post(emulator, body({ messages, ...compact() }), beta(THRESHOLD));
    expect(json.usage.input_tokens).toBeLessThan(100);
    expect(json.content).toEqual([text('OK.')]);
  });

  test('count_tokens applies a block and never writes one', async () => {
    const path = '/v1/messages/count_tokens';
    const counted = await post(create(), body({ messages: LONG, ...compact() }), {
      path,
      ...beta(THRESHOLD),
    });
    expect(counted.json.input_tokens).toBeGreaterThan(50_000);
  });

  test('streams one delta that the SDK puts together', async () => {
    const emulator = await startEmulator();
    running.push(emulator);
    const client = new Anthropic({ baseURL: emulator.url, apiKey: 'test' });
    const message = await client.beta.messages
      .stream({
        ...(body({
          messages: LONG,
          ...compact(),
        }) as unknown as Anthropic.Beta.MessageCreateParamsStreaming),
        betas: [THRESHOLD],
      })
      .finalMessage();
    expect(message.content[0]).toMatchObject({ type: 'compaction', content: 'user: First line' });
    expect(message.usage.iterations).toHaveLength(2);
  });
});

describe('compaction on demand (B3)', () => {
  const summarize = (fields: Record<string, unknown>) =>
    body({ compaction: { type: 'summarize' }, ...fields });

  test('returns one signed block with its real usage in the iterations', async () => {
    const { json } = await post(create(), summarize({ messages: LONG }), beta(ON_DEMAND));
    expect(json).toMatchObject({
      stop_reason: 'compaction',
      content: [{ type: 'compaction', content: 'user: First line', signature: expect.any(String) }],
      usage: { input_tokens: 0, output_tokens: 0, iterations: [{ type: 'compaction' }] },
    });
    expect(json.usage.iterations[0].input_tokens).toBeGreaterThan(50_000);
  });

  test('streams the block whole', async () => {
    const { events = [] } = await post(
      create(),
      summarize({ messages: LONG, stream: true }),
      beta(ON_DEMAND),
    );
    expect(events.filter((event) => event.includes('content_block_delta'))).toEqual([]);
    expect(events.find((event) => event.includes('content_block_start'))).toContain('"signature"');
  });

  test('the block goes first, and stands for what was before', async () => {
    const emulator = create();
    const { json } = await post(emulator, summarize({ messages: LONG }), beta(ON_DEMAND));
    const messages = [{ role: 'assistant', content: json.content }, user('Go on')];
    const next = await post(emulator, body({ messages }), beta(ON_DEMAND));
    expect(next.json.usage.input_tokens).toBeLessThan(200);
  });

  const block = async () => {
    const { json } = await post(create(), summarize({ messages: LONG }), beta(ON_DEMAND));
    return json.content[0];
  };
  const asMessage = (...content: unknown[]) => ({ role: 'assistant', content });

  test.each([
    ['compaction_block_misplaced', (b: object) => [user('a'), asMessage(b), user('b')]],
    ['compaction_block_ambiguous', (b: object) => [asMessage(b, b), user('b')]],
    [
      'compaction_content_mismatch',
      (b: object) => [asMessage({ ...b, content: 'other' }), user('b')],
    ],
    [
      'compaction_signature_invalid',
      (b: object) => [asMessage({ ...b, signature: 'x' }), user('b')],
    ],
  ])('%s', async (code, messages) => {
    const request = body({ messages: messages(await block()) });
    const { status, json } = await post(create(), request, beta(ON_DEMAND));
    expect([status, json.error.details?.error_code]).toEqual([400, code]);
  });

  test('a signed block without the header is refused', async () => {
    const request = body({ messages: [asMessage(await block()), user('b')] });
    expect((await post(create(), request)).status).toBe(400);
  });

  test('compaction_incomplete_turn', async () => {
    const messages = [user('a'), asMessage(toolUse('x'))];
    const { json } = await post(create(), summarize({ messages }), beta(ON_DEMAND));
    expect(json.error.details.error_code).toBe('compaction_incomplete_turn');
  });

  test('compaction_nothing_to_summarize', async () => {
    const messages = [asMessage(await block())];
    const { json } = await post(create(), summarize({ messages }), beta(ON_DEMAND));
    expect(json.error.details.error_code).toBe('compaction_nothing_to_summarize');
  });

  test('an empty summary is an answer without content', async () => {
    const emulator = create({ summarize: () => '' });
    const { status, json } = await post(emulator, summarize({ messages: LONG }), beta(ON_DEMAND));
    expect([status, json.content, json.stop_reason]).toEqual([200, [], 'end_turn']);
  });
});

test.each([
  ['threshold compaction', compact(), THRESHOLD],
  ['compaction on demand', { compaction: { type: 'summarize' } }, ON_DEMAND],
])('%s is refused on a 4.5 model, which has none', async (_name, fields, header) => {
  const request = body({ model: 'claude-haiku-4-5', messages: LONG, ...fields });
  const { status, json } = await post(create(), request, beta(header, MANAGEMENT));
  expect([status, json.error.message]).toEqual([400, expect.stringContaining('not supported on')]);
});
