import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SECRET_KINDS } from '@varve/redact/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { oneIn } from '../../../internal/src/share.ts';
import { type ProxiedExchange, startRecordingProxy } from '../src/server/proxy.ts';
import { ANTHROPIC_HEADERS, body, create, MODEL, post } from './support.ts';

const CLI = join(import.meta.dirname, '..', 'src', 'cli.ts');

/** An upstream that counts what it gets and answers as told, with a proxy before it that records. */
async function proxied(
  respond: (path: string) => { headers?: Record<string, string>; body: string },
  options: Pick<Parameters<typeof startRecordingProxy>[0], 'redact'> = {},
) {
  const got: { bytes: number; headers: Record<string, unknown>; url: string | undefined }[] = [];
  const upstream = createServer(async (message, response) => {
    let bytes = 0;
    for await (const chunk of message as AsyncIterable<Buffer>) bytes += chunk.byteLength;
    got.push({ bytes, headers: message.headers, url: message.url });
    const answer = respond(message.url ?? '');
    response.writeHead(200, answer.headers).end(answer.body);
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const { port } = upstream.address() as AddressInfo;
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const upstreamUrl = `http://127.0.0.1:${port}`;
  const proxy = await startRecordingProxy({ ...options, upstream: upstreamUrl, write });
  onTestFinished(async () => {
    await proxy.close();
    upstream.close();
  });
  return {
    url: proxy.url,
    got,
    lines,
    exchange: async () => {
      await proxy.close();
      return JSON.parse(lines[0] ?? '') as ProxiedExchange;
    },
  };
}

// Siblings looked for: headers of both ways, the query, the path of a proxy request, and the log of `varve-emulator`.
describe('O353 a recording keeps only what is known to hold no credential', () => {
  const CREDENTIALS = [
    'authorization',
    'proxy-authorization',
    'x-api-key',
    'api-key',
    'cookie',
    'x-goog-api-key',
    'x-goog-iam-authorization-token',
    'cf-aig-authorization',
    'helicone-auth',
    'portkey-api-key',
    'x-portkey-api-key',
    'x-amz-security-token',
    'ocp-apim-subscription-key',
    'x-litellm-api-key',
    'x-auth-token',
    'x-anything-that-comes',
  ];
  const ANSWERED = [
    'set-cookie',
    'x-amzn-remapped-authorization',
    'x-session-token',
    'anthropic-organization-id',
  ];

  test('of headers', async () => {
    const secret = (name: string) => `value-of-${name}`;
    const { url, got, lines, exchange } = await proxied(() => ({
      headers: Object.fromEntries([
        ...ANSWERED.map((name) => [name, secret(name)]),
        ['request-id', 'req_1'],
      ]),
      body: '{}',
    }));
    const headers = Object.fromEntries(CREDENTIALS.map((name) => [name, secret(name)]));
    await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { ...headers, 'anthropic-version': '2026-10-21', 'x-stainless-lang': 'js' },
      body: '{}',
    });
    const { requestHeaders, responseHeaders } = await exchange();
    expect(got[0]?.headers).toMatchObject(headers);
    for (const name of [...CREDENTIALS, ...ANSWERED])
      expect(lines.join('')).not.toContain(secret(name));
    expect(requestHeaders).toMatchObject({
      'anthropic-version': '2026-10-21',
      'x-stainless-lang': 'js',
    });
    expect(responseHeaders['request-id']).toBe('req_1');
  });

  test.each([
    [
      '/v1beta/models/x:generate?alt=sse&key=s3cret',
      '/v1beta/models/x:generate?alt=sse&key=redacted',
    ],
    [
      '/v1/models?limit=20&access_token=s3cret&after_id=m',
      '/v1/models?limit=20&access_token=redacted&after_id=m',
    ],
    ['/v1/models?s3cret', '/v1/models?redacted'],
    ['/v1/models?a=s3cret=s3cret&&', '/v1/models?a=redacted&&'],
    // siblings: parameters of the path, and every parameter whose value is kept
    ['/v1/x;jsessionid=s3cret', '/v1/x;jsessionid=redacted'],
    ['/v1/a;v=1;s3cret/b;sid=s3cret?limit=3', '/v1/a;v=redacted;redacted/b;sid=redacted?limit=3'],
    ['/v1/x%3Bjsessionid%3Ds3cret/y', '/v1/x%3Bjsessionid=redacted/y'],
    ['/v1/x?alt=sse?key=s3cret', '/v1/x?alt=redacted'],
    ['/v1/x?alt=sse;key=s3cret', '/v1/x?alt=redacted'],
    ['/v1/x?beta=s3cret&beta=true', '/v1/x?beta=redacted&beta=true'],
    ['/v1/x?include=s3cret&limit=s3cret', '/v1/x?include=redacted&limit=redacted'],
    ['/v1/x?api-version=s3cret', '/v1/x?api-version=redacted'],
    ['/v1/x?api-version=2026-10-21-preview', '/v1/x?api-version=2026-10-21-preview'],
    ['/v1/x?include=message.output_text.logprobs', '/v1/x?include=message.output_text.logprobs'],
    ['/v1/x?after_id=s3cret;key=1', '/v1/x?after_id=redacted'],
    ['/v1/x?czNjcmV0s3cret==', '/v1/x?redacted'],
    ['/v1/models?', '/v1/models?'],
    ['/v1/models', '/v1/models'],
  ])('of the query of %s', async (sent, recorded) => {
    const { url, got, exchange } = await proxied(() => ({ body: '{}' }));
    await fetch(url + sent);
    expect((await exchange()).path).toBe(recorded);
    expect(got[0]?.url).toBe(sent);
  });
});

describe('O353 an allowed header keeps no credential inside', () => {
  test.each([
    ['accept', 'application/json; token=hdrs3cret1', 'application/json; token=redacted'],
    ['accept', 'text/html;q=0.9, */*;q=hdrs3cret1', 'text/html;q=0.9, */*;q=redacted'],
    ['content-type', 'text/plain; charset=utf-8', 'text/plain; charset=utf-8'],
    ['content-type', 'text/plain; charset=hdrs3cret1', 'text/plain; charset=redacted'],
    ['user-agent', 'agent/1 (key=hdrs3cret1)', 'agent/1 (redacted)'],
    ['user-agent', 'agent/1 (token hdrs3cret1', 'agent/1 (redacted)'],
    [
      'user-agent',
      'agent/1.2 (X11; Linux x86_64) node/24',
      'agent/1.2 (X11; Linux x86_64) node/24',
    ],
    ['x-app', 'cli; session="hdr s3cret1"', 'cli; session=redacted'],
    ['x-stainless-api-key', 'hdrs3cret1', undefined],
    ['x-stainless-session', 'hdrs3cret1', undefined],
    ['x-stainless-retry-count', '0', '0'],
  ])('%s: %s', async (name, sent, recorded) => {
    const { url, exchange } = await proxied(() => ({ body: '{}' }));
    await fetch(`${url}/v1/messages`, { method: 'POST', headers: { [name]: sent }, body: '{}' });
    expect((await exchange()).requestHeaders[name]).toBe(recorded);
  });

  test('of an answer', async () => {
    const { url, exchange } = await proxied(() => ({
      headers: {
        'x-ratelimit-token': 'rls3cret8',
        'x-ratelimit-reset-tokens': '6m0s',
        'anthropic-ratelimit-tokens-reset': '2026-10-21T00:00:00Z',
        'cache-control': 'max-age=60, private="s3cret"',
      },
      body: '{}',
    }));
    await fetch(`${url}/v1/messages`);
    expect((await exchange()).responseHeaders).toMatchObject({
      'x-ratelimit-token': 'redacted',
      'x-ratelimit-reset-tokens': '6m0s',
      'anthropic-ratelimit-tokens-reset': '2026-10-21T00:00:00Z',
      'cache-control': 'max-age=60, private=redacted',
    });
  });
});

describe('O353 bodies that are no JSON', () => {
  test('the fields of a form are recorded where they hold no credential, both ways', async () => {
    const form = (secret: string) =>
      `grant_type=client_credentials&code=${secret}&assertion=${secret}&new_field=${secret}`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };
    const { url, lines, exchange } = await proxied(() => ({ headers, body: form('answers3cret') }));
    await fetch(`${url}/oauth/token`, { method: 'POST', headers, body: form('forms3cret') });
    const { requestBody, responseBody } = await exchange();
    expect(lines.join('')).not.toMatch(/s3cret/);
    for (const body of [requestBody, responseBody])
      expect(body).toMatch(/^grant_type=client_credentials&code=/);
  });

  test('the parts of a form with parts', async () => {
    const { url, lines, exchange } = await proxied(() => ({ body: '{}' }));
    const form = new FormData();
    const secrets = {
      password: 'mps3cret2x9',
      api_key: 'mps3cret1x9',
      client_secret: 'mps3cret-a',
    };
    for (const [name, value] of Object.entries({ purpose: 'batch', ...secrets }))
      form.set(name, value);
    await fetch(`${url}/up`, { method: 'POST', body: form });
    const { requestBody } = await exchange();
    expect(lines.join('')).not.toMatch(/s3cret/);
    expect(requestBody).toContain('batch');
  });
});

// Siblings looked for: request and answer, whole and streamed bodies, the path, and the log of `varve-emulator`.
describe('L325 a recording holds no secret of any kind', () => {
  test.each(
    oneIn(
      12,
      SECRET_KINDS.map(({ name, make }, index) => ({ index, name, make })),
    ),
  )('$index $name', async ({ make }) => {
    const { text, secret } = make(7);
    const { url, got, lines, exchange } = await proxied(() => ({
      body: JSON.stringify({ text }),
    }));
    const sent = JSON.stringify({ messages: [{ role: 'user', content: `See: ${text}` }] });
    const answer = await fetch(`${url}/v1/messages`, { method: 'POST', body: sent });
    expect(await answer.json()).toEqual({ text });
    expect(got[0]?.bytes).toBe(Buffer.byteLength(sent));
    const { requestBody, responseBody } = await exchange();
    const bodies = [JSON.parse(requestBody), JSON.parse(responseBody)];
    for (const part of secret.split('\n')) {
      expect(JSON.stringify(bodies)).not.toContain(JSON.stringify(part).slice(1, -1));
      expect(lines.join('')).not.toContain(part);
    }
  });
});

// Siblings looked for: a large answer, and a body whose recorded part ends inside of a character.
describe('a body of more than 64 MiB', () => {
  const LARGE = 68 * 2 ** 20;

  test('is forwarded whole, and recorded as cut', async () => {
    const body = 'é'.repeat(LARGE / 2);
    // looking for secrets in so much takes seconds
    const { url, got, exchange } = await proxied(() => ({ body }), { redact: false });
    const answer = await fetch(`${url}/v1/messages`, { method: 'POST', body: 'x'.repeat(LARGE) });
    expect((await answer.arrayBuffer()).byteLength).toBe(LARGE);
    const recorded = await exchange();
    expect(got[0]?.bytes).toBe(LARGE);
    expect(recorded).toMatchObject({ requestBytes: LARGE, responseBytes: LARGE, complete: false });
    expect(recorded.requestBody).toHaveLength(64 * 2 ** 20);
    expect(recorded.responseBody).toHaveLength(32 * 2 ** 20);
  });
});

// Siblings looked for: system, tools and parameters nested the same way, and a body that is no JSON.
describe('a request nested 100,000 deep', () => {
  const deep = (fields: (value: unknown) => Record<string, unknown>): Uint8Array => {
    const text = JSON.stringify(body(fields('HERE')));
    return new TextEncoder().encode(
      text.replace('"HERE"', '['.repeat(100_000) + ']'.repeat(100_000)),
    );
  };
  const BODIES = {
    'in the input of a call': deep((input) => ({
      messages: [
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'a', name: 'n', input: { input } }],
        },
      ],
    })),
    'in the schema of a tool': deep((schema) => ({
      tools: [{ name: 'a', input_schema: { type: 'object', schema } }],
    })),
    'in metadata': deep((value) => ({ metadata: { value } })),
    'that is no object': new TextEncoder().encode('['.repeat(100_000)),
  };

  test.each(Object.entries(BODIES))('is answered where it is %s', async (_name, bytes) => {
    const { status } = await post(create(), bytes);
    expect([200, 400]).toContain(status);
  });

  test('costs neither the log nor the report', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'varve-emulator-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [log, report] = [join(folder, 'log.jsonl'), join(folder, 'report.json')];
    const child = spawn(process.execPath, [CLI, '--log', log, '--report', report]);
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const { url } = JSON.parse(line) as { url: string };
    for (const bytes of Object.values(BODIES)) {
      const init = { method: 'POST', headers: ANTHROPIC_HEADERS, body: bytes as BodyInit };
      await (await fetch(`${url}/v1/messages`, init)).text();
    }
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    const indices = lines.map((text) => (JSON.parse(text) as { index: number }).index);
    expect(indices).toEqual([0, 1, 2, 3]);
    expect(lines[2]).toContain(MODEL);
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ requests: 4 });
  });
});
