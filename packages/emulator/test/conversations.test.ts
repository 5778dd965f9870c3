import { describe, expect, test } from 'vitest';
import type { createEmulator } from '../src/index.ts';
import { assistant, body, create, post, text, user } from './support.ts';

const SYSTEM = [{ ...text('Be brief. '.repeat(500)), cache_control: { type: 'ephemeral' } }];
const long = (name: string) => user(`${name} ${'word '.repeat(1_000)}`);
const marked = (...messages: { role: string; content: unknown }[]) => ({
  system: SYSTEM,
  cache_control: { type: 'ephemeral' },
  messages,
});

/** The conversation and the causes of breaks of each request. */
async function breaks(...requests: object[]) {
  const emulator = create();
  for (const fields of requests) {
    const { status, body: answer } = await post(emulator, body(fields as Record<string, unknown>));
    expect(status === 200 ? '' : answer).toBe('');
  }
  return emulator.requests.map(({ billed }) => [
    billed[0]?.thread,
    ...(billed[0]?.breaks.map(({ cause }) => cause) ?? []),
  ]);
}

describe('conversations are told apart by their messages (P2)', () => {
  const first = [long('one'), assistant('a'), long('two')];
  const second = [...first, assistant('b'), long('three')];

  test('one that grows has no breaks', async () => {
    expect(await breaks(marked(...first), marked(...second))).toEqual([['main'], ['main']]);
  });

  test('an edited message in the middle is a break', async () => {
    const edited = [long('ONE'), ...second.slice(1)];
    expect(await breaks(marked(...first), marked(...second), marked(...edited))).toEqual([
      ['main'],
      ['main'],
      ['main', 'messages-changed', 'marker-out-of-reach'],
    ]);
  });

  test('a changed system prompt is a break', async () => {
    const changed = {
      ...marked(...second),
      system: [{ ...SYSTEM[0], text: 'Be long. '.repeat(500) }],
    };
    expect(await breaks(marked(...first), changed)).toEqual([['main'], ['main', 'system-changed']]);
  });

  test('two conversations in turn have no breaks', async () => {
    const other = [long('uno'), assistant('x'), long('dos')];
    expect(
      await breaks(
        marked(...first),
        marked(other[0] as object as never),
        marked(...second),
        marked(...other),
      ),
    ).toEqual([['main'], ['thread-2'], ['main'], ['thread-2']]);
  });

  test('branches off one beginning read it and break nothing', async () => {
    const branch = (name: string) => [...first, assistant('b'), long(name)];
    expect(
      await breaks(
        marked(...first),
        marked(...branch('x')),
        marked(...branch('y')),
        marked(...branch('z')),
      ),
    ).toEqual([['main'], ['main'], ['thread-2'], ['thread-3']]);
  });

  test('a header names the conversation where messages cannot', async () => {
    const emulator = create();
    for (const name of ['a', 'b']) {
      const headers = {
        'x-api-key': 'k',
        'anthropic-version': '2026-10-21',
        'x-varve-thread': 'mine',
      };
      await post(emulator, body(marked(long(name))), { headers });
    }
    expect(emulator.report()).toMatchObject({
      conversations: 1,
      breaks: [
        { thread: 'mine', requestIndex: 1, cause: 'messages-changed', messageIndex: 0 },
        { cause: 'marker-out-of-reach' },
      ],
    });
  });
});

describe('expectHitRate', () => {
  test('passes at the rate and fails above it, naming causes', async () => {
    const emulator = create();
    await post(emulator, body(marked(long('one'))));
    await post(emulator, body(marked(long('one'), assistant('a'), user('two'))));
    const { hitRate = 0 } = emulator.report();
    expect(hitRate).toBeGreaterThan(0.4);
    emulator.expectHitRate(hitRate);
    expect(() => emulator.expectHitRate(0.99)).toThrow(
      /at least 99\.0 % over 2 requests, but it is \d+\.\d %/,
    );
    expect(() => emulator.expectHitRate(2)).toThrow(/from 0 to 1/);
  });

  test('fails where nothing was billed', () => {
    expect(() => create().expectHitRate(0)).toThrow(/no request was billed/);
  });
});

describe('memory', () => {
  test('keeps the latest requests, and reports all', async () => {
    const emulator = create({ keepRequests: 2 });
    for (let count = 0; count < 5; count++) await post(emulator, body());
    expect(emulator.requests.map(({ index }) => index)).toEqual([3, 4]);
    expect(emulator.report().requests).toBe(5);
  });

  test('keeps no more bytes than it may', async () => {
    const emulator = create({ keepBytes: 0 });
    await post(emulator, body());
    expect(emulator.requests).toEqual([]);
  });

  test('keeps the exact bytes of what came in', async () => {
    const emulator = create();
    const bytes = new TextEncoder().encode(` ${JSON.stringify(body())}\n`);
    await post(emulator, bytes);
    expect(emulator.requests[0]?.body).toEqual(bytes);
    expect(emulator.requests[0]?.json).toEqual(body());
  });

  test.each<NonNullable<Parameters<typeof createEmulator>[0]>>([
    { keepRequests: -1 },
    { keepBytes: Number.NaN },
    { deltaCharacters: 0 },
    { faults: [{ kind: 'status', status: 42 }] },
    { faults: [{ kind: 'status', status: 200 }] },
    { faults: [{ kind: 'explode' } as never] },
    { maxPromptCharacters: -1 },
    { firstTokenDelayMs: -1 },
  ])('refuses %o', (options) => {
    expect(() => create(options)).toThrow(/Expected `/);
  });
});
