import type { ServerResponse } from 'node:http';
import type { HttpRequest } from '../core/http.ts';
import { badOption } from '../options.ts';
import { bodyText } from './body-text.ts';
import { type Listening, type ListenOptions, listen } from './listen.ts';
import { readHttpRequest } from './read-request.ts';

/** One exchange as a line of the recording. Keys are not recorded. */
export interface ProxiedExchange {
  readonly index: number;
  readonly startedAt: string;
  /** Until the last byte. */
  readonly durationMs: number;
  readonly method: string;
  readonly path: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** Unpacked where it was sent compressed. */
  readonly requestBody: string;
  /** 502 where the upstream could not be reached. */
  readonly status: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string;
  /** False where the client or the upstream went away before the end. */
  readonly complete: boolean;
}

export interface ProxyOptions extends ListenOptions {
  /** Where requests go: the base URL without the path of an endpoint. */
  readonly upstream: string;
  /** Gets every exchange as one line of JSON, line break included, once it is over. */
  readonly write: (line: string) => void;
  /** @default Date.now */
  readonly now?: (() => number) | undefined;
}

/**
 * Forwards every request byte for byte and records what went both ways; `authorization`, `x-api-key` and cookies are
 * sent on and left out of the recording. Throws as `startEmulator` does.
 */
export async function startRecordingProxy(options: ProxyOptions): Promise<Listening> {
  const { upstream, write, now = Date.now } = options;
  if (!URL.canParse(upstream)) throw badOption('upstream', 'a URL', upstream);
  let count = 0;
  return listen(async (message, response, signal) => {
    const index = count++;
    const startMs = now();
    const http = await readHttpRequest(message);
    const result = await forward(http, { upstream, response, signal });
    const exchange: ProxiedExchange = {
      index,
      startedAt: new Date(startMs).toISOString(),
      durationMs: now() - startMs,
      method: http.method,
      path: http.path,
      requestHeaders: withoutSecrets(http.headers),
      requestBody: bodyText(http),
      ...result,
    };
    write(`${JSON.stringify(exchange)}\n`);
  }, options);
}

interface ForwardOptions {
  readonly upstream: string;
  readonly response: ServerResponse;
  readonly signal: AbortSignal;
}

type Forwarded = Pick<ProxiedExchange, 'status' | 'responseHeaders' | 'responseBody' | 'complete'>;

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
    const { text, complete } = await relay(answer, response);
    const responseHeaders = withoutSecrets(headers);
    return { status: answer.status, responseHeaders, responseBody: text, complete };
  } catch {
    if (!response.headersSent && !signal.aborted) response.writeHead(502).end();
    return { status: 502, responseHeaders: {}, responseBody: '', complete: false };
  }
}

/** Hands pieces on as they come; one that ends early is cut on our side too. */
async function relay(answer: Response, response: ServerResponse) {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      response.write(chunk);
    }
    response.end();
    return { text: text + decoder.decode(), complete: true };
  } catch {
    response.destroy();
    return { text, complete: false };
  }
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

const SECRETS = [
  'authorization',
  'x-api-key',
  'api-key',
  'cookie',
  'set-cookie',
  'proxy-authorization',
];

type Headers = Readonly<Record<string, string | undefined>>;

const withoutSecrets = (headers: Headers): Record<string, string> =>
  without(headers, [...DECODED, ...SECRETS]);

function without(headers: Headers, names: readonly string[]): Record<string, string> {
  const kept = Object.entries(headers).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !names.includes(entry[0]),
  );
  return Object.fromEntries(kept);
}
