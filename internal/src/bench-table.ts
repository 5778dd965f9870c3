import type { BenchRow } from '../bench/bench-row.ts';
import { runCommand } from './run-command.ts';

/** The benchmarks' rows as a Markdown table. */
export async function benchTable(): Promise<string> {
  const { code, stdout, output } = await runCommand('node', [
    '--expose-gc',
    'internal/src/bench.ts',
    '--peers',
    '--json',
  ]);
  if (code !== 0) throw new Error(output);
  const { rows } = JSON.parse(stdout) as { readonly rows: readonly BenchRow[] };
  return [
    '`pnpm bench --peers`',
    '',
    '| goal | ours / peer | ratio | goal | met | what |',
    '| --- | ---: | ---: | --- | --- | --- |',
    ...rows.map(toLine),
  ].join('\n');
}

const toLine = ({ id, ours, peer, unit, ratio, goal, met, what }: BenchRow): string =>
  `| ${id} | ${figure(ours)} / ${figure(peer)} ${unit} | ${figure(ratio)} | ${goal} | ${met ? 'yes' : 'no'} | ${what} |`;

/** Three digits that say something. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
