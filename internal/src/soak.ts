import { readFileSync } from 'node:fs';
import { runCommand } from './run-command.ts';
import { filesBelow, root } from './workspace.ts';

/**
 * `pnpm soak [paths]`: the long runs. Every test file that reads `VARVE_SOAK` has a small seeded share in `pnpm test`, and
 * here its full size: kills by the hundred, histories by the hundred thousand. `pnpm mutants` is a program of its own.
 */
const SWITCH = 'VARVE_SOAK';
const SEED = '20261128';

const wanted = process.argv.slice(2);
const files = filesBelow(root, ['.test.ts'])
  .filter((file) => readFileSync(file, 'utf8').includes(SWITCH))
  .filter((file) => wanted.length === 0 || wanted.some((path) => file.startsWith(path)));
if (files.length === 0) {
  process.stderr.write('No test file with a long run is there.\n');
  process.exit(2);
}
const { code } = await runCommand('vitest', ['run', ...files], {
  echo: true,
  env: { [SWITCH]: '1', VARVE_LAW_SEED: process.env.VARVE_LAW_SEED ?? SEED },
});
process.exitCode = code;
