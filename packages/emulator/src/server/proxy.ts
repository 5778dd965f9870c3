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
  const isClean = options.redact ?? true;
  const clean = (text: string, headers: Headers = {}) => {
    if (!isClean) return text;
    const isForm = headers['content-type']?.includes('application/x-www-form-urlencoded');
    return redact(isForm ? recordedQuery(text, FORM_FIELDS) : text);
  };
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
      requestBody: clean(
        bodyText({ ...http, body: http.body.subarray(0, MOST_RECORDED) }),
        http.headers,
      ),
      requestBytes: http.body.byteLength,
      ...result,
      responseBody: clean(result.responseBody, result.responseHeaders),
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
  ...(
    'lang package-version os arch runtime runtime-version retry-count timeout read-timeout async helper helper-method ' +
    'stream-helper poll-helper custom-poll-interval raw-response'
  )
    .split(' ')
    .map((name) => `x-stainless-${name}`),
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
  const recorded: Record<string, string> = {};
  for (const [header, value] of Object.entries(headers)) {
    const name = names.find((known) =>
      known.endsWith('*') ? header.startsWith(known.slice(0, -1)) : header === known,
    );
    if (name === undefined || value === undefined) continue;
    // which names there are is not known, so the value has to be that of a limit
    if (name.endsWith('*')) recorded[header] = OF_A_LIMIT.test(value) ? value : 'redacted';
    else recorded[header] = recordedValue(value);
  }
  return recorded;
}

/** A count, a time or a word: `999`, `6m0s`, `2026-10-21T00:00:00Z`, `allowed`. */
const OF_A_LIMIT =
  /^(?:\d[\d.]*(?:(?:ms|[smhd])(?:\d[\d.]*)?){0,4}|\d{4}-\d\d-\d\d[T\d:.+Z-]{0,24}|[a-z_-]{1,24})$/;

/** The value of a header without comments and parameters that may hold a credential. */
function recordedValue(value: string): string {
  const withoutComments = value.replace(/\([^()]*\)?/g, (comment) =>
    /[=]|key|token|secret|auth|pass|cred|cookie|session|bearer|basic|sig/i.test(comment)
      ? '(redacted)'
      : comment,
  );
  const withoutParameters = withoutComments.replace(
    /([^\s;,=()]{1,256})(\s{0,8}=\s{0,8})("[^"]*"?|[^\s;,]*)/g,
    (whole, name: string, sign: string, given: string) => {
      const form = FORMS_IN_HEADERS.get(name.toLowerCase());
      return form?.test(given) ? whole : `${name}${sign}redacted`;
    },
  );
  return redact(withoutParameters);
}

const COUNT = /^\d{1,9}$/;

const FORMS_IN_HEADERS: ReadonlyMap<string, RegExp> = new Map([
  ['q', /^[01](?:\.\d{1,3})?$/],
  ['charset', /^"?(?:utf-?8|us-ascii|iso-8859-\d{1,2}|windows-\d{4})"?$/i],
  ['boundary', /^"?[\w'()+,./:?-]{1,70}"?$/],
  ['max-age', COUNT],
  ['s-maxage', COUNT],
]);

type Forms = ReadonlyMap<string, RegExp>;

/** Query parameters that hold no credential, those of the providers' own lists and versions, with the form of their values. */
const PARAMETERS: Forms = new Map([
  ['after_id', /^(?:[a-z]{1,12}|[a-z]{2,12}_\w{1,48}|(?:claude|gpt|gemini)-[a-z0-9.-]{1,48})$/],
  ['before_id', /^(?:[a-z]{1,12}|[a-z]{2,12}_\w{1,48}|(?:claude|gpt|gemini)-[a-z0-9.-]{1,48})$/],
  ['alt', /^(?:sse|json|media|proto)$/],
  [
    'api-version',
    /^(?:\d{4}-\d\d-\d\d(?:-preview)?|v\d(?:\.\d|(?:alpha|beta)\d?)?|preview|latest)$/,
  ],
  ['beta', /^(?:true|false|[01])$/],
  ['include', /^[a-z_]{1,40}(?:\.[a-z_]{1,40}){1,5}$/],
  ['limit', /^\d{1,6}$/],
]);

/** The same of forms, as they are sent to get a token. */
const FORM_FIELDS: Forms = new Map([
  ['grant_type', /^[a-z_-]{1,40}$|^urn(?:%3A|:)ietf(?:[%:]|3A|[a-z0-9-]){1,80}$/i],
  ['response_type', /^(?:code|token)$/],
  ['token_type', /^bearer$/i],
  ['expires_in', COUNT],
  ['scope', /^[a-z_]{1,24}(?:(?:\+|%20|[:.])[a-z_]{1,24}){0,20}$/],
]);

/** A path with the value of every other parameter replaced, those of its folders (`;jsessionid=`) included. */
function withoutCredentials(path: string): string {
  const [before = '', query] = path.split(/\?(.*)/s);
  const place = before.replace(
    /(;|%3b)([^;/=%]{0,64}(?==|%3d))?(?:(?!;|%3b)[^/])*/gi,
    (_whole, sign: string, name?: string) =>
      name === undefined ? `${sign}redacted` : `${sign}${name}=redacted`,
  );
  return query === undefined ? place : `${place}?${recordedQuery(query, PARAMETERS)}`;
}

function recordedQuery(query: string, forms: Forms): string {
  const parts = query.split('&').map((part) => {
    const [name = '', value] = part.split(/=(.*)/s);
    if (part === '' || (value !== undefined && forms.get(name)?.test(value))) return part;
    // what has no value, or none but the padding of base64, is one itself
    const isName = value !== undefined && !/^=*$/.test(value) && /^[\w.%$[\]-]{1,64}$/.test(name);
    return isName ? `${name}=redacted` : 'redacted';
  });
  return parts.join('&');
}
