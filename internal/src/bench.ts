import { readdirSync } from 'node:fs';
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
// What peers print while they load is no part of the document.
if (json) process.stdout.write = process.stderr.write.bind(process.stderr);
const folder = join(root, 'internal', 'bench');
const files = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .sort();
const wantsFile = (file: string) =>
  names.length === 0 || names.some((name) => file.startsWith(name));
const chosen = files.some(wantsFile) ? files.filter(wantsFile) : files;
const rows: BenchRow[] = [];
for (const file of chosen) {
  const module = (await import(pathToFileURL(join(folder, file)).href)) as BenchModule;
  if (module.run === undefined) continue;
  process.stderr.write(`bench ${file} …\n`);
  const fileRows = await module.run({ peers, isNamed: names.length > 0 && wantsFile(file) });
  const wanted = fileRows.filter(
    (row) => wantsFile(file) || names.some((name) => row.id.startsWith(name)),
  );
  if (!json) print(`${wanted.map(line).join('\n')}\n`);
  rows.push(...wanted);
}
if (json) print(`${JSON.stringify({ node: process.version, rows }, undefined, 2)}\n`);
else print(`\n${rows.filter((row) => row.met).length} of ${rows.length} goals met\n`);
// Some peers leave timers behind that never end.
process.exit();

function line(row: BenchRow): string {
  const figures = `${figure(row.ours)} / ${figure(row.peer)} ${row.unit}`;
  const verdict = row.met ? 'met' : 'MISSED';
  return `${row.id.padEnd(18)} ${figures.padStart(26)} ${`${figure(row.ratio)}×`.padStart(9)}  ${verdict.padEnd(6)} ${row.goal.padEnd(18)} ${row.what}`;
}
