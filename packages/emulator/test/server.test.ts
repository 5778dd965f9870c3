import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EmulatorError, startEmulator } from '../src/index.ts';
import { type ProxiedExchange, startRecordingProxy } from '../src/server/proxy.ts';
import { ANTHROPIC_HEADERS, body } from './support.ts';

const send = (url: string, fields: Record<string, unknown> = {}) =>
  fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: ANTHROPIC_HEADERS,
    body: JSON.stringify(body(fields)),
  });

/** Writes bytes on a socket of their own and waits until the other side is done with it. */
function raw(port: number, bytes: Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => resolve(received));
    socket.on('close', () => resolve(received));
    socket.setTimeout(200, () => socket.destroy());
  });
}

const BODY = Buffer.from(JSON.stringify(body()));
const FIELDS = Object.entries(ANTHROPIC_HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
const lengthOf = (bytes: Uint8Array) => `content-length: ${bytes.length}\r\n`;
const head = (more = '', length = lengthOf(BODY), target = '/v1/messages') =>
  `POST ${target} HTTP/1.1\r\nhost: x\r\n${FIELDS.join('')}${more}${length}\r\n`;
const chunked = [...BODY].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join('');

/** Corners of HTTP: what is sent, and the statuses that come back. */
const CORNERS: readonly [string, string, string, Buffer?][] = [
  [
    'a body in chunks of a byte',
    '200',
    head('transfer-encoding: chunked\r\n', ''),
    Buffer.from(`${chunked}0\r\n\r\n`),
  ],
  ['a body that waits for permission', '100,200', head('expect: 100-continue\r\n')],
  ['a whole URL, as proxies get it,', '200', head('', lengthOf(BODY), 'http://x/v1/messages')],
  [
    'three requests at once',
    '200,200,200',
    head(),
    Buffer.from(`${BODY}${head()}${BODY}${head()}${BODY}`),
  ],
  ['a header of 100,000 bytes', '431', head(`x-long: ${'a'.repeat(100_000)}\r\n`)],
  ['a request of two lengths', '400', head('content-length: 5\r\n')],
  ['a body that ends early', '400', head(), BODY.subarray(0, -5)],
  [
    'a compressed body',
    '400',
    head('content-encoding: gzip\r\n', lengthOf(gzipSync(BODY))),
    gzipSync(BODY),
  ],
  ['the start of an encrypted connection', '400', '\u0016\u0003\u0001'],
];

describe('startEmulator', () => {
  test.each(['0.0.0.0', '::', '192.168.1.1', 'example.com', '127.0.0.1.example.com'])(
    'refuses to listen on %s',
    async (host) => {
      await expect(startEmulator({ host })).rejects.toMatchObject({ code: 'not-loopback' });
    },
  );

  test('listens on other addresses where that is allowed', async () => {
    await using emulator = await startEmulator({ host: '0.0.0.0', allowRemote: true });
    expect((await send(`http://127.0.0.1:${emulator.port}`)).status).toBe(200);
  });

  test('says that a port is taken', async () => {
    await using emulator = await startEmulator();
    const error = await startEmulator({ port: emulator.port }).catch((caught: unknown) => caught);
    expect(EmulatorError.is(error) && error.code).toBe('cannot-listen');
  });

  test.each([-1, 65_536, 1.5])('refuses port %d', async (port) => {
    await expect(startEmulator({ port })).rejects.toMatchObject({ code: 'bad-options' });
  });

  test('close cuts what hangs, streams or waits, and leaves no socket', async () => {
    const before = sockets();
    const emulator = await startEmulator({
      eventDelayMs: 50,
      replies: () => 'x'.repeat(10_000),
      faults: [
        { kind: 'hang', when: 0 },
        { kind: 'latency', ms: 60_000, when: 1 },
        { kind: 'hang', afterEvents: 2, when: 2 },
      ],
    });
    const hanging = [0, 1, 2, 3].map(() =>
      send(emulator.url, { stream: true })
        .then((answer) => answer.text())
        .catch(() => 'cut'),
    );
    await sleep(100);
    await emulator.close();
    await emulator.close();
    expect(await Promise.all(hanging)).toEqual(['cut', 'cut', 'cut', 'cut']);
    await expect(send(emulator.url)).rejects.toThrow();
    expect(sockets()).toBeLessThanOrEqual(before);
  });

  test('200 streams at once are all whole', async () => {
    await using emulator = await startEmulator({
      eventDelayMs: 2,
      replies: () => 'word '.repeat(50),
    });
    const texts = await Promise.all(
      Array.from({ length: 200 }, async () => (await send(emulator.url, { stream: true })).text()),
    );
    expect(texts.filter((text) => !text.includes('message_stop'))).toEqual([]);
    expect(emulator.report().requests).toBe(200);
  });

  test('random bytes on the socket never stop it', async () => {
    await using emulator = await startEmulator();
    const { numRuns = 100 } = fc.readConfigureGlobal();
    const head = fc.constantFrom(
      '',
      'POST /v1/messages HTTP/1.1\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
      'POST /v1/responses HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    const property = fc.asyncProperty(
      head,
      fc.uint8Array({ maxLength: 300 }),
      async (start, bytes) => {
        await raw(emulator.port, Buffer.concat([Buffer.from(start), bytes]));
      },
    );
    // each run opens a connection
    await fc.assert(property, { numRuns: Math.min(500, Math.ceil(numRuns / 4)) });
    expect((await send(emulator.url)).status).toBe(200);
  });

  test.each(CORNERS)('%s is answered with %s', async (_name, expected, head, bytes = BODY) => {
    await using emulator = await startEmulator({ replies: () => 'Hi.' });
    const received = await raw(emulator.port, Buffer.concat([Buffer.from(head), bytes]));
    expect([...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status).join()).toBe(
      expected,
    );
  });

  test('a client that leaves in the middle of its request is forgotten', async () => {
    await using emulator = await startEmulator();
    const start = 'POST /v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{';
    await raw(emulator.port, Buffer.from(start));
    expect((await send(emulator.url)).status).toBe(200);
    expect(emulator.report().requests).toBe(1);
  });
});

const sockets = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;

describe('startRecordingProxy', () => {
  test('passes every byte on and records both ways, without keys', async () => {
    await using upstream = await startEmulator({ replies: () => 'Hello 😀', deltaCharacters: 3 });
    const lines: string[] = [];
    const proxy = await startRecordingProxy({
      upstream: upstream.url,
      write: (line) => lines.push(line),
    });
    const whole = await (await send(proxy.url)).text();
    const streamed = await (await send(proxy.url, { stream: true })).text();
    const refused = await send(proxy.url, { temperature: 1 });
    await refused.text();
    await proxy.close();
    const exchanges = lines.map((line) => JSON.parse(line) as ProxiedExchange);
    expect(exchanges.map(({ status, complete }) => [status, complete])).toEqual([
      [200, true],
      [200, true],
      [400, true],
    ]);
    expect(exchanges.map(({ responseBody }) => responseBody).slice(0, 2)).toEqual([
      whole,
      streamed,
    ]);
    expect(exchanges[0]).toMatchObject({ index: 0, method: 'POST', path: '/v1/messages' });
    expect(exchanges[0]?.responseHeaders['request-id']).toBe('req_emulated00000001');
    expect(lines.join('')).not.toContain('x-api-key');
    const sent = upstream.requests.map(({ body: bytes }) => new TextDecoder().decode(bytes));
    expect(exchanges.map(({ requestBody }) => requestBody)).toEqual(sent);
    expect(upstream.requests[0]?.headers['x-api-key']).toBe('test');
  });

  test('an upstream that is cut, or not there, is recorded as such', async () => {
    const faults = [{ kind: 'cut' as const, afterEvents: 3 }];
    const upstream = await startEmulator({ faults });
    const lines: string[] = [];
    const proxy = await startRecordingProxy({
      upstream: upstream.url,
      write: (line) => lines.push(line),
    });
    await expect(
      send(proxy.url, { stream: true }).then((answer) => answer.text()),
    ).rejects.toThrow();
    await upstream.close();
    expect((await send(proxy.url)).status).toBe(502);
    await proxy.close();
    const exchanges = lines.map((line) => JSON.parse(line) as ProxiedExchange);
    expect(exchanges.map(({ status, complete }) => [status, complete])).toEqual([
      [200, false],
      [502, false],
    ]);
  });

  test.each([
    ['a compressed body', { 'content-encoding': 'gzip' }, gzipSync(BODY)],
    ['a body that is not what its header says', { 'content-encoding': 'gzip' }, BODY],
    ['a plain body', {}, BODY],
  ])('passes %s on with its header, and records what can be read', async (_name, own, bytes) => {
    const got: { encoding: unknown; body: Buffer }[] = [];
    const upstream = createServer(async (message, response) => {
      const chunks = await message.toArray();
      got.push({ encoding: message.headers['content-encoding'], body: Buffer.concat(chunks) });
      response.end('{}');
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void upstream.close());
    await once(upstream, 'listening');
    const { port } = upstream.address() as AddressInfo;
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const proxy = await startRecordingProxy({ upstream: `http://127.0.0.1:${port}`, write });
    const headers = { ...ANTHROPIC_HEADERS, ...own };
    await fetch(`${proxy.url}/v1/messages`, { method: 'POST', headers, body: bytes });
    await proxy.close();
    expect(got).toEqual([{ encoding: headers['content-encoding'], body: bytes }]);
    expect((JSON.parse(lines[0] ?? '') as ProxiedExchange).requestBody).toBe(`${BODY}`);
  });

  test('refuses an upstream that is no URL', async () => {
    await expect(startRecordingProxy({ upstream: 'x', write: () => {} })).rejects.toMatchObject({
      code: 'bad-options',
    });
  });
});
