import type { WireFault } from '../faults/fault.ts';

/** One HTTP request with its exact bytes. Header names are lower case. */
export interface HttpRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** What is answered: a body, or the server-sent events of a stream in their order. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Present for a stream: each one is a whole event with its blank line, and `body` is empty. */
  readonly events?: readonly string[] | undefined;
  /** What is done to the bytes on their way; the in-process caller sees it as data. */
  readonly wire?: WireFault | undefined;
}

export function jsonReply(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpReply {
  const body = JSON.stringify(value);
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}

export function eventReply(
  events: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): HttpReply {
  const type = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };
  return { status: 200, headers: { ...type, ...headers }, body: '', events };
}
