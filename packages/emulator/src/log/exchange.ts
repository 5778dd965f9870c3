import type { Served } from '../cache/account.ts';
import type { HttpReply, HttpRequest } from '../core/http.ts';
import { parseBody } from '../core/json.ts';
import type { Fault } from '../faults/fault.ts';
import type { ProviderName } from '../replies/reply.ts';

/** One request as it came in, what was answered, and what the cache did. */
export interface RecordedRequest {
  /** Counted from 0, failures included. */
  readonly index: number;
  readonly provider: ProviderName;
  readonly method: string;
  readonly path: string;
  /** Names are lower case. Keys are as they were sent. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The exact bytes. */
  readonly body: Uint8Array;
  /** The body as a value; undefined where it is no JSON object. Parsed when asked for. */
  readonly json: unknown;
  readonly startMs: number;
  readonly status: number;
  readonly reply: HttpReply;
  readonly model?: string | undefined;
  /** What was billed, a compaction's own pass before the reply's; empty where nothing was. */
  readonly billed: readonly Served[];
  readonly outputTokens: number;
  /** The fault that was injected. */
  readonly fault?: Fault['kind'] | undefined;
}

export type RecordedFields = Omit<
  RecordedRequest,
  'method' | 'path' | 'headers' | 'body' | 'json' | 'status'
>;

export function recordRequest(http: HttpRequest, fields: RecordedFields): RecordedRequest {
  const { method, path, headers, body } = http;
  let parsed: { readonly value: unknown } | undefined;
  return {
    ...fields,
    method,
    path,
    headers,
    body,
    status: fields.reply.status,
    get json() {
      parsed ??= { value: parseBody(body) };
      return parsed.value;
    },
  };
}

/** The latest requests within both limits; the report counts all of them. */
export function createRequestLog(maxRequests: number, maxBytes: number) {
  const kept: RecordedRequest[] = [];
  let bytes = 0;
  return {
    kept: kept as readonly RecordedRequest[],
    add(request: RecordedRequest) {
      kept.push(request);
      bytes += weightOf(request);
      while (kept.length > maxRequests || (bytes > maxBytes && kept.length > 0)) {
        bytes -= weightOf(kept.shift() as RecordedRequest);
      }
    },
  };
}

function weightOf({ body, reply }: RecordedRequest): number {
  const events = reply.events?.reduce((sum, event) => sum + event.length, 0) ?? 0;
  return body.byteLength + reply.body.length + events;
}
