import { Agent, request } from 'node:http';

export interface LoadOptions {
  readonly url: string;
  readonly body: (index: number) => string;
  readonly count: number;
  /** Requests in flight at once. */
  readonly concurrency: number;
}

/** Posts to the Messages API over kept connections and reads every answer to its end. Returns the statuses. */
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
      response.once('error', reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
