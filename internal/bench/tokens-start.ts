import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchRow } from './bench-row.ts';
import { addInstalled, packPackages } from './packed.ts';

const PACKAGES = [
  'compact',
  'context',
  'guards',
  'ledger',
  'memdir',
  'messages',
  'microcompact',
  'models',
  'prompt-cache',
  'redact',
  'session-memory',
  'tokens',
  'tool-storage',
  'transcript',
];
const ROUNDS = 25;
const MEGABYTE = 2 ** 20;

const PROGRAMS = {
  bare: '',
  estimate: `import { createEstimator } from '@varve/tokens/estimate';
createEstimator().text('hello world');`,
  entry: `import { createEstimator } from '@varve/tokens';
createEstimator().text('hello world');`,
  context: "import '@varve/context';",
  exact: `import { loadExactCounter } from '@varve/tokens/exact';
(await loadExactCounter({ encoding: 'o200k_base' })).count('hello world');`,
};

type Program = keyof typeof PROGRAMS;

interface Start {
  readonly milliseconds: number;
  readonly megabytes: number;
}

/**
 * G8: what the first estimate, the first exact count and a context add to the start of a bare process, packages as published.
 */
export async function run(): Promise<BenchRow[]> {
  const folder = await packPackages(PACKAGES);
  try {
    addInstalled(folder, { name: 'tiktoken', from: 'tokens' });
    const starts: Record<Program, Start[]> = {
      bare: [],
      estimate: [],
      entry: [],
      context: [],
      exact: [],
    };
    for (let round = 0; round < ROUNDS; round++) {
      for (const program of Object.keys(starts) as Program[]) {
        starts[program].push(startOf(folder, program));
      }
    }
    // The least of many: a start takes longer for many reasons, and never less.
    const least = (program: Program, of: (start: Start) => number) =>
      Math.min(...starts[program].map(of));
    const time = (program: Program) => least(program, (start) => start.milliseconds);
    const memory = (program: Program) => least(program, (start) => start.megabytes);
    const bare = time('bare');
    const inTime = { bare, unit: 'ms' } as const;
    const inMemory = { bare: memory('bare'), unit: 'MB' } as const;
    return [
      row('G8 estimate', { ...inTime, added: time('estimate') - bare, most: 30 }),
      row('G8 whole package', { ...inTime, added: time('entry') - bare, most: 30 }),
      row('G8 context', { ...inTime, added: time('context') - bare, most: 60 }),
      row('G8 exact', { ...inTime, added: time('exact') - bare, most: 350 }),
      row('G8 exact memory', { ...inMemory, added: memory('exact') - inMemory.bare, most: 90 }),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function startOf(folder: string, program: Program): Start {
  const file = join(folder, `${program}.mjs`);
  const report = 'process.stdout.write(String(process.memoryUsage.rss()));';
  writeFileSync(file, `${PROGRAMS[program]}\n${report}\n`);
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return { milliseconds: performance.now() - start, megabytes: Number(stdout) / MEGABYTE };
}

interface RowFigures {
  readonly added: number;
  readonly bare: number;
  readonly most: number;
  readonly unit: 'ms' | 'MB';
}

function row(id: string, { added, bare, most, unit }: RowFigures): BenchRow {
  return {
    id,
    what: 'added to a bare process, import to first count; the ratio is to that process',
    ours: added,
    peer: bare,
    unit,
    ratio: added / bare,
    goal: `≤ ${most} ${unit}`,
    met: added <= most,
  };
}
