import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Entry, serializeEntry } from '@varve/messages';
import { createToolStorage } from '@varve/tool-storage';
import { fileStore } from '@varve/tool-storage/node';
import { handlesIn } from '@varve/tool-storage/retention';
import { openLog, readLog } from '@varve/transcript/node';
import { describe, expect, test } from 'vitest';
import { isWhole } from '../../../internal/src/share.ts';
import { createContext } from '../src/index.ts';
import { runAndKill } from './kill.ts';
import { LATEST, temporaryFolder, violationsOf } from './support.ts';

const program = join(import.meta.dirname, 'programs', 'session.ts');
const RUNS = isWhole ? 20 : 4;

async function reload(folder: string) {
  const entries: Entry[] = [];
  const path = `${folder}/log.jsonl`;
  const log = await openLog(path, { onEntry: (entry) => void entries.push(entry) });
  await log.close();
  const read: Entry[] = [];
  for await (const { entry } of readLog(path)) read.push(entry);
  expect(read).toEqual(entries);
  const storage = createToolStorage({
    store: fileStore(`${folder}/results`),
    sessionId: 'session',
  });
  const context = createContext({ model: LATEST, storage, entries, layers: [] });
  return { entries, storage, context };
}

/** What a killed process left: every handle that is new in the log is stored whole, and the next request is valid. */
async function checkLeftovers(folder: string, checked: Set<string>): Promise<readonly string[]> {
  const { entries, storage, context } = await reload(folder);
  const lines = entries.map(serializeEntry);
  const intended = new Set(readFileSync(`${folder}/intended.txt`, 'utf8').split('\n'));
  for (const handle of new Set(lines.flatMap(handlesIn))) {
    if (checked.has(handle)) continue;
    const hash = sha256(String(await storage.load(handle)));
    expect(handle).toContain(hash.slice(0, 16));
    expect(lines.some((line) => line.includes(hash))).toBe(true);
    expect(intended.has(hash)).toBe(true);
    checked.add(handle);
  }
  await context.closeRound('killed');
  if (context.view().messages.at(-1)?.role !== 'user') await context.user('Go on.');
  expect(violationsOf(await context.request())).toEqual([]);
  return lines;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

async function killAgainAndAgain(firstSeed: number, runs: number): Promise<void> {
  const folder = temporaryFolder();
  const reported: string[] = [];
  const checked = new Set<string>();
  let lines: readonly string[] = [];
  for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
    const moment = { lines: 1 + (seed % 5), afterMs: (seed * 7919) % 43 };
    reported.push(...(await runAndKill(program, [folder, String(seed)], moment)));
    lines = await checkLeftovers(folder, checked);
  }
  await checkLeftovers(folder, new Set()); // also what earlier processes left is still there
  const log = lines.join('\n');
  expect(reported.length).toBeGreaterThanOrEqual(runs);
  for (const name of reported) expect(log).toContain(`${name.replace('-', ' ')} k0 line 0`);
  expect(checked.size).toBeGreaterThan(runs);
  expect(lines.some((line) => line.includes('"type":"edit"'))).toBe(true);
}

describe('createContext with a log and files', () => {
  test(
    `${RUNS} processes killed at random moments lose no round that was reported and name nothing that is not stored whole`,
    () => Promise.all([killAgainAndAgain(1, RUNS / 2), killAgainAndAgain(101, RUNS / 2)]),
    300_000, // each is a start of node, on a machine that does other things
  );
});
