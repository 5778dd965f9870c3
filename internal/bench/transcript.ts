import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serializeEntry } from '@varve/messages';
import { readLog } from '@varve/transcript/node';
import type { BenchRow } from './bench-row.ts';
import { createBenchSession, toEntries, UNITS_PER_RESULT } from './bench-session.ts';
import { medianOf, millisecondsOf } from './timing.ts';

const TURNS = 6_500;
const ROUNDS = 15;

/** G9: reads a log of about 50 MB and 13,000 lines; the floor is JSON.parse of the same lines, already split in memory. */
export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'varve-bench-'));
  const path = join(folder, 'log.jsonl');
  try {
    const lines = toEntries(
      createBenchSession({ turns: TURNS, unitsPerResult: UNITS_PER_RESULT * 2 }),
    ).map(serializeEntry);
    const file = openSync(path, 'w');
    for (const line of lines) writeSync(file, `${line}\n`);
    closeSync(file);
    const ours: number[] = [];
    const floor: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      floor.push(millisecondsOf(() => lines.map((line) => JSON.parse(line))));
      ours.push(await readAll(path));
    }
    return [toRow(medianOf(ours), medianOf(floor), lines.length)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function readAll(path: string): Promise<number> {
  const start = performance.now();
  for await (const _entry of readLog(path)) {
    // reading is what is measured
  }
  return performance.now() - start;
}

function toRow(ours: number, peer: number, lines: number): BenchRow {
  const ratio = ours / peer;
  const what = `read, check and parse a log of ${lines} lines, against JSON.parse of the lines`;
  return { id: 'G9 read', what, ours, peer, unit: 'ms', ratio, goal: '≤ 1.4 ×', met: ratio <= 1.4 };
}
