import Anthropic from '@anthropic-ai/sdk';
import { afterEach, describe, expect, test } from 'vitest';
import { type Fault, startEmulator } from '../src/index.ts';
import type { RunningEmulator } from '../src/server/start.ts';
import { ANTHROPIC_HEADERS, body, create, post } from './support.ts';

const running: RunningEmulator[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((emulator) => emulator.close()));
});

async function start(...faults: Fault[]) {
  const emulator = await startEmulator({ faults, replies: () => 'word '.repeat(50) });
  running.push(emulator);
  const client = new Anthropic({
    baseURL: emulator.url,
    apiKey: 'test',
    maxRetries: 0,
    logLevel: 'off',
    timeout: 2_000,
  });
  return { emulator, client };
}

const request = body() as unknown as Anthropic.MessageCreateParamsNonStreaming;
const isWhole = (client: Anthropic) => client.messages.create(request).then(() => true);

describe('faults', () => {
  test.each<[string, Fault, RegExp]>([
    ['cut in the middle of a stream', { kind: 'cut', afterEvents: 3, when: 0 }, /./],
    ['cut after bytes', { kind: 'cut', afterBytes: 200, when: 0 }, /./],
    ['malformed event', { kind: 'malformed-event', atEvent: 3, when: 0 }, /JSON|parse/i],
    ['error event', { kind: 'error-event', atEvent: 3, when: 0 }, /Overloaded/],
    ['hang after some events', { kind: 'hang', afterEvents: 3, when: 0 }, /./],
  ])('%s breaks a stream, and the next request is whole', async (_name, fault, message) => {
    const { emulator, client } = await start(fault);
    const stream = client.messages.stream(request);
    const timer = fault.kind === 'hang' ? setTimeout(() => stream.abort(), 200) : undefined;
    await expect(stream.finalMessage()).rejects.toThrow(message);
    clearTimeout(timer);
    expect(await isWhole(client)).toBe(true);
    expect(emulator.report().faults).toBe(1);
    expect(emulator.requests.map(({ fault: kind }) => kind)).toEqual([fault.kind, undefined]);
  });

  test('cut before the end of a body that is no stream', async () => {
    const { client } = await start({ kind: 'cut', afterBytes: 20, when: 0 });
    await expect(client.messages.create(request)).rejects.toThrow();
    expect(await isWhole(client)).toBe(true);
  });

  test('latency delays the answer', async () => {
    const { client } = await start({ kind: 'latency', ms: 120 });
    const startMs = performance.now();
    await client.messages.create(request);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(115);
  });

  test('slow loris delivers every byte', async () => {
    const { client } = await start({ kind: 'slow-loris', bytes: 100, delayMs: 1 });
    const message = await client.messages.stream(request).finalMessage();
    expect(message.content).toEqual([{ type: 'text', text: 'word '.repeat(50) }]);
  });

  test('prompt too long carries both numbers', async () => {
    const { client } = await start({
      kind: 'prompt-too-long',
      actualTokens: 210_000,
      limitTokens: 200_000,
    });
    await expect(client.messages.create(request)).rejects.toMatchObject({
      status: 400,
      apiMessage: 'prompt is too long: 210000 tokens > 200000 maximum',
    });
  });

  test('retry-after is sent in seconds and in milliseconds', async () => {
    const emulator = create({ faults: [{ kind: 'status', status: 429, retryAfterMs: 1_500 }] });
    const { status, headers, json } = await post(emulator, body());
    expect([status, json.error.type]).toEqual([429, 'rate_limit_error']);
    expect(headers).toMatchObject({ 'retry-after': '2', 'retry-after-ms': '1500' });
  });

  test('a matcher sees path and headers; a number and a list name requests; times is a limit', async () => {
    const emulator = create({
      faults: [
        { kind: 'status', status: 500, when: ({ headers }) => headers['x-fail'] === 'yes' },
        { kind: 'status', status: 529, when: [1, 2], times: 1 },
        { kind: 'status', status: 429, when: 4 },
      ],
    });
    const statuses: number[] = [];
    for (const fail of ['no', 'no', 'no', 'yes', 'no', 'no']) {
      const headers = { ...ANTHROPIC_HEADERS, 'x-fail': fail };
      statuses.push((await post(emulator, body(), { headers })).status);
    }
    expect(statuses).toEqual([200, 529, 200, 500, 429, 200]);
  });

  test('nothing is billed for an injected refusal', async () => {
    const emulator = create({ faults: [{ kind: 'status', status: 529 }] });
    await post(emulator, body());
    expect(emulator.report()).toMatchObject({
      requests: 1,
      billed: 0,
      refused: 0,
      faults: 1,
      hitRate: undefined,
    });
  });
});
