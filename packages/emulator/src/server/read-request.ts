import type { IncomingMessage } from 'node:http';
import type { HttpRequest } from '../core/http.ts';

/** More than any provider takes: the rest of a larger body is read and dropped, and what is kept is refused for its size. */
export const MOST_BODY_BYTES = 64 * 2 ** 20 + 1;

/** Reads a request, its body up to `maxBytes`. Rejects when the client goes away. */
export async function readHttpRequest(
  message: IncomingMessage,
  maxBytes: number,
): Promise<HttpRequest> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    if (size < maxBytes) chunks.push(chunk);
    size += chunk.byteLength;
  }
  const headers = Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
  const body = chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
  return { method: message.method ?? 'GET', path: pathOf(message.url), headers, body };
}

/** Clients that take this for a proxy send a whole URL, of which the path counts. */
function pathOf(target = '/'): string {
  if (target.startsWith('/') || !URL.canParse(target)) return target;
  const { pathname, search } = new URL(target);
  return pathname + search;
}
