import { runCommand } from '../run-command.ts';
import type { Check } from './check.ts';

const command = (name: string, program: string, args: readonly string[]): Check => ({
  name,
  async run() {
    const { code, output } = await runCommand(program, args, { env: { NO_COLOR: '1' } });
    return code === 0 ? [] : [output.trimEnd()];
  },
});

/** Checks that are one call of a well-known tool. */
export const commandChecks: readonly Check[] = [
  command('format and lint', 'biome', ['ci', '--colors=off', '--max-diagnostics=30', '.']),
  command('types of the sources', 'tsc', ['-b']),
  command('types of tests, examples and programs', 'tsc', ['-p', 'tsconfig.test.json']),
  command('unused code and dependencies', 'knip', []),
];
