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

/** No strategy, made to be worse than ours, or the same but for their markers. */
const LEFT_OUT = [
  'as-it-was',
  'drop-oldest',
  'sliding-clear+parked',
  'batched-clear+parked',
  'layers+1h',
  'legal-oracle',
  'legal-oracle+fold',
];
const STRATEGIES = BUILT_IN_STRATEGIES.filter(({ name }) => !LEFT_OUT.includes(name));

/** A digest that is made when it is asked for, and the name of its row. */
export interface RequestRow {
  readonly name: string;
  readonly digest: () => string | Promise<string>;
}

/** Of our own sessions and of the small files in other formats. */
export async function fixtureRows(): Promise<readonly RequestRow[]> {
  const files = formatFiles().map((file) => ({
    name: `${file} · view`,
    digest: () => importHash(file),
  }));
  return [...(await fixtureSessions()).flatMap(sessionRows), ...files];
}

/** Of sessions that other agents recorded. */
export async function foreignRows(): Promise<readonly RequestRow[]> {
  const rows = (await foreignSessions()).flatMap(sessionRows);
  return rows.map(({ name, digest }) => ({ name: `${FOREIGN_PREFIX}${name}`, digest }));
}

function sessionRows(session: RecordedSession): readonly RequestRow[] {
  const row = (what: string, digest: RequestRow['digest']) => ({
    name: `${session.name} · ${what}`,
    digest,
  });
  return [
    row('view', () => viewHash(session.entries)),
    ...CONTEXT_SETTINGS.map((each) => row(each.name, () => playContext(session, each))),
    ...STRATEGIES.map((each) => row(each.name, () => playStrategy(session, each))),
  ];
}

export async function hashesOf(rows: readonly RequestRow[]): Promise<RequestHashes> {
  const hashes: Record<string, string> = {};
  for (const { name, digest } of rows) hashes[name] = await digest();
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
  const now = await hashesOf([...(await fixtureRows()), ...(foreign ? await foreignRows() : [])]);
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
