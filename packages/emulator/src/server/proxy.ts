import type { ServerResponse } from 'node:http';
import { redact } from '@varve/redact';
import type { HttpRequest } from '../core/http.ts';
import { badOption } from '../options.ts';
import { bodyText } from './body-text.ts';
import { type Listening, type ListenOptions, listen } from './listen.ts';
import { readHttpRequest } from './read-request.ts';

/**
 * One exchange as a line of the recording. Credentials are not recorded: of headers and query parameters only those that
 * are known to hold none.
 */
export interface ProxiedExchange {
  readonly index: number;
  readonly startedAt: string;
  /** Until the last byte. */
  readonly durationMs: number;
  readonly method: string;
  /** With its query; the value of a parameter that may be a credential is `redacted`. */
  readonly path: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** Unpacked where it was sent compressed. The first 64 MiB. */
  readonly requestBody: string;
  /** Of the whole body, as it was sent. */
  readonly requestBytes: number;
  /** 502 where the upstream could not be reached. */
  readonly status: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** The first 64 MiB. */
  readonly responseBody: string;
  /** Of the whole body, decoded. */
  readonly responseBytes: number;
  /** False where the client or the upstream went away before the end, and where a body here is not the whole one. */
  readonly complete: boolean;
}

export interface ProxyOptions extends ListenOptions {
  /** Where requests go: the base URL without the path of an endpoint. */
  readonly upstream: string;
  /** Gets every exchange as one line of JSON, line break included, once it is over. */
  readonly write: (line: string) => void;
  /**
   * Takes secrets out of paths and bodies in the recording, each behind a marker that names its kind; one that is split
   * over the events of a stream stays. False records bodies as they went.
   * @default true
   */
  readonly redact?: boolean | undefined;
  /** @default Date.now */
  readonly now?: (() => number) | undefined;
}

/**
 * Forwards every request byte for byte, whatever its size, and records what went both ways without credentials. Throws
 * as `startEmulator` does.
 */
export async function startRecordingProxy(options: ProxyOptions): Promise<Listening> {
  const { upstream, write, now = Date.now } = options;
  const clean = (options.redact ?? true) ? redact : (text: string) => text;
  if (!URL.canParse(upstream)) throw badOption('upstream', 'a URL', upstream);
  let count = 0;
  return listen(async (message, response, signal) => {
    const index = count++;
    const startMs = now();
    const http = await readHttpRequest(message, Infinity);
    const { complete, ...result } = await forward(http, { upstream, response, signal });
    const isWhole = http.body.byteLength <= MOST_RECORDED && result.responseBytes <= MOST_RECORDED;
    const exchange: ProxiedExchange = {
      index,
      startedAt: new Date(startMs).toISOString(),
      durationMs: now() - startMs,
      method: http.method,
      path: clean(withoutCredentials(http.path)),
      requestHeaders: recordedHeaders(http.headers, REQUEST_HEADERS),
      requestBody: clean(bodyText({ ...http, body: http.body.subarray(0, MOST_RECORDED) })),
      requestBytes: http.body.byteLength,
      ...result,
      responseBody: clean(result.responseBody),
      complete: complete && isWhole,
    };
    write(`${JSON.stringify(exchange)}\n`);
  }, options);
}

/** Bytes of a body that are recorded: twice what the largest body of a provider may have. */
const MOST_RECORDED = 64 * 2 ** 20;

interface ForwardOptions {
  readonly upstream: string;
  readonly response: ServerResponse;
  readonly signal: AbortSignal;
}

type Forwarded = Pick<
  ProxiedExchange,
  'status' | 'responseHeaders' | 'responseBody' | 'responseBytes' | 'complete'
>;

async function forward(http: HttpRequest, options: ForwardOptions): Promise<Forwarded> {
  const { upstream, response, signal } = options;
  const { method, path } = http;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  try {
    const answer = await fetch(upstream.replace(/\/$/, '') + path, {
      method,
      headers: without(http.headers, OF_THE_CONNECTION),
      signal,
      redirect: 'manual',
      ...(hasBody && { body: http.body as Uint8Array<ArrayBuffer> }),
    });
    const headers = without(Object.fromEntries(answer.headers), DECODED);
    response.writeHead(answer.status, headers);
    const relayed = await relay(answer, response);
    const responseHeaders = recordedHeaders(headers, RESPONSE_HEADERS);
    return { status: answer.status, responseHeaders, ...relayed };
  } catch {
    if (!response.headersSent && !signal.aborted) response.writeHead(502).end();
    const nothing = { responseHeaders: {}, responseBody: '', responseBytes: 0 };
    return { status: 502, ...nothing, complete: false };
  }
}

/** Hands pieces on as they come; one that ends early is cut on our side too. */
async function relay(answer: Response, response: ServerResponse) {
  const decoder = new TextDecoder();
  let responseBody = '';
  let responseBytes = 0;
  let complete = true;
  try {
    for await (const chunk of answer.body ?? []) {
      const room = Math.max(0, MOST_RECORDED - responseBytes);
      responseBody += decoder.decode(chunk.subarray(0, room), { stream: true });
      responseBytes += chunk.byteLength;
      response.write(chunk);
    }
    response.end();
  } catch {
    response.destroy();
    complete = false;
  }
  return { responseBody: responseBody + decoder.decode(), responseBytes, complete };
}

/** Those of one connection stay on it; lengths are set anew, and what comes back in one is decoded on its way. */
const OF_THE_CONNECTION = [
  'connection',
  'host',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'accept-encoding',
  'expect',
  'upgrade',
];

const DECODED = [...OF_THE_CONNECTION, 'content-encoding'];

type Headers = Readonly<Record<string, string | undefined>>;

function without(headers: Headers, names: readonly string[]): Record<string, string> {
  const kept = Object.entries(headers).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !names.includes(entry[0]),
  );
  return Object.fromEntries(kept);
}

/** Names of headers that hold no credential and no account; `*` stands for any ending. */
const REQUEST_HEADERS = [
  'accept',
  'accept-language',
  'content-type',
  'user-agent',
  'anthropic-version',
  'anthropic-beta',
  'openai-beta',
  'x-app',
  'x-stainless-*',
];

const RESPONSE_HEADERS = [
  'cache-control',
  'content-type',
  'date',
  'server',
  'request-id',
  'x-request-id',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'anthropic-ratelimit-*',
  'x-ratelimit-*',
  'openai-processing-ms',
  'openai-version',
];

function recordedHeaders(headers: Headers, names: readonly string[]): Record<string, string> {
  const isKnown = (header: string) =>
    names.some((name) =>
      name.endsWith('*') ? header.startsWith(name.slice(0, -1)) : header === name,
    );
  return without(
    headers,
    Object.keys(headers).filter((header) => !isKnown(header)),
  );
}

/** Query parameters that hold no credential: those of the providers' own lists and versions. */
const PARAMETERS = ['after_id', 'alt', 'api-version', 'before_id', 'beta', 'include', 'limit'];

/** A path with the value of every other parameter replaced. */
function withoutCredentials(path: string): string {
  const [before = '', query] = path.split(/\?(.*)/s);
  if (query === undefined) return path;
  const parts = query.split('&').map((part) => {
    const [name = '', value] = part.split(/=(.*)/s);
    if (PARAMETERS.includes(name) || part === '') return part;
    return value === undefined ? 'redacted' : `${name}=redacted`;
  });
  return `${before}?${parts.join('&')}`;
}
