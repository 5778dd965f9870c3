import { readFileSync } from 'node:fs';
import { runCommand } from './run-command.ts';
import { filesBelow, root } from './workspace.ts';

/**
 * `pnpm soak [paths]`: the long runs. Test files that run a seeded share of their cases in `pnpm test` run all of them here, and
 * those that read `VARVE_SOAK` their full size: kills by the hundred, histories by the hundred thousand. `pnpm mutants` is a
 * program of its own.
 */
const SWITCH = 'VARVE_SOAK';
const LONG = new RegExp(`${SWITCH}|internal/src/share\\.ts|\\./src/share\\.ts`);

const wanted = process.argv.slice(2);
const files = filesBelow(root, ['.test.ts'])
  .filter((file) => LONG.test(readFileSync(file, 'utf8')))
  .filter((file) => wanted.length === 0 || wanted.some((path) => file.startsWith(path)));
if (files.length === 0) {
  process.stderr.write('No test file with a long run is there.\n');
  process.exit(2);
}
const { code } = await runCommand('vitest', ['run', ...files], {
  echo: true,
  env: { [SWITCH]: '1', VARVE_LAW_RUNS: process.env.VARVE_LAW_RUNS ?? '2500' },
});
process.exitCode = code;
