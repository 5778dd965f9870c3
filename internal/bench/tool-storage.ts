import { hash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToolStorage, memoryStore, type ToolResultStore } from '@varve/tool-storage';
import { fileStore } from '@varve/tool-storage/node';
import type { BenchRow } from './bench-row.ts';
import { createBenchSession, UNITS_PER_RESULT } from './bench-session.ts';
import { medianOf, millisecondsOf } from './timing.ts';

const BYTES = new TextEncoder().encode('a line of output, 32 characters\n'.repeat(2_048));
const ROUNDS = 300;

/** G10: storing 64 KB against the system calls it takes, hashing, and what a turn costs that has nothing large. */
export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'varve-bench-'));
  try {
    return [
      await putRow(folder, { durable: false, goal: 3 }),
      await putRow(folder, { durable: true, goal: 1.3 }),
      hashRow(fileStore(folder)),
      ...(await turnRows()),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function putRow(folder: string, { durable, goal }: { durable: boolean; goal: number }) {
  const store = fileStore(join(folder, `ours-${durable}`), { durable });
  await store.put('session/first-0123456789abcdef.txt', BYTES);
  const [ours, peer]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await store.put(`session/r${round}-0123456789abcdef.txt`, BYTES);
    ours.push(performance.now() - start);
    peer.push(millisecondsOf(() => plainPut(folder, round, durable)));
  }
  const calls = durable
    ? 'write, fsync, rename and fsync of the folder'
    : 'writeFileSync and renameSync';
  return toRow(`G10 put ${durable ? 'durable' : 'plain'}`, `store 64 KB, against ${calls}`, {
    ours: medianOf(ours),
    peer: medianOf(peer),
    goal,
  });
}

/** The same by system calls alone; of a durable file also its name has to last. */
function plainPut(folder: string, round: number, durable: boolean): void {
  const [temporary, path] = [join(folder, `${round}.tmp`), join(folder, `${round}-${durable}`)];
  if (!durable) writeFileSync(temporary, BYTES);
  else flushed(temporary, 'wx', (file) => writeSync(file, BYTES));
  renameSync(temporary, path);
  if (durable) flushed(folder, 'r', () => undefined);
}

function flushed(path: string, flags: string, work: (file: number) => unknown): void {
  const file = openSync(path, flags);
  work(file);
  fsyncSync(file);
  closeSync(file);
}

function hashRow({ hash: own }: ToolResultStore): BenchRow {
  const [ours, peer]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(millisecondsOf(() => own?.of(BYTES)));
    peer.push(millisecondsOf(() => hash('sha256', BYTES)));
  }
  return toRow('G10 hash', "SHA-256 of 64 KB, against crypto.hash('sha256')", {
    ours: medianOf(ours),
    peer: medianOf(peer),
    goal: 1.2,
  });
}

/** What the newest turn costs over a short and a long history, and against writing the long one as JSON. */
async function turnRows(): Promise<BenchRow[]> {
  const [short, long] = [await turnCost(100), await turnCost(1_000)];
  const { messages } = createBenchSession({ turns: 1_000, unitsPerResult: UNITS_PER_RESULT });
  const walk = medianOf(
    Array.from({ length: 15 }, () =>
      millisecondsOf(() => messages.map((one) => JSON.stringify(one))),
    ),
  );
  const turn = 'decide about the newest turn of 1,000';
  return [
    toRow('G10 turn', `${turn}, against JSON.stringify of all messages`, {
      ours: long,
      peer: walk,
      goal: 0.02,
    }),
    toRow('G10 turn flat', `${turn}, against the same at 100`, {
      ours: long,
      peer: short,
      goal: 1.5,
    }),
  ];
}

const NEW_TURNS = 60;

/** Median milliseconds of `offloadMessages` with one new turn behind so many old ones. */
async function turnCost(turns: number): Promise<number> {
  const unitsPerResult = UNITS_PER_RESULT;
  const { messages } = createBenchSession({ turns: turns + NEW_TURNS, unitsPerResult });
  const results = createToolStorage({ store: memoryStore(), sessionId: 'session' });
  const first = messages.length - 2 * NEW_TURNS;
  await results.offloadMessages(messages.slice(0, first));
  const costs: number[] = [];
  for (let end = first + 2; end <= messages.length; end += 2) {
    const history = messages.slice(0, end);
    const start = performance.now();
    await results.offloadMessages(history);
    costs.push(performance.now() - start);
  }
  return medianOf(costs);
}

interface Measured {
  readonly ours: number;
  readonly peer: number;
  readonly goal: number;
}

function toRow(id: string, what: string, { ours, peer, goal }: Measured): BenchRow {
  const ratio = ours / peer;
  return { id, what, ours, peer, unit: 'ms', ratio, goal: `≤ ${goal} ×`, met: ratio <= goal };
}
