import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpReply } from '../core/http.ts';

export interface WriteOptions {
  /** Aborts when the client is gone or the server closes. */
  readonly signal: AbortSignal;
  /** Milliseconds between the events of a stream; 0 sends them at once. */
  readonly eventDelayMs: number;
}

/** Writes a reply with what a fault does to its bytes. Resolves when all is written, or the client is gone. */
export async function writeReply(
  response: ServerResponse,
  reply: HttpReply,
  options: WriteOptions,
): Promise<void> {
  const { wire } = reply;
  if (wire?.kind === 'hang' && wire.afterEvents === undefined) return;
  if (wire?.kind === 'latency') await sleep(wire.ms, undefined, { signal: options.signal });
  const pieces = piecesOf(reply, options);
  const isWhole = pieces.length === 1 && wire?.kind !== 'cut' && wire?.kind !== 'hang';
  const [first = ''] = pieces;
  const length = { 'content-length': String(Buffer.byteLength(first)) };
  response.writeHead(reply.status, isWhole ? { ...reply.headers, ...length } : reply.headers);
  if (isWhole) return void response.end(first);
  response.flushHeaders();
  const delayMs = wire?.kind === 'slow-loris' ? wire.delayMs : options.eventDelayMs;
  for (const piece of pieces) {
    if (delayMs > 0) await sleep(delayMs, undefined, { signal: options.signal });
    if (!response.write(piece)) await drained(response, options.signal);
  }
  if (wire?.kind === 'hang') return;
  if (wire?.kind === 'cut') await flushed(response);
  if (wire?.kind === 'cut') response.destroy();
  else response.end();
}

/** What is written one after the other, as far as the fault lets it come. */
function piecesOf({ events, body, wire }: HttpReply, { eventDelayMs }: WriteOptions) {
  const all = events ?? [body];
  if (wire?.kind === 'hang') return all.slice(0, events ? wire.afterEvents : 0);
  if (wire?.kind === 'cut') return cutPieces(all, wire);
  const isSlow = wire?.kind === 'slow-loris';
  if (isSlow) return slices(Buffer.from(all.join('')), wire.bytes);
  return events && eventDelayMs > 0 ? events : [all.join('')];
}

interface Cut {
  readonly afterEvents?: number | undefined;
  readonly afterBytes?: number | undefined;
}

function cutPieces(all: readonly string[], { afterEvents, afterBytes }: Cut) {
  if (afterBytes !== undefined) return [Buffer.from(all.join('')).subarray(0, afterBytes)];
  return all.slice(0, afterEvents ?? Math.ceil(all.length / 2));
}

function slices(bytes: Buffer, size: number): Buffer[] {
  const step = Math.max(1, size);
  const count = Math.ceil(bytes.length / step);
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * step, (index + 1) * step),
  );
}

function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (action: () => void) => {
      response.off('drain', onDrain);
      signal.removeEventListener('abort', onAbort);
      action();
    };
    const onDrain = () => settle(resolve);
    const onAbort = () => settle(() => reject(signal.reason as Error));
    response.once('drain', onDrain);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Lets what was written leave before the connection is cut. */
const flushed = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    response.write('', () => resolve());
  });
