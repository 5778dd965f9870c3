import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUILT_IN_STRATEGIES } from '@varve/evals';
import { CONTEXT_SETTINGS, playContext } from './request-hashes/play-context.ts';
import { playStrategy } from './request-hashes/play-strategy.ts';
import {
  fixtureSessions,
  foreignSessions,
  formatFiles,
  hasForeignSessions,
  type RecordedSession,
} from './request-hashes/sessions.ts';
import { importHash, viewHash } from './request-hashes/view-hashes.ts';
import { root } from './workspace.ts';

/**
 * Digests of every request that our strategies and `createContext` make of recorded sessions, and of what their logs
 * project to. A change that only moves code leaves them as they are. `node internal/src/request-hashes.ts --write` writes
 * them again; without `--write` the program prints what differs.
 */
export type RequestHashes = Readonly<Record<string, string>>;

const STORED = join(root, 'internal', 'test', 'request-hashes.json');

export const WRITE_AGAIN = 'node internal/src/request-hashes.ts --write';

/** Rows of foreign sessions begin with it. */
export const FOREIGN_PREFIX = 'foreign/';

/** Made to be worse than ours, or the same but for their markers. */
const LEFT_OUT = ['drop-oldest', 'sliding-clear+parked', 'batched-clear+parked', 'layers+1h'];
const STRATEGIES = BUILT_IN_STRATEGIES.filter(({ name }) => !LEFT_OUT.includes(name));

/** Of our own sessions and of the small files in other formats. */
export async function fixtureHashes(): Promise<RequestHashes> {
  const files: Record<string, string> = {};
  for (const file of formatFiles()) files[`${file} · view`] = await importHash(file);
  return { ...(await sessionHashes(await fixtureSessions())), ...files };
}

/** Of sessions that other agents recorded. */
export async function foreignHashes(): Promise<RequestHashes> {
  const hashes = await sessionHashes(await foreignSessions());
  return Object.fromEntries(
    Object.entries(hashes).map(([name, hash]) => [`${FOREIGN_PREFIX}${name}`, hash]),
  );
}

async function sessionHashes(sessions: readonly RecordedSession[]): Promise<RequestHashes> {
  const hashes: Record<string, string> = {};
  for (const session of sessions) {
    const row = (what: string): string => `${session.name} · ${what}`;
    hashes[row('view')] = viewHash(session.entries);
    for (const setting of CONTEXT_SETTINGS)
      hashes[row(setting.name)] = await playContext(session, setting);
    for (const strategy of STRATEGIES)
      hashes[row(strategy.name)] = await playStrategy(session, strategy);
  }
  return hashes;
}

export const storedHashes = (): RequestHashes =>
  JSON.parse(readFileSync(STORED, 'utf8')) as RequestHashes;

/** Every row that is not as stored, told apart by what is wrong with it. */
export function differences(stored: RequestHashes, now: RequestHashes): readonly string[] {
  const names = [...new Set([...Object.keys(stored), ...Object.keys(now)])].sort();
  return names.flatMap((name) => {
    const [before, after] = [stored[name], now[name]];
    if (before === after) return [];
    return [`${name}: stored ${before ?? 'nothing'}, now ${after ?? 'nothing'}`];
  });
}

async function main(): Promise<void> {
  const foreign = hasForeignSessions();
  const now = { ...(await fixtureHashes()), ...(foreign ? await foreignHashes() : {}) };
  if (!process.argv.includes('--write')) {
    const found = differences(storedHashes(), now);
    process.stdout.write(`${found.join('\n')}\n${found.length} differ\n`);
    return;
  }
  const rows = Object.entries(now).sort(([left], [right]) => (left < right ? -1 : 1));
  writeFileSync(STORED, `${JSON.stringify(Object.fromEntries(rows), undefined, 2)}\n`);
  process.stdout.write(
    `${rows.length} digests written${foreign ? '' : ', none of the foreign sessions, which are not here'}\n`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
