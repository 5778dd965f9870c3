import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';

export interface LoadOptions {
  readonly url: string;
  readonly body: (index: number) => string;
  readonly count: number;
  /** Requests in flight at once. */
  readonly concurrency: number;
}

/** Posts to the Messages API over kept connections and reads every answer to its end. Returns the statuses, 0 for an answer that was cut. */
export async function load({ url, body, count, concurrency }: LoadOptions): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const statuses: number[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) {
      statuses.push(await post(url, body(index), agent));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  agent.destroy();
  return statuses;
}

function post(url: string, body: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-api-key': 'bench',
      'anthropic-version': '2026-10-21',
    };
    const sent = request(`${url}/v1/messages`, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
      response.once('error', () => resolve(0));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

export interface RawLoadOptions {
  readonly url: string;
  readonly bodies: readonly string[];
  readonly concurrency: number;
}

/** Posts over kept sockets without an HTTP client, which would take longer than the server. Answers have a length. */
export async function loadRaw({ url, bodies, concurrency }: RawLoadOptions): Promise<number[]> {
  const statuses: number[] = [];
  let next = 0;
  const worker = async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.setNoDelay(true);
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
      statuses.push(await exchange(socket, body));
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return statuses;
}

function exchange(socket: Socket, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let received = '';
    const read = (chunk: Buffer) => {
      received += chunk.toString('latin1');
      const end = received.indexOf('\r\n\r\n');
      const [, length = '0'] = /content-length: (\d+)/i.exec(received) ?? [];
      if (end < 0 || received.length < end + 4 + Number(length)) return;
      socket.off('data', read).off('error', reject);
      resolve(Number(received.slice(9, 12)));
    };
    socket.on('data', read).on('error', reject);
    socket.write(`${RAW_HEAD}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  });
}

const RAW_HEAD =
  'POST /v1/messages HTTP/1.1\r\nhost: x\r\nx-api-key: bench\r\nanthropic-version: 2026-10-21\r\n';
