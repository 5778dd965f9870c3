import { spawnSync } from 'node:child_process';
import { readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BenchOptions, BenchRow } from '../bench/bench-row.ts';
import { figure } from './bench-table.ts';
import { root } from './workspace.ts';

/**
 * `pnpm bench [name…] [--json] [--peers]`: runs the programs of `internal/bench` and prints each ratio beside its goal. A
 * name is a file name or the beginning of a row id (`G4`). `--peers` also runs peers that are too large for the workspace,
 * and installs them the first time (npm, 377 MB).
 */
interface BenchModule {
  readonly run?: (options: BenchOptions) => Promise<readonly BenchRow[]>;
}

const names = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const json = process.argv.includes('--json');
const peers = process.argv.includes('--peers');
const print = process.stdout.write.bind(process.stdout);
const folder = join(root, 'internal', 'bench');
const files = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .sort();
const wantsFile = (file: string) =>
  names.length === 0 || names.some((name) => file.startsWith(name));
const chosen = files.some(wantsFile) ? files.filter(wantsFile) : files;

if (process.env.VARVE_BENCH_FILE === undefined) await runAll();
else await runOne(process.env.VARVE_BENCH_FILE);
// Some peers leave timers behind that never end.
process.exit();

/**
 * Each program has a process of its own: what another one left to the compiler and in memory would count in its figures, and
 * `pnpm bench NAME` would print others than `pnpm bench`.
 */
async function runAll(): Promise<void> {
  const rows: BenchRow[] = [];
  for (const file of chosen) {
    const fileRows = runIn(file);
    if (fileRows === undefined) continue;
    const wanted = fileRows.filter(
      (row) => wantsFile(file) || names.some((name) => row.id.startsWith(name)),
    );
    if (!json && wanted.length > 0) print(`${wanted.map(line).join('\n')}\n`);
    rows.push(...wanted);
  }
  if (json) print(`${JSON.stringify({ node: process.version, rows }, undefined, 2)}\n`);
  else print(`\n${rows.filter((row) => row.met).length} of ${rows.length} goals met\n`);
}

/** The rows of a file; undefined for one that is no program. */
function runIn(file: string): readonly BenchRow[] | undefined {
  const { status, stdout } = spawnSync(
    process.execPath,
    [...process.execArgv, import.meta.filename, ...process.argv.slice(2)],
    {
      encoding: 'utf8',
      env: { ...process.env, VARVE_BENCH_FILE: file },
      maxBuffer: 2 ** 26,
      stdio: ['inherit', 'pipe', 'inherit'],
    },
  );
  if (status !== 0) throw new Error(`bench ${file} ended with ${status}`);
  return stdout === '' ? undefined : JSON.parse(stdout);
}

/** Prints the rows of a file as JSON; nothing where it is no program. */
async function runOne(file: string): Promise<void> {
  // What peers print while they load is no part of the document.
  process.stdout.write = process.stderr.write.bind(process.stderr);
  const module = (await import(pathToFileURL(join(folder, file)).href)) as BenchModule;
  if (module.run === undefined) return;
  process.stderr.write(`bench ${file} …\n`);
  const rows = await module.run({ peers, isNamed: names.length > 0 && wantsFile(file) });
  writeSync(1, JSON.stringify(rows));
}

function line(row: BenchRow): string {
  const figures = `${figure(row.ours)} / ${figure(row.peer)} ${row.unit}`;
  const verdict = row.met ? 'met' : 'MISSED';
  return `${row.id.padEnd(18)} ${figures.padStart(26)} ${`${figure(row.ratio)}×`.padStart(9)}  ${verdict.padEnd(6)} ${row.goal.padEnd(18)} ${row.what}`;
}
