import { join } from 'node:path';
import { type Entry, serializeEntry } from '@varve/messages';
import { openLog } from '@varve/transcript/node';
import { describe, expect, test } from 'vitest';
import { isWhole } from '../../../internal/src/share.ts';
import { createContext } from '../src/index.ts';
import { noWait, summarizer } from './compacting-support.ts';
import { runAndKill } from './kill.ts';
import { smallPercent, smallWindow } from './small-window.ts';
import { BOUND, temporaryFolder, violationsOf } from './support.ts';

const program = join(import.meta.dirname, 'programs', 'compacting-session.ts');
const RUNS = isWhole ? 20 : 4;

async function reload(folder: string): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  const log = await openLog(`${folder}/log.jsonl`, {
    onEntry: (entry) => void entries.push(entry),
  });
  await log.close();
  return entries;
}

/** Attempts that began: each is in the log as an edit, or has its end, or was under way when the process died. */
function attemptsOf(entries: readonly Entry[]) {
  const attempts = { started: 0, compacted: 0, ended: 0 };
  for (const entry of entries) {
    if (entry.type === 'edit' && entry.receipt?.attempt !== undefined) attempts.compacted++;
    if (entry.type !== 'note' || entry.by !== 'compact') continue;
    const { kind } = entry.data as { kind: string };
    if (kind === 'compaction-started') attempts.started++;
    if (kind === 'compaction-ended') attempts.ended++;
  }
  return attempts;
}

/** The next request of a process that goes on is valid; what it adds is not written. */
async function checkNext(entries: readonly Entry[]): Promise<void> {
  const { summarize } = summarizer();
  const compaction = { summarize, wait: noWait, percent: smallPercent(1_500) };
  const models = [smallWindow(BOUND, 1_500)];
  const context = createContext({ model: BOUND, models, entries, layers: [], compaction });
  const { started, compacted, ended } = attemptsOf(context.entries());
  expect(started).toBe(compacted + ended);
  await context.closeRound('killed');
  if (context.view().messages.at(-1)?.role !== 'user') await context.user('Go on.');
  expect(violationsOf(await context.request())).toEqual([]);
}

describe('createContext with a compaction and a log file', () => {
  test(`${RUNS} processes killed at random moments are each wholly before or wholly after a compaction, and no question is lost`, async () => {
    const folder = temporaryFolder();
    const printed: string[] = [];
    let entries: readonly Entry[] = [];
    for (let seed = 1; seed <= RUNS; seed++) {
      const moment = { lines: 1 + (seed % 3), afterMs: (seed * 7919) % 151 };
      const lines = await runAndKill(program, [folder, String(seed)], moment);
      printed.push(...lines);
      entries = await reload(folder);
      await checkNext(entries);
    }
    const log = entries.map(serializeEntry).join('\n');
    for (const question of printed) expect(log).toContain(`"${question}"`);
    const { started, compacted, ended } = attemptsOf(entries);
    expect(compacted).toBeGreaterThan(0); // how many there is time for is the machine's affair
    expect(started - compacted - ended).toBeLessThanOrEqual(1);
  }, 300_000); // each is a start of node, on a machine that does other things
});
