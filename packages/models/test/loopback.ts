import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** What the server got. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** What the server answers: JSON, or frames of an event stream and what happens after them. */
export interface LoopbackReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly frames?: readonly string[];
  /** `cut` drops the connection, `hang` leaves it open. */
  readonly after?: 'end' | 'cut' | 'hang';
  readonly gapMs?: number;
}

export interface Loopback {
  readonly url: string;
  readonly requests: readonly Received[];
  /** How many answers a client broke off. */
  readonly abandoned: () => number;
  close(): Promise<void>;
}

/** A server on the loopback interface that answers the nth request with what `respond` says. */
export async function startLoopback(
  respond: (request: Received, index: number) => LoopbackReply,
): Promise<Loopback> {
  const requests: Received[] = [];
  let abandoned = 0;
  const server = createServer(async (incoming, outgoing) => {
    let text = '';
    for await (const chunk of incoming.setEncoding('utf8')) text += chunk;
    const body = text === '' ? {} : JSON.parse(text);
    const received = { path: incoming.url ?? '', headers: incoming.headers, text, body };
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) abandoned++;
    });
    await answer(outgoing, respond(received, requests.push(received) - 1));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    abandoned: () => abandoned,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(outgoing: ServerResponse, reply: LoopbackReply): Promise<void> {
  const { status = 200, headers = {}, body, frames, after = 'end', gapMs = 0 } = reply;
  const type = frames ? 'text/event-stream' : 'application/json';
  outgoing.writeHead(status, { 'content-type': type, ...headers });
  outgoing.flushHeaders();
  for (const frame of frames ?? [typeof body === 'string' ? body : JSON.stringify(body)]) {
    await new Promise<void>((resolve) => void outgoing.write(frame, () => resolve()));
    if (gapMs > 0) await wait(gapMs);
  }
  if (after === 'end') outgoing.end();
  if (after === 'cut') {
    await wait(2);
    outgoing.socket?.destroy();
  }
}
