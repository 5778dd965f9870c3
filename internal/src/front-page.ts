import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './run-command.ts';
import { root } from './workspace.ts';

const PATH = join(root, 'README.md');
const MARKED = /(<!-- results -->\n)(.*?)(<!-- \/results -->)/s;

/** What stands on the front page between its marks. */
export const frontPageBlock = (): string => MARKED.exec(readFileSync(PATH, 'utf8'))?.[2] ?? '';

/** What has to stand there: the command, and what it prints now but for the place of the report. */
export async function freshFrontPageBlock(): Promise<string> {
  const out = mkdtempSync(join(tmpdir(), 'varve-front-page-'));
  const env = { npm_lifecycle_event: 'eval' };
  const args = ['evals/src/cli.ts', '--out', out];
  const { code, stdout, output } = await runCommand('node', args, { env });
  rmSync(out, { recursive: true, force: true });
  if (code !== 0) throw new Error(output);
  const text = stdout.replace(/^Report: .*\n/m, '').trimEnd();
  return `\`pnpm eval\`\n\n\`\`\`\n${text}\n\`\`\`\n`;
}

/** Writes the first screen of `pnpm eval` into the front page. */
export async function writeFrontPage(): Promise<void> {
  const block = await freshFrontPageBlock();
  const page = readFileSync(PATH, 'utf8');
  writeFileSync(
    PATH,
    page.replace(MARKED, (_, start, __, end) => `${start}${block}${end}`),
  );
}
