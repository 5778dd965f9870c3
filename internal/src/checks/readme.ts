import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../run-command.ts';
import { publicPackages, root } from '../workspace.ts';
import type { Check } from './check.ts';

const MAX_README_LINES = 120;

/** The first `ts` block of every README is an example file, byte for byte, and that file runs and prints. */
export const readmeCheck: Check = {
  name: 'README examples',
  async run() {
    const pages = publicPackages().map(({ path }) => [
      `${path}/README.md`,
      `${path}/examples/readme.ts`,
    ]);
    const all = [['README.md', 'internal/examples/readme.ts'], ...pages] as [string, string][];
    const problems = await Promise.all(
      all.map(([readme, example]) => pageProblems(readme, example)),
    );
    return problems.flat();
  },
};

async function pageProblems(readme: string, example: string): Promise<string[]> {
  const missing = [readme, example].filter((file) => !existsSync(join(root, file)));
  if (missing.length > 0) return missing.map((file) => `${file} is missing`);
  const page = readFileSync(join(root, readme), 'utf8');
  const source = readFileSync(join(root, example), 'utf8');
  const problems: string[] = [];
  if (page.split('\n').length > MAX_README_LINES + 1)
    problems.push(`${readme} has more than ${MAX_README_LINES} lines`);
  if (firstBlock(page) !== source)
    problems.push(`the first ts block of ${readme} is not ${example}`);
  const { code, stdout, output } = await runCommand('node', [example]);
  if (code !== 0 || stdout.trim() === '')
    problems.push(`${example} failed or printed nothing: ${output}`);
  return problems;
}

/** The text of the first fenced `ts` block of a Markdown page. */
export function firstBlock(page: string): string | undefined {
  return /^```ts\n(.*?)^```$/ms.exec(page)?.[1];
}
