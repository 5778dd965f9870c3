import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sent, type workbench } from './support.ts';

type Replies = Extract<Parameters<typeof workbench>[0]['replies'], (...given: never[]) => unknown>;
export type Given = Parameters<Replies>[0];

/** The last message of a request, without what may differ. */
export const lastOf = ({ request }: Given): string => sent(request.messages.at(-1));
export const allOf = ({ request }: Given): string => JSON.stringify(request.messages);
export const systemOf = ({ request }: Given): string => JSON.stringify(request.head.system);

/** Tokens of a request that were read from the cache. */
export const readTokens = (request: unknown): number =>
  Number(/"cache_read_input_tokens":(\d+)/.exec(JSON.stringify(request))?.[1] ?? 0);

/** What a session keeps of its agents: the text of each log, by its name. */
export function transcriptsOf(config: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(config, { recursive: true, encoding: 'utf8' }))
    if (/\/agents\/[^/]+\.jsonl$/.test(`/${entry}`))
      found[entry.split('/').at(-1) as string] = readFileSync(join(config, entry), 'utf8');
  return found;
}

export function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Waits until a file is there. */
export async function untilThere(path: string): Promise<void> {
  for (let tries = 0; tries < 500 && !existsSync(path); tries++) await wait(20);
  if (!existsSync(path)) throw new Error(`${path} did not come.`);
}

/** Whether a process lives. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
